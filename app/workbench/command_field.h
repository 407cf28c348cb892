// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/workbench/goto_model.h"

#include <QWidget>

class QFrame;
class QLabel;
class QLineEdit;
class QListView;

namespace hloscope {

// The field in the menu row with the list that drops from it. Typing searches, Up and Down move, Enter goes there,
// Esc gives the keyboard back to where it was.
class CommandField : public QWidget {
    Q_OBJECT

public:
    static constexpr int kWidth = 456;

    CommandField(GotoModel* model, QWidget* parent = nullptr);

    // Takes the keyboard and shows the list; `text` is ">" for commands only.
    void start(const QString& text = {});
    void setPlaceholder(const QString& text);
    void setKeyCap(const QString& text);
    QLineEdit* edit() const { return m_edit; }
    QListView* list() const { return m_list; }
    bool isOpen() const;

signals:
    void chosen(const hloscope::GotoHit& hit);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void search(const QString& text);
    void placeList();
    void choose(const QModelIndex& index);
    void finish();
    bool handleKey(int key);
    void applyTheme();

    GotoModel* m_model;
    QLineEdit* m_edit;
    QLabel* m_keyCap;
    QFrame* m_popup; // child of the window, so that it needs no window of its own
    QListView* m_list;
    QPointer<QWidget> m_focusBefore;
};

} // namespace hloscope
