// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/chip_spec.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace hloscope {

namespace {

constexpr double kKiB = 1024.0;
constexpr double kMiB = 1024.0 * kKiB;
constexpr double kGiB = 1024.0 * kMiB;
constexpr double kTera = 1e12;
constexpr double kGiga = 1e9;
constexpr double kVectorLanes = 1024; // 8 sublanes of 128 lanes

// Sources that many figures share.
constexpr std::string_view kTpuInfo = "JAX, jax/_src/pallas/mosaic/tpu_info.py";
constexpr std::string_view kScalingBook =
    "How to Scale Your Model, chapter on TPUs (jax-ml.github.io/scaling-book/tpus)";
constexpr std::string_view kCostAnalysis = "rate that libtpu 0.0.52 divides by in its cost analysis";
constexpr std::string_view kLeastTime = "seen in libtpu 0.0.52's cost of ops on tuples of a few bytes";
constexpr std::string_view kTupleTable = "bytes that libtpu 0.0.52's cost analysis charges for reading a tuple";
constexpr std::string_view kFittedLatency = "fitted to libtpu 0.0.52's estimates for streams of many windows";
constexpr std::string_view kHop = "about 1 us a hop, How to Scale Your Model";
constexpr std::string_view kDcn = "about 25 GB/s a host, How to Scale Your Model";
constexpr std::string_view kPcie = "about 15 GB/s each way, How to Scale Your Model";

constexpr ChipSpec makeV2()
{
    ChipSpec chip;
    chip.id = "v2";
    chip.name = "TPU v2";
    chip.deviceKind = "TPU v2";
    chip.devicesPerChip = 2;
    chip.mxus = 1;
    chip.clockHz = {0.70 * kGiga, "bf16 peak / (2 flops x 2 MXUs x 128 x 128)"};
    chip.bf16FlopsPerSecond = {23 * kTera, "46 TFLOP/s a chip, tpu_info.py; 23 a core in the scaling book's profile"};
    chip.hbmBytes = {8 * kGiB, "16 GB a chip, Google Cloud documentation; a core gets half"};
    chip.hbmBytesPerSecond = {350 * kGiga, "700 GB/s a chip; a core gets half"};
    chip.vmemBytes = {16 * kMiB, kTpuInfo};
    chip.cmemBytes = {0, kTpuInfo};
    chip.smemBytes = {16 * kKiB, kTpuInfo};
    chip.iciLinkBytesPerSecond = {
        60 * kGiga, "1.2e11 B/s both ways prices a measured ReduceScatter of the scaling book's profile right"};
    chip.iciLinks = {4, "2D torus"};
    chip.iciHopSeconds = {1e-6, kHop};
    chip.pcieBytesPerSecond = {15 * kGiga, kPcie};
    chip.dcnBytesPerSecond = {25 * kGiga, kDcn};
    chip.compilerFlopsPerSecond = {22.8 * kTera, kCostAnalysis};
    chip.compilerHbmBytesPerSecond = {316.754 * kGiga, kCostAnalysis};
    chip.compilerTranscendentalsPerSecond = {kVectorLanes * 0.7002 * kGiga, kCostAnalysis};
    chip.dmaLatencySeconds = {0.239e-6, kFittedLatency};
    chip.compilerLeastOpSeconds = {0, kLeastTime};
    chip.compilerTupleTableBytes = {1024, kTupleTable};
    return chip;
}

constexpr ChipSpec makeV3()
{
    ChipSpec chip;
    chip.id = "v3";
    chip.name = "TPU v3";
    chip.deviceKind = "TPU v3";
    chip.devicesPerChip = 2;
    chip.mxus = 2;
    chip.clockHz = {0.94 * kGiga, "bf16 peak / (2 flops x 4 MXUs x 128 x 128)"};
    chip.bf16FlopsPerSecond = {61.5 * kTera, "123 TFLOP/s a chip, cloud.google.com/tpu/docs/v3 (tpu_info.py says 140)"};
    chip.hbmBytes = {16 * kGiB, "32 GB a chip, cloud.google.com/tpu/docs/v3; a core gets half"};
    chip.hbmBytesPerSecond = {450 * kGiga, "900 GB/s a chip, cloud.google.com/tpu/docs/v3 (tpu_info.py says 825)"};
    chip.vmemBytes = {16 * kMiB, kTpuInfo};
    chip.cmemBytes = {0, kTpuInfo};
    chip.smemBytes = {16 * kKiB, kTpuInfo};
    chip.iciLinkBytesPerSecond = {100 * kGiga, kScalingBook};
    chip.iciLinks = {4, "2D torus"};
    chip.iciHopSeconds = {1e-6, kHop};
    chip.pcieBytesPerSecond = {15 * kGiga, kPcie};
    chip.dcnBytesPerSecond = {25 * kGiga, kDcn};
    chip.compilerFlopsPerSecond = {61.4 * kTera, kCostAnalysis};
    chip.compilerHbmBytesPerSecond = {429.5 * kGiga, kCostAnalysis};
    chip.compilerTranscendentalsPerSecond = {kVectorLanes * 0.94043 * kGiga, kCostAnalysis};
    chip.dmaLatencySeconds = {0.239e-6, kFittedLatency};
    chip.compilerLeastOpSeconds = {0, kLeastTime};
    chip.compilerTupleTableBytes = {1024, kTupleTable};
    return chip;
}

constexpr ChipSpec makeV4()
{
    ChipSpec chip;
    chip.id = "v4";
    chip.name = "TPU v4";
    chip.deviceKind = "TPU v4";
    chip.devicesPerChip = 2;
    chip.mxus = 4;
    chip.torusDimensions = 3;
    chip.clockHz = {1.05 * kGiga, "bf16 peak / (2 flops x 8 MXUs x 128 x 128)"};
    chip.bf16FlopsPerSecond = {137.5 * kTera, "275 TFLOP/s a chip, cloud.google.com/tpu/docs/v4; a core gets half"};
    chip.int8OpsPerSecond = {137.5 * kTera, "as bf16, cloud.google.com/tpu/docs/v4"};
    chip.hbmBytes = {16 * kGiB, "32 GiB a chip, cloud.google.com/tpu/docs/v4; a core gets half"};
    chip.hbmBytesPerSecond = {600 * kGiga, "1200 GB/s a chip, cloud.google.com/tpu/docs/v4; a core gets half"};
    chip.vmemBytes = {16 * kMiB, kTpuInfo};
    chip.cmemBytes = {64 * kMiB, "128 MiB a chip, tpu_info.py; a core gets half"};
    chip.smemBytes = {1 * kMiB, kTpuInfo};
    chip.vpuOpsPerSecond = {2 * kVectorLanes * 1.05 * kGiga, "2 ALUs a lane, How to Scale Your Model, x clock"};
    chip.iciLinkBytesPerSecond = {45 * kGiga, kScalingBook};
    chip.iciLinks = {6, "3D torus, cloud.google.com/tpu/docs/v4"};
    chip.iciHopSeconds = {1e-6, kHop};
    chip.pcieBytesPerSecond = {16 * kGiga, "How to Scale Your Model"};
    chip.dcnBytesPerSecond = {25 * kGiga, kDcn};
    chip.compilerFlopsPerSecond = {137 * kTera, kCostAnalysis};
    chip.compilerHbmBytesPerSecond = {491.237 * kGiga, kCostAnalysis};
    chip.compilerTranscendentalsPerSecond = {kVectorLanes * 0.525147 * kGiga, kCostAnalysis};
    chip.dmaLatencySeconds = {0.554e-6, kFittedLatency};
    chip.compilerLeastOpSeconds = {0, kLeastTime};
    chip.compilerTupleTableBytes = {512, kTupleTable};
    return chip;
}

constexpr ChipSpec makeV4i()
{
    ChipSpec chip;
    chip.id = "v4i";
    chip.name = "TPU v4i";
    chip.deviceKind = "TPU v4 lite";
    chip.mxus = 4;
    chip.clockHz = {1.05 * kGiga, "bf16 peak / (2 flops x 4 MXUs x 128 x 128)"};
    chip.bf16FlopsPerSecond = {137.5 * kTera, "137-138 TFLOP/s, tpu_info.py"};
    chip.hbmBytes = {8 * kGiB, kTpuInfo};
    chip.hbmBytesPerSecond = {614 * kGiga, kTpuInfo};
    chip.vmemBytes = {16 * kMiB, kTpuInfo};
    chip.cmemBytes = {128 * kMiB, kTpuInfo};
    chip.smemBytes = {1 * kMiB, kTpuInfo};
    return chip;
}

constexpr ChipSpec makeV5e()
{
    ChipSpec chip;
    chip.id = "v5e";
    chip.name = "TPU v5e";
    chip.deviceKind = "TPU v5 lite";
    chip.mxus = 4;
    chip.clockHz = {1.5 * kGiga, "bf16 peak / (2 flops x 4 MXUs x 128 x 128); How to Scale Your Model agrees"};
    chip.bf16FlopsPerSecond = {197 * kTera, "docs.cloud.google.com/tpu/docs/v5e"};
    chip.int8OpsPerSecond = {394 * kTera, "docs.cloud.google.com/tpu/docs/v5e"};
    chip.hbmBytes = {16 * kGiB, "docs.cloud.google.com/tpu/docs/v5e"};
    chip.hbmBytesPerSecond = {819 * kGiga, "docs.cloud.google.com/tpu/docs/v5e"};
    chip.vmemBytes = {128 * kMiB, kTpuInfo};
    chip.vmemReadBytesPerSecond = {22 * 819 * kGiga, "about 22 times HBM, How to Scale Your Model"};
    chip.vmemWriteBytesPerSecond = {22 * 819 * kGiga, "about 22 times HBM, How to Scale Your Model"};
    chip.cmemBytes = {0, kTpuInfo};
    chip.smemBytes = {1 * kMiB, kTpuInfo};
    chip.vpuOpsPerSecond = {4 * kVectorLanes * 1.5 * kGiga, "4 ALUs a lane, How to Scale Your Model, x clock"};
    chip.iciLinkBytesPerSecond = {45 * kGiga, kScalingBook};
    chip.iciLinks = {4, "2D torus, docs.cloud.google.com/tpu/docs/v5e"};
    chip.iciHopSeconds = {1e-6, kHop};
    chip.pcieBytesPerSecond = {15 * kGiga, kPcie};
    chip.dcnBytesPerSecond = {25 * kGiga, "2 x 100 Gbit/s NIC a host, docs.cloud.google.com/tpu/docs/v5e"};
    chip.compilerFlopsPerSecond = {197 * kTera, kCostAnalysis};
    chip.compilerHbmBytesPerSecond = {737.6606 * kGiga, kCostAnalysis};
    chip.compilerTranscendentalsPerSecond = {kVectorLanes * 1.5 * kGiga, kCostAnalysis};
    chip.dmaLatencySeconds = {1.2e-6, kFittedLatency};
    chip.compilerLeastOpSeconds = {0, kLeastTime};
    chip.compilerTupleTableBytes = {512, kTupleTable};
    return chip;
}

constexpr ChipSpec makeV5p()
{
    ChipSpec chip;
    chip.id = "v5p";
    chip.name = "TPU v5p";
    chip.deviceKind = "TPU v5";
    chip.mxus = 8;
    chip.torusDimensions = 3;
    chip.clockHz = {1.75 * kGiga, "bf16 peak / (2 flops x 8 MXUs x 128 x 128)"};
    chip.bf16FlopsPerSecond = {459 * kTera, "docs.cloud.google.com/tpu/docs/v5p-training"};
    chip.int8OpsPerSecond = {918 * kTera, "docs.cloud.google.com/tpu/docs/v5p-training"};
    chip.hbmBytes = {95 * kGiB, "docs.cloud.google.com/tpu/docs/v5p-training"};
    chip.hbmBytesPerSecond = {2765 * kGiga, "docs.cloud.google.com/tpu/docs/v5p-training (tpu_info.py says 2460)"};
    chip.vmemBytes = {128 * kMiB, "64 MiB a core, tpu_info.py, two cores"};
    chip.cmemBytes = {0, kTpuInfo};
    chip.smemBytes = {2 * kMiB, "1 MiB a core, tpu_info.py, two cores"};
    chip.vpuOpsPerSecond = {2 * 4 * kVectorLanes * 1.75 * kGiga,
                            "4 ALUs a lane on v5, How to Scale Your Model, x two cores x clock"};
    chip.iciLinkBytesPerSecond = {90 * kGiga, kScalingBook};
    chip.iciLinks = {6, "3D torus, docs.cloud.google.com/tpu/docs/v5p-training"};
    chip.iciHopSeconds = {1e-6, kHop};
    chip.pcieBytesPerSecond = {15 * kGiga, kPcie};
    chip.dcnBytesPerSecond = {25 * kGiga,
                              "50 Gbit/s a chip, 4 chips a host, docs.cloud.google.com/tpu/docs/v5p-training"};
    chip.compilerFlopsPerSecond = {394 * kTera, kCostAnalysis};
    chip.compilerHbmBytesPerSecond = {2350.421 * kGiga, kCostAnalysis};
    chip.compilerTranscendentalsPerSecond = {kVectorLanes * 3.0 * kGiga, kCostAnalysis};
    chip.dmaLatencySeconds = {0.595e-6, kFittedLatency};
    chip.compilerLeastOpSeconds = {1 / 3.6e9, kLeastTime};
    chip.compilerTupleTableBytes = {32, kTupleTable};
    return chip;
}

constexpr ChipSpec makeV6e()
{
    ChipSpec chip;
    chip.id = "v6e";
    chip.name = "TPU v6e";
    chip.deviceKind = "TPU v6 lite";
    chip.mxus = 4;
    chip.mxuSize = 256;
    chip.clockHz = {1.75 * kGiga, "VMEM bandwidths of a real trace are 13 and 9 KiB a cycle at this clock"};
    chip.bf16FlopsPerSecond = {918 * kTera, "docs.cloud.google.com/tpu/docs/v6e"};
    chip.int8OpsPerSecond = {1836 * kTera, "docs.cloud.google.com/tpu/docs/v6e"};
    chip.hbmBytes = {32 * kGiB, "docs.cloud.google.com/tpu/docs/v6e"};
    chip.hbmBytesPerSecond = {1638 * kGiga, "docs.cloud.google.com/tpu/docs/v6e; device plane of a real trace"};
    chip.vmemBytes = {128 * kMiB, kTpuInfo};
    chip.vmemReadBytesPerSecond = {23296 * kGiga, "device plane of a real trace"};
    chip.vmemWriteBytesPerSecond = {16128 * kGiga, "device plane of a real trace"};
    chip.cmemBytes = {0, kTpuInfo};
    chip.smemBytes = {1 * kMiB, kTpuInfo};
    chip.vpuOpsPerSecond = {4 * kVectorLanes * 1.75 * kGiga, "4 ALUs a lane as on v5, x clock"};
    chip.iciLinkBytesPerSecond = {90 * kGiga, kScalingBook};
    chip.iciLinks = {4, "2D torus, docs.cloud.google.com/tpu/docs/v6e"};
    chip.iciHopSeconds = {1e-6, kHop};
    chip.pcieBytesPerSecond = {32 * kGiga, "PCIe Gen5, docs.cloud.google.com/tpu/docs/v6e"};
    chip.compilerFlopsPerSecond = {918 * kTera, kCostAnalysis};
    chip.compilerHbmBytesPerSecond = {1638 * kGiga, kCostAnalysis};
    chip.compilerTranscendentalsPerSecond = {kVectorLanes * 1.75 * kGiga, kCostAnalysis};
    chip.dmaLatencySeconds = {1.2e-6, kFittedLatency};
    chip.compilerLeastOpSeconds = {1 / 6.4e9, kLeastTime};
    chip.compilerTupleTableBytes = {32, kTupleTable};
    return chip;
}

constexpr ChipSpec makeV7x()
{
    ChipSpec chip;
    chip.id = "v7x";
    chip.name = "TPU v7x";
    chip.deviceKind = "TPU7x";
    chip.devicesPerChip = 2;
    chip.mxus = 4;
    chip.mxuSize = 256;
    chip.torusDimensions = 3;
    chip.clockHz = {2.2 * kGiga, "bf16 peak / (2 flops x 8 MXUs x 256 x 256)"};
    chip.bf16FlopsPerSecond = {1153.5 * kTera,
                               "2307 TFLOP/s a chip, docs.cloud.google.com/tpu/docs/tpu7x; a core gets half"};
    chip.hbmBytes = {96 * kGiB, "192 GiB a chip, docs.cloud.google.com/tpu/docs/tpu7x; a core gets half"};
    chip.hbmBytesPerSecond = {3690 * kGiga, "7380 GB/s a chip, docs.cloud.google.com/tpu/docs/tpu7x; a core gets half"};
    chip.vmemBytes = {64 * kMiB, kTpuInfo};
    chip.cmemBytes = {0, kTpuInfo};
    chip.smemBytes = {1 * kMiB, kTpuInfo};
    chip.iciLinkBytesPerSecond = {90 * kGiga, "1200 GB/s both ways over 6 ports, 0.9 of it as on v5p and v6e"};
    chip.iciLinks = {6, "3D torus, inferred: topologies of three axes compile"};
    chip.iciHopSeconds = {1e-6, kHop};
    chip.compilerFlopsPerSecond = {996 * kTera, kCostAnalysis};
    chip.compilerHbmBytesPerSecond = {3686 * kGiga, kCostAnalysis};
    chip.compilerTranscendentalsPerSecond = {kVectorLanes * 1.9 * kGiga, kCostAnalysis};
    chip.dmaLatencySeconds = {1.2e-6, kFittedLatency};
    chip.compilerLeastOpSeconds = {1 / 7.2e9, kLeastTime};
    chip.compilerTupleTableBytes = {32, kTupleTable};
    return chip;
}

constexpr std::array kChips = {makeV2(), makeV3(), makeV4(), makeV4i(), makeV5e(), makeV5p(), makeV6e(), makeV7x()};

bool equalsIgnoringCase(std::string_view a, std::string_view b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// Names in use for a chip beside its id and device kind.
struct Alias {
    std::string_view name;
    std::string_view id;
};
constexpr std::array kAliases = {
    Alias{"tpu7x", "v7x"},    Alias{"tpu7", "v7x"},      Alias{"TPU v7x", "v7x"},  Alias{"ironwood", "v7x"},
    Alias{"trillium", "v6e"}, Alias{"v5litepod", "v5e"}, Alias{"v5lite", "v5e"},   Alias{"TPU v5e", "v5e"},
    Alias{"TPU v6e", "v6e"},  Alias{"v6lite", "v6e"},    Alias{"TPU v5p", "v5p"},  Alias{"TPU v4i", "v4i"},
    Alias{"TPU v7", "v7x"},   Alias{"v4lite", "v4i"},    Alias{"TPU v7 x", "v7x"},
};

const ChipSpec* chipWithId(std::string_view id)
{
    for (const ChipSpec& chip : kChips) {
        if (equalsIgnoringCase(chip.id, id))
            return &chip;
    }
    return nullptr;
}

} // namespace

std::span<const ChipSpec> chips()
{
    return kChips;
}

const ChipSpec* findChip(std::string_view name)
{
    name = name.substr(0, name.find(':'));
    for (const ChipSpec& chip : kChips) {
        if (equalsIgnoringCase(chip.id, name) || equalsIgnoringCase(chip.deviceKind, name))
            return &chip;
    }
    for (const Alias& alias : kAliases) {
        if (equalsIgnoringCase(alias.name, name))
            return chipWithId(alias.id);
    }
    return nullptr;
}

std::string_view topologyOf(std::string_view name)
{
    const size_t colon = name.find(':');
    return colon == std::string_view::npos ? std::string_view() : name.substr(colon + 1);
}

} // namespace hloscope
