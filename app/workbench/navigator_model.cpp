// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/navigator_model.h"

#include "views/words/units.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace hloscope {

namespace {

QString toQt(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

char lower(char c)
{
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool runsInTime(Opcode opcode)
{
    return opcode == Opcode::While || opcode == Opcode::Conditional || opcode == Opcode::Call
        || opcode == Opcode::AsyncStart;
}

// The entry, then what it runs in time (loops, branches, calls) depth first, then bodies of fusions and reducers in
// the order of the file.
std::vector<ComputationId> computationsInReadingOrder(const HloModule& module)
{
    std::vector<ComputationId> order;
    std::vector<bool> isListed(module.computations.size());
    std::vector<ComputationId> stack;
    if (module.entry.isValid())
        stack.push_back(module.entry);
    while (!stack.empty()) {
        const ComputationId id = stack.back();
        stack.pop_back();
        if (isListed[id.index()])
            continue;
        isListed[id.index()] = true;
        order.push_back(id);
        const IndexRange& range = module.computation(id).instructions;
        for (uint32_t i = range.end(); i > range.begin; --i) {
            if (!runsInTime(module.instructions[i - 1].opcode))
                continue;
            const auto called = module.called(InstructionId(i - 1));
            stack.insert(stack.end(), called.rbegin(), called.rend());
        }
    }
    for (size_t i = 0; i < module.computations.size(); ++i) {
        if (!isListed[i])
            order.emplace_back(i);
    }
    // What the text leaves out comes last.
    std::ranges::stable_partition(order, [&](ComputationId id) { return !module.computation(id).isImplicit; });
    return order;
}

} // namespace

QString displayNameOf(const QString& path)
{
    static const std::array<QLatin1String, 6> kCommonNames{
        QLatin1String("before"),        QLatin1String("after_optimizations"),
        QLatin1String("after_codegen"), QLatin1String("xplane"),
        QLatin1String("trace"),         QLatin1String("perfetto_trace")};
    const QFileInfo info(path);
    const QString name = info.fileName();
    const QString stem = name.section(QLatin1Char('.'), 0, 0);
    const QString folder = info.dir().dirName();
    if (folder.isEmpty())
        return name;
    // "module.hlo" adds nothing to the folder of a program; its other stages do.
    if (stem == QLatin1String("module"))
        return folder;
    const bool isCommon = std::ranges::any_of(kCommonNames, [&](QLatin1String common) { return stem == common; });
    return isCommon ? folder + QLatin1Char('/') + name : name;
}

struct NavigatorModel::Node {
    Kind kind = Kind::File;
    QString label;
    QString count;
    Node* parent = nullptr;
    std::vector<std::unique_ptr<Node>> children;
    bool isPopulated = false;
    bool canHaveChildren = true;

    QString path; // File
    std::shared_ptr<const HloModule> module;
    ComputationId computation;
    InstructionId instruction;
    std::shared_ptr<const Trace> trace;
    PlaneId plane;
    TrackId track;
    std::vector<uint32_t> hidden; // More: computations or instructions, in the order to be shown

    int row() const
    {
        const auto isThis = [this](const std::unique_ptr<Node>& other) { return other.get() == this; };
        return static_cast<int>(std::ranges::find_if(parent->children, isThis) - parent->children.begin());
    }
};

NavigatorModel::NavigatorModel(const Workspace& workspace, QObject* parent)
    : QAbstractItemModel(parent), m_workspace(workspace), m_root(std::make_unique<Node>())
{
    m_root->isPopulated = true;
    connect(&workspace, &Workspace::documentOpened, this, &NavigatorModel::updateFile);
    connect(&workspace, &Workspace::closed, this, &NavigatorModel::removeClosed);
    connect(&workspace, &Workspace::moduleChanged, this, &NavigatorModel::updateModule);
    rebuild();
}

NavigatorModel::~NavigatorModel() = default;

QModelIndex NavigatorModel::index(int row, int column, const QModelIndex& parent) const
{
    const Node* node = nodeAt(parent);
    if (row < 0 || column != 0 || static_cast<size_t>(row) >= node->children.size())
        return {};
    return createIndex(row, column, node->children[static_cast<size_t>(row)].get());
}

QModelIndex NavigatorModel::parent(const QModelIndex& child) const
{
    return child.isValid() ? indexOfNode(nodeAt(child)->parent) : QModelIndex();
}

int NavigatorModel::rowCount(const QModelIndex& parent) const
{
    return static_cast<int>(nodeAt(parent)->children.size());
}

int NavigatorModel::columnCount(const QModelIndex&) const
{
    return 1;
}

bool NavigatorModel::hasChildren(const QModelIndex& parent) const
{
    const Node* node = nodeAt(parent);
    return node->isPopulated ? !node->children.empty() : node->canHaveChildren;
}

bool NavigatorModel::canFetchMore(const QModelIndex& parent) const
{
    const Node* node = nodeAt(parent);
    return !node->isPopulated && node->canHaveChildren;
}

void NavigatorModel::fetchMore(const QModelIndex& parent)
{
    if (!canFetchMore(parent))
        return;
    Node* node = nodeAt(parent);
    node->isPopulated = true;
    insert(node, 0, makeChildren(*node));
}

QVariant NavigatorModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Node* node = nodeAt(index);
    switch (role) {
    case Qt::DisplayRole:
        return node->label;
    case Qt::ToolTipRole:
        return node->kind == Kind::File ? node->path : node->label;
    case Qt::AccessibleTextRole:
        return node->count.isEmpty() ? node->label : node->label + QStringLiteral(", ") + node->count;
    case KindRole:
        return static_cast<int>(node->kind);
    case CountRole:
        return node->count;
    case MonoRole:
        return node->kind == Kind::Computation || node->kind == Kind::Instruction;
    case IconRole:
        return iconOf(*node);
    default:
        return {};
    }
}

QString NavigatorModel::iconOf(const Node& node)
{
    switch (node.kind) {
    case Kind::File:
        return QFileInfo(node.path).isDir() ? QStringLiteral("folder") : QStringLiteral("file");
    case Kind::Module:
        return QStringLiteral("module");
    case Kind::Computation:
        return QStringLiteral("computation");
    case Kind::Instruction:
        return QStringLiteral("instruction");
    case Kind::Step:
    case Kind::Trace:
        return QStringLiteral("clock");
    case Kind::Plane:
        return QStringLiteral("chip");
    case Kind::Line:
        return QStringLiteral("track");
    case Kind::Counter:
        return QStringLiteral("counter");
    case Kind::More:
        return QStringLiteral("more");
    }
    return {};
}

void NavigatorModel::setFilter(const QString& text)
{
    const QString wanted = text.trimmed();
    if (wanted == m_filter)
        return;
    m_filter = wanted;
    m_needle = wanted.toLower().toStdString();
    rebuild();
}

void NavigatorModel::showMore(const QModelIndex& more)
{
    Node* node = nodeAt(more);
    if (!more.isValid() || node->kind != Kind::More)
        return;
    Node* parent = node->parent;
    const size_t count = std::min(node->hidden.size(), kMoreRows);
    std::vector<std::unique_ptr<Node>> rows;
    for (size_t i = 0; i < count; ++i) {
        rows.push_back(parent->kind == Kind::Module ? makeComputation(parent->module, ComputationId(node->hidden[i]))
                                                    : makeInstruction(parent->module, InstructionId(node->hidden[i])));
    }
    const bool areComputations = parent->kind == Kind::Module;
    const std::vector<uint32_t> rest(node->hidden.begin() + static_cast<std::ptrdiff_t>(count), node->hidden.end());
    const int at = more.row();
    remove(parent, at);
    if (!rest.empty())
        rows.push_back(makeMore(rest, areComputations));
    insert(parent, at, std::move(rows));
}

bool NavigatorModel::select(const QModelIndex& index, Selection& selection) const
{
    if (!index.isValid())
        return false;
    const Node* node = nodeAt(index);
    switch (node->kind) {
    case Kind::Module:
        selection.selectModule(node->module);
        return true;
    case Kind::Computation:
        selection.selectComputation(node->module, node->computation);
        return true;
    case Kind::Instruction:
        selection.selectInstruction(node->module, node->instruction);
        return true;
    case Kind::Step:
    case Kind::Trace:
    case Kind::Plane:
    case Kind::Line:
    case Kind::Counter:
        selection.selectTrace(node->trace);
        return true;
    case Kind::File:
    case Kind::More:
        break;
    }
    return false;
}

const NavigatorModel::Node* NavigatorModel::best(const Node& node, const SelectionState& state) const
{
    const Node* found = nullptr;
    for (const std::unique_ptr<Node>& child : node.children) {
        const bool isSelected = (child->kind == Kind::Module && child->module == state.module)
            || (child->kind == Kind::Computation && child->computation == state.computation)
            || (child->kind == Kind::Instruction && child->instruction == state.instruction)
            || (child->kind == Kind::Trace && child->trace == state.trace && !state.module);
        const bool mayHoldIt = child->kind == Kind::File;
        if (isSelected)
            found = child.get();
        if (isSelected || mayHoldIt) {
            if (const Node* deeper = best(*child, state))
                found = deeper;
        }
    }
    return found;
}

QModelIndex NavigatorModel::indexOf(const SelectionState& state) const
{
    const Node* found = best(*m_root, state);
    return found != nullptr ? indexOfNode(found) : QModelIndex();
}

void NavigatorModel::insert(Node* parent, int at, std::vector<std::unique_ptr<Node>> rows)
{
    if (rows.empty())
        return;
    for (const std::unique_ptr<Node>& row : rows)
        row->parent = parent;
    beginInsertRows(indexOfNode(parent), at, at + static_cast<int>(rows.size()) - 1);
    parent->children.insert(parent->children.begin() + at, std::make_move_iterator(rows.begin()),
                            std::make_move_iterator(rows.end()));
    endInsertRows();
}

void NavigatorModel::remove(Node* parent, int at)
{
    beginRemoveRows(indexOfNode(parent), at, at);
    parent->children.erase(parent->children.begin() + at);
    endRemoveRows();
}

void NavigatorModel::rebuild()
{
    beginResetModel();
    m_root->children.clear();
    for (const DocumentEntry& document : m_workspace.documents()) {
        if (std::unique_ptr<Node> file = makeFile(document.path)) {
            file->parent = m_root.get();
            m_root->children.push_back(std::move(file));
        }
    }
    endResetModel();
    emit rebuilt();
}

void NavigatorModel::updateFile(const QString& path)
{
    int at = rowCount();
    for (int i = 0; i < rowCount(); ++i) {
        if (m_root->children[static_cast<size_t>(i)]->path == path) {
            remove(m_root.get(), i);
            at = i;
            break;
        }
    }
    std::vector<std::unique_ptr<Node>> rows;
    if (std::unique_ptr<Node> file = makeFile(path))
        rows.push_back(std::move(file));
    const bool isShown = !rows.empty();
    insert(m_root.get(), at, std::move(rows));
    if (isShown)
        emit fileAdded(index(at, 0));
}

void NavigatorModel::removeClosed()
{
    for (int i = rowCount() - 1; i >= 0; --i) {
        const QString& path = m_root->children[static_cast<size_t>(i)]->path;
        const auto isIt = [&](const DocumentEntry& document) { return document.path == path; };
        if (std::ranges::none_of(m_workspace.documents(), isIt))
            remove(m_root.get(), i);
    }
}

// The simulated step arrives later than its module, and again for every other chip.
void NavigatorModel::updateModule(const HloModule* module)
{
    const ModuleEntry* entry = m_workspace.entry(module);
    if (entry == nullptr)
        return;
    for (const std::unique_ptr<Node>& file : m_root->children) {
        if (file->path != entry->path || !file->isPopulated)
            continue;
        int at = static_cast<int>(file->children.size());
        for (size_t i = 0; i < file->children.size(); ++i) {
            Node& child = *file->children[i];
            if (child.kind == Kind::Step && child.module.get() == module) {
                if (entry->simulation && child.trace == entry->simulation->trace)
                    return;
                remove(file.get(), static_cast<int>(i));
                at = static_cast<int>(i);
                break;
            }
            if (child.kind == Kind::Module && child.module.get() == module)
                at = static_cast<int>(i) + 1;
        }
        std::vector<std::unique_ptr<Node>> rows;
        if (std::unique_ptr<Node> step = makeStep(*entry))
            rows.push_back(std::move(step));
        insert(file.get(), at, std::move(rows));
        return;
    }
}

NavigatorModel::Node* NavigatorModel::nodeAt(const QModelIndex& index) const
{
    return index.isValid() ? static_cast<Node*>(index.internalPointer()) : m_root.get();
}

QModelIndex NavigatorModel::indexOfNode(const Node* node) const
{
    return node == nullptr || node == m_root.get() ? QModelIndex() : createIndex(node->row(), 0, node);
}

bool NavigatorModel::matches(std::string_view name) const
{
    if (m_needle.empty())
        return true;
    const auto equal = [](char a, char b) { return lower(a) == b; };
    return std::search(name.begin(), name.end(), m_needle.begin(), m_needle.end(), equal) != name.end();
}

void NavigatorModel::populate(Node& node) const
{
    node.isPopulated = true;
    node.children = makeChildren(node);
    for (const std::unique_ptr<Node>& child : node.children)
        child->parent = &node;
}

// With a filter the whole (short) tree is made at once, since rows without a match are left out.
std::unique_ptr<NavigatorModel::Node> NavigatorModel::finished(std::unique_ptr<Node> node) const
{
    if (m_needle.empty() || !node->canHaveChildren)
        return node;
    populate(*node);
    return node->children.empty() ? nullptr : std::move(node);
}

std::vector<std::unique_ptr<NavigatorModel::Node>> NavigatorModel::makeChildren(const Node& node) const
{
    switch (node.kind) {
    case Kind::File:
        return makeContents(node);
    case Kind::Module:
        return makeComputations(node);
    case Kind::Computation:
        return makeInstructions(node);
    case Kind::Step:
    case Kind::Trace:
        return makePlanes(node);
    case Kind::Plane:
        return makeLines(node);
    default:
        return {};
    }
}

std::unique_ptr<NavigatorModel::Node> NavigatorModel::makeFile(const QString& path) const
{
    auto node = std::make_unique<Node>();
    node->kind = Kind::File;
    node->path = path;
    node->label = displayNameOf(path);
    populate(*node); // few rows, and the first to be looked at
    return m_needle.empty() || !node->children.empty() ? std::move(node) : nullptr;
}

std::vector<std::unique_ptr<NavigatorModel::Node>> NavigatorModel::makeContents(const Node& file) const
{
    std::vector<std::unique_ptr<Node>> rows;
    for (const TraceEntry& entry : m_workspace.traces()) {
        if (entry.path != file.path)
            continue;
        auto trace = std::make_unique<Node>();
        trace->kind = Kind::Trace;
        trace->trace = entry.trace;
        trace->label = entry.label == displayNameOf(entry.path) || entry.label == QFileInfo(entry.path).fileName()
            ? tr("Profile")
            : entry.label;
        trace->count = formatCount(static_cast<qint64>(entry.trace->eventCount()));
        if (auto row = finished(std::move(trace)))
            rows.push_back(std::move(row));
    }
    for (const ModuleEntry& entry : m_workspace.modules()) {
        if (entry.path != file.path)
            continue;
        auto module = std::make_unique<Node>();
        module->kind = Kind::Module;
        module->module = entry.module;
        module->label = entry.label;
        module->count = formatCount(static_cast<qint64>(entry.module->instructions.size()));
        if (auto row = finished(std::move(module)))
            rows.push_back(std::move(row));
        if (auto step = makeStep(entry))
            rows.push_back(std::move(step));
    }
    return rows;
}

std::unique_ptr<NavigatorModel::Node> NavigatorModel::makeStep(const ModuleEntry& entry) const
{
    // What was measured comes first, and stands instead of the simulation of each module inside the profile.
    const auto isOfFile = [&](const TraceEntry& trace) { return trace.path == entry.path; };
    if (!entry.simulation || std::ranges::any_of(m_workspace.traces(), isOfFile))
        return nullptr;
    auto node = std::make_unique<Node>();
    node->kind = Kind::Step;
    node->module = entry.module;
    node->trace = entry.simulation->trace;
    node->label = tr("Simulated step");
    const QString time = formatTime(entry.simulation->totalPs);
    node->count = entry.simulation->opsWithoutTime > 0 ? tr("at least %1").arg(time) : time;
    return finished(std::move(node));
}

std::unique_ptr<NavigatorModel::Node> NavigatorModel::makeComputation(const std::shared_ptr<const HloModule>& module,
                                                                      ComputationId id) const
{
    const HloComputation& computation = module->computation(id);
    auto node = std::make_unique<Node>();
    node->kind = Kind::Computation;
    node->module = module;
    node->computation = id;
    node->label = toQt(computation.name);
    node->count = formatCount(computation.instructions.count);
    node->canHaveChildren = computation.instructions.count > 0;
    return node;
}

std::unique_ptr<NavigatorModel::Node> NavigatorModel::makeInstruction(const std::shared_ptr<const HloModule>& module,
                                                                      InstructionId id) const
{
    auto node = std::make_unique<Node>();
    node->kind = Kind::Instruction;
    node->module = module;
    node->instruction = id;
    node->label = toQt(module->instruction(id).name);
    node->canHaveChildren = false;
    return node;
}

std::unique_ptr<NavigatorModel::Node> NavigatorModel::makeMore(std::vector<uint32_t> hidden, bool areComputations) const
{
    auto node = std::make_unique<Node>();
    node->kind = Kind::More;
    const int count = static_cast<int>(hidden.size());
    node->label = areComputations ? tr("%1 more computation(s)", nullptr, count).arg(formatCount(count))
                                  : tr("%1 more instruction(s)", nullptr, count).arg(formatCount(count));
    node->hidden = std::move(hidden);
    node->canHaveChildren = false;
    return node;
}

std::vector<std::unique_ptr<NavigatorModel::Node>> NavigatorModel::makeComputations(const Node& module) const
{
    std::vector<std::unique_ptr<Node>> rows;
    std::vector<uint32_t> hidden;
    const size_t room = m_needle.empty() ? kFirstComputations : kMoreRows;
    for (const ComputationId id : computationsInReadingOrder(*module.module)) {
        if (!holdsMatch(*module.module, id))
            continue;
        if (rows.size() >= room) {
            hidden.push_back(static_cast<uint32_t>(id.index()));
            continue;
        }
        auto row = makeComputation(module.module, id);
        if (!matches(module.module->computation(id).name))
            row = finished(std::move(row));
        rows.push_back(std::move(row));
    }
    if (!hidden.empty())
        rows.push_back(makeMore(std::move(hidden), true));
    return rows;
}

bool NavigatorModel::holdsMatch(const HloModule& module, ComputationId id) const
{
    if (m_needle.empty() || matches(module.computation(id).name))
        return true;
    const IndexRange& range = module.computation(id).instructions;
    const auto begin = module.instructions.begin() + range.begin;
    return std::any_of(begin, begin + range.count, [this](const HloInstruction& i) { return matches(i.name); });
}

std::vector<std::unique_ptr<NavigatorModel::Node>> NavigatorModel::makeInstructions(const Node& computation) const
{
    const bool showAll = matches(computation.module->computation(computation.computation).name);
    std::vector<std::unique_ptr<Node>> rows;
    std::vector<uint32_t> hidden;
    const IndexRange& range = computation.module->computation(computation.computation).instructions;
    for (uint32_t i = range.begin; i < range.end(); ++i) {
        if (!showAll && !matches(computation.module->instructions[i].name))
            continue;
        if (rows.size() < kFirstInstructions)
            rows.push_back(makeInstruction(computation.module, InstructionId(i)));
        else
            hidden.push_back(i);
    }
    if (!hidden.empty())
        rows.push_back(makeMore(std::move(hidden), false));
    return rows;
}

std::vector<std::unique_ptr<NavigatorModel::Node>> NavigatorModel::makePlanes(const Node& trace) const
{
    std::vector<std::unique_ptr<Node>> rows;
    for (size_t i = 0; i < trace.trace->planes.size(); ++i) {
        auto node = std::make_unique<Node>();
        node->kind = Kind::Plane;
        node->trace = trace.trace;
        node->plane = PlaneId(i);
        node->label = toQt(trace.trace->planes[i].name);
        const auto isInPlane = [&](const auto& item) { return item.plane == node->plane; };
        const auto lines = std::ranges::count_if(trace.trace->tracks, isInPlane)
            + std::ranges::count_if(trace.trace->counters, isInPlane);
        node->count = formatCount(lines);
        node->canHaveChildren = lines > 0;
        if (!node->canHaveChildren && !matches(trace.trace->planes[i].name))
            continue;
        if (auto row = finished(std::move(node)))
            rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<std::unique_ptr<NavigatorModel::Node>> NavigatorModel::makeLines(const Node& plane) const
{
    std::vector<std::unique_ptr<Node>> rows;
    const auto add = [&](Kind kind, const std::string& name, QString count) {
        auto node = std::make_unique<Node>();
        node->kind = kind;
        node->trace = plane.trace;
        node->plane = plane.plane;
        node->label = name.empty() ? tr("unnamed") : toQt(name);
        node->count = std::move(count);
        node->canHaveChildren = false;
        rows.push_back(std::move(node));
    };
    for (size_t i = 0; i < plane.trace->tracks.size(); ++i) {
        const Track& track = plane.trace->tracks[i];
        if (track.plane != plane.plane || !matches(track.name))
            continue;
        add(Kind::Line, track.name, formatCount(track.events.count));
        rows.back()->track = TrackId(i);
    }
    for (const Counter& counter : plane.trace->counters) {
        if (counter.plane == plane.plane && matches(counter.name))
            add(Kind::Counter, counter.name, QString());
    }
    return rows;
}

} // namespace hloscope
