// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/shape.h"

#include <string>
#include <string_view>

namespace hloscope::proto {
class ConvolutionDimensionNumbers;
class FrontendAttributes;
class HloInstructionProto;
class HloModuleProto;
class OpMetadata;
class OpSharding;
class OriginalValueProto;
class PaddingConfig;
class Payload;
class PrecisionConfig;
class ResultAccuracy;
class SparsityConfig;
class StatisticsViz;
class Window;
} // namespace hloscope::proto

// The text that XLA prints for the parts of an instruction's proto. All functions give the value of an attribute,
// without its key.
namespace hloscope {

// `\n`, `\"`, `\'`, `\\` and octal numbers for what is not printable ASCII.
std::string cEscape(std::string_view bytes);
// In quotes unless the text is a balanced `{...}`, which needs none.
std::string quotedUnlessBraced(std::string_view bytes);

template <class List> std::string listText(const List& values)
{
    std::string text = "{";
    for (const auto value : values) {
        if (text.size() > 1)
            text += ',';
        text += std::to_string(value);
    }
    return text += '}';
}

std::string shardingText(const proto::OpSharding& sharding);
// Empty for metadata without content. `module` holds the payloads that the metadata may point to; it may be null.
std::string metadataText(const proto::OpMetadata& metadata, const proto::HloModuleProto* module = nullptr);
// The bytes of a payload, wherever they stand.
std::string_view payloadBytes(const proto::Payload& payload, const proto::HloModuleProto* module);
std::string replicaGroupsText(const proto::HloInstructionProto& instruction);
std::string windowText(const proto::Window& window);
std::string dimLabelsText(const proto::ConvolutionDimensionNumbers& numbers);
std::string paddingText(const proto::PaddingConfig& config);
// Empty when all operands have the default precision.
std::string precisionText(const proto::PrecisionConfig& config);
std::string frontendAttributesText(const proto::FrontendAttributes& attributes);
std::string statisticsText(const proto::StatisticsViz& statistics);
std::string originText(const proto::OriginalValueProto& value, const Shape& shape);
// Empty for the default accuracy.
std::string resultAccuracyText(const proto::ResultAccuracy& accuracy);
std::string sparsityText(const proto::SparsityConfig& config);

} // namespace hloscope
