// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/attributes.h"
#include "core/hlo/hlo_module.h"
#include "core/tpu/op_cost.h"
#include "core/tpu/op_time.h"
#include "core/tpu/timing_constants.h"

namespace hloscope {

// Puts the model's time and what is behind it into costs that already have their `xla` part. One instruction at a time;
// the order of calls does not matter.
class OpPricing {
public:
    OpPricing(const HloModule& module, const ChipSpec& chip);

    void price(InstructionId id, OpCost& cost) const;

private:
    void addTraffic(InstructionId id, OpCost& cost) const;
    void priceFree(OpCost& cost) const;
    void priceUnknown(OpCost& cost) const;
    void priceCompute(InstructionId id, const TpuBackendConfig& config, OpCost& cost) const;
    // Gathers and scatters by the tiles that they touch.
    void priceIndexed(OpCost& cost) const;
    // A bitonic network in VMEM: log2(n) (log2(n) + 1) / 2 passes of compare and exchange.
    void priceSort(InstructionId id, OpCost& cost) const;
    void priceCustomCall(InstructionId id, OpCost& cost) const;
    // A copy between memories by the DMA engine.
    void priceTransfer(const Shape& from, const Shape& to, OpCost& cost) const;
    void priceHostTransfer(double bytes, OpCost& cost) const;
    void priceCollective(InstructionId id, OpCost& cost) const;
    void priceAsyncStart(InstructionId id, OpCost& cost) const;
    void setCycles(const OpCycles& cycles, OpCost& cost) const;
    bool isScalarOp(InstructionId id) const;
    bool isIndexed(InstructionId id) const;

    const HloModule& m_module;
    const ChipSpec& m_chip;
    TimingConstants m_constants;
};

} // namespace hloscope
