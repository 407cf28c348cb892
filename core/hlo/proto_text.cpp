// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/proto_text.h"

#include "core/hlo/literal_text.h"
#include "core/hlo/text_cursor.h"

#include "hlo.pb.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace hloscope {
namespace {

constexpr int kIndexInterval = 5;

template <class List> std::string joined(const List& values, char separator = ',')
{
    std::string text;
    for (const auto value : values) {
        if (!text.empty())
            text += separator;
        text += std::to_string(value);
    }
    return text;
}

// `[4,2]T(1,0)`
template <class Dims, class Perm> std::string iotaText(const Dims& dimensions, const Perm& permutation)
{
    std::string text = "[" + joined(dimensions) + "]";
    if (dimensions.size() > 1)
        text += "T(" + joined(permutation) + ")";
    return text;
}

std::string meshText(const proto::MeshProto& mesh)
{
    std::string text = "mesh[";
    for (const proto::MeshProto::MeshAxis& axis : mesh.axes()) {
        if (!text.ends_with('['))
            text += ',';
        text += fmt::format("'{}'={}", axis.name(), axis.size());
    }
    text += ']';
    if (mesh.has_iota_transform())
        text += fmt::format(", device_ids=({})",
                            iotaText(mesh.iota_transform().reshape_dims(), mesh.iota_transform().transpose_perm()));
    else if (mesh.device_ids_size() > 0)
        text += fmt::format(", device_ids=({})", joined(mesh.device_ids()));
    return text;
}

std::string axisText(const proto::MeshProto& mesh, const proto::AxisRefProto& axis)
{
    const int64_t index = axis.mesh_axis_index();
    const bool isKnown = index >= 0 && index < mesh.axes_size();
    std::string text = fmt::format("'{}'", isKnown ? mesh.axes(static_cast<int>(index)).name() : std::to_string(index));
    if (axis.has_sub_axis_info())
        text += fmt::format(":({}){}", axis.sub_axis_info().pre_size(), axis.sub_axis_info().size());
    return text;
}

template <class Axes> std::string axesText(const proto::MeshProto& mesh, const Axes& axes, std::string_view separator)
{
    std::string text;
    for (const proto::AxisRefProto& axis : axes) {
        if (!text.empty())
            text += separator;
        text += axisText(mesh, axis);
    }
    return text;
}

std::string metadataListText(const google::protobuf::RepeatedPtrField<proto::OpMetadata>& list)
{
    if (list.size() == 1)
        return metadataText(list.Get(0));
    std::string text = "{";
    for (const proto::OpMetadata& metadata : list) {
        if (text.size() > 1)
            text += ", ";
        text += metadataText(metadata);
    }
    return text + '}';
}

std::string namedShardingText(const proto::NamedShardingProto& sharding)
{
    const proto::MeshProto& mesh = sharding.mesh();
    if (mesh.axes_size() == 0 && mesh.device_ids_size() == 1)
        return fmt::format("{{maximal_mesh[device_id={}]}}", mesh.device_ids(0));
    const bool isWhole = sharding.dim_shardings_size() == 0 && sharding.replicated_axes_size() == 0
        && sharding.unreduced_axes_size() == 0 && sharding.manual_axes_size() == 0;
    if (isWhole)
        return '{' + meshText(mesh) + ", replicated}";
    std::string text = "{" + meshText(mesh) + ", [";
    for (int i = 0; i < sharding.dim_shardings_size(); ++i) {
        const auto& dimension = sharding.dim_shardings(i);
        text += i > 0 ? ", {" : "{";
        text += axesText(mesh, dimension.axes(), ", ");
        if (!dimension.is_closed())
            text += dimension.axes_size() > 0 ? ", ?" : "?";
        text += '}';
    }
    text += ']';
    constexpr std::array<std::string_view, 3> kReductions{"", "max", "min"};
    const auto reduction = static_cast<size_t>(sharding.reduction_op());
    if (sharding.replicated_axes_size() > 0)
        text += fmt::format(", replicated={{{}}}", axesText(mesh, sharding.replicated_axes(), ", "));
    if (sharding.unreduced_axes_size() > 0)
        text += fmt::format(", unreduced={}{{{}}}", reduction < kReductions.size() ? kReductions[reduction] : "",
                            axesText(mesh, sharding.unreduced_axes(), ", "));
    if (sharding.manual_axes_size() > 0)
        text += fmt::format(", manual={{{}}}", axesText(mesh, sharding.manual_axes(), ", "));
    if (sharding.metadata_size() > 0)
        text += ", metadata=" + metadataListText(sharding.metadata());
    return text + '}';
}

std::string_view shardingKind(int type)
{
    constexpr std::array<std::string_view, 7> kKinds{"replicated", "maximal", "tuple",    "devices",
                                                     "manual",     "unknown", "unreduced"};
    return type >= 0 && type < static_cast<int>(kKinds.size()) ? kKinds[static_cast<size_t>(type)] : "unknown";
}

std::string tupleShardingText(const proto::OpSharding& sharding)
{
    std::string text = "{";
    for (int i = 0; i < sharding.tuple_shardings_size(); ++i) {
        if (i > 0)
            text += ", ";
        if (i > 0 && i % kIndexInterval == 0)
            text += fmt::format("/*index={}*/", i);
        text += shardingText(sharding.tuple_shardings(i));
    }
    return text + '}';
}

std::string tilesText(const proto::OpSharding& sharding)
{
    std::string text = "devices=[" + joined(sharding.tile_assignment_dimensions()) + "]";
    if (sharding.iota_reshape_dims_size() > 0)
        text += "<=" + iotaText(sharding.iota_reshape_dims(), sharding.iota_transpose_perm());
    else
        text += joined(sharding.tile_assignment_devices());
    const bool lastIsReplicated = sharding.last_tile_dims_size() == 1 && sharding.last_tile_dims(0) == 0;
    if (sharding.replicate_on_last_tile_dim() || lastIsReplicated) {
        text += " last_tile_dim_replicate";
    } else if (sharding.last_tile_dims_size() > 0) {
        text += " last_tile_dims={";
        for (int i = 0; i < sharding.last_tile_dims_size(); ++i)
            text.append(i > 0 ? ", " : "").append(shardingKind(sharding.last_tile_dims(i)));
        text += '}';
    }
    return text;
}

// One field of a window over all its dimensions; nothing is written when all have the default.
template <class Get, class Print>
void appendWindowField(std::string& text, const proto::Window& window, std::string_view key, const Get& isDefault,
                       const Print& print)
{
    if (std::all_of(window.dimensions().begin(), window.dimensions().end(), isDefault))
        return;
    text += fmt::format(" {}=", key);
    for (int i = 0; i < window.dimensions_size(); ++i)
        text.append(i > 0 ? "x" : "").append(print(window.dimensions(i)));
}

void setLabel(std::string& labels, int64_t position, char label)
{
    if (position >= 0 && static_cast<size_t>(position) < labels.size())
        labels[static_cast<size_t>(position)] = label;
}

template <class Spatial>
std::string labelsOf(int64_t first, char firstLabel, int64_t second, char secondLabel, const Spatial& spatial)
{
    std::string labels(static_cast<size_t>(spatial.size()) + 2, '?');
    for (int i = 0; i < spatial.size(); ++i)
        setLabel(labels, spatial.Get(i), static_cast<char>('0' + i % 10));
    setLabel(labels, first, firstLabel);
    setLabel(labels, second, secondLabel);
    return labels;
}

using OriginalArrays = std::map<std::vector<int64_t>, const proto::OriginalArrayProto*>;

// The tree of the result with the original value of each leaf in its place.
void appendOrigin(std::string& text, const OriginalArrays& arrays, const Shape& shape, std::vector<int64_t>& index)
{
    if (shape.isTuple() && !shape.elements.empty()) {
        text += '(';
        for (size_t i = 0; i < shape.elements.size(); ++i) {
            text += i > 0 ? ", " : "";
            index.push_back(static_cast<int64_t>(i));
            appendOrigin(text, arrays, shape.elements[i], index);
            index.pop_back();
        }
        text += ')';
        return;
    }
    text += '{';
    if (const auto found = arrays.find(index); found != arrays.end()) {
        text += fmt::format("\"{}\"", found->second->instruction_name());
        if (found->second->shape_index_size() > 0)
            text += ' ' + listText(found->second->shape_index());
    }
    text += '}';
}

std::string tensorSparsityText(const proto::SparsityConfig::TensorSparsityConfig& config)
{
    return fmt::format("{{sparsity={}x{} dimension={} stride={} idx={}}}", config.num_non_zero(), config.block_size(),
                       config.dimension(), config.stride(), config.idx());
}

} // namespace

std::string cEscape(std::string_view bytes)
{
    std::string text;
    text.reserve(bytes.size());
    for (const char c : bytes) {
        switch (c) {
        case '\n':
            text += "\\n";
            break;
        case '\r':
            text += "\\r";
            break;
        case '\t':
            text += "\\t";
            break;
        case '"':
        case '\'':
        case '\\':
            text += '\\';
            text += c;
            break;
        default:
            if (const auto byte = static_cast<unsigned char>(c); byte < 0x20 || byte >= 0x7f)
                text += fmt::format("\\{:03o}", byte);
            else
                text += c;
        }
    }
    return text;
}

std::string quotedUnlessBraced(std::string_view bytes)
{
    TextCursor cursor(bytes);
    if (cursor.peekRaw() == '{' && cursor.skipBracket() && cursor.pos() == cursor.end())
        return std::string(bytes);
    return '"' + cEscape(bytes) + '"';
}

std::string_view payloadBytes(const proto::Payload& payload, const proto::HloModuleProto* module)
{
    if (payload.payload_source_case() == proto::Payload::kValue)
        return payload.value();
    const bool isPooled = payload.payload_source_case() == proto::Payload::kId && module != nullptr;
    if (isPooled && payload.id() >= 0 && payload.id() < module->payloads_size())
        return module->payloads(static_cast<int>(payload.id()));
    return {};
}

std::string metadataText(const proto::OpMetadata& metadata, const proto::HloModuleProto* module)
{
    std::string text;
    const auto addText = [&](std::string_view key, std::string_view value, bool escape = true) {
        if (!value.empty())
            text +=
                fmt::format("{}{}=\"{}\"", text.empty() ? "" : " ", key, escape ? cEscape(value) : std::string(value));
    };
    const auto addNumber = [&](std::string_view key, int64_t value) {
        if (value != 0)
            text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
    };
    addText("op_type", metadata.op_type());
    addText("op_name", metadata.op_name());
    addText("source_file", metadata.source_file());
    addNumber("source_line", metadata.source_line());
    addNumber("source_end_line", metadata.source_end_line());
    addNumber("source_column", metadata.source_column());
    addNumber("source_end_column", metadata.source_end_column());
    if (metadata.profile_type_size() > 0)
        text += fmt::format("{}profile_type={}", text.empty() ? "" : " ", listText(metadata.profile_type()));
    addText("deduplicated_name", metadata.deduplicated_name());
    addText("scheduling_name", metadata.scheduling_name(), false);
    addNumber("stack_frame_id", metadata.stack_frame_id());
    addText("metadata_payload", payloadBytes(metadata.metadata_payload(), module));
    return text.empty() ? text : '{' + text + '}';
}

std::string shardingText(const proto::OpSharding& sharding)
{
    if (sharding.has_named_sharding())
        return namedShardingText(sharding.named_sharding());
    constexpr int kMaximal = 1;
    constexpr int kTuple = 2;
    constexpr int kOther = 3;
    if (sharding.type() == kTuple)
        return tupleShardingText(sharding);
    std::string text = "{";
    if (sharding.type() == kOther) {
        text += tilesText(sharding);
    } else {
        text += shardingKind(sharding.type());
        if (sharding.type() == kMaximal) {
            const bool hasDevice = sharding.tile_assignment_devices_size() > 0;
            text += fmt::format(" device={}", hasDevice ? sharding.tile_assignment_devices(0) : 0);
        }
    }
    if (sharding.is_shard_group())
        text += fmt::format(" {} {}", sharding.shard_group_type() == 0 ? "shard_as" : "shard_like",
                            sharding.shard_group_id());
    if (sharding.metadata_size() > 0)
        text += " metadata=" + metadataListText(sharding.metadata());
    return text + '}';
}

std::string replicaGroupsText(const proto::HloInstructionProto& instruction)
{
    const auto iota = [](const proto::IotaReplicaGroupListProto& list) {
        return fmt::format("[{},{}]<={}", list.num_replica_groups(), list.num_devices_per_group(),
                           iotaText(list.iota_reshape_dims(), list.iota_transpose_perm()));
    };
    if (instruction.has_mesh_axes_replica_group_list()) {
        const auto& list = instruction.mesh_axes_replica_group_list();
        return fmt::format("{} {{{}}}", meshText(list.mesh()), axesText(list.mesh(), list.axes(), ","));
    }
    if (instruction.has_iota_collective_device_list())
        return iota(instruction.iota_collective_device_list());
    const auto& device = instruction.collective_device_list();
    if (device.has_iota_replica_group_list())
        return iota(device.iota_replica_group_list());
    std::string text = "{";
    for (const auto& group :
         device.replica_groups_size() > 0 ? device.replica_groups() : instruction.replica_groups()) {
        if (text.size() > 1)
            text += ',';
        text += listText(group.replica_ids());
    }
    return text + '}';
}

std::string windowText(const proto::Window& window)
{
    using Dimension = proto::WindowDimension;
    std::string text = "{size=";
    for (int i = 0; i < window.dimensions_size(); ++i)
        text.append(i > 0 ? "x" : "").append(std::to_string(window.dimensions(i).size()));
    appendWindowField(
        text, window, "stride", [](const Dimension& d) { return d.stride() == 1; },
        [](const Dimension& d) { return std::to_string(d.stride()); });
    appendWindowField(
        text, window, "pad", [](const Dimension& d) { return d.padding_low() == 0 && d.padding_high() == 0; },
        [](const Dimension& d) { return fmt::format("{}_{}", d.padding_low(), d.padding_high()); });
    appendWindowField(
        text, window, "lhs_dilate", [](const Dimension& d) { return d.base_dilation() == 1; },
        [](const Dimension& d) { return std::to_string(d.base_dilation()); });
    appendWindowField(
        text, window, "rhs_dilate", [](const Dimension& d) { return d.window_dilation() == 1; },
        [](const Dimension& d) { return std::to_string(d.window_dilation()); });
    appendWindowField(
        text, window, "rhs_reversal", [](const Dimension& d) { return !d.window_reversal(); },
        [](const Dimension& d) { return std::string(d.window_reversal() ? "1" : "0"); });
    return text + '}';
}

std::string dimLabelsText(const proto::ConvolutionDimensionNumbers& numbers)
{
    return labelsOf(numbers.input_batch_dimension(), 'b', numbers.input_feature_dimension(), 'f',
                    numbers.input_spatial_dimensions())
        + '_'
        + labelsOf(numbers.kernel_input_feature_dimension(), 'i', numbers.kernel_output_feature_dimension(), 'o',
                   numbers.kernel_spatial_dimensions())
        + "->"
        + labelsOf(numbers.output_batch_dimension(), 'b', numbers.output_feature_dimension(), 'f',
                   numbers.output_spatial_dimensions());
}

std::string paddingText(const proto::PaddingConfig& config)
{
    const bool interior = std::any_of(config.dimensions().begin(), config.dimensions().end(),
                                      [](const auto& dimension) { return dimension.interior_padding() != 0; });
    std::string text;
    for (const auto& dimension : config.dimensions()) {
        text += fmt::format("{}{}_{}", text.empty() ? "" : "x", dimension.edge_padding_low(),
                            dimension.edge_padding_high());
        if (interior)
            text += fmt::format("_{}", dimension.interior_padding());
    }
    return text;
}

std::string precisionText(const proto::PrecisionConfig& config)
{
    constexpr std::array<std::string_view, 4> kNames{"default", "high", "highest", "packed_nibble"};
    std::string text;
    bool allDefault = true;
    for (const int precision : config.operand_precision()) {
        const auto index = static_cast<size_t>(precision);
        text.append(text.empty() ? "" : ",").append(index < kNames.size() ? kNames[index] : "default");
        allDefault = allDefault && precision == 0;
    }
    return allDefault ? std::string() : '{' + text + '}';
}

std::string frontendAttributesText(const proto::FrontendAttributes& attributes)
{
    std::map<std::string_view, std::string_view> sorted;
    for (const auto& entry : attributes.map())
        sorted[entry.key()] = entry.value();
    std::string text;
    for (const auto& [key, value] : sorted)
        text += fmt::format("{}{}={}", text.empty() ? "" : ",", key, quotedUnlessBraced(value));
    return '{' + text + '}';
}

std::string statisticsText(const proto::StatisticsViz& statistics)
{
    std::string text = fmt::format("{{visualizing_index={}", statistics.stat_index_to_visualize());
    for (const proto::Statistic& statistic : statistics.statistics())
        text += fmt::format(",{}={}", statistic.stat_name(), shortestNumber(statistic.stat_val(), 15, 17));
    return text + '}';
}

std::string originText(const proto::OriginalValueProto& value, const Shape& shape)
{
    if (value.is_synthetic_call())
        return "{[synthetic_call]}";
    OriginalArrays arrays;
    for (const proto::OriginalValueElementProto& element : value.elements()) {
        if (element.has_original_array())
            arrays.try_emplace({element.shape_index().begin(), element.shape_index().end()}, &element.original_array());
    }
    std::string text = "{";
    std::vector<int64_t> index;
    appendOrigin(text, arrays, shape, index);
    return text + '}';
}

std::string resultAccuracyText(const proto::ResultAccuracy& accuracy)
{
    if (accuracy.has_tolerance()) {
        const auto& tolerance = accuracy.tolerance();
        return fmt::format("{{tolerance={{atol={},rtol={},ulps={}}}}}", shortestNumber(tolerance.atol(), 15, 17),
                           shortestNumber(tolerance.rtol(), 15, 17), tolerance.ulps());
    }
    return accuracy.mode() == 1 ? "{mode=highest}" : std::string();
}

std::string sparsityText(const proto::SparsityConfig& config)
{
    std::string text;
    if (config.has_lhs())
        text += "lhs=" + tensorSparsityText(config.lhs());
    if (config.has_rhs())
        text.append(text.empty() ? "" : " ").append("rhs=" + tensorSparsityText(config.rhs()));
    return '{' + text + '}';
}

} // namespace hloscope
