// SPDX-License-Identifier: Apache-2.0
#include "views/tiling/layout_view.h"

#include "core/hlo/hlo_text.h"
#include "views/common/icons.h"
#include "views/common/segmented_control.h"
#include "views/common/theme.h"
#include "views/inspector/panel_text.h"
#include "views/tiling/layout_canvas.h"
#include "views/tiling/layout_panel.h"
#include "views/words/words_tr.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QInputMethodEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTextCharFormat>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace hloscope {

namespace {

constexpr int kPanelWidth = 300;
constexpr int kNarrow = 820; // below this the words stand under the picture
constexpr int kWalkMs = 40;
constexpr size_t kMaxOperands = 64;

constexpr const char* kExamples[] = {
    "f32[3,5]{1,0:T(2,2)}",
    "bf16[4,8]{1,0:T(2,4)(2,1)}",
    "bf16[16,256]{1,0:T(8,128)(2,1)}",
    "f32[16,64]{1,0:T(8,128)}",
    "bf16[4096]{0:T(1024)(128)(2,1)}",
    "s8[64,256]{1,0:T(32,128)(4,1)}",
    "s4[64,256]{1,0:T(64,128)(8,1)E(4)}",
    "f32[]{:T(128)}",
    "bf16[8,1024,8192]{2,1,0:T(8,128)(2,1)}",
};

QScrollArea* makeArea(QWidget* content, const char* role)
{
    auto* area = new QScrollArea;
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->setProperty("role", role);
    area->viewport()->setProperty("role", role);
    area->viewport()->setAttribute(Qt::WA_StyledBackground);
    area->setWidget(content);
    return area;
}

// The first array of a value; tuples are gone through leaf by leaf.
void collectArrays(const Shape& shape, const QString& label, std::vector<std::pair<QString, QString>>& values)
{
    visitSubshapes(shape, [&](const std::vector<int64_t>& index, const Shape& part) {
        if (!part.isArray() || values.size() >= kMaxOperands)
            return;
        QStringList entries;
        for (int64_t entry : index)
            entries << QString::number(entry);
        const QString name =
            entries.isEmpty() ? label : QStringLiteral("%1 {%2}").arg(label, entries.join(QLatin1Char(',')));
        values.emplace_back(name, toQString(toString(part)));
    });
}

} // namespace

LayoutView::LayoutView(Workspace&, Selection& selection, QWidget* parent) : View(parent), m_selection(selection)
{
    m_canvas = new LayoutCanvas;
    m_panel = new LayoutPanel;
    m_pictureArea = makeArea(m_canvas, "window");
    m_panelArea = makeArea(m_panel, "panel");

    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(makeToolRow());
    m_errorRow = new QWidget;
    m_errorRow->setProperty("role", "notice");
    m_errorRow->setProperty("severity", "error");
    m_errorRow->setAttribute(Qt::WA_StyledBackground);
    auto* errorBox = new QVBoxLayout(m_errorRow);
    errorBox->setContentsMargins(14, 6, 14, 4);
    m_error = new PanelText({}, {PanelTextStyle::Ink::Text, 12, true});
    errorBox->addWidget(m_error);
    m_errorRow->hide();
    box->addWidget(m_errorRow);
    m_body = new QBoxLayout(QBoxLayout::LeftToRight);
    m_body->setSpacing(0);
    m_body->addWidget(m_pictureArea, 1);
    m_body->addWidget(m_panelArea);
    box->addLayout(m_body, 1);

    m_walkTimer.setInterval(kWalkMs);
    connect(&m_walkTimer, &QTimer::timeout, this, [this] {
        if (!m_canvas->walk())
            setWalking(false);
    });
    connect(m_canvas, &LayoutCanvas::walkRequested, this, [this] { setWalking(!m_walkTimer.isActive()); });
    connect(m_canvas, &LayoutCanvas::cursorChanged, this, [this] {
        const LayoutPicture* picture = m_canvas->picture();
        m_panel->showElement(picture ? picture->cursor() : std::nullopt);
        m_canvas->setAccessibleDescription(m_panel->elementText());
    });
    connect(&m_selection, &Selection::changed, this, &LayoutView::followSelection);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &LayoutView::applyTheme);
    applyTheme();
    showShape(QString::fromLatin1(kExamples[1]));
    followSelection();
}

QWidget* LayoutView::makeToolRow()
{
    auto* rows = new QWidget;
    auto* both = new QVBoxLayout(rows);
    both->setContentsMargins(0, 0, 0, 0);
    both->setSpacing(0);
    auto* tools = new QWidget;
    tools->setProperty("role", "toolRow");
    tools->setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(8, 5, 8, 5);
    row->setSpacing(8);
    m_field = new QLineEdit;
    m_field->setPlaceholderText(tr("A shape, for example %1").arg(QString::fromLatin1(kExamples[1])));
    m_field->setAccessibleName(tr("Shape"));
    m_field->setClearButtonEnabled(false);
    m_values = new QComboBox;
    m_values->setAccessibleName(tr("Value of the selected op"));
    m_values->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_values->setMinimumContentsLength(10);
    m_values->hide();
    auto* examples = new QToolButton;
    examples->setText(tr("Examples"));
    examples->setPopupMode(QToolButton::InstantPopup);
    fillExamples(examples);
    m_label = new SegmentedControl(tr("What cells show"));
    m_label->addSegment(tr("Index"));
    m_label->addSegment(tr("Offset"));
    m_label->addSegment(tr("Byte"));
    m_label->setCurrent(static_cast<int>(CellLabel::Offset));
    m_walk = new QToolButton;
    m_walk->setText(tr("Walk"));
    m_walk->setToolTip(tr("Walk in memory order: light up one element after the other (Space)"));
    m_walk->setCheckable(true);
    row->addWidget(m_field, 1);
    row->addWidget(m_values);
    row->addWidget(examples);
    row->addWidget(m_label);
    row->addWidget(m_walk);
    both->addWidget(tools);
    m_outerRow = new QWidget;
    m_outerRow->setProperty("role", "toolRow");
    m_outerRow->setAttribute(Qt::WA_StyledBackground);
    m_outerLayout = new QHBoxLayout(m_outerRow);
    m_outerLayout->setContentsMargins(14, 5, 14, 5);
    m_outerLayout->setSpacing(8);
    m_outerRow->hide();
    both->addWidget(m_outerRow);

    connect(m_field, &QLineEdit::textEdited, this, [this] {
        m_values->setCurrentIndex(-1);
        parseField();
    });
    connect(m_field, &QLineEdit::returnPressed, m_canvas, qOverload<>(&QWidget::setFocus));
    connect(m_values, &QComboBox::activated, this, [this](int index) {
        if (index >= 0 && static_cast<size_t>(index) < m_valueShapes.size()) {
            m_field->setText(m_valueShapes[static_cast<size_t>(index)]);
            parseField();
        }
    });
    connect(m_label, &SegmentedControl::chosen, this,
            [this](int segment) { m_canvas->setCellLabel(static_cast<CellLabel>(segment)); });
    connect(m_walk, &QToolButton::clicked, this, &LayoutView::setWalking);
    return rows;
}

void LayoutView::fillExamples(QToolButton* button)
{
    auto* menu = new QMenu(button);
    for (const char* example : kExamples) {
        const QString text = QString::fromLatin1(example);
        menu->addAction(text, this, [this, text] { showShape(text); });
    }
    button->setMenu(menu);
}

void LayoutView::applyTheme()
{
    m_field->setFont(ThemeManager::instance().monoFont(12));
    m_field->setMinimumWidth(ThemeManager::instance().scaled(200));
    placePanel();
}

void LayoutView::placePanel()
{
    const bool isNarrow = width() < ThemeManager::instance().scaled(kNarrow);
    m_body->setDirection(isNarrow ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    const int side = ThemeManager::instance().scaled(kPanelWidth);
    m_panelArea->setVisible(m_canvas->picture() != nullptr);
    m_panelArea->setMinimumSize(isNarrow ? 0 : side, 0);
    m_panelArea->setMaximumSize(isNarrow ? QWIDGETSIZE_MAX : side, isNarrow ? height() / 3 : QWIDGETSIZE_MAX);
}

QString LayoutView::shapeText() const
{
    return m_field->text();
}

QString LayoutView::errorText() const
{
    return m_errorRow->isHidden() ? QString() : m_error->text();
}

void LayoutView::showShape(const QString& text)
{
    m_values->setCurrentIndex(-1);
    m_field->setText(text);
    m_field->setCursorPosition(0);
    parseField();
}

void LayoutView::followSelection()
{
    const SelectionState& state = m_selection.state();
    if (state.module == m_shown.module && state.instruction == m_shown.instruction)
        return;
    m_shown = state;
    m_values->clear();
    m_valueShapes.clear();
    m_values->hide();
    if (!state.module || !state.instruction.isValid())
        return;
    const HloModule& module = *state.module;
    std::vector<std::pair<QString, QString>> values;
    collectArrays(module.shape(state.instruction), toQString(module.instruction(state.instruction).name), values);
    for (InstructionId operand : module.operands(state.instruction)) {
        if (operand.isValid())
            collectArrays(module.shape(operand), tr("operand %1").arg(toQString(module.instruction(operand).name)),
                          values);
    }
    for (const auto& [label, shape] : values) {
        m_values->addItem(label);
        m_values->setItemData(m_values->count() - 1, shape, Qt::ToolTipRole);
        m_valueShapes.push_back(shape);
    }
    m_values->setVisible(!m_valueShapes.empty());
    if (!m_valueShapes.empty()) {
        m_field->setText(m_valueShapes.front());
        m_field->setCursorPosition(0);
        parseField();
    }
}

void LayoutView::parseField()
{
    const QString text = m_field->text();
    setWalking(false);
    if (text.trimmed().isEmpty()) {
        m_errorRow->hide();
        markError(0);
        m_canvas->setPicture(nullptr);
        m_panel->setPicture(nullptr);
        m_outerRow->hide();
        placePanel();
        return;
    }
    const std::string bytes = text.toStdString();
    const Expected<Shape> shape = parseShape(bytes);
    if (!shape) {
        const Diagnostic& error = shape.error();
        QString message = toQString(error.message);
        if (!error.expected.empty())
            message += tr(", expected %1").arg(toQString(error.expected));
        if (!error.found.empty())
            message += tr(", found %1").arg(toQString(error.found));
        // Columns count bytes; the field counts characters.
        const size_t before = std::min<size_t>(error.column > 0 ? error.column - 1 : bytes.size(), bytes.size());
        showError(text, message, static_cast<int>(toQString(std::string_view(bytes).substr(0, before)).size()) + 1);
        return;
    }
    showPicture(*shape);
}

void LayoutView::showPicture(const Shape& shape)
{
    Expected<TilePicture> tiles = TilePicture::create(shape);
    if (!tiles) {
        showError(m_field->text(), toQString(tiles.error().message), 0);
        return;
    }
    m_errorRow->hide();
    markError(0);
    m_panel->setPicture(nullptr); // it points into the picture that goes
    m_canvas->setPicture(std::make_unique<LayoutPicture>(std::move(*tiles)));
    m_panel->setPicture(&m_canvas->picture()->tiles());
    m_pictureArea->verticalScrollBar()->setValue(0);
    makeOuterFields();
    placePanel();
}

void LayoutView::showError(const QString& text, const QString& message, int column)
{
    QString shown = message;
    if (column > 0) {
        const QString place = QString(column - 1, QLatin1Char(' ')) + QLatin1Char('^');
        shown = QStringLiteral("%1\n%2\n%3").arg(text, place, tr("Column %1: %2").arg(column).arg(message));
    }
    m_error->setText(shown);
    m_errorRow->show();
    markError(column);
    m_panel->setPicture(nullptr);
    m_canvas->setPicture(nullptr);
    m_outerRow->hide();
    placePanel();
}

// Underlines the character at the column, from 1; 0 clears. A line edit takes formats only from input methods.
void LayoutView::markError(int column)
{
    QList<QInputMethodEvent::Attribute> attributes;
    if (column > 0) {
        QTextCharFormat format;
        format.setForeground(theme().error);
        format.setUnderlineStyle(QTextCharFormat::SingleUnderline);
        format.setUnderlineColor(theme().error);
        const int start = std::min(column - 1, static_cast<int>(m_field->text().size()) - 1);
        attributes << QInputMethodEvent::Attribute(QInputMethodEvent::TextFormat, start - m_field->cursorPosition(), 1,
                                                   format);
    }
    QInputMethodEvent event(QString(), attributes);
    QCoreApplication::sendEvent(m_field, &event);
}

void LayoutView::makeOuterFields()
{
    while (QLayoutItem* item = m_outerLayout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    const TilePicture& tiles = m_canvas->picture()->tiles();
    const std::vector<int64_t>& outer = tiles.outerDimensions();
    m_outerRow->setVisible(!outer.empty());
    if (outer.empty())
        return;
    m_outerLayout->addWidget(new QLabel(tr("Slice")));
    for (size_t i = 0; i < outer.size(); ++i) {
        const int64_t size = tiles.layout().shape().dimensions[static_cast<size_t>(outer[i])];
        auto* field = new QSpinBox;
        field->setRange(0, static_cast<int>(std::min<int64_t>(size - 1, std::numeric_limits<int>::max())));
        field->setPrefix(tr("dim %1: ").arg(outer[i]));
        field->setAccessibleName(tr("Index in dimension %1").arg(outer[i]));
        field->setToolTip(tr("Dimension %1 has %2 entries").arg(outer[i]).arg(size));
        field->setButtonSymbols(QAbstractSpinBox::NoButtons);
        field->setMinimumWidth(ThemeManager::instance().scaled(76));
        connect(field, &QSpinBox::valueChanged, this, [this, i](int value) { m_canvas->setOuterIndex(i, value); });
        const auto addStep = [this, field](const QString& name, const QString& text, int step) {
            auto* button = new QToolButton;
            button->setIcon(icon(name));
            button->setToolTip(text);
            button->setAccessibleName(text);
            button->setAutoRepeat(true);
            connect(button, &QToolButton::clicked, field, [field, step] { field->stepBy(step); });
            m_outerLayout->addWidget(button);
        };
        addStep(QStringLiteral("minus"), tr("Slice before (Down)"), -1);
        m_outerLayout->addWidget(field);
        addStep(QStringLiteral("plus"), tr("Slice behind (Up)"), 1);
        m_outerLayout->addSpacing(8);
    }
    m_outerLayout->addStretch();
}

void LayoutView::setWalking(bool walking)
{
    const bool run = walking && m_canvas->picture();
    m_walk->setChecked(run);
    if (!run) {
        m_walkTimer.stop();
        return;
    }
    const LayoutPicture& picture = *m_canvas->picture();
    const int64_t last = picture.tiles().layout().paddedElements() - 1;
    if (picture.cursor() == last)
        m_canvas->picture()->setCursor(std::nullopt); // from the start again
    m_walkTimer.start();
    m_canvas->setFocus();
}

void LayoutView::resizeEvent(QResizeEvent* event)
{
    placePanel();
    View::resizeEvent(event);
}

void LayoutView::changeEvent(QEvent* event)
{
    View::changeEvent(event);
    if (event->type() == QEvent::StyleChange)
        applyTheme();
}

} // namespace hloscope
