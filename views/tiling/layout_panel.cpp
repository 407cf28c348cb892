// SPDX-License-Identifier: Apache-2.0
#include "views/tiling/layout_panel.h"

#include "views/common/theme.h"
#include "views/inspector/panel_widgets.h"
#include "views/tiling/offset_steps.h"
#include "views/tiling/tile_painter.h"
#include "views/words/layout_words.h"
#include "views/words/units.h"

#include <QPainter>
#include <QVBoxLayout>

namespace hloscope {

// The digits of an offset with their weights, as boxes that wrap.
class DigitBoxes : public QWidget {
public:
    explicit DigitBoxes(QWidget* parent = nullptr) : QWidget(parent)
    {
        QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
        connect(&ThemeManager::instance(), &ThemeManager::changed, this, [this] {
            updateGeometry();
            update();
        });
    }

    void setDigits(std::vector<TilePicture::Digit> digits)
    {
        m_digits = std::move(digits);
        updateGeometry();
        update();
    }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override
    {
        const int perRow = std::max(1, width / boxWidth());
        const int rows = (static_cast<int>(m_digits.size()) + perRow - 1) / perRow;
        return rows * rowHeight();
    }
    QSize sizeHint() const override { return {boxWidth() * 6, heightForWidth(boxWidth() * 6)}; }
    QSize minimumSizeHint() const override { return {boxWidth(), rowHeight()}; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const Theme& t = theme();
        const int perRow = std::max(1, width() / boxWidth());
        for (size_t i = 0; i < m_digits.size(); ++i) {
            const int row = static_cast<int>(i) / perRow;
            const int column = static_cast<int>(i) % perRow;
            const QRectF box(column * boxWidth() + 0.5, row * rowHeight() + 4.5, boxWidth() - 7, rowHeight() / 2.0 - 3);
            painter.setPen(QPen(t.borderStrong, 1));
            painter.setBrush(m_digits[i].value != 0 ? t.selection : t.view);
            painter.drawRoundedRect(box, 3, 3);
            painter.setPen(t.text);
            painter.setFont(ThemeManager::instance().monoFont(12));
            painter.drawText(box, Qt::AlignCenter, QString::number(m_digits[i].value));
            painter.setPen(t.text3);
            painter.setFont(ThemeManager::instance().uiFont(11));
            painter.drawText(QRectF(box.left() - 3, box.bottom() + 1, box.width() + 6, rowHeight() / 2.0 - 4),
                             Qt::AlignCenter, QStringLiteral("\u00d7%1").arg(m_digits[i].weight));
        }
    }

private:
    int boxWidth() const
    {
        int64_t widest = 1;
        for (const TilePicture::Digit& digit : m_digits)
            widest = std::max(widest, digit.weight);
        const QFontMetrics metrics(ThemeManager::instance().uiFont(11));
        return std::max(ThemeManager::instance().scaled(40),
                        metrics.horizontalAdvance(QStringLiteral("\u00d7%1").arg(widest)) + 12);
    }
    int rowHeight() const { return ThemeManager::instance().scaled(46); }

    std::vector<TilePicture::Digit> m_digits;
};

namespace {

QString tileText(const Tile& tile, bool first)
{
    QStringList sizes;
    for (int64_t size : tile.dimensions)
        sizes << (size == Tile::kCombine ? QStringLiteral("*") : QString::number(size));
    return (first ? QStringLiteral("T(%1)") : QStringLiteral("(%1)")).arg(sizes.join(QLatin1Char(',')));
}

QString orderText(const Shape& shape)
{
    QStringList order;
    if (shape.layout) {
        for (int64_t dimension : shape.layout->minorToMajor)
            order << QString::number(dimension);
    } else {
        for (int64_t i = shape.rank() - 1; i >= 0; --i)
            order << QString::number(i);
    }
    return order.join(QLatin1Char(','));
}

QString sumText(const std::vector<TilePicture::Digit>& digits, int64_t offset)
{
    QStringList terms;
    for (const TilePicture::Digit& digit : digits) {
        if (digit.size > 1)
            terms << (digit.weight > 1 ? QStringLiteral("%1\u00b7%2").arg(digit.value).arg(digit.weight)
                                       : QString::number(digit.value));
    }
    return terms.isEmpty() ? QString::number(offset)
                           : QStringLiteral("%1 = %2").arg(terms.join(QStringLiteral(" + "))).arg(offset);
}

} // namespace

LayoutPanel::LayoutPanel(QWidget* parent) : QWidget(parent)
{
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 4, 0, 8);
    box->setSpacing(0);
    addElementSection();
    addStepSection();
    addSizeSection();
    box->addStretch();
    setPicture(nullptr);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, qOverload<>(&QWidget::update));
}

void LayoutPanel::addElementSection()
{
    auto* section = new PanelSection(tr("Element"), this);
    section->setLineVisible(false);
    m_hint = section->addText(tr("Point at an element, or move to one with the arrow keys."),
                              {PanelTextStyle::Ink::Secondary, 12});
    m_rows = new QWidget(section);
    auto* rows = new QVBoxLayout(m_rows);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(2);
    section->body()->addWidget(m_rows);
    m_index = new PanelText({}, {PanelTextStyle::Ink::Text, 14, true, true});
    rows->addWidget(m_index);
    m_offset = addPanelRow(rows, tr("Offset"), {});
    m_word = addPanelRow(rows, tr("32-bit word"), {});
    m_tile = addPanelRow(rows, tr("Tile"), {});
    layout()->addWidget(section);
}

void LayoutPanel::addStepSection()
{
    m_stepSection = new PanelSection(tr("How the offset comes about"), this);
    layout()->addWidget(m_stepSection);
    m_digits = new DigitBoxes(m_stepSection);
    m_stepSection->body()->addWidget(m_digits);
}

void LayoutPanel::addSizeSection()
{
    auto* section = new PanelSection(tr("Size"), this);
    m_logical = section->addRow(tr("Logical"), {});
    m_padded = section->addRow(tr("With padding"), {});
    m_expansion = section->addRow(tr("Expansion"), {});
    m_space = section->addRow(tr("Memory space"), {});
    layout()->addWidget(section);
    auto* words = new PanelSection(tr("In words"), this);
    m_words = words->addText({}, {PanelTextStyle::Ink::Text, 12});
    layout()->addWidget(words);
}

void LayoutPanel::setPicture(const TilePicture* picture)
{
    m_picture = picture;
    setVisible(picture != nullptr);
    showElement(std::nullopt);
    if (!picture)
        return;
    const PhysicalLayout& layout = picture->layout();
    const auto sizeText = [this](int64_t elements, int64_t bytes) {
        return elements == 1 ? tr("1 element, %1").arg(formatBytes(bytes))
                             : tr("%1 elements, %2").arg(formatCount(elements), formatBytes(bytes));
    };
    m_logical->setText(sizeText(layout.elements(), layout.unpaddedBytes()));
    m_padded->setText(sizeText(layout.paddedElements(), layout.paddedBytes()));
    m_expansion->setText(QString::number(layout.expansion(), 'f', 2));
    const int64_t space = layout.shape().memorySpace();
    m_space->setText(QStringLiteral("%1, %2").arg(space).arg(memorySpaceName(space)));
    m_words->setText(layoutSentences(describeLayout(layout.shape())).join(QLatin1Char('\n')));
}

void LayoutPanel::showElement(std::optional<int64_t> offset)
{
    m_stepSection->setVisible(offset.has_value());
    m_elementText.clear();
    const bool isShown = m_picture && offset;
    m_hint->setVisible(!isShown);
    m_rows->setVisible(isShown);
    if (!isShown)
        return;
    showPlace(*offset);
    showSteps(*offset);
}

void LayoutPanel::showPlace(int64_t offset)
{
    const int64_t bits = m_picture->layout().elementBits();
    const auto index = m_picture->indexAt(offset);
    QString where;
    if (index) {
        QStringList parts;
        for (int64_t entry : *index)
            parts << QString::number(entry);
        where = QLatin1Char('[') + parts.join(QStringLiteral(", ")) + QLatin1Char(']');
    } else {
        where = tr("padding");
    }
    m_index->setText(where);
    const int64_t bit = offset * bits;
    const QString byte = bit % 8 == 0 ? tr("byte %1").arg(bit / 8) : tr("byte %1, bit %2").arg(bit / 8).arg(bit % 8);
    m_offset->setText(tr("%1, %2").arg(offset).arg(byte));
    const int64_t word = m_picture->elementsPerWord();
    if (word == 1)
        m_word->setText(bits == 32 ? QString::number(offset) : tr("%1 and up").arg(bit / 32));
    else if (word == 2)
        m_word->setText(offset % 2 == 0 ? tr("%1, lower half").arg(offset / 2) : tr("%1, upper half").arg(offset / 2));
    else
        m_word->setText(tr("%1, place %2 of %3").arg(offset / word).arg(offset % word).arg(word));
    m_tile->setText(m_picture->isTiled() ? QString::number(m_picture->tileAt(offset)) : tr("no tiles"));
    m_elementText = tr("%1, offset %2, %3").arg(where).arg(offset).arg(byte);
}

void LayoutPanel::showSteps(int64_t offset)
{
    QStringList texts; // title and details in turn
    const auto index = m_picture->indexAt(offset);
    if (index) {
        const std::vector<OffsetStep> steps = offsetSteps(m_picture->layout(), *index);
        int number = 1;
        for (const OffsetStep& step : steps) {
            const bool first = number == 1;
            texts << (first ? tr("%1. Minor to major {%2}").arg(number).arg(orderText(m_picture->layout().shape()))
                            : tr("%1. Tile %2").arg(number).arg(tileText(step.tile, number == 2)));
            texts << (first ? tr("%1, index %2") : tr("%1\nindex %2"))
                         .arg(vectorText(step.sizes, step.bars), vectorText(step.index, step.bars));
            ++number;
        }
        texts << tr("%1. Count it out, last place fastest").arg(number);
        texts << sumText(m_picture->digitsOf(offset), offset);
    } else {
        texts << tr("Padding") << tr("No element of the array lies here; what memory holds is not defined.");
    }
    while (m_steps.size() < static_cast<size_t>(texts.size())) {
        const bool isTitle = m_steps.size() % 2 == 0;
        auto* text = new PanelText(
            {}, {isTitle ? PanelTextStyle::Ink::Text : PanelTextStyle::Ink::Secondary, isTitle ? 12.0 : 11.0, !isTitle},
            m_stepSection);
        m_stepSection->body()->insertWidget(m_stepSection->body()->count() - 1, text);
        m_steps.push_back(text);
    }
    for (size_t i = 0; i < m_steps.size(); ++i) {
        const bool used = i < static_cast<size_t>(texts.size());
        m_steps[i]->setVisible(used);
        if (used)
            m_steps[i]->setText(texts[static_cast<qsizetype>(i)]);
    }
    m_digits->setDigits(m_picture->digitsOf(offset));
}

void LayoutPanel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().panel);
}

} // namespace hloscope
