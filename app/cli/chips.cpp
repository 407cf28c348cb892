// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"

#include "core/tpu/chip_spec.h"

#include <fmt/format.h>

#include <array>
#include <ostream>

namespace hloscope::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Figure {
    const char* key;
    SourcedValue ChipSpec::*value;
};

constexpr std::array kFigures{
    Figure{"clock_hz", &ChipSpec::clockHz},
    Figure{"bf16_flops_per_second", &ChipSpec::bf16FlopsPerSecond},
    Figure{"int8_ops_per_second", &ChipSpec::int8OpsPerSecond},
    Figure{"hbm_bytes", &ChipSpec::hbmBytes},
    Figure{"hbm_bytes_per_second", &ChipSpec::hbmBytesPerSecond},
    Figure{"vmem_bytes", &ChipSpec::vmemBytes},
    Figure{"vmem_read_bytes_per_second", &ChipSpec::vmemReadBytesPerSecond},
    Figure{"vmem_write_bytes_per_second", &ChipSpec::vmemWriteBytesPerSecond},
    Figure{"cmem_bytes", &ChipSpec::cmemBytes},
    Figure{"smem_bytes", &ChipSpec::smemBytes},
    Figure{"vpu_ops_per_second", &ChipSpec::vpuOpsPerSecond},
    Figure{"ici_link_bytes_per_second", &ChipSpec::iciLinkBytesPerSecond},
    Figure{"ici_links", &ChipSpec::iciLinks},
    Figure{"ici_hop_seconds", &ChipSpec::iciHopSeconds},
    Figure{"pcie_bytes_per_second", &ChipSpec::pcieBytesPerSecond},
    Figure{"dcn_bytes_per_second", &ChipSpec::dcnBytesPerSecond},
    Figure{"compiler_flops_per_second", &ChipSpec::compilerFlopsPerSecond},
    Figure{"compiler_hbm_bytes_per_second", &ChipSpec::compilerHbmBytesPerSecond},
    Figure{"compiler_transcendentals_per_second", &ChipSpec::compilerTranscendentalsPerSecond},
    Figure{"dma_latency_seconds", &ChipSpec::dmaLatencySeconds},
};

Json chipJson(const ChipSpec& chip)
{
    Json json{{"id", chip.id},
              {"name", chip.name},
              {"device_kind", chip.deviceKind},
              {"devices_per_chip", chip.devicesPerChip},
              {"mxus", chip.mxus},
              {"mxu_size", chip.mxuSize},
              {"torus_dimensions", chip.torusDimensions}};
    for (const Figure& figure : kFigures) {
        const SourcedValue& value = chip.*figure.value;
        json[figure.key] = {{"value", value.hasValue() ? Json(*value) : Json()}, {"source", value.source}};
    }
    return json;
}

} // namespace

int runChips(const QStringList& arguments, Streams streams)
{
    CommandParser parser(*findCommand(QStringLiteral("chips")), streams);
    parser.addFlag(QStringLiteral("json"), QStringLiteral("Write JSON."));
    if (!parser.parse(arguments, 0, 0))
        return parser.exitCode();
    if (parser.isSet(QStringLiteral("json"))) {
        Json all = Json::array();
        for (const ChipSpec& chip : chips())
            all.push_back(chipJson(chip));
        writeJson({{"chips", std::move(all)}}, streams);
        return Success;
    }
    for (const ChipSpec& chip : chips()) {
        streams.out << fmt::format("{} ({}), {} MXUs of {}x{}, {} device(s) a chip; figures per device\n", chip.name,
                                   chip.deviceKind, chip.mxus, chip.mxuSize, chip.mxuSize, chip.devicesPerChip);
        for (const Figure& figure : kFigures) {
            const SourcedValue& value = chip.*figure.value;
            if (value.hasValue())
                streams.out << fmt::format("  {:<36} {:>12.4g}  {}\n", figure.key, *value, value.source);
            else
                streams.out << fmt::format("  {:<36} {:>12}  {}\n", figure.key, "unknown", value.source);
        }
    }
    return Success;
}

} // namespace hloscope::cli
