// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/key_sheet.h"

#include "views/common/theme.h"

#include <QApplication>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QVBoxLayout>

namespace hloscope {

namespace {

constexpr int kColumns = 3;

QWidget* makeSection(const KeySheet::Section& section)
{
    const ThemeManager& manager = ThemeManager::instance();
    auto* box = new QWidget;
    box->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 8);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(2);
    auto* title = new QLabel(section.title);
    title->setProperty("role", "secondary");
    title->setFont(manager.uiFont(12));
    grid->addWidget(title, 0, 0, 1, 2);
    int row = 1;
    for (const KeySheet::Line& line : section.lines) {
        auto* what = new QLabel(line.what);
        what->setFont(manager.uiFont(12));
        auto* keys = new QLabel(line.keys);
        keys->setFont(manager.monoFont(11));
        keys->setProperty("role", "secondary");
        grid->addWidget(what, row, 0);
        grid->addWidget(keys, row, 1, Qt::AlignRight);
        ++row;
    }
    grid->setColumnStretch(0, 1);
    return box;
}

} // namespace

KeySheet::KeySheet(QWidget* window) : QFrame(window)
{
    setObjectName(QStringLiteral("keySheet"));
    setProperty("role", "popup");
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Keys"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(20, 16, 20, 16);
    hide();
}

std::vector<KeySheet::Section> KeySheet::sectionsOf(const WindowActions& actions, const QString& viewTitle,
                                                    const View* view)
{
    std::vector<Section> sections;
    for (const WindowActions::Section& menu : actions.sections()) {
        Section section{QString(menu.title).remove(QLatin1Char('&')), {}};
        for (const QAction* action : menu.actions) {
            if (!action->shortcut().isEmpty())
                section.lines.push_back({action->shortcut().toString(QKeySequence::NativeText),
                                         QString(action->text()).remove(QLatin1Char('&'))});
        }
        if (!section.lines.empty())
            sections.push_back(std::move(section));
    }
    if (view != nullptr) {
        Section section{viewTitle, {}};
        for (const KeyHint& hint : view->keys())
            section.lines.push_back({hint.keys, hint.what});
        if (!section.lines.empty())
            sections.push_back(std::move(section));
    }
    return sections;
}

void KeySheet::showSections(const std::vector<Section>& sections)
{
    delete m_body;
    m_body = new QWidget(this);
    auto* body = new QVBoxLayout(m_body);
    body->setContentsMargins(0, 0, 0, 0);
    body->setSpacing(12);
    auto* heading = new QLabel(tr("Keys"));
    heading->setFont(ThemeManager::instance().uiFont(14));
    body->addWidget(heading);
    auto* columns = new QHBoxLayout;
    body->addLayout(columns);
    columns->setSpacing(32);
    size_t lines = 0;
    for (const Section& section : sections)
        lines += section.lines.size() + 2;
    // Sections fill one column after the other to about the same height.
    QVBoxLayout* column = nullptr;
    size_t filled = 0;
    for (const Section& section : sections) {
        if (column == nullptr || filled * kColumns >= lines) {
            column = new QVBoxLayout;
            columns->addLayout(column, 1);
            filled = 0;
        }
        column->addWidget(makeSection(section));
        filled += section.lines.size() + 2;
    }
    for (int i = 0; i < columns->count(); ++i)
        static_cast<QVBoxLayout*>(columns->itemAt(i)->layout())->addStretch(1);
    layout()->addWidget(m_body);
    m_focusBefore = QApplication::focusWidget();
    adjustSize();
    move((parentWidget()->width() - width()) / 2, std::max(40, (parentWidget()->height() - height()) / 3));
    show();
    raise();
    setFocus(Qt::PopupFocusReason);
}

void KeySheet::keyPressEvent(QKeyEvent*)
{
    finish();
}

void KeySheet::mousePressEvent(QMouseEvent*)
{
    finish();
}

void KeySheet::focusOutEvent(QFocusEvent* event)
{
    QFrame::focusOutEvent(event);
    hide();
}

void KeySheet::finish()
{
    hide();
    if (m_focusBefore != nullptr)
        m_focusBefore->setFocus();
    m_focusBefore = nullptr;
}

} // namespace hloscope
