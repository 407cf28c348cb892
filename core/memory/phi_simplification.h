// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory/dataflow.h"

#include <vector>

namespace hloscope {

// The values that meet in each phi.
struct PhiInputs {
    ValueId firstPhi = 0; // phis are the values from here on
    std::vector<std::vector<ValueId>> inputs; // by phi, without duplicates

    bool isPhi(ValueId id) const { return id >= firstPhi; }
    const std::vector<ValueId>& of(ValueId phi) const { return inputs[phi - firstPhi]; }
};

// Problem: a phi that is fed, possibly through other phis, by one single other value is that value.
//
// Method, with the same result as XLA's phi graph: (1) over the strongly connected components of the phi graph, callees
// of the input relation first, find whether all ways out lead to one value that is no phi; if so, all phis of the
// component are it. (2) A phi whose inputs, after replacement and without itself, are one single value (phi or not) is
// that value; repeated for the phis that this one feeds.
//
// Cost: near linear in the number of inputs.
class PhiSimplification {
public:
    PhiSimplification(Dataflow& dataflow, const PhiInputs& phis);
    void run();

private:
    ValueId find(ValueId id);
    void replaceByOnlySource();
    void replaceTrivial();
    void rewriteSets();

    Dataflow& m_dataflow;
    const PhiInputs& m_phis;
    std::vector<ValueId> m_replacement; // by ValueId; itself when it stays
};

} // namespace hloscope
