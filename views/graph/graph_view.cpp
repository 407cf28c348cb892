// SPDX-License-Identifier: Apache-2.0
#include "views/graph/graph_view.h"

#include "core/graph/layers.h"
#include "views/common/icons.h"
#include "views/common/notice_bar.h"
#include "views/common/segmented_control.h"
#include "views/common/selection.h"
#include "views/common/theme.h"
#include "views/common/workspace.h"
#include "views/graph/graph_canvas.h"
#include "views/graph/graph_layout_client.h"
#include "views/words/units.h"
#include "views/words/words_tr.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

constexpr int kMaxRadius = 8;
constexpr size_t kMaxNodesOfPart =
    400; // of a computation that has to be cut anyway; laid out in a fraction of the time
constexpr int kBusyLineAfterMs = 300;
constexpr double kReadableScale = 0.6; // an export that would be smaller shows a part instead

InstructionId firstOp(const HloModule& module, ComputationId computation)
{
    const IndexRange range = module.computation(computation).instructions;
    for (uint32_t i = range.begin; i < range.end(); ++i) {
        const Opcode opcode = module.instructions[i].opcode;
        if (opcode != Opcode::Parameter && opcode != Opcode::Constant && opcode != Opcode::GetTupleElement)
            return InstructionId(i);
    }
    return module.computation(computation).root;
}

// The computation that a double click on the op goes into; of a while its body.
ComputationId innerComputation(const HloModule& module, InstructionId id)
{
    const auto called = module.called(id);
    if (called.empty())
        return {};
    return module.instruction(id).opcode == Opcode::While ? called.back() : called.front();
}

// The op that calls the computation, the one that calls that op's computation, and so on, outermost first. Stops at the
// entry, at a computation that nobody calls, and where a damaged file calls in circles.
std::vector<InstructionId> callPath(const HloModule& module, ComputationId computation)
{
    constexpr size_t kMaxDepth = 32;
    std::vector<InstructionId> path;
    while (computation.isValid() && computation != module.entry && path.size() < kMaxDepth) {
        const std::vector<InstructionId> callers = module.callers(computation);
        if (callers.empty())
            break;
        path.push_back(callers.front());
        computation = module.instruction(callers.front()).computation;
    }
    std::reverse(path.begin(), path.end());
    return path;
}

QPushButton* makeLink(const QString& text, QWidget* parent)
{
    auto* link = new QPushButton(elideName(text, 36), parent);
    link->setProperty("role", "link");
    link->setFont(ThemeManager::instance().monoFont(12));
    link->setCursor(Qt::PointingHandCursor);
    if (link->text() != text)
        link->setToolTip(text);
    return link;
}

} // namespace

GraphView::GraphView(Workspace& workspace, Selection& selection, QWidget* parent)
    : View(parent)
    , m_workspace(workspace)
    , m_selection(selection)
    , m_canvas(new GraphCanvas(this))
    , m_client(new GraphLayoutClient(this))
    , m_notices(new NoticeArea(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    buildToolRow();
    buildEmptyPage();
    column->addWidget(m_notices);
    column->addWidget(m_emptyPage, 1);
    column->addWidget(m_canvas, 1);

    m_busyTimer.setSingleShot(true);
    m_busyTimer.setInterval(kBusyLineAfterMs);
    connect(&m_busyTimer, &QTimer::timeout, this, [this] { m_canvas->setBusy(m_client->isBusy()); });
    connect(&m_selection, &Selection::changed, this, [this] {
        m_centresNext = !m_isOwnClick;
        follow();
    });
    connect(&m_workspace, &Workspace::moduleChanged, this, [this](const HloModule* module) {
        if (module == m_shownModule.get())
            refreshWords();
    });
    connect(&m_workspace, &Workspace::documentOpened, this, &GraphView::follow);
    connect(&m_workspace, &Workspace::closed, this, &GraphView::follow);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, [this] {
        refreshWords();
        updateBreadcrumb();
    });
    connect(m_client, &GraphLayoutClient::finished, this, &GraphView::showReply);
    connect(m_canvas, &GraphCanvas::clicked, this, &GraphView::selectNode);
    connect(m_canvas, &GraphCanvas::activated, this, &GraphView::enterNode);
    connect(m_canvas, &GraphCanvas::ascendRequested, this, &GraphView::ascend);
    connect(m_canvas, &GraphCanvas::viewChanged, this,
            [this] { m_zoomButton->setText(tr("%1 %").arg(std::lround(m_canvas->scale() * 100))); });
    setFocusProxy(m_canvas);
    follow();
}

GraphView::~GraphView() = default;

void GraphView::buildToolRow()
{
    auto* row = new QWidget(this);
    row->setProperty("role", "toolRow");
    row->setAttribute(Qt::WA_StyledBackground);
    row->setFixedHeight(36);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(10, 0, 10, 0);
    line->setSpacing(8);
    m_breadcrumb = new QWidget(row);
    m_breadcrumb->setObjectName(QStringLiteral("breadcrumb"));
    m_breadcrumbRow = new QHBoxLayout(m_breadcrumb);
    m_breadcrumbRow->setContentsMargins(0, 0, 0, 0);
    m_breadcrumbRow->setSpacing(4);
    line->addWidget(m_breadcrumb);
    line->addStretch(1);
    addRadiusControls(row, line);

    m_modeControl = new SegmentedControl(tr("What is shown"), row);
    m_modeControl->addSegment(tr("Neighbourhood"), tr("Only what is near the selected op"));
    m_modeControl->addSegment(tr("Computation"), tr("All ops of the computation"));
    connect(m_modeControl, &SegmentedControl::chosen, this,
            [this](int segment) { setMode(static_cast<Mode>(segment)); });
    m_zoomButton = new QToolButton(row);
    m_zoomButton->setText(tr("%1 %").arg(100));
    m_zoomButton->setToolTip(tr("Zoom to 100 % (0)"));
    connect(m_zoomButton, &QToolButton::clicked, this,
            [this] { m_canvas->setScale(1, QPointF(m_canvas->width(), m_canvas->height()) / 2); });
    auto* fit = new QToolButton(row);
    fit->setIcon(icon(QStringLiteral("fit")));
    fit->setToolTip(tr("Show everything (Shift+F)"));
    fit->setAccessibleName(tr("Show everything"));
    connect(fit, &QToolButton::clicked, m_canvas, &GraphCanvas::showAll);
    for (QWidget* widget : std::initializer_list<QWidget*>{m_modeControl, m_zoomButton, fit})
        line->addWidget(widget);
    layout()->addWidget(row);
}

void GraphView::addRadiusControls(QWidget* row, QHBoxLayout* line)
{
    auto* label = new QLabel(tr("Radius"), row);
    label->setProperty("role", "secondary");
    m_radiusBox = new QSpinBox(row);
    m_radiusBox->setRange(1, kMaxRadius);
    m_radiusBox->setValue(m_radius);
    m_radiusBox->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_radiusBox->setAlignment(Qt::AlignCenter);
    m_radiusBox->setFixedWidth(ThemeManager::instance().scaled(32));
    m_radiusBox->setToolTip(tr("Edges away from the selected op"));
    m_radiusBox->setAccessibleName(tr("Radius"));
    label->setBuddy(m_radiusBox);
    connect(m_radiusBox, &QSpinBox::valueChanged, this, &GraphView::setRadius);
    m_radiusControls << label << m_radiusBox;
    line->addWidget(label);
    const auto addStep = [&](const QString& iconName, const QString& toolTip, void (QSpinBox::*step)()) {
        auto* button = new QToolButton(row);
        button->setIcon(icon(iconName));
        button->setToolTip(toolTip);
        button->setAccessibleName(toolTip);
        connect(button, &QToolButton::clicked, m_radiusBox, step);
        line->addWidget(button);
        m_radiusControls << button;
    };
    addStep(QStringLiteral("minus"), tr("Smaller neighbourhood"), &QSpinBox::stepDown);
    line->addWidget(m_radiusBox);
    addStep(QStringLiteral("plus"), tr("Larger neighbourhood"), &QSpinBox::stepUp);
}

void GraphView::buildEmptyPage()
{
    m_emptyPage = new QWidget(this);
    m_emptyPage->setProperty("role", "view");
    m_emptyPage->setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(m_emptyPage);
    column->setContentsMargins(24, 24, 24, 24);
    m_emptyText = new QLabel(m_emptyPage);
    m_emptyText->setWordWrap(true);
    m_emptyText->setProperty("role", "secondary");
    column->addWidget(m_emptyText);
    column->addStretch(1);
}

bool GraphView::isReady() const
{
    return !m_client->isBusy();
}

void GraphView::exportTo(QPainter& painter)
{
    painter.fillRect(rect(), theme().view);
    if (m_canvas->picture().isEmpty()) {
        m_emptyPage->render(&painter, QPoint(), QRegion(), DrawChildren);
        return;
    }
    const auto [scale, origin] = m_canvas->fitting(size());
    if (scale >= kReadableScale) {
        m_canvas->paintPicture(painter, rect(), scale, origin);
        return;
    }
    // The area is higher than the canvas by the tool row: keep the middle.
    const QPointF grown(width() - m_canvas->width(), height() - m_canvas->height());
    m_canvas->paintPicture(painter, rect(), m_canvas->scale(), m_canvas->origin() - grown / 2 / m_canvas->scale());
}

void GraphView::setMode(Mode mode)
{
    if (m_mode == mode)
        return;
    m_mode = mode;
    m_modeControl->setCurrent(static_cast<int>(mode));
    for (QWidget* widget : m_radiusControls)
        widget->setEnabled(mode == Mode::Neighbourhood);
    follow();
}

void GraphView::setRadius(int radius)
{
    radius = std::clamp(radius, 1, kMaxRadius);
    if (m_radius == radius)
        return;
    m_radius = radius;
    m_radiusBox->setValue(radius);
    follow();
}

GraphRequest GraphView::request() const
{
    const SelectionState& state = m_selection.state();
    GraphRequest result;
    result.radius = m_radius;
    result.computation = state.computation.isValid() ? state.computation : state.module->entry;
    if (state.instruction.isValid()) {
        result.computation = state.module->instruction(state.instruction).computation;
        (m_mode == Mode::Neighbourhood ? result.centre : result.focus) = state.instruction;
    } else {
        result.focus = firstOp(*state.module, result.computation);
    }
    if (state.module->computation(result.computation).instructions.count > result.maxNodes)
        result.maxNodes = kMaxNodesOfPart;
    return result;
}

// Shows what is selected. A picture that has the selected op already stays, unless it is another op's neighbourhood.
void GraphView::follow()
{
    updateEmptyPage();
    updateBreadcrumb();
    const auto& module = m_selection.state().module;
    if (!module || !module->entry.isValid()) {
        m_client->cancel();
        m_canvas->clear();
        m_notices->dismissAll();
        m_shownModule.reset();
        m_pending = GraphPicture();
        updateBusy();
        return;
    }
    const GraphRequest wanted = request();
    const GraphPicture& newest = m_client->isBusy() ? m_pending : m_canvas->picture();
    const InstructionId selected = m_selection.state().instruction;
    const bool isSamePicture = m_shownModule == module && m_shownRequest.computation == wanted.computation
        && m_shownRequest.centre == wanted.centre
        && (!wanted.centre.isValid() || m_shownRequest.radius == wanted.radius)
        && (!selected.isValid() || newest.scene.nodeOf(selected) < newest.scene.nodes.size());
    if (!isSamePicture) {
        m_shownModule = module;
        m_shownRequest = wanted;
        layOut(buildGraphScene(*module, wanted));
    } else if (!m_client->isBusy()) {
        const auto node = selected.isValid() ? m_canvas->picture().nodeOf(selected) : std::nullopt;
        const bool isNew = node != m_canvas->selected();
        m_canvas->setSelected(node);
        if (node && isNew)
            m_canvas->ensureVisible(*node);
        m_centresNext = false;
    }
}

void GraphView::layOut(GraphScene scene)
{
    const ModuleEntry* entry = m_workspace.entry(m_shownModule.get());
    m_pending = GraphPicture();
    m_pending.module = m_shownModule;
    m_pending.looks = describeNodes(*m_shownModule, scene, entry ? entry->cost.get() : nullptr);
    m_pending.scene = std::move(scene);
    m_client->request(m_pending.problem());
    updateBusy();
}

void GraphView::showReply(const GraphLayoutReply& reply)
{
    m_pending.setGeometry(drawLayout(m_pending.problem(), reply.layout));
    const InstructionId selected = m_selection.state().instruction;
    const auto node = selected.isValid() ? m_pending.nodeOf(selected) : std::nullopt;
    const bool isSameComputation = m_canvas->picture().module == m_pending.module
        && m_canvas->picture().scene.computation == m_pending.scene.computation;
    m_canvas->setPicture(std::move(m_pending), node,
                         m_centresNext ? GraphCanvas::Placement::Middle : GraphCanvas::Placement::AsBefore);
    m_centresNext = false;
    m_canvas->setSelected(node);
    if (!node && !isSameComputation)
        m_canvas->showTop(m_canvas->picture().nodeOf(firstOp(*m_shownModule, m_canvas->picture().scene.computation)));
    m_pending = GraphPicture();
    showNotices(reply);
    updateBusy();
}

void GraphView::showNotices(const GraphLayoutReply& reply)
{
    const GraphScene& scene = m_canvas->picture().scene;
    if (scene.isCut()) {
        m_notices->post({Severity::Warning,
                         QStringLiteral("cut"),
                         tr("%1 of %2 ops are shown; the others are counted in the dashed boxes. Select another op to "
                            "see what is around it.")
                             .arg(formatCount(static_cast<qint64>(scene.instructionsShown)),
                                  formatCount(static_cast<qint64>(scene.instructionsWanted))),
                         {}});
    } else {
        m_notices->dismiss(QStringLiteral("cut"));
    }
    QString text;
    switch (reply.origin) {
    case GraphLayoutReply::Origin::Graphviz:
        break;
    case GraphLayoutReply::Origin::HelperMissing:
        text = tr("The program that lays out graphs is missing (%1). A simpler layout with more crossings is shown.")
                   .arg(reply.message);
        break;
    case GraphLayoutReply::Origin::HelperFailed:
        text = tr("The program that lays out graphs failed: %1. A simpler layout with more crossings is shown.")
                   .arg(reply.message);
        break;
    case GraphLayoutReply::Origin::TimedOut:
        text = tr("Laying out %1 boxes and %2 edges took too long. A simpler layout with more crossings is shown.")
                   .arg(formatCount(static_cast<qint64>(scene.nodes.size())),
                        formatCount(static_cast<qint64>(scene.edges.size())));
        break;
    case GraphLayoutReply::Origin::Refused:
        text =
            tr("Graphviz cannot lay this out: %1. A simpler layout with more crossings is shown.").arg(reply.message);
        break;
    }
    if (text.isEmpty())
        m_notices->dismiss(QStringLiteral("layout"));
    else
        m_notices->post({Severity::Warning, QStringLiteral("layout"), text, {}});
}

// Costs have arrived, or the fonts have changed: the boxes move only if their sizes are different.
void GraphView::refreshWords()
{
    if (!m_shownModule)
        return;
    if (m_client->isBusy()) {
        layOut(std::move(m_pending.scene));
        return;
    }
    const GraphPicture& picture = m_canvas->picture();
    if (picture.isEmpty())
        return;
    const ModuleEntry* entry = m_workspace.entry(m_shownModule.get());
    std::vector<GraphNodeLook> looks =
        describeNodes(*m_shownModule, picture.scene, entry ? entry->cost.get() : nullptr);
    const bool isSameSize = std::equal(looks.begin(), looks.end(), picture.looks.begin(), picture.looks.end(),
                                       [](const auto& a, const auto& b) { return a.size == b.size; });
    if (isSameSize)
        m_canvas->setLooks(std::move(looks));
    else
        layOut(picture.scene);
}

void GraphView::updateBusy()
{
    if (m_client->isBusy()) {
        if (!m_busyTimer.isActive())
            m_busyTimer.start();
    } else {
        m_busyTimer.stop();
        m_canvas->setBusy(false);
    }
    emit readyChanged();
}

void GraphView::updateEmptyPage()
{
    const auto& module = m_selection.state().module;
    const bool isEmpty = !module || !module->entry.isValid();
    m_emptyPage->setVisible(isEmpty);
    m_canvas->setVisible(!isEmpty);
    if (module)
        m_emptyText->setText(tr("The module %1 has no computation to draw.").arg(toQString(module->name)));
    else
        m_emptyText->setText(tr("Here you see how data flows from op to op. Open an HLO module, or a profile that "
                                "carries its modules, with File > Open."));
}

void GraphView::updateBreadcrumb()
{
    while (QLayoutItem* item = m_breadcrumbRow->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // it may be the link whose click has brought us here
        delete item;
    }
    const SelectionState& state = m_selection.state();
    if (!state.module || !state.module->entry.isValid())
        return;
    const auto module = state.module;
    const ComputationId computation = request().computation;
    const auto addSeparator = [this] {
        auto* separator = new QLabel(QStringLiteral("›"), m_breadcrumb);
        separator->setProperty("role", "secondary");
        m_breadcrumbRow->addWidget(separator);
    };
    const auto addComputation = [&](ComputationId id) {
        QPushButton* link = makeLink(toQString(module->computation(id).name), m_breadcrumb);
        connect(link, &QPushButton::clicked, this, [this, module, id] { m_selection.selectComputation(module, id); });
        m_breadcrumbRow->addWidget(link);
    };
    for (InstructionId caller : callPath(*module, computation)) {
        if (m_breadcrumbRow->count() == 0) {
            addComputation(module->instruction(caller).computation);
            addSeparator();
        }
        QPushButton* link = makeLink(toQString(module->instruction(caller).name), m_breadcrumb);
        connect(link, &QPushButton::clicked, this,
                [this, module, caller] { m_selection.selectInstruction(module, caller); });
        m_breadcrumbRow->addWidget(link);
        addSeparator();
    }
    addComputation(computation);
    if (!state.instruction.isValid())
        return;
    addSeparator();
    auto* here = new QLabel(elideName(toQString(module->instruction(state.instruction).name), 36), m_breadcrumb);
    here->setFont(ThemeManager::instance().monoFont(12));
    m_breadcrumbRow->addWidget(here);
}

void GraphView::selectNode(size_t node)
{
    // A stub leads to the op whose neighbours it hides: selected, that op shows them.
    m_isOwnClick = true;
    m_selection.selectInstruction(m_shownModule, m_canvas->picture().scene.nodes[node].instruction);
    m_isOwnClick = false;
}

void GraphView::enterNode(size_t node)
{
    const GraphPicture& picture = m_canvas->picture();
    if (!picture.module || picture.isStub(node))
        return;
    const ComputationId inner = innerComputation(*picture.module, picture.scene.nodes[node].instruction);
    if (inner.isValid())
        m_selection.selectComputation(picture.module, inner);
}

void GraphView::ascend()
{
    const SelectionState& state = m_selection.state();
    if (!state.module)
        return;
    const std::vector<InstructionId> path = callPath(*state.module, request().computation);
    if (!path.empty())
        m_selection.selectInstruction(state.module, path.back());
}

} // namespace hloscope
