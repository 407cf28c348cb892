// SPDX-License-Identifier: Apache-2.0
#include "views/common/selection.h"

#include "views/common/workspace.h"

#include <algorithm>

namespace hloscope {

namespace {

constexpr size_t kMaxHistory = 200;

// "jit_net(5678)" -> "jit_net": profiles add the program id to the name of the module.
std::string_view moduleNameOf(std::string_view text)
{
    return text.substr(0, text.find('('));
}

const ModuleEntry* entryByName(const Workspace& workspace, std::string_view name)
{
    for (const ModuleEntry& entry : workspace.modules()) {
        if (!name.empty() && entry.module->name == moduleNameOf(name))
            return &entry;
    }
    return nullptr;
}

// Device events bear the name of their instruction, alone or as `%name = ...`.
InstructionId instructionNamed(const HloModule& module, const EventKind& kind)
{
    std::string_view name = kind.label();
    if (name.starts_with('%'))
        name.remove_prefix(1);
    return module.findInstruction(name.substr(0, name.find(' ')));
}

bool isEmpty(const SelectionState& state)
{
    return state == SelectionState{};
}

} // namespace

Selection::Selection(const Workspace& workspace, QObject* parent) : QObject(parent), m_workspace(workspace)
{
    connect(&workspace, &Workspace::moduleChanged, this, &Selection::refresh);
    connect(&workspace, &Workspace::documentOpened, this, &Selection::prune);
    connect(&workspace, &Workspace::closed, this, &Selection::prune);
}

void Selection::selectModule(std::shared_ptr<const HloModule> module)
{
    SelectionState state;
    state.module = std::move(module);
    set(std::move(state));
}

void Selection::selectComputation(std::shared_ptr<const HloModule> module, ComputationId computation)
{
    SelectionState state;
    state.module = std::move(module);
    state.computation = computation;
    set(std::move(state));
}

void Selection::selectInstruction(std::shared_ptr<const HloModule> module, InstructionId instruction)
{
    SelectionState state;
    state.module = std::move(module);
    state.instruction = instruction;
    set(std::move(state));
}

void Selection::selectTrace(std::shared_ptr<const Trace> trace)
{
    SelectionState state;
    state.trace = std::move(trace);
    set(std::move(state));
}

void Selection::selectEvent(std::shared_ptr<const Trace> trace, EventId event)
{
    SelectionState state;
    state.trace = std::move(trace);
    state.event = event;
    set(std::move(state));
}

void Selection::selectBuffer(std::shared_ptr<const HloModule> module, const BufferName& buffer)
{
    SelectionState state;
    state.module = std::move(module);
    state.instruction = buffer.instruction;
    state.buffer = buffer;
    set(std::move(state));
}

void Selection::selectRange(std::optional<TimeRange> range)
{
    if (range == m_state.range)
        return;
    m_state.range = range;
    m_history[m_position].range = range;
    emit changed();
}

void Selection::clear()
{
    set(SelectionState{});
}

void Selection::goBack()
{
    if (!canGoBack())
        return;
    m_history[m_position] = m_state;
    m_state = m_history[--m_position];
    refreshState();
    emit changed();
}

void Selection::goForward()
{
    if (!canGoForward())
        return;
    m_history[m_position] = m_state;
    m_state = m_history[++m_position];
    refreshState();
    emit changed();
}

void Selection::set(SelectionState state)
{
    complete(state);
    // What is dragged out on a timeline outlives clicks on that timeline.
    if (state.trace && state.trace == m_state.trace)
        state.range = m_state.range;
    if (state == m_state)
        return;
    m_state = std::move(state);
    // Nothing leads back to the empty selection of an empty window.
    if (isEmpty(m_history[m_position])) {
        m_history[m_position] = m_state;
    } else {
        m_history.resize(m_position + 1);
        m_history.push_back(m_state);
        if (m_history.size() > kMaxHistory)
            m_history.erase(m_history.begin());
        m_position = m_history.size() - 1;
    }
    emit changed();
}

void Selection::complete(SelectionState& state) const
{
    if (state.trace && !state.module) {
        state.module = state.trace->module;
        if (state.event.isValid())
            completeFromEvent(state);
    }
    if (state.module && state.instruction.isValid() && state.instruction.index() < state.module->instructions.size())
        state.computation = state.module->instruction(state.instruction).computation;
    if (state.module && !state.trace && !keepMeasuredTrace(state))
        completeFromModule(state);
}

// A profile that is being looked at stays in view while the ops of its module are walked through elsewhere.
bool Selection::keepMeasuredTrace(SelectionState& state) const
{
    if (!m_state.trace || m_state.trace->isSimulated || m_state.module != state.module)
        return false;
    state.trace = m_state.trace;
    if (!state.instruction.isValid())
        return true;
    const Trace& trace = *state.trace;
    std::vector<bool> isWanted(trace.kinds.size());
    for (size_t i = 0; i < trace.kinds.size(); ++i) {
        const EventKind& kind = trace.kinds[i];
        isWanted[i] = moduleNameOf(kind.module) == state.module->name
            && instructionNamed(*state.module, kind) == state.instruction;
    }
    const auto found = std::ranges::find_if(trace.eventKinds, [&](uint32_t kind) { return isWanted[kind]; });
    if (found != trace.eventKinds.end())
        state.event = EventId(static_cast<size_t>(found - trace.eventKinds.begin()));
    return true;
}

void Selection::completeFromEvent(SelectionState& state) const
{
    const EventKind& kind = state.trace->kind(state.event);
    if (!state.module) {
        const ModuleEntry* entry = entryByName(m_workspace, kind.module);
        if (entry == nullptr)
            return;
        state.module = entry->module;
        state.instruction = instructionNamed(*state.module, kind);
    } else {
        state.instruction = kind.instruction;
    }
}

void Selection::completeFromModule(SelectionState& state) const
{
    const ModuleEntry* entry = m_workspace.entry(state.module.get());
    if (entry != nullptr && entry->simulation) {
        state.trace = entry->simulation->trace;
        if (state.instruction.isValid() && state.instruction.index() < entry->simulation->eventOf.size())
            state.event = entry->simulation->eventOf[state.instruction.index()];
    }
}

// A simulation that has arrived, or replaced another one, is taken into the state without making a history entry.
void Selection::refreshState()
{
    if (!m_state.module || (m_state.trace && !m_state.trace->isSimulated))
        return;
    const ModuleEntry* entry = m_workspace.entry(m_state.module.get());
    const std::shared_ptr<const Trace> current =
        entry != nullptr && entry->simulation ? entry->simulation->trace : nullptr;
    if (current == m_state.trace)
        return;
    m_state.trace = nullptr;
    m_state.event = {};
    m_state.range.reset();
    completeFromModule(m_state);
}

void Selection::refresh(const HloModule* module)
{
    if (module != m_state.module.get())
        return;
    const SelectionState before = m_state;
    refreshState();
    m_history[m_position] = m_state;
    if (!(before == m_state))
        emit changed();
}

// The same place in what has been read again, or the empty state when it is not open any more.
SelectionState Selection::rebased(const SelectionState& state) const
{
    if (state.module && m_workspace.entry(state.module.get()) != nullptr)
        return state;
    const auto isItsTrace = [&](const TraceEntry& e) { return e.trace == state.trace; };
    if (state.trace && std::ranges::any_of(m_workspace.traces(), isItsTrace)) {
        SelectionState next;
        next.trace = state.trace;
        next.event = state.event;
        next.range = state.range;
        return next;
    }
    const ModuleEntry* entry = state.module ? entryByName(m_workspace, state.module->name) : nullptr;
    if (entry == nullptr)
        return {};
    SelectionState next;
    next.module = entry->module;
    if (state.instruction.isValid())
        next.instruction = next.module->findInstruction(state.module->instruction(state.instruction).name);
    if (state.computation.isValid())
        next.computation = next.module->findComputation(state.module->computation(state.computation).name);
    complete(next);
    return next;
}

// Lets go of modules and traces that are no longer open.
void Selection::prune()
{
    std::vector<SelectionState> kept;
    size_t position = 0;
    for (size_t i = 0; i < m_history.size(); ++i) {
        SelectionState state = rebased(i == m_position ? m_state : m_history[i]);
        if (!isEmpty(state) && (kept.empty() || !(kept.back() == state)))
            kept.push_back(std::move(state));
        if (i == m_position)
            position = kept.empty() ? 0 : kept.size() - 1;
    }
    if (kept.empty())
        kept.emplace_back();
    m_history = std::move(kept);
    m_position = position;
    if (!(m_history[m_position] == m_state)) {
        m_state = m_history[m_position];
        emit changed();
    }
}

} // namespace hloscope
