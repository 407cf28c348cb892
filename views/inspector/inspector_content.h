// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/common/selection.h"
#include "views/common/workspace.h"
#include "views/words/op_words.h"

#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace hloscope {

class PanelSection;

// The sections of the inspector for one selection. Made anew for every selection; the inspector scrolls it.
class InspectorContent : public QWidget {
    Q_OBJECT

public:
    InspectorContent(const Workspace& workspace, Selection& selection, bool showAllLinks, QWidget* parent = nullptr);

    QString plainText() const;

signals:
    void allLinksRequested();

private:
    PanelSection* addSection(const QString& caption);
    void showNothing();
    void showModule();
    void showComputation();
    void showOp();
    void showEvent();

    void addHeader(OpCategory category, const QString& name, const QString& kind, const QString& scope,
                   const QString& sentence);
    void addResults(const OpWords& words);
    void addContents(const OpWords& words);
    void addTime(const OpWords& words);
    void addRun();
    void addTimeRow(PanelSection* section, const QString& label, int64_t picoseconds);
    void addArguments();
    void addBuffer();
    void addLinks(const QString& caption, const std::vector<LinkWords>& links);
    void addCalled(const OpWords& words);
    void addOwner();
    void addLayout(const OpWords& words);
    void addSource(const OpWords& words);
    void addComputationLink(PanelSection* section, ComputationId computation, const QString& name);
    void addOpLink(PanelSection* section, const LinkWords& link);

    const Workspace& m_workspace;
    Selection& m_selection;
    SelectionState m_state;
    bool m_showAllLinks;
    QVBoxLayout* m_box;
};

// The text of one line of a file of this machine; empty when there is no such file or line.
QString sourceLineText(const QString& file, int line, const QString& besidePath);

} // namespace hloscope
