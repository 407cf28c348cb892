// SPDX-License-Identifier: Apache-2.0
#include "views/common/notice_bar.h"

#include "views/common/elided_label.h"
#include "views/common/icons.h"
#include "views/common/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace hloscope {

namespace {

constexpr double kRowHeight = 28;

}

NoticeBar::NoticeBar(const Notice& notice, QWidget* parent)
    : QFrame(parent), m_key(notice.key), m_text(notice.text), m_severity(notice.severity), m_icon(new QLabel(this))
{
    setProperty("role", "notice");
    setProperty("severity", m_severity == Severity::Error ? "error" : "warning");
    setAccessibleName(m_text);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 0, 6, 0);
    layout->setSpacing(8);
    layout->addWidget(m_icon);
    auto* text = new ElidedLabel(m_text, Qt::ElideMiddle, this);
    text->setFont(ThemeManager::instance().uiFont(12));
    layout->addWidget(text, 1);
    for (const Notice::Action& action : notice.actions) {
        auto* button = new QPushButton(action.text, this);
        button->setProperty("role", "link");
        button->setCursor(Qt::PointingHandCursor);
        connect(button, &QPushButton::clicked, this, [run = action.run] { run(); });
        layout->addWidget(button);
    }
    auto* close = new QToolButton(this);
    close->setObjectName(QStringLiteral("closeNotice"));
    close->setIcon(icon(QStringLiteral("close")));
    close->setIconSize({14, 14});
    close->setToolTip(tr("Close"));
    close->setAccessibleName(tr("Close"));
    connect(close, &QToolButton::clicked, this, &NoticeBar::closeRequested);
    layout->addWidget(close);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &NoticeBar::applyTheme);
    applyTheme();
}

void NoticeBar::applyTheme()
{
    setFixedHeight(ThemeManager::instance().scaled(kRowHeight));
    const bool isError = m_severity == Severity::Error;
    const QColor& colour = isError ? theme().error : theme().warning;
    m_icon->setPixmap(
        iconPixmap(isError ? QStringLiteral("error") : QStringLiteral("warning"), 16, colour, devicePixelRatioF()));
}

NoticeArea::NoticeArea(QWidget* parent) : QWidget(parent), m_layout(new QVBoxLayout(this))
{
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    hide();
}

void NoticeArea::post(const Notice& notice)
{
    if (!notice.key.isEmpty())
        dismiss(notice.key);
    auto* row = new NoticeBar(notice, this);
    m_rows.insert(m_rows.begin(), row);
    m_layout->insertWidget(0, row);
    // The row may be closed by one of its own buttons, so it goes when the event has been handled.
    connect(row, &NoticeBar::closeRequested, this, [this, row] { remove(row); });
    while (m_rows.size() > static_cast<size_t>(kMaxRows))
        remove(m_rows.back());
    show();
}

void NoticeArea::dismiss(const QString& key)
{
    const auto found = std::ranges::find_if(m_rows, [&](const NoticeBar* row) { return row->key() == key; });
    if (found != m_rows.end())
        remove(*found);
}

void NoticeArea::dismissAll()
{
    while (!m_rows.empty())
        remove(m_rows.back());
}

void NoticeArea::remove(NoticeBar* row)
{
    std::erase(m_rows, row);
    m_layout->removeWidget(row);
    row->hide();
    row->deleteLater();
    setVisible(!m_rows.empty());
}

} // namespace hloscope
