// SPDX-License-Identifier: Apache-2.0
#include "views/graph/graph_picture.h"

#include "core/hlo/op_category.h"
#include "core/tiling/physical_layout.h"
#include "views/common/theme.h"
#include "views/words/op_words.h"
#include "views/words/units.h"
#include "views/words/words_tr.h"

#include <QCoreApplication>
#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

struct GraphWords {
    Q_DECLARE_TR_FUNCTIONS(GraphView)
};

constexpr double kMinWidth = 112;
constexpr double kMaxWidth = 316;
constexpr double kLeftPadding = 17; // band and gap
constexpr double kRightPadding = 10;
constexpr double kColumnGap = 18; // between title and detail
constexpr double kVerticalPadding = 7;
constexpr double kMaxPillWidth = 200;

QString stubText(const GraphNode& node)
{
    const QString count = formatCount(node.hidden);
    if (node.hiddenAreUsers)
        return node.hidden == 1 ? GraphWords::tr("+1 user") : GraphWords::tr("+%1 users").arg(count);
    return node.hidden == 1 ? GraphWords::tr("+1 operand") : GraphWords::tr("+%1 operands").arg(count);
}

QString contentsText(const FusionContents& contents)
{
    if (contents.isReduceScatter)
        return GraphWords::tr("ReduceScatter");
    QStringList parts;
    if (contents.matmuls > 0)
        parts << GraphWords::tr("%1 matmul").arg(contents.matmuls);
    if (contents.pointwise > 0)
        parts << GraphWords::tr("%1 pointwise").arg(contents.pointwise);
    if (contents.reduces > 0)
        parts << GraphWords::tr("%1 reduce").arg(contents.reduces);
    return parts.join(QStringLiteral(" + "));
}

// Writes the nodes of one scene; fonts are looked up once.
class NodeWriter {
public:
    NodeWriter(const HloModule& module, const GraphScene& scene, const ModuleCost* cost)
        : m_module(module)
        , m_cost(cost)
        , m_titleMetrics(ThemeManager::instance().monoFont(12))
        , m_detailMetrics(ThemeManager::instance().uiFont(11))
        , m_timeWidth(m_detailMetrics.horizontalAdvance(QStringLiteral("888.8 ms")))
        , m_usersShown(scene.nodes.size(), 0)
    {
        for (const GraphEdge& edge : scene.edges)
            ++m_usersShown[edge.from];
    }

    GraphNodeLook write(const GraphNode& node, size_t index) const
    {
        if (node.kind == GraphNode::Kind::Stub)
            return pill(stubText(node), true);
        const HloInstruction& instruction = m_module.instruction(node.instruction);
        if (instruction.opcode == Opcode::Parameter && m_usersShown[index] == 1) {
            const QString role = roleOf(m_module, node.instruction);
            return pill(role.isEmpty() ? toQString(instruction.name) : role, true);
        }
        if (instruction.opcode == Opcode::GetTupleElement)
            return pill(elementText(node.instruction), false);
        if (instruction.opcode == Opcode::Constant)
            return pill(constantText(node.instruction, instruction), false);
        return box(node.instruction, instruction);
    }

private:
    // "{3} scores, 256 MiB"
    QString elementText(InstructionId id) const
    {
        const QString index =
            QLatin1Char('{') + toQString(m_module.attribute(id, "index").value_or("")) + QLatin1String("} ");
        const QString role = roleOf(m_module, id);
        const Shape& shape = m_module.shape(id);
        const QString size = shape.isArray() ? formatBytes(paddedByteSize(shape)) : toQString(shortShape(shape));
        return index + (role.isEmpty() ? size : GraphWords::tr("%1, %2").arg(role, size));
    }

    // Its value if that is short.
    QString constantText(InstructionId id, const HloInstruction& instruction) const
    {
        constexpr size_t kMaxPayload = 14;
        const bool isShort = !instruction.payload.empty() && instruction.payload.size() <= kMaxPayload
            && instruction.payload.find("...") == std::string_view::npos;
        if (isShort)
            return toQString(instruction.payload);
        return GraphWords::tr("constant %1").arg(toQString(shortShape(m_module.shape(id))));
    }

    static std::string shortShape(const Shape& shape)
    {
        return toString(shape, {.layouts = false, .indexComments = false});
    }

    GraphNodeLook pill(const QString& text, bool isDashed) const
    {
        GraphNodeLook look;
        look.isDashed = isDashed;
        look.form = GraphNodeLook::Form::Pill;
        look.hasBand = false;
        look.category = OpCategory::Idle;
        look.title = m_detailMetrics.elidedText(text, Qt::ElideMiddle, kMaxPillWidth - 24);
        look.size = QSizeF(std::ceil(m_detailMetrics.horizontalAdvance(look.title)) + 24,
                           std::ceil(m_detailMetrics.height()) + 6);
        return look;
    }

    GraphNodeLook box(InstructionId id, const HloInstruction& instruction) const
    {
        GraphNodeLook look;
        const bool isParameter = instruction.opcode == Opcode::Parameter;
        const bool isWork = doesWork(instruction);
        look.category = categorize(m_module, id);
        look.hasBand = isWork;
        const QString argument = isParameter ? roleOf(m_module, id) : QString();
        look.title = argument.isEmpty() ? toQString(instruction.name) : argument;
        look.subtitle = subtitleOf(id, instruction);
        look.detail = isParameter ? GraphWords::tr("parameter") : detailOf(id);
        fit(look, isWork);
        return look;
    }

    QString subtitleOf(InstructionId id, const HloInstruction& instruction) const
    {
        QString role = instruction.opcode == Opcode::Parameter ? QString() : roleOf(m_module, id);
        const QString contents = contentsText(fusionContents(m_module, id));
        if (!contents.isEmpty())
            return role.isEmpty() ? contents : role + QStringLiteral(", ") + contents;
        if (!role.isEmpty())
            return role;
        return toQString(shortShape(m_module.shape(id)));
    }

    // Others only rename or bundle values: they have no band and no time.
    static bool doesWork(const HloInstruction& instruction)
    {
        switch (instruction.opcode) {
        case Opcode::Parameter:
        case Opcode::Tuple:
        case Opcode::Bitcast:
            return false;
        default:
            return true;
        }
    }

    QString detailOf(InstructionId id) const
    {
        if (m_cost && id.index() < m_cost->ops.size()) {
            const OpCost& cost = m_cost->of(id);
            const auto time = bestTimePs(cost);
            if (time && *time > 0)
                return formatTime(static_cast<qint64>(std::llround(*time)));
            if (cost.boundBy == BoundBy::Unknown)
                return GraphWords::tr("no time");
        }
        const Shape& shape = m_module.shape(id);
        return shape.isArray() ? formatBytes(paddedByteSize(shape)) : QString();
    }

    void fit(GraphNodeLook& look, bool keepsRoomForTime) const
    {
        double detail = m_detailMetrics.horizontalAdvance(look.detail);
        if (keepsRoomForTime)
            detail = std::max(detail, m_timeWidth);
        const double frame = kLeftPadding + kRightPadding;
        const double gap = detail > 0 ? kColumnGap : 0;
        const double wanted = std::max(m_titleMetrics.horizontalAdvance(look.title) + gap + detail,
                                       std::min(m_detailMetrics.horizontalAdvance(look.subtitle), 220.0))
            + frame;
        const double width = std::ceil(std::clamp(wanted, kMinWidth, kMaxWidth));
        look.title = m_titleMetrics.elidedText(look.title, Qt::ElideMiddle, width - frame - gap - detail);
        look.subtitle = m_detailMetrics.elidedText(look.subtitle, Qt::ElideMiddle, width - frame);
        const double lines = m_titleMetrics.height() + (look.subtitle.isEmpty() ? 0 : m_detailMetrics.height() + 1);
        look.size = QSizeF(width, std::ceil(lines + 2 * kVerticalPadding));
    }

    const HloModule& m_module;
    const ModuleCost* m_cost;
    QFontMetricsF m_titleMetrics;
    QFontMetricsF m_detailMetrics;
    double m_timeWidth;
    std::vector<int> m_usersShown; // by node
};

} // namespace

std::optional<size_t> GraphPicture::nodeAt(QPointF point) const
{
    for (size_t i = 0; i < rects.size(); ++i) {
        if (rects[i].contains(point))
            return i;
    }
    return std::nullopt;
}

std::optional<size_t> GraphPicture::nodeOf(InstructionId instruction) const
{
    const size_t node = scene.nodeOf(instruction);
    return node < rects.size() ? std::optional(node) : std::nullopt;
}

LayoutProblem GraphPicture::problem() const
{
    LayoutProblem problem;
    for (const GraphNodeLook& look : looks)
        problem.boxes.push_back({look.size.width(), look.size.height(), 0});
    for (const GraphEdge& edge : scene.edges)
        problem.edges.push_back({edge.from, edge.to});
    return problem;
}

void GraphPicture::setGeometry(const GraphGeometry& geometry)
{
    rects.clear();
    paths.clear();
    for (size_t i = 0; i < looks.size(); ++i) {
        const QPointF centre(geometry.centres[i].x, geometry.centres[i].y);
        QRectF rect(QPointF(), looks[i].size);
        rect.moveCenter(centre);
        rect.moveTopLeft(QPointF(std::round(rect.left()), std::round(rect.top()))); // crisp outlines at 100 %
        rects.push_back(rect);
    }
    const auto point = [](const GraphPoint& p) { return QPointF(p.x, p.y); };
    for (const std::vector<GraphPoint>& curve : geometry.curves) {
        QPainterPath& path = paths.emplace_back(point(curve.front()));
        for (size_t i = 1; i + 2 < curve.size(); i += 3)
            path.cubicTo(point(curve[i]), point(curve[i + 1]), point(curve[i + 2]));
    }
    size = QSizeF(geometry.width, geometry.height);
}

std::vector<GraphNodeLook> describeNodes(const HloModule& module, const GraphScene& scene, const ModuleCost* cost)
{
    const NodeWriter writer(module, scene, cost);
    std::vector<GraphNodeLook> looks;
    looks.reserve(scene.nodes.size());
    for (size_t i = 0; i < scene.nodes.size(); ++i)
        looks.push_back(writer.write(scene.nodes[i], i));
    return looks;
}

QString describeNode(const HloModule& module, const GraphNode& node)
{
    const HloInstruction& instruction = module.instruction(node.instruction);
    const QString name = toQString(instruction.name);
    if (node.kind == GraphNode::Kind::Stub)
        return GraphWords::tr("%1 of %2 are not shown").arg(stubText(node).mid(1), name);
    QStringList lines{name, toQString(toString(module.shape(node.instruction)))};
    const OpMetadata metadata = module.metadata(node.instruction);
    if (!metadata.opName.empty())
        lines << toQString(metadata.opName);
    return lines.join(QLatin1Char('\n'));
}

} // namespace hloscope
