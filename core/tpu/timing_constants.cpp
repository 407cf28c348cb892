// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/timing_constants.h"

namespace hloscope {

namespace {

constexpr double kPicosecondsPerSecond = 1e12;

// Chips up to v4 issue one vector instruction a cycle as far as the estimates show, later ones four.
void setOldVectorUnit(TimingConstants& constants)
{
    constants.slotCycles = 1;
    constants.isVectorBound = true;
    constants.mergesInPlace = true;
}

void setFastNarrowTypes(TimingConstants& constants)
{
    constants.hasFastInt8 = true;
    constants.hasFastE5m2 = true;
}

void setChipFigures(TimingConstants& constants, std::string_view id)
{
    if (id == "v2" || id == "v3") {
        setOldVectorUnit(constants);
        constants.weightTileCycles = id == "v2" ? 134 : 67; // 128 rows and six cycles on each array
        constants.matmulFixedCycles = id == "v2" ? 440 : 460;
        constants.transposeRegisterCycles = 1.8;
    } else if (id == "v4" || id == "v4i") {
        setOldVectorUnit(constants);
        constants.weightTileCycles = 17.6;
        constants.matmulFixedCycles = 290;
        constants.cmemBytesPerCycle = 650;
    } else if (id == "v5e") {
        setFastNarrowTypes(constants);
        constants.weightTileCycles = 8.9;
        constants.retileCycles32 = 1.95 * 4.9;
        constants.retileCycles16 = 1.95 * 3.0;
    } else if (id == "v5p") {
        setFastNarrowTypes(constants);
        constants.weightTileCycles = 5.0;
        constants.matmulFixedCycles = 1315;
        constants.transposeLatencies = 3; // both cores take part
        constants.retileCycles32 = 3.4;
        constants.retileCycles16 = 2.1;
    } else if (id == "v6e") {
        setFastNarrowTypes(constants);
        constants.weightTileCycles = 36.07;
        constants.hasFreeVmem = true;
    } else if (id == "v7x") {
        constants.clockHz = 1.9e9; // the compiler's clock: peak and bandwidth fit it, not the published peak
        constants.hasFastE5m2 = true;
        constants.hasFastE4m3 = true;
        constants.weightTileCycles = 40;
        constants.matmulFixedCycles = 1023;
        constants.hasFreeVmem = true;
    }
}

} // namespace

double TimingConstants::matmulRate(PrimitiveType type) const
{
    switch (type) {
    case PrimitiveType::S8:
    case PrimitiveType::U8:
        return hasFastInt8 ? 2 : 1;
    case PrimitiveType::F8E5M2:
        return hasFastE5m2 ? 2 : 1;
    case PrimitiveType::F8E4M3FN:
        return hasFastE4m3 ? 2 : 1;
    default:
        return 1;
    }
}

double TimingConstants::matmulFlopsPerCycle() const
{
    return 2.0 * mxus * mxuSize * mxuSize;
}

TimingConstants timingConstants(const ChipSpec& chip)
{
    TimingConstants constants;
    const double tableClock = chip.clockHz.value.value_or(1e9);
    constants.clockHz = tableClock;
    constants.picosecondsPerCycle = kPicosecondsPerSecond / tableClock;
    constants.mxus = chip.mxus;
    constants.mxuSize = chip.mxuSize;
    setChipFigures(constants, chip.id);
    const double bandwidth = chip.compilerHbmBytesPerSecond.value.value_or(chip.hbmBytesPerSecond.value.value_or(0));
    constants.hbmBytesPerCycle = bandwidth / constants.clockHz;
    constants.latencyCycles = chip.dmaLatencySeconds.value.value_or(0) * constants.clockHz;
    return constants;
}

} // namespace hloscope
