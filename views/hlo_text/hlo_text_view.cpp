// SPDX-License-Identifier: Apache-2.0
#include "views/hlo_text/hlo_text_view.h"

#include "views/common/elided_label.h"
#include "views/common/icons.h"
#include "views/common/theme.h"
#include "views/hlo_text/hlo_hover_card.h"
#include "views/inspector/panel_widgets.h"
#include "views/words/units.h"
#include "views/words/words_tr.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMetaMethod>
#include <QProgressBar>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace hloscope {

namespace {

constexpr int kSearchDelayMs = 120;
constexpr int kHideDelayMs = 250;
constexpr int kLineAfterMs = 300;
constexpr size_t kMaxHits = 1'000'000;

} // namespace

HloTextView::HloTextView(Workspace& workspace, Selection& selection, QWidget* parent)
    : View(parent), m_workspace(workspace), m_selection(selection), m_worker(std::make_unique<Worker>())
{
    m_canvas = new HloTextCanvas;
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(makeToolRow());
    box->addWidget(m_canvas, 1);
    setFocusProxy(m_canvas);
    m_card = new HloHoverCard(this);
    m_loadingLine = new QProgressBar(m_canvas);
    m_loadingLine->setRange(0, 0);
    m_loadingLine->setTextVisible(false);
    m_loadingLine->setFixedHeight(2);
    m_loadingLine->hide();
    m_lineTimer.setSingleShot(true);
    m_lineTimer.setInterval(kLineAfterMs);
    connect(&m_lineTimer, &QTimer::timeout, this, [this] {
        m_loadingLine->setGeometry(0, 0, m_canvas->width(), 2);
        m_loadingLine->show();
    });

    m_searchTimer.setSingleShot(true);
    m_searchTimer.setInterval(kSearchDelayMs);
    connect(&m_searchTimer, &QTimer::timeout, this, &HloTextView::startSearch);
    m_hideTimer.setSingleShot(true);
    m_hideTimer.setInterval(kHideDelayMs);
    connect(&m_hideTimer, &QTimer::timeout, this, [this] {
        if (!m_card->underMouse())
            m_card->hide();
    });
    connect(m_canvas, &HloTextCanvas::instructionChosen, this, [this](InstructionId id) {
        m_isOwnChange = true;
        m_selection.selectInstruction(m_module, id);
        m_isOwnChange = false;
    });
    connect(m_canvas, &HloTextCanvas::computationChosen, this, [this](ComputationId id) {
        m_isOwnChange = true;
        m_selection.selectComputation(m_module, id);
        m_isOwnChange = false;
    });
    connect(m_canvas, &HloTextCanvas::hovered, this, &HloTextView::explain);
    connect(m_canvas, &HloTextCanvas::hoverLeft, &m_hideTimer, qOverload<>(&QTimer::start));
    connect(m_canvas, &HloTextCanvas::findRequested, this, &HloTextView::focusFind);
    connect(m_card, &HloHoverCard::pointerLeft, &m_hideTimer, qOverload<>(&QTimer::start));
    connect(m_card, &HloHoverCard::layoutRequested, this, [this](const QString& shape) {
        m_card->hide();
        emit layoutRequested(shape);
    });
    connect(&m_selection, &Selection::changed, this, &HloTextView::followSelection);
    connect(&m_workspace, &Workspace::moduleChanged, this, [this](const HloModule* module) {
        if (module == m_module.get())
            updateCost();
    });
    const auto addKey = [this](const QKeySequence& keys, auto slot) {
        auto* shortcut = new QShortcut(keys, this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, slot);
    };
    addKey(QKeySequence::Find, &HloTextView::focusFind);
    addKey(QKeySequence(Qt::Key_F3), &HloTextView::findNext);
    addKey(QKeySequence(Qt::SHIFT | Qt::Key_F3), &HloTextView::findPrevious);
    showDocument(nullptr);
    followSelection();
}

HloTextView::~HloTextView()
{
    if (m_loading)
        m_loading->cancel();
    if (m_searching)
        m_searching->cancel();
    m_worker.reset();
}

QWidget* HloTextView::makeToolRow()
{
    auto* tools = new QWidget;
    tools->setProperty("role", "toolRow");
    tools->setAttribute(Qt::WA_StyledBackground);
    m_crumbs = new QHBoxLayout(tools);
    m_crumbs->setContentsMargins(10, 5, 8, 5);
    m_crumbs->setSpacing(6);
    m_opLabel = new ElidedLabel;
    m_findField = new QLineEdit;
    m_findField->setPlaceholderText(tr("Find in module"));
    m_findField->setAccessibleName(tr("Find in module"));
    m_findField->setToolTip(tr("Find (Ctrl+F); Enter goes to the next hit, Shift+Enter to the one before"));
    m_findField->setMinimumWidth(140);
    m_findField->setMaximumWidth(ThemeManager::instance().scaled(260));
    m_findField->addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    m_findField->installEventFilter(this);
    m_hitLabel = new QLabel;
    m_hitLabel->setProperty("role", "caption");
    auto* copy = new QToolButton;
    copy->setIcon(icon(QStringLiteral("copy")));
    copy->setToolTip(tr("Copy the selected text, or the current line (Ctrl+C)"));
    copy->setAccessibleName(tr("Copy"));
    m_crumbs->addWidget(m_opLabel, 1);
    m_crumbs->addWidget(m_hitLabel);
    m_crumbs->addWidget(m_findField);
    m_crumbs->addWidget(copy);
    connect(m_findField, &QLineEdit::textChanged, this, [this] { m_searchTimer.start(); });
    connect(copy, &QToolButton::clicked, this, [this] { m_canvas->copy(); });
    updateBreadcrumb();
    return tools;
}

void HloTextView::followSelection()
{
    const SelectionState& state = m_selection.state();
    if (state.module != m_module) {
        m_module = state.module;
        m_shownInstruction = {};
        m_shownComputation = {};
        load();
        return;
    }
    showSelection(!m_isOwnChange);
}

void HloTextView::load()
{
    if (m_loading)
        m_loading->cancel();
    ++m_loadNumber;
    m_card->hide();
    if (!m_module) {
        showDocument(nullptr);
        return;
    }
    const bool wasReady = isReady();
    m_isLoading = true;
    m_lineTimer.start();
    m_loading = m_worker->post([this, module = m_module, number = m_loadNumber](Progress& progress) {
        auto document = HloTextDocument::create(module, progress);
        QMetaObject::invokeMethod(
            this,
            [this, document, number] {
                if (number == m_loadNumber && document)
                    showDocument(document);
            },
            Qt::QueuedConnection);
    });
    if (wasReady)
        emit readyChanged();
}

void HloTextView::showDocument(std::shared_ptr<const HloTextDocument> document)
{
    const bool wasLoading = m_isLoading;
    m_isLoading = false;
    m_lineTimer.stop();
    m_loadingLine->hide();
    m_canvas->setEmptyText(
        tr("Here stands the text of the selected HLO module. Open an HLO file, or select a module in the navigator."));
    m_hits.clear();
    m_currentHit = SIZE_MAX;
    m_canvas->setDocument(std::move(document));
    updateCost();
    updateBreadcrumb();
    showSelection(true);
    if (!m_findField->text().isEmpty())
        startSearch();
    else
        updateHitLabel();
    if (wasLoading)
        emit readyChanged();
}

void HloTextView::updateCost()
{
    const ModuleEntry* entry = m_module ? m_workspace.entry(m_module.get()) : nullptr;
    if (m_canvas->document())
        m_canvas->setCost(entry ? entry->cost : nullptr);
}

void HloTextView::showSelection(bool scroll)
{
    const SelectionState& state = m_selection.state();
    const HloTextDocument* document = m_canvas->document();
    if (!document || document->modulePointer() != state.module)
        return;
    if (state.instruction == m_shownInstruction && state.computation == m_shownComputation)
        return;
    m_shownInstruction = state.instruction;
    m_shownComputation = state.computation;
    const size_t line = m_canvas->currentLine();
    m_canvas->setSelected(state.instruction);
    updateBreadcrumb();
    if (!scroll) {
        if (state.instruction.isValid() && m_canvas->currentLine() != line && document->instructionAt(line).isValid())
            m_canvas->setCurrentLine(line); // a name was clicked: the pointer's line stays the current one
        return;
    }
    uint32_t target = HloTextDocument::kNoLine;
    if (state.instruction.isValid())
        target = document->lineOf(state.instruction);
    else if (state.computation.isValid())
        target = document->lineOf(state.computation);
    if (target != HloTextDocument::kNoLine)
        m_canvas->setCurrentLine(target);
}

void HloTextView::updateBreadcrumb()
{
    delete m_computationLink;
    m_computationLink = nullptr;
    const SelectionState& state = m_selection.state();
    m_opLabel->setFont(ThemeManager::instance().monoFont(12));
    if (!state.module || state.module != m_module) {
        m_opLabel->setText({});
        return;
    }
    const HloModule& module = *state.module;
    if (!state.computation.isValid()) {
        m_opLabel->setText(toQString(module.name));
        return;
    }
    m_computationLink = new PanelLink(toQString(module.computation(state.computation).name));
    m_computationLink->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    connect(m_computationLink, &PanelLink::activated, this, [this, computation = state.computation] {
        const HloTextDocument* document = m_canvas->document();
        if (document && document->lineOf(computation) != HloTextDocument::kNoLine)
            m_canvas->setCurrentLine(document->lineOf(computation));
    });
    m_crumbs->insertWidget(0, m_computationLink);
    m_opLabel->setText(state.instruction.isValid()
                           ? QStringLiteral("\u203a %1").arg(toQString(module.instruction(state.instruction).name))
                           : QString());
}

void HloTextView::focusFind()
{
    m_findField->setFocus(Qt::ShortcutFocusReason);
    m_findField->selectAll();
}

bool HloTextView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_findField && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            key->modifiers() & Qt::ShiftModifier ? findPrevious() : findNext();
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            m_findField->clear();
            m_canvas->setFocus(Qt::OtherFocusReason);
            return true;
        }
    }
    return View::eventFilter(watched, event);
}

void HloTextView::startSearch()
{
    m_searchTimer.stop();
    if (m_searching)
        m_searching->cancel();
    const uint64_t number = ++m_searchNumber;
    const std::string pattern = m_findField->text().toStdString();
    const HloTextDocument* document = m_canvas->document();
    if (pattern.empty() || !document) {
        takeHits(number, {}, 0);
        return;
    }
    // The lambda keeps the text alive, should another module be shown meanwhile.
    auto held = document->shared_from_this();
    m_searching = m_worker->post([this, held, pattern, number](Progress& progress) {
        auto hits = findAll(held->text(), pattern, kMaxHits, progress);
        QMetaObject::invokeMethod(
            this,
            [this, number, hits = std::move(hits), length = pattern.size()]() mutable {
                takeHits(number, std::move(hits), length);
            },
            Qt::QueuedConnection);
    });
}

void HloTextView::takeHits(uint64_t search, std::vector<size_t> hits, size_t length)
{
    if (search != m_searchNumber)
        return;
    m_hits = std::move(hits);
    m_currentHit = SIZE_MAX;
    m_canvas->setHits(m_hits, length);
    updateHitLabel();
}

void HloTextView::updateHitLabel()
{
    if (m_findField->text().isEmpty())
        m_hitLabel->clear();
    else if (m_currentHit < m_hits.size())
        m_hitLabel->setText(tr("%1 of %2")
                                .arg(formatCount(static_cast<qint64>(m_currentHit) + 1),
                                     formatCount(static_cast<qint64>(m_hits.size()))));
    else if (m_hits.size() >= kMaxHits)
        m_hitLabel->setText(tr("at least %1 hits").arg(formatCount(static_cast<qint64>(m_hits.size()))));
    else
        m_hitLabel->setText(m_hits.size() == 1 ? tr("1 hit")
                                               : tr("%1 hits").arg(formatCount(static_cast<qint64>(m_hits.size()))));
}

void HloTextView::findNext()
{
    walkHits(1);
}

void HloTextView::findPrevious()
{
    walkHits(-1);
}

// From the current line on at first, then from hit to hit, around the ends.
void HloTextView::walkHits(int step)
{
    const HloTextDocument* document = m_canvas->document();
    if (m_hits.empty() || !document)
        return;
    const size_t count = m_hits.size();
    if (m_currentHit < count) {
        m_currentHit = (m_currentHit + (step > 0 ? 1 : count - 1)) % count;
    } else {
        const size_t from = document->lineBegin(m_canvas->currentLine());
        const auto next = static_cast<size_t>(std::lower_bound(m_hits.begin(), m_hits.end(), from) - m_hits.begin());
        m_currentHit = step > 0 ? next % count : (next + count - 1) % count;
    }
    m_canvas->showHit(m_currentHit);
    updateHitLabel();
    const InstructionId id = document->instructionAt(m_canvas->currentLine());
    if (!id.isValid())
        return;
    m_isOwnChange = true;
    m_selection.selectInstruction(m_module, id);
    m_isOwnChange = false;
}

bool HloTextView::fillCard(const HloHover& hover)
{
    const HloTextDocument& document = *m_canvas->document();
    const HloModule& module = document.module();
    const std::string_view line = document.line(hover.line);
    const InstructionId id = document.instructionAt(hover.line);
    std::string_view word = line.substr(hover.piece.begin, hover.piece.end - hover.piece.begin);
    if (hover.piece.isChip)
        return id.isValid() && m_card->showFold(module, id);
    switch (hover.piece.kind) {
    case HloTokenKind::Layout:
    case HloTokenKind::Shape: {
        // The two pieces of `bf16[4,8]{1,0}` stand side by side.
        const size_t begin = hover.piece.kind == HloTokenKind::Shape
            ? hover.piece.begin
            : line.find_last_of(" (/,=", line.rfind('[', hover.piece.begin)) + 1;
        size_t end = hover.piece.end;
        if (hover.piece.kind == HloTokenKind::Shape && end < line.size() && line[end] == '{') {
            const std::vector<HloLineToken> tokens = lexHloLine(line);
            for (const HloLineToken& token : tokens) {
                if (token.begin == end && token.kind == HloTokenKind::Layout)
                    end = token.end;
            }
        }
        const Expected<Shape> shape = parseShape(line.substr(begin, end - begin));
        return shape && m_card->showShape(*shape);
    }
    case HloTokenKind::Opcode:
        return id.isValid() && m_card->showOpcode(module, id);
    case HloTokenKind::Key:
        if (!word.empty() && word.back() == '=')
            word.remove_suffix(1);
        return m_card->showAttribute(toQString(word));
    case HloTokenKind::Name:
        return id.isValid() && m_card->showInstruction(module, id);
    case HloTokenKind::Operand:
    case HloTokenKind::ComputationName: {
        if (!word.empty() && word.front() == '%')
            word.remove_prefix(1);
        if (hover.piece.kind == HloTokenKind::ComputationName) {
            const ComputationId computation = module.findComputation(word);
            return computation.isValid() && m_card->showComputation(module, computation);
        }
        const InstructionId operand = module.findInstruction(word, document.computationAt(hover.line));
        return operand.isValid() && m_card->showInstruction(module, operand);
    }
    default:
        return false;
    }
}

void HloTextView::explain(const HloHover& hover)
{
    m_hideTimer.stop();
    m_card->setLayoutOffered(isSignalConnected(QMetaMethod::fromSignal(&HloTextView::layoutRequested)));
    if (!fillCard(hover)) {
        m_card->hide();
        return;
    }
    m_card->placeAt(hover.rect.translated(m_canvas->pos()));
}

void HloTextView::changeEvent(QEvent* event)
{
    View::changeEvent(event);
    if (event->type() == QEvent::StyleChange && m_opLabel)
        updateBreadcrumb();
}

} // namespace hloscope
