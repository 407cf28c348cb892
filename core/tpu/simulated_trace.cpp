// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/simulated_trace.h"

#include "core/tpu/simulated_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

constexpr std::string_view kPlaneName = "/device:TPU:0 (simulated)";
constexpr std::string_view kModuleLine = "XLA Modules";
constexpr std::string_view kScopeLine = "Name scopes";
constexpr std::string_view kOpLine = "XLA Ops";
constexpr std::string_view kAsyncLine = "Async XLA Ops";
constexpr std::string_view kCollectiveLine = "Collectives";

// An argument reference is the instruction that has the cost, and the kind of the event above it.
constexpr int kKindShift = 32;

uint64_t referenceOf(const DeviceEvent& event)
{
    return event.costed.index() | (static_cast<uint64_t>(event.kind) << kKindShift);
}

void addNumber(std::vector<Argument>& arguments, std::string name, double value)
{
    arguments.push_back({std::move(name), fmt::format("{:.0f}", value), value});
}

void addText(std::vector<Argument>& arguments, std::string name, std::string value)
{
    if (!value.empty())
        arguments.push_back({std::move(name), std::move(value), std::nullopt});
}

// Arguments of simulated events, from the costs that the simulation used.
class SimulatedArguments : public ArgumentSource {
public:
    SimulatedArguments(std::shared_ptr<const HloModule> module, std::vector<OpCost> ops)
        : m_module(std::move(module)), m_ops(std::move(ops))
    {
    }

    std::vector<Argument> decode(uint64_t reference) const override
    {
        std::vector<Argument> arguments;
        const size_t index = reference & UINT32_MAX;
        if (index >= m_ops.size())
            return arguments;
        const InstructionId id(index);
        switch (static_cast<DeviceEvent::Kind>(reference >> kKindShift)) {
        case DeviceEvent::Kind::Stall:
            if (!m_module->operands(id).empty())
                addText(arguments, "waits_for",
                        std::string(m_module->instruction(m_module->operands(id).front()).name));
            break;
        case DeviceEvent::Kind::Container:
        case DeviceEvent::Kind::CutLoop:
            if (m_module->instruction(id).opcode == Opcode::While) {
                if (const std::optional<int64_t> trips = tripCount(*m_module, id))
                    addNumber(arguments, "iterations", static_cast<double>(*trips));
            }
            break;
        default:
            addCost(arguments, m_ops[index]);
        }
        addText(arguments, "op_name", m_module->metadata(id).opName);
        return arguments;
    }

private:
    static void addCost(std::vector<Argument>& arguments, const OpCost& cost)
    {
        addNumber(arguments, "flops", cost.xla.flops);
        addNumber(arguments, "bytes_accessed", cost.xla.bytesAccessed);
        addNumber(arguments, "hbm_bytes", cost.hbmReadBytes + cost.hbmWriteBytes);
        addText(arguments, "bound_by", std::string(boundByName(cost.boundBy)));
        if (cost.modelPs)
            addNumber(arguments, "model_ps", *cost.modelPs);
        if (cost.compilerPs)
            addNumber(arguments, "compiler_ps", *cost.compilerPs);
    }

    std::shared_ptr<const HloModule> m_module;
    std::vector<OpCost> m_ops;
};

} // namespace

SimulatedTrace::SimulatedTrace(std::shared_ptr<const HloModule> module, const ModuleCost& cost,
                               const MemoryReport* memory, const DeviceRun& run, const Problems& problems)
    : m_module(std::move(module))
    , m_cost(cost)
    , m_memory(memory)
    , m_run(run)
    , m_problems(problems)
    , m_scopes(*m_module)
    , m_plane(m_builder.addPlane(std::string(kPlaneName)))
    , m_kinds(m_module->instructions.size())
{
}

std::shared_ptr<const Trace> SimulatedTrace::build(Progress* progress)
{
    Trace& trace = m_builder.trace();
    trace.name = m_module->name;
    trace.isSimulated = true;
    trace.module = m_module;
    trace.argumentSource = std::make_shared<SimulatedArguments>(m_module, m_cost.ops);
    trace.problems.merge(m_problems);
    trace.planes[m_plane.index()].arguments.push_back({"chip", std::string(m_cost.chip->name), std::nullopt});
    addModuleTrack();
    addScopeTrack();
    addOpTracks();
    trace.counters = simulatedCounters(m_run, *m_module, m_cost, m_memory, m_plane);
    return std::move(m_builder).build(progress);
}

EventKindId SimulatedTrace::kindOf(InstructionId id)
{
    EventKindId& kind = m_kinds[id.index()];
    if (!kind.isValid()) {
        EventKind made;
        made.name = m_module->instruction(id).name;
        made.category = categorize(*m_module, id);
        made.instruction = id;
        made.module = m_module->name;
        kind = m_builder.addKind(std::move(made));
    }
    return kind;
}

EventKindId SimulatedTrace::kindOfScope(uint32_t node)
{
    m_scopeKinds.resize(m_scopes.nodes().size());
    EventKindId& kind = m_scopeKinds[node];
    if (!kind.isValid()) {
        EventKind made;
        made.name = m_scopes.nodes()[node].path;
        made.displayName = m_scopes.nodes()[node].name;
        made.module = m_module->name;
        kind = m_builder.addKind(std::move(made));
    }
    return kind;
}

void SimulatedTrace::addModuleTrack()
{
    const TrackId track = m_builder.addTrack(m_plane, std::string(kModuleLine), 0);
    EventKind kind;
    kind.name = m_module->name;
    kind.module = m_module->name;
    m_builder.addEvent(track, m_builder.addKind(std::move(kind)), 0, m_run.totalPs());
}

// A scope is open from the first op in it to the last in a row. What takes no time neither opens nor closes one.
void SimulatedTrace::addScopeTrack()
{
    struct Open {
        uint32_t node;
        size_t event;
    };
    struct Span {
        uint32_t node;
        int64_t begin;
        int64_t end;
    };
    std::vector<Span> spans;
    std::vector<Open> open;
    for (const DeviceEvent& event : m_run.coreEvents()) {
        if (event.kind == DeviceEvent::Kind::Container || event.duration == 0)
            continue;
        const std::vector<uint32_t> path = m_scopes.pathTo(m_scopes.nodeOf(event.instruction));
        size_t common = 0;
        while (common < path.size() && common < open.size() && open[common].node == path[common])
            ++common;
        open.resize(common);
        for (const Open& scope : open)
            spans[scope.event].end = event.begin + event.duration;
        for (size_t i = common; i < path.size(); ++i) {
            open.push_back({path[i], spans.size()});
            spans.push_back({path[i], event.begin, event.begin + event.duration});
        }
    }
    const TrackId track = m_builder.addTrack(m_plane, std::string(kScopeLine), 1);
    for (const Span& span : spans)
        m_builder.addEvent(track, kindOfScope(span.node), span.begin, span.end - span.begin);
}

void SimulatedTrace::addOpTracks()
{
    const auto addAll = [this](std::string_view name, int64_t line, bool always, const auto& isOnLine) {
        TrackId track;
        if (always)
            track = m_builder.addTrack(m_plane, std::string(name), line);
        for (const std::vector<DeviceEvent>* events : {&m_run.coreEvents(), &m_run.transfers()}) {
            for (const DeviceEvent& event : *events) {
                if (!isOnLine(event))
                    continue;
                if (!track.isValid())
                    track = m_builder.addTrack(m_plane, std::string(name), line);
                m_builder.addEvent(track, kindOf(event.instruction), event.begin, event.duration, referenceOf(event));
            }
        }
    };
    using Kind = DeviceEvent::Kind;
    // A synchronous collective keeps both the core and the links busy: it stands on both lines.
    addAll(kOpLine, 2, true, [](const DeviceEvent& event) { return event.kind != Kind::Transfer; });
    addAll(kAsyncLine, 3, false,
           [](const DeviceEvent& event) { return event.kind == Kind::Transfer && event.lane != Lane::Ici; });
    addAll(kCollectiveLine, 4, false, [](const DeviceEvent& event) {
        return event.kind == Kind::Collective || (event.kind == Kind::Transfer && event.lane == Lane::Ici);
    });
}

std::vector<ScopeTime> SimulatedTrace::scopeTimes()
{
    const std::vector<double>& corePs = m_run.corePs();
    for (size_t i = 0; i < corePs.size(); ++i) {
        if (corePs[i] > 0)
            m_scopes.addTime(InstructionId(i), corePs[i]);
    }
    std::vector<ScopeTime> times;
    for (const uint32_t child : m_scopes.nodes().front().children)
        appendScopeTimes(child, times);
    if (const double unscoped = m_scopes.nodes().front().selfPs; unscoped > 0)
        times.push_back({std::string(), std::llround(unscoped), std::llround(unscoped)});
    return times;
}

double SimulatedTrace::appendScopeTimes(uint32_t node, std::vector<ScopeTime>& times) const
{
    const ScopeTree::Node& scope = m_scopes.nodes()[node];
    const size_t at = times.size();
    times.push_back({scope.path, std::llround(scope.selfPs), 0});
    double total = scope.selfPs;
    for (const uint32_t child : scope.children)
        total += appendScopeTimes(child, times);
    times[at].totalPs = std::llround(total);
    return total;
}

std::vector<EventId> firstEvents(const HloModule& module, const AsyncChains& chains, const Trace& trace)
{
    std::vector<EventId> first(module.instructions.size());
    for (const std::string_view line : {kOpLine, kAsyncLine, kCollectiveLine}) {
        for (const Track& track : trace.tracks) {
            if (track.name != line)
                continue;
            for (uint32_t i = track.events.begin; i < track.events.end(); ++i) {
                const InstructionId id = trace.kind(EventId(i)).instruction;
                if (id.isValid() && !first[id.index()].isValid())
                    first[id.index()] = EventId(i);
            }
        }
    }
    for (size_t i = 0; i < first.size(); ++i) {
        if (first[i].isValid())
            continue;
        const OpPlacement placement = placementOf(module, chains, InstructionId(i));
        if (placement.role == OpRole::Done && placement.start.isValid())
            first[i] = first[placement.start.index()];
    }
    return first;
}

} // namespace hloscope
