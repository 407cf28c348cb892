// SPDX-License-Identifier: Apache-2.0
#include "views/words/op_sentence.h"
#include "views/words/op_words.h"
#include "views/words/units.h"
#include "views/words/words_tr.h"

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

constexpr double kPicosecondsPerSecond = 1e12;

// The peak that applies to the matmul in the op: int8 units where both of its operands are 8-bit integers.
std::optional<double> peakRate(const HloModule& module, InstructionId id, const ChipSpec& chip)
{
    const auto matmul = findMatmul(module, id);
    if (matmul && chip.int8OpsPerSecond.hasValue()) {
        const auto operands = module.operands(matmul->op);
        const auto isByte = [&module](InstructionId operand) {
            const PrimitiveType type = module.shape(operand).elementType;
            return isIntegral(type) && naturalBits(type) == 8;
        };
        if (operands.size() >= 2 && isByte(operands[0]) && isByte(operands[1]))
            return chip.int8OpsPerSecond.value;
    }
    return chip.bf16FlopsPerSecond.value;
}

QString exactNumber(double value)
{
    return QString::number(value, 'f', 0);
}

FigureWords timeFigure(const QString& label, double picoseconds)
{
    return {label, formatTime(std::llround(picoseconds)), {}, QStringLiteral("%1 ps").arg(exactNumber(picoseconds))};
}

FigureWords bytesFigure(const QString& label, double bytes)
{
    return {label, formatBytes(std::llround(bytes)), {}, formatExactBytes(std::llround(bytes))};
}

} // namespace

QString boundByText(BoundBy bound)
{
    switch (bound) {
    case BoundBy::Mxu:
        return Words::tr("MXU");
    case BoundBy::Vpu:
        return Words::tr("VPU");
    case BoundBy::Hbm:
        return Words::tr("HBM");
    case BoundBy::Vmem:
        return Words::tr("VMEM");
    case BoundBy::Ici:
        return Words::tr("ICI");
    case BoundBy::Dcn:
        return Words::tr("DCN");
    case BoundBy::Host:
        return Words::tr("host");
    case BoundBy::Latency:
        return Words::tr("latency");
    case BoundBy::None:
        return Words::tr("nothing");
    case BoundBy::Unknown:
        return Words::tr("not known");
    }
    return {};
}

std::optional<double> rooflineLimitPs(const HloModule& module, InstructionId id, const OpCost& cost,
                                      const ChipSpec& chip)
{
    if (cost.iciBytes > 0)
        return std::nullopt; // the links set the pace, and a roofline of two axes knows nothing of them
    const double hbmBytes = cost.hbmReadBytes + cost.hbmWriteBytes;
    const std::optional<double> peak = peakRate(module, id, chip);
    double seconds = 0;
    // Vector ops do not reach the peak of the matrix unit: only matmuls are measured against it.
    if (cost.xla.flops > 0 && findMatmul(module, id)) {
        if (!peak)
            return std::nullopt;
        seconds = cost.xla.flops / *peak;
    }
    if (hbmBytes > 0) {
        if (!chip.hbmBytesPerSecond.hasValue())
            return std::nullopt;
        seconds = std::max(seconds, hbmBytes / *chip.hbmBytesPerSecond);
    }
    if (seconds <= 0)
        return std::nullopt;
    return seconds * kPicosecondsPerSecond;
}

std::optional<double> bestTimePs(const OpCost& cost)
{
    return cost.compilerPs ? cost.compilerPs : cost.modelPs;
}

std::vector<FigureWords> costFigures(const HloModule& module, InstructionId id, const OpCost& cost,
                                     const ChipSpec& chip)
{
    std::vector<FigureWords> figures;
    if (cost.compilerPs)
        figures.push_back(timeFigure(Words::tr("Compiler estimate"), *cost.compilerPs));
    if (cost.modelPs && (*cost.modelPs > 0 || cost.compilerPs))
        figures.push_back(timeFigure(Words::tr("Model"), *cost.modelPs));
    const std::optional<double> best = bestTimePs(cost);
    if (!best)
        figures.push_back({Words::tr("Time"), Words::tr("no time"), {}, {}});
    const std::optional<double> limit = rooflineLimitPs(module, id, cost, chip);
    if (limit) {
        FigureWords figure = timeFigure(Words::tr("Roofline limit"), *limit);
        if (best && *best > 0)
            figure.share = formatPercent(*limit / *best);
        figures.push_back(std::move(figure));
    }
    if (cost.boundBy != BoundBy::None)
        figures.push_back({Words::tr("Bound by"), boundByText(cost.boundBy), {}, {}});
    if (cost.xla.flops > 0)
        figures.push_back(
            {Words::tr("FLOPs"), formatRate(cost.xla.flops, QStringLiteral("FLOP")), {}, exactNumber(cost.xla.flops)});
    const double hbmBytes = cost.hbmReadBytes + cost.hbmWriteBytes;
    if (hbmBytes > 0)
        figures.push_back(bytesFigure(Words::tr("HBM bytes"), hbmBytes));
    if (cost.vmemReadBytes + cost.vmemWriteBytes > 0)
        figures.push_back(bytesFigure(Words::tr("VMEM bytes"), cost.vmemReadBytes + cost.vmemWriteBytes));
    if (cost.iciBytes > 0)
        figures.push_back(bytesFigure(Words::tr("Sent over ICI"), cost.iciBytes));
    if (cost.xla.flops > 0 && hbmBytes > 0)
        figures.push_back(
            {Words::tr("Intensity"), formatRate(cost.xla.flops / hbmBytes, QStringLiteral("FLOP/B")), {}, {}});
    return figures;
}

} // namespace hloscope
