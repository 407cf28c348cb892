// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/diagnostic.h"

#include <QFrame>
#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace hloscope {

// What a notice row says: one sentence, and what can be done about it.
struct Notice {
    struct Action {
        QString text;
        std::function<void()> run;
    };

    Severity severity = Severity::Warning;
    QString key; // a later notice with the same key takes the place of this one
    QString text;
    std::vector<Action> actions;
};

// One row with an icon, the text, its actions as links, and a cross.
class NoticeBar : public QFrame {
    Q_OBJECT

public:
    explicit NoticeBar(const Notice& notice, QWidget* parent = nullptr);

    const QString& key() const { return m_key; }
    const QString& text() const { return m_text; }
    Severity severity() const { return m_severity; }

signals:
    void closeRequested();

private:
    void applyTheme();

    QString m_key;
    QString m_text;
    Severity m_severity;
    QLabel* m_icon;
};

// The notices of a window or view, newest on top. Never more than `kMaxRows`, so that a folder full of broken files
// leaves room for the rest; the problems pane lists everything.
class NoticeArea : public QWidget {
    Q_OBJECT

public:
    static constexpr int kMaxRows = 4;

    explicit NoticeArea(QWidget* parent = nullptr);

    void post(const Notice& notice);
    void dismiss(const QString& key);
    void dismissAll();
    const std::vector<NoticeBar*>& rows() const { return m_rows; }

private:
    void remove(NoticeBar* row);

    QVBoxLayout* m_layout;
    std::vector<NoticeBar*> m_rows; // from the top
};

} // namespace hloscope
