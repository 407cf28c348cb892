// SPDX-License-Identifier: Apache-2.0
#include "core/memory/phi_simplification.h"

#include <algorithm>
#include <numeric>

namespace hloscope {

namespace {

constexpr int64_t kNoSource = -1;
constexpr int64_t kManySources = -2;

int64_t join(int64_t a, int64_t b)
{
    if (a == kNoSource || a == b)
        return b;
    return b == kNoSource ? a : kManySources;
}

// Tarjan's algorithm over the phi graph with an explicit stack: components come out inputs first, so that the only
// source of a component follows from those of the components that it reads.
class OnlySources {
public:
    explicit OnlySources(const PhiInputs& phis) : m_phis(phis), m_state(phis.inputs.size())
    {
        for (size_t i = 0; i < m_state.size(); ++i) {
            if (m_state[i].number == 0)
                search(i);
        }
    }
    // The only value that is no phi and feeds this phi; negative when there is none or several.
    int64_t of(ValueId phi) const { return m_state[phi - m_phis.firstPhi].source; }

private:
    struct State {
        uint32_t number = 0;
        uint32_t low = 0;
        bool isOpen = false;
        size_t nextInput = 0;
        int64_t source = kNoSource;
    };

    void enter(size_t phi)
    {
        m_state[phi].number = m_state[phi].low = ++m_counter;
        m_state[phi].isOpen = true;
        m_open.push_back(phi);
        m_path.push_back(phi);
    }

    void search(size_t root)
    {
        enter(root);
        while (!m_path.empty()) {
            const size_t phi = m_path.back();
            State& state = m_state[phi];
            if (state.nextInput == m_phis.inputs[phi].size()) {
                leave(phi);
                continue;
            }
            const ValueId input = m_phis.inputs[phi][state.nextInput++];
            if (!m_phis.isPhi(input)) {
                state.source = join(state.source, input);
                continue;
            }
            const size_t next = input - m_phis.firstPhi;
            if (m_state[next].number == 0)
                enter(next);
            else if (m_state[next].isOpen)
                state.low = std::min(state.low, m_state[next].number);
            else
                state.source = join(state.source, m_state[next].source);
        }
    }

    void leave(size_t phi)
    {
        m_path.pop_back();
        if (m_state[phi].low == m_state[phi].number) {
            size_t first = m_open.size();
            int64_t source = kNoSource;
            do {
                --first;
                source = join(source, m_state[m_open[first]].source);
            } while (m_open[first] != phi);
            for (size_t i = first; i < m_open.size(); ++i) {
                m_state[m_open[i]].source = source;
                m_state[m_open[i]].isOpen = false;
            }
            m_open.resize(first);
        }
        if (m_path.empty())
            return;
        State& reader = m_state[m_path.back()];
        if (m_state[phi].isOpen)
            reader.low = std::min(reader.low, m_state[phi].low);
        else
            reader.source = join(reader.source, m_state[phi].source);
    }

    const PhiInputs& m_phis;
    std::vector<State> m_state;
    std::vector<size_t> m_open;
    std::vector<size_t> m_path;
    uint32_t m_counter = 0;
};

} // namespace

PhiSimplification::PhiSimplification(Dataflow& dataflow, const PhiInputs& phis)
    : m_dataflow(dataflow), m_phis(phis), m_replacement(dataflow.m_values.size())
{
    std::iota(m_replacement.begin(), m_replacement.end(), ValueId(0));
}

void PhiSimplification::run()
{
    if (m_phis.inputs.empty())
        return;
    replaceByOnlySource();
    replaceTrivial();
    rewriteSets();
}

ValueId PhiSimplification::find(ValueId id)
{
    while (m_replacement[id] != id) {
        m_replacement[id] = m_replacement[m_replacement[id]];
        id = m_replacement[id];
    }
    return id;
}

void PhiSimplification::replaceByOnlySource()
{
    const OnlySources sources(m_phis);
    for (ValueId phi = m_phis.firstPhi; phi < m_replacement.size(); ++phi) {
        if (sources.of(phi) >= 0)
            m_replacement[phi] = static_cast<ValueId>(sources.of(phi));
    }
}

void PhiSimplification::replaceTrivial()
{
    std::vector<std::vector<ValueId>> readers(m_phis.inputs.size());
    std::vector<ValueId> queue;
    for (ValueId phi = m_phis.firstPhi; phi < m_replacement.size(); ++phi) {
        queue.push_back(phi);
        for (const ValueId input : m_phis.of(phi)) {
            if (m_phis.isPhi(input))
                readers[input - m_phis.firstPhi].push_back(phi);
        }
    }
    for (size_t i = 0; i < queue.size(); ++i) {
        const ValueId phi = queue[i];
        if (find(phi) != phi)
            continue;
        int64_t only = kNoSource;
        for (const ValueId input : m_phis.of(phi)) {
            if (const ValueId source = find(input); source != phi)
                only = join(only, source);
        }
        if (only < 0)
            continue;
        m_replacement[phi] = static_cast<ValueId>(only);
        // Whoever reads this phi now reads its source, and may have become trivial by that.
        std::vector<ValueId>& own = readers[phi - m_phis.firstPhi];
        queue.insert(queue.end(), own.begin(), own.end());
        if (const ValueId source = find(phi); m_phis.isPhi(source)) {
            std::vector<ValueId>& further = readers[source - m_phis.firstPhi];
            further.insert(further.end(), own.begin(), own.end());
        }
    }
}

void PhiSimplification::rewriteSets()
{
    for (uint32_t& set : m_dataflow.m_sets) {
        if (set == Dataflow::kNone)
            continue;
        if ((set & Dataflow::kManyBit) == 0) {
            set = find(set);
            continue;
        }
        std::vector<ValueId> ids = m_dataflow.m_manySets[set & ~Dataflow::kManyBit];
        for (ValueId& id : ids)
            id = find(id);
        set = m_dataflow.internSet(std::move(ids));
    }
}

} // namespace hloscope
