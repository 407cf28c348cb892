// SPDX-License-Identifier: Apache-2.0
#include "views/inspector/inspector.h"

#include "views/common/theme.h"
#include "views/inspector/inspector_content.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QVBoxLayout>

namespace hloscope {

Inspector::Inspector(Workspace& workspace, Selection& selection, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_selection(selection), m_area(new QScrollArea(this))
{
    setAccessibleName(tr("Inspector"));
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setWidgetResizable(true);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->setFocusPolicy(Qt::NoFocus);
    m_area->setProperty("role", "panel");
    m_area->viewport()->setAutoFillBackground(false);
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->addWidget(m_area);
    connect(&m_selection, &Selection::changed, this, &Inspector::followSelection);
    connect(&m_workspace, &Workspace::moduleChanged, this, [this](const HloModule* module) {
        if (m_shown.module.get() == module)
            rebuild();
    });
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &Inspector::rebuild);
    m_shown = m_selection.state();
    rebuild();
}

void Inspector::followSelection()
{
    SelectionState now = m_selection.state();
    now.range = m_shown.range; // ranges change while dragging and are not shown here
    if (now == m_shown)
        return;
    m_shown = std::move(now);
    m_showsAllUsers = false;
    rebuild();
    m_area->verticalScrollBar()->setValue(0);
}

void Inspector::rebuild()
{
    const int scroll = m_area->verticalScrollBar()->value();
    // The old content may be the sender of the click that led here.
    if (QWidget* old = m_area->takeWidget())
        old->deleteLater();
    auto* content = new InspectorContent(m_workspace, m_selection, m_showsAllUsers);
    connect(
        content, &InspectorContent::allLinksRequested, this,
        [this] {
            m_showsAllUsers = true;
            rebuild();
        },
        Qt::QueuedConnection);
    m_area->setWidget(content);
    content->setAutoFillBackground(false);
    m_area->verticalScrollBar()->setValue(scroll);
}

QString Inspector::plainText() const
{
    const auto* content = qobject_cast<InspectorContent*>(m_area->widget());
    return content ? content->plainText() : QString();
}

void Inspector::copyAll() const
{
    QApplication::clipboard()->setText(plainText());
}

void Inspector::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().panel);
}

void Inspector::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        copyAll();
    else
        QWidget::keyPressEvent(event);
}

void Inspector::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    menu.addAction(tr("Copy all as text"), this, &Inspector::copyAll);
    menu.exec(event->globalPos());
}

} // namespace hloscope
