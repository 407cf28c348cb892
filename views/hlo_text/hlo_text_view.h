// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/common/selection.h"
#include "views/common/view.h"
#include "views/common/worker.h"
#include "views/common/workspace.h"
#include "views/hlo_text/hlo_text_canvas.h"

#include <QTimer>

#include <memory>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QProgressBar;

namespace hloscope {

class ElidedLabel;
class HloHoverCard;
class PanelLink;

// The HLO tab: the selected module as text. The text is printed and searched off the GUI thread.
class HloTextView : public View {
    Q_OBJECT

public:
    HloTextView(Workspace& workspace, Selection& selection, QWidget* parent = nullptr);
    ~HloTextView() override;

    bool isReady() const override { return !m_isLoading; }

    HloTextCanvas* canvas() const { return m_canvas; }
    QLineEdit* findField() const { return m_findField; }
    HloHoverCard* hoverCard() const { return m_card; }
    size_t hitCount() const { return m_hits.size(); }

public slots:
    void findNext();
    void findPrevious();

signals:
    // The user wants to see a shape in the Layout tab.
    void layoutRequested(const QString& shape);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeToolRow();
    void followSelection();
    void load();
    void showDocument(std::shared_ptr<const HloTextDocument> document);
    void showSelection(bool scroll);
    void updateCost();
    void updateBreadcrumb();
    void startSearch();
    void takeHits(uint64_t search, std::vector<size_t> hits, size_t length);
    void walkHits(int step);
    void updateHitLabel();
    void explain(const HloHover& hover);
    bool fillCard(const HloHover& hover);
    void focusFind();

    Workspace& m_workspace;
    Selection& m_selection;
    std::shared_ptr<const HloModule> m_module; // that is shown or being printed
    InstructionId m_shownInstruction;
    ComputationId m_shownComputation;
    bool m_isLoading = false;
    bool m_isOwnChange = false; // the selection that arrives was made here: nothing is scrolled
    uint64_t m_loadNumber = 0;

    std::vector<size_t> m_hits;
    size_t m_currentHit = SIZE_MAX;
    uint64_t m_searchNumber = 0;
    QTimer m_searchTimer;
    QTimer m_hideTimer;

    PanelLink* m_computationLink = nullptr;
    QHBoxLayout* m_crumbs = nullptr;
    ElidedLabel* m_opLabel = nullptr;
    QLineEdit* m_findField = nullptr;
    QLabel* m_hitLabel = nullptr;
    HloTextCanvas* m_canvas = nullptr;
    HloHoverCard* m_card = nullptr;
    QProgressBar* m_loadingLine = nullptr; // from 300 ms on
    QTimer m_lineTimer;
    std::shared_ptr<Progress> m_loading;
    std::shared_ptr<Progress> m_searching;
    std::unique_ptr<Worker> m_worker; // last: its thread ends before what it reports to
};

} // namespace hloscope
