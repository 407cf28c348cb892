// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/proto_header.h"

#include "core/hlo/proto_shape.h"
#include "core/hlo/proto_text.h"

#include "hlo.pb.h"

#include <fmt/format.h>

namespace hloscope {
namespace {

constexpr int kMustAlias = 2;

std::string aliasText(const proto::HloInputOutputAliasProto& aliases)
{
    std::string text;
    for (const auto& entry : aliases.entries()) {
        text += fmt::format("{}{}: ({}, {}, {})", text.empty() ? "" : ", ", listText(entry.output_shape_index()),
                            entry.parameter_number(), listText(entry.parameter_shape_index()),
                            entry.kind() == kMustAlias ? "must-alias" : "may-alias");
    }
    return "{ " + text + " }";
}

std::string donorText(const proto::HloBufferDonorProto& donors)
{
    std::string text;
    for (const auto& entry : donors.entries()) {
        text += fmt::format("{}({}, {})", text.empty() ? "" : ", ", entry.parameter_number(),
                            listText(entry.parameter_shape_index()));
    }
    return "{ " + text + " }";
}

std::string layoutText(const proto::ProgramShapeProto& program)
{
    // Parameters are annotated as the elements of a tuple are.
    Shape parameters;
    parameters.elementType = PrimitiveType::Tuple;
    for (const proto::ShapeProto& parameter : program.parameters())
        parameters.elements.push_back(shapeFromProto(parameter));
    return '{' + toString(parameters) + "->" + toString(shapeFromProto(program.result())) + '}';
}

template <class Names> void appendNames(std::string& text, std::string_view title, const Names& names)
{
    text += title;
    for (int i = 0; i < names.size(); ++i)
        text += fmt::format("\n{} \"{}\"", i + 1, cEscape(names.Get(i)));
}

std::string frameTableText(const proto::StackFrameIndexProto& index)
{
    std::string text;
    appendNames(text, "FileNames", index.file_names());
    appendNames(text, "\n\nFunctionNames", index.function_names());
    text += "\n\nFileLocations";
    for (int i = 0; i < index.file_locations_size(); ++i) {
        const auto& location = index.file_locations(i);
        text += fmt::format("\n{} {{file_name_id={} function_name_id={} line={} end_line={} column={} end_column={}}}",
                            i + 1, location.file_name_id(), location.function_name_id(), location.line(),
                            location.end_line(), location.column(), location.end_column());
    }
    text += "\n\nStackFrames";
    // The text counts parents one too high.
    for (int i = 0; i < index.stack_frames_size(); ++i)
        text += fmt::format("\n{} {{file_location_id={} parent_frame_id={}}}", i + 1,
                            index.stack_frames(i).file_location_id(), index.stack_frames(i).parent_frame_id() + 1);
    return text;
}

std::vector<StackFrame> framesFromProto(const proto::StackFrameIndexProto& index, ModuleBuilder& builder)
{
    std::vector<std::string_view> files;
    std::vector<std::string_view> functions;
    for (const std::string& name : index.file_names())
        files.push_back(builder.keep(name));
    for (const std::string& name : index.function_names())
        functions.push_back(builder.keep(name));
    const auto entry = [](const std::vector<std::string_view>& table, int id) {
        return id >= 1 && static_cast<size_t>(id) <= table.size() ? table[static_cast<size_t>(id - 1)]
                                                                  : std::string_view();
    };
    std::vector<StackFrame> frames;
    for (const auto& row : index.stack_frames()) {
        StackFrame& frame = frames.emplace_back();
        if (row.parent_frame_id() >= 1)
            frame.parent = StackFrameId(static_cast<size_t>(row.parent_frame_id() - 1));
        if (row.file_location_id() < 1 || row.file_location_id() > index.file_locations_size())
            continue;
        const auto& location = index.file_locations(row.file_location_id() - 1);
        frame.file = entry(files, location.file_name_id());
        frame.function = entry(functions, location.function_name_id());
        frame.line = location.line();
        frame.column = location.column();
        frame.endLine = location.end_line();
        frame.endColumn = location.end_column();
    }
    return frames;
}

} // namespace

void readProtoHeader(const proto::HloModuleProto& proto, ModuleBuilder& builder)
{
    HloModule& module = builder.module();
    const auto add = [&](std::string_view key, std::string value) {
        module.attributes.push_back({key, builder.keep(std::move(value))});
    };
    module.name = builder.keep(proto.name());
    module.isScheduled = proto.has_schedule() && proto.schedule().sequences_size() > 0;
    if (proto.has_device_assignment()) {
        module.replicaCount = std::max(proto.device_assignment().replica_count(), 1);
        module.numPartitions = std::max(proto.device_assignment().computation_count(), 1);
    }
    if (module.isScheduled)
        add("is_scheduled", "true");
    if (proto.input_output_alias().entries_size() > 0) {
        add("input_output_alias", aliasText(proto.input_output_alias()));
        for (const auto& entry : proto.input_output_alias().entries()) {
            module.inputOutputAliases.push_back(
                {{entry.output_shape_index().begin(), entry.output_shape_index().end()},
                 entry.parameter_number(),
                 {entry.parameter_shape_index().begin(), entry.parameter_shape_index().end()},
                 entry.kind() == kMustAlias});
        }
    }
    if (proto.buffer_donor().entries_size() > 0)
        add("buffer_donor", donorText(proto.buffer_donor()));
    if (proto.has_host_program_shape())
        add("entry_computation_layout", layoutText(proto.host_program_shape()));
    if (proto.frontend_attributes().map_size() > 0)
        add("frontend_attributes", frontendAttributesText(proto.frontend_attributes()));
    if (proto.stack_frame_index().stack_frames_size() > 0) {
        module.stackFrameText = builder.keep(frameTableText(proto.stack_frame_index()));
        module.stackFrames = framesFromProto(proto.stack_frame_index(), builder);
    }
}

} // namespace hloscope
