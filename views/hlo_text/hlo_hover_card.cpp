// SPDX-License-Identifier: Apache-2.0
#include "views/hlo_text/hlo_hover_card.h"

#include "core/analysis/module_facts.h"
#include "core/hlo/attributes.h"
#include "views/common/theme.h"
#include "views/inspector/panel_widgets.h"
#include "views/words/layout_words.h"
#include "views/words/op_sentence.h"
#include "views/words/op_words.h"
#include "views/words/opcode_words.h"
#include "views/words/units.h"
#include "views/words/words_tr.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>

namespace hloscope {

namespace {

constexpr int kWidth = 400;
constexpr int kGap = 4;

constexpr PanelTextStyle kTitle{PanelTextStyle::Ink::Text, 12, true, true, Qt::AlignLeft};
constexpr PanelTextStyle kSecondary{PanelTextStyle::Ink::Secondary, 12, false, false, Qt::AlignLeft};

// The dimensions of a shape as boxes; those that the tile cuts are lit.
class DimensionBoxes : public QWidget {
public:
    explicit DimensionBoxes(const Shape& shape) : m_sizes(shape.dimensions), m_isTiled(m_sizes.size(), false)
    {
        if (shape.layout && !shape.layout->tiles.empty()) {
            const size_t cut =
                std::min(shape.layout->tiles.front().dimensions.size(), shape.layout->minorToMajor.size());
            for (size_t i = 0; i < cut; ++i)
                m_isTiled[static_cast<size_t>(shape.layout->minorToMajor[i])] = true;
        }
        setFixedHeight(ThemeManager::instance().scaled(22));
        setAccessibleName(dimensionsText(m_sizes));
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QFont font = ThemeManager::instance().monoFont(12);
        painter.setFont(font);
        const QFontMetrics metrics(font);
        int x = 0;
        for (size_t i = 0; i < m_sizes.size(); ++i) {
            const QString text = QString::number(m_sizes[i]);
            const QRectF box(x + 0.5, 0.5, metrics.horizontalAdvance(text) + 13, height() - 1);
            if (box.right() > width())
                return;
            painter.setPen(QPen(m_isTiled[i] ? theme().accent : theme().borderStrong, 1));
            painter.setBrush(m_isTiled[i] ? theme().selection : theme().raised);
            painter.drawRoundedRect(box, 3, 3);
            painter.setPen(theme().text);
            painter.drawText(box, Qt::AlignCenter, text);
            x += static_cast<int>(box.width()) + 5;
        }
    }

private:
    std::vector<int64_t> m_sizes;
    std::vector<bool> m_isTiled;
};

} // namespace

HloHoverCard::HloHoverCard(QWidget* parent) : QFrame(parent), m_box(new QVBoxLayout(this))
{
    setProperty("role", "popup");
    setAttribute(Qt::WA_StyledBackground);
    m_box->setContentsMargins(12, 10, 12, 10);
    m_box->setSpacing(4);
    hide();
}

void HloHoverCard::clear(const QString& title, const QString& kind)
{
    const std::function<void(QLayout*)> empty = [&empty](QLayout* layout) {
        while (QLayoutItem* item = layout->takeAt(0)) {
            if (item->layout())
                empty(item->layout());
            if (QWidget* widget = item->widget()) {
                widget->hide();
                widget->deleteLater(); // one of them may be the link that was clicked
            }
            delete item;
        }
    };
    empty(m_box);
    auto* line = new QHBoxLayout;
    line->addWidget(new PanelText(title, kTitle), 1);
    auto* right = new PanelText(kind, {PanelTextStyle::Ink::Tertiary, 12, false, false, Qt::AlignRight});
    right->setMinimumWidth(right->sizeHint().width());
    line->addWidget(right, 0, Qt::AlignTop);
    m_box->addLayout(line);
}

void HloHoverCard::addRow(const QString& label, const QString& value)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(10);
    auto* left = new PanelText(label, {PanelTextStyle::Ink::Secondary, 12, true});
    left->setMinimumWidth(std::max(ThemeManager::instance().scaled(84), left->sizeHint().width()));
    row->addWidget(left, 0, Qt::AlignTop);
    row->addWidget(new PanelText(value), 1);
    m_box->addLayout(row);
}

void HloHoverCard::addSentence(const QString& text)
{
    m_box->addWidget(new PanelText(text, kSecondary));
}

bool HloHoverCard::showShape(const hloscope::Shape& shape)
{
    if (!shape.isArray())
        return false;
    const LayoutWords words = describeLayout(shape);
    clear(shape.layout ? toQString(toString(*shape.layout)) : toQString(toString(shape)),
          shape.layout ? tr("layout") : tr("shape"));
    auto* top = new QHBoxLayout;
    top->setSpacing(12);
    top->addWidget(new MiniTiles(shape), 0, Qt::AlignTop);
    auto* column = new QVBoxLayout;
    column->setSpacing(4);
    if (!shape.dimensions.empty())
        column->addWidget(new DimensionBoxes(shape));
    column->addWidget(new PanelText(words.order, kSecondary));
    top->addLayout(column, 1);
    m_box->addLayout(top);
    for (const TileWords& tile : words.tiles)
        addRow(tile.notation, tile.meaning);
    if (!words.size.isEmpty())
        addRow(tr("Size"), words.size);
    if (shape.layout && shape.layout->memorySpace != 0)
        addRow(QStringLiteral("S(%1)").arg(shape.layout->memorySpace), words.space);
    if (!words.padding.isEmpty())
        addSentence(words.padding);
    if (!words.problem.isEmpty())
        addSentence(words.problem);
    auto* links = new QHBoxLayout;
    links->setSpacing(14);
    auto* copy = new PanelLink(tr("Copy shape"), false);
    const QString text = toQString(toString(shape));
    if (m_offersLayout) {
        auto* open = new PanelLink(tr("Open in Layout"), false);
        connect(open, &PanelLink::activated, this, [this, text] { emit layoutRequested(text); });
        links->addWidget(open);
    }
    connect(copy, &PanelLink::activated, this, [this, text] {
        QApplication::clipboard()->setText(text);
        hide();
    });
    links->addWidget(copy);
    links->addStretch();
    m_box->addLayout(links);
    return true;
}

bool HloHoverCard::showOpcode(const HloModule& module, InstructionId id)
{
    const HloInstruction& op = module.instruction(id);
    clear(toQString(op.opcodeText), categoryName(categorize(module, id)));
    QString meaning = opcodeMeaning(op.opcode);
    meaning[0] = meaning[0].toUpper();
    m_box->addWidget(new PanelText(meaning + QLatin1Char('.')));
    if (const auto kind = module.attribute(id, "kind")) {
        const QString words = fusionKindMeaning(*kind);
        if (!words.isEmpty())
            addRow(toQString(*kind), words);
    }
    return true;
}

bool HloHoverCard::showAttribute(const QString& key)
{
    const QString meaning = attributeMeaning(key.toStdString());
    if (meaning.isEmpty())
        return false;
    clear(key, tr("attribute"));
    m_box->addWidget(new PanelText(meaning));
    return true;
}

bool HloHoverCard::showInstruction(const HloModule& module, InstructionId id)
{
    const OpWords words = describeOp(module, id);
    clear(words.name, words.categoryText);
    m_box->addWidget(new PanelText(words.sentence));
    if (!words.scope.isEmpty())
        addSentence(words.scope);
    if (words.results.size() == 1) {
        addRow(tr("Result"), words.results.front().shape + words.results.front().layout);
        addRow(tr("Size"), words.results.front().summary);
    } else {
        addRow(tr("Result"), valueSummary(module.shape(id), platformOf(module)));
    }
    QStringList chips;
    for (const ContentWords& content : words.contents)
        chips << content.text;
    if (!chips.isEmpty())
        addRow(tr("Contains"), chips.join(QStringLiteral(", ")));
    return true;
}

bool HloHoverCard::showComputation(const HloModule& module, ComputationId id)
{
    const HloComputation& computation = module.computation(id);
    clear(toQString(computation.name), computation.isEntry ? tr("entry computation") : tr("computation"));
    m_box->addWidget(new PanelText(tr("%1. Ctrl+click goes to it.").arg(computationMeaning(module, id, false))));
    return true;
}

bool HloHoverCard::showFold(const HloModule& module, InstructionId id)
{
    clear(toQString(module.instruction(id).name), tr("folded, click opens"));
    const OpMetadata metadata = module.metadata(id);
    if (!metadata.opName.empty())
        addRow(QStringLiteral("op_name"), toQString(metadata.opName));
    const std::vector<StackFrame> stack = module.stack(id);
    if (!stack.empty())
        addRow(tr("source"), QStringLiteral("%1:%2").arg(toQString(stack.front().file)).arg(stack.front().line));
    else if (!metadata.sourceFile.empty())
        addRow(tr("source"), QStringLiteral("%1:%2").arg(toQString(metadata.sourceFile)).arg(metadata.sourceLine));
    if (const auto text = module.attribute(id, "backend_config")) {
        const TpuBackendConfig config = parseTpuBackendConfig(*text);
        if (config.estimatedCycles)
            addRow(QStringLiteral("estimated_cycles"), formatCount(*config.estimatedCycles));
        QStringList bounds;
        for (int64_t bound : config.iterationBounds)
            bounds << QString::number(bound);
        if (!bounds.isEmpty())
            addRow(QStringLiteral("iteration_bounds"), bounds.join(QLatin1Char(',')));
        if (!config.emitter.empty())
            addRow(QStringLiteral("emitter"), toQString(config.emitter));
        if (config.bufferingLevel)
            addRow(QStringLiteral("buffering_level"), QString::number(*config.bufferingLevel));
        addRow(QStringLiteral("backend_config"), formatBytes(static_cast<qint64>(text->size())));
    }
    return true;
}

void HloHoverCard::placeAt(const QRect& token)
{
    const QSize room = parentWidget()->size() - QSize(2 * kGap, 2 * kGap);
    const int width = std::min(ThemeManager::instance().scaled(kWidth), room.width());
    m_box->activate();
    const int height =
        std::min(m_box->hasHeightForWidth() ? m_box->heightForWidth(width) : m_box->sizeHint().height(), room.height());
    int y = token.bottom() + kGap;
    if (y + height > parentWidget()->height() - kGap)
        y = token.top() - kGap - height;
    const int x = std::clamp(token.left(), kGap, std::max(kGap, parentWidget()->width() - kGap - width));
    setGeometry(x, std::max(y, kGap), width, height);
    raise();
    show();
}

void HloHoverCard::leaveEvent(QEvent* event)
{
    emit pointerLeft();
    QFrame::leaveEvent(event);
}

} // namespace hloscope
