// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_module.h"
#include "core/memory/live_range.h"
#include "core/trace/trace.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace hloscope {

class Workspace;

struct TimeRange {
    int64_t begin = 0; // picoseconds of the selected trace
    int64_t end = 0;

    bool operator==(const TimeRange&) const = default;
};

// What is selected. Parts that are unknown stay empty; an instruction of a simulated module comes with its event, and
// an event with its instruction.
struct SelectionState {
    std::shared_ptr<const HloModule> module;
    ComputationId computation;
    InstructionId instruction;
    std::shared_ptr<const Trace> trace;
    EventId event;
    std::optional<TimeRange> range;
    std::optional<BufferName> buffer;

    bool operator==(const SelectionState&) const = default;
};

// The only state that views share. Each view shows it, changes it, and knows no other view. It follows the workspace:
// the event of the selected instruction is filled in when the simulation arrives, a file that is read again keeps the
// place by name, and what is closed is forgotten.
class Selection : public QObject {
    Q_OBJECT

public:
    explicit Selection(const Workspace& workspace, QObject* parent = nullptr);

    const SelectionState& state() const { return m_state; }

    // Each of these replaces what is selected and completes it from the workspace: the computation of an instruction,
    // the event of an instruction, the instruction of an event, both for a buffer. A trace stays while its module does.
    void selectModule(std::shared_ptr<const HloModule> module);
    void selectComputation(std::shared_ptr<const HloModule> module, ComputationId computation);
    void selectInstruction(std::shared_ptr<const HloModule> module, InstructionId instruction);
    void selectTrace(std::shared_ptr<const Trace> trace);
    void selectEvent(std::shared_ptr<const Trace> trace, EventId event);
    void selectBuffer(std::shared_ptr<const HloModule> module, const BufferName& buffer);
    // Ranges change often while dragging and make no history entry.
    void selectRange(std::optional<TimeRange> range);
    void clear();

    bool canGoBack() const { return m_position > 0; }
    bool canGoForward() const { return m_position + 1 < m_history.size(); }
    void goBack();
    void goForward();

signals:
    void changed();

private:
    void set(SelectionState state);
    void complete(SelectionState& state) const;
    void completeFromEvent(SelectionState& state) const;
    void completeFromModule(SelectionState& state) const;
    bool keepMeasuredTrace(SelectionState& state) const;
    void refreshState();
    void refresh(const HloModule* module);
    SelectionState rebased(const SelectionState& state) const;
    void prune();

    const Workspace& m_workspace;
    SelectionState m_state;
    std::vector<SelectionState> m_history{SelectionState{}};
    size_t m_position = 0;
};

} // namespace hloscope
