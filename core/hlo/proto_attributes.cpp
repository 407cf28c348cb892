// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/proto_attributes.h"

#include "core/hlo/literal_text.h"
#include "core/hlo/proto_shape.h"
#include "core/hlo/proto_text.h"

#include "hlo.pb.h"

#include <fmt/format.h>

#include <array>

namespace hloscope {
namespace {

using proto::HloInstructionProto;

template <size_t N> std::string_view wordOf(const std::array<std::string_view, N>& words, int number)
{
    return number >= 0 && static_cast<size_t>(number) < N ? words[static_cast<size_t>(number)] : std::string_view();
}

// Collects the attributes of one instruction. Each group is what one kind of op has, in XLA's order.
class AttributeWriter {
public:
    AttributeWriter(const HloInstructionProto& op, Opcode opcode, const Shape& shape, const Shape* firstOperand,
                    ModuleBuilder& builder)
        : m_op(op), m_opcode(opcode), m_shape(shape), m_firstOperand(firstOperand), m_builder(builder)
    {
    }

    void specific();
    void calls(const ProtoNames& names);
    void common(const proto::HloModuleProto& module, const ProtoNames& names);
    std::vector<Attribute> take() { return std::move(m_attributes); }

private:
    void add(std::string_view key, std::string value)
    {
        m_attributes.push_back({key, m_builder.keep(std::move(value))});
    }
    void addNumber(std::string_view key, int64_t value) { add(key, std::to_string(value)); }
    void addWord(std::string_view key, std::string_view word)
    {
        if (!word.empty())
            add(key, std::string(word));
    }
    void addTrue(std::string_view key, bool value)
    {
        if (value)
            add(key, "true");
    }
    template <class List> void addList(std::string_view key, const List& values) { add(key, listText(values)); }
    template <class List> void addListIfAny(std::string_view key, const List& values)
    {
        if (values.size() > 0)
            add(key, listText(values));
    }

    bool collective();
    bool numeric();
    bool structured();
    void groups();
    void channel();
    void convolution();
    void precision();
    void dot(const proto::DotDimensionNumbers& numbers);
    void gather();
    void scatter();
    void slice();
    void customCall();
    void aliasing();
    void compare();
    void triangularSolve();
    void collectivePermute();
    void rng();

    const HloInstructionProto& m_op;
    Opcode m_opcode;
    const Shape& m_shape;
    const Shape* m_firstOperand;
    ModuleBuilder& m_builder;
    std::vector<Attribute> m_attributes;
};

void AttributeWriter::specific()
{
    if (!collective() && !numeric())
        structured();
}

void AttributeWriter::channel()
{
    const int64_t id = m_op.channel_id() != 0 ? m_op.channel_id() : m_op.all_reduce_id();
    if (id > 0)
        addNumber("channel_id", id);
}

void AttributeWriter::groups()
{
    channel();
    add("replica_groups", replicaGroupsText(m_op));
    addTrue("constrain_layout", m_op.constrain_layout());
}

void AttributeWriter::collectivePermute()
{
    channel();
    std::string pairs;
    for (const proto::SourceTarget& pair : m_op.source_target_pairs())
        pairs += fmt::format("{}{{{},{}}}", pairs.empty() ? "" : ",", pair.source(), pair.target());
    add("source_target_pairs", '{' + pairs + '}');
    if (m_op.dynamic_slice_sizes_size() > 0)
        add("slice_sizes", '{' + listText(m_op.dynamic_slice_sizes()) + '}');
}

bool AttributeWriter::collective()
{
    switch (m_opcode) {
    case Opcode::AllGather:
    case Opcode::AllGatherStart:
        groups();
        addList("dimensions", m_op.dimensions());
        addTrue("use_global_device_ids", m_op.use_global_device_ids());
        return true;
    case Opcode::AllReduce:
    case Opcode::AllReduceStart:
        groups();
        addTrue("use_global_device_ids", m_op.use_global_device_ids());
        return true;
    case Opcode::ReduceScatter:
        groups();
        addTrue("use_global_device_ids", m_op.use_global_device_ids());
        addList("dimensions", m_op.dimensions());
        return true;
    case Opcode::AllToAll:
        groups();
        addListIfAny("dimensions", m_op.dimensions());
        return true;
    case Opcode::RaggedAllToAll:
        groups();
        return true;
    case Opcode::CollectiveBroadcast:
        groups();
        addTrue("has_dynamic_root", m_op.has_dynamic_root());
        return true;
    case Opcode::CollectivePermute:
    case Opcode::CollectivePermuteStart:
        collectivePermute();
        return true;
    case Opcode::Send:
    case Opcode::SendDone:
    case Opcode::Recv:
    case Opcode::RecvDone:
        channel();
        addTrue("is_host_transfer", m_op.is_host_transfer());
        return true;
    default:
        return false;
    }
}

void AttributeWriter::precision()
{
    constexpr std::array<std::string_view, 14> kAlgorithms{
        "",
        "dot_any_f8_any_f8_f32",
        "dot_any_f8_any_f8_f32_fast_accum",
        "dot_f16_f16_f16",
        "dot_f16_f16_f32",
        "dot_bf16_bf16_bf16",
        "dot_bf16_bf16_f32",
        "dot_bf16_bf16_f32_x3",
        "dot_bf16_bf16_f32_x6",
        "dot_tf32_tf32_f32",
        "dot_tf32_tf32_f32_x3",
        "dot_f32_f32_f32",
        "dot_f64_f64_f64",
        "dot_bf16_bf16_f32_x9",
    };
    addWord("operand_precision", precisionText(m_op.precision_config()));
    addWord("algorithm", wordOf(kAlgorithms, m_op.precision_config().algorithm()));
}

void AttributeWriter::dot(const proto::DotDimensionNumbers& numbers)
{
    addListIfAny("lhs_batch_dims", numbers.lhs_batch_dimensions());
    addList("lhs_contracting_dims", numbers.lhs_contracting_dimensions());
    addListIfAny("rhs_batch_dims", numbers.rhs_batch_dimensions());
    addList("rhs_contracting_dims", numbers.rhs_contracting_dimensions());
}

void AttributeWriter::convolution()
{
    if (m_op.window().dimensions_size() > 0)
        add("window", windowText(m_op.window()));
    if (m_op.has_convolution_dimension_numbers())
        add("dim_labels", dimLabelsText(m_op.convolution_dimension_numbers()));
    if (m_op.feature_group_count() > 1)
        addNumber("feature_group_count", m_op.feature_group_count());
    if (m_op.batch_group_count() > 1)
        addNumber("batch_group_count", m_op.batch_group_count());
    precision();
}

void AttributeWriter::compare()
{
    addWord("direction", m_op.comparison_direction());
    const PrimitiveType type = m_firstOperand != nullptr ? m_firstOperand->elementType : PrimitiveType::Invalid;
    const bool isSigned = isIntegral(type) && primitiveTypeName(type).starts_with('s');
    const std::string_view natural = isFloatingPoint(type) || isComplex(type) ? "FLOAT"
        : isSigned                                                            ? "SIGNED"
                                                                              : "UNSIGNED";
    if (m_op.comparison_type() != natural)
        addWord("type", m_op.comparison_type());
}

void AttributeWriter::triangularSolve()
{
    constexpr std::array<std::string_view, 4> kTransposes{"", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
    const proto::TriangularSolveOptions& options = m_op.triangular_solve_options();
    addTrue("left_side", options.left_side());
    addTrue("lower", options.lower());
    addTrue("unit_diagonal", options.unit_diagonal());
    addWord("transpose_a", wordOf(kTransposes, options.transpose_a()));
}

void AttributeWriter::rng()
{
    constexpr std::array<std::string_view, 3> kDistributions{"", "rng_uniform", "rng_normal"};
    addWord("distribution", wordOf(kDistributions, m_op.distribution()));
}

bool AttributeWriter::numeric()
{
    constexpr std::array<std::string_view, 4> kFftTypes{"FFT", "IFFT", "RFFT", "IRFFT"};
    constexpr std::array<std::string_view, 3> kRandom{"rng_default", "rng_three_fry", "rng_philox"};
    constexpr std::array<std::string_view, 4> kConvolutionKinds{"", "fprop", "dgrad", "wgrad"};
    switch (m_opcode) {
    case Opcode::BatchNormGrad:
    case Opcode::BatchNormInference:
    case Opcode::BatchNormTraining:
        add("epsilon", fmt::format("{:g}", m_op.epsilon()));
        addNumber("feature_index", m_op.feature_index());
        return true;
    case Opcode::Compare:
        compare();
        return true;
    case Opcode::Convolution:
        convolution();
        addWord("convolution_kind", wordOf(kConvolutionKinds, m_op.conv_kind()));
        if (m_op.sparsity_config().has_lhs() || m_op.sparsity_config().has_rhs())
            add("sparsity_config", sparsityText(m_op.sparsity_config()));
        return true;
    case Opcode::Dot:
    case Opcode::ScaledDot:
        dot(m_op.dot_dimension_numbers());
        precision();
        return true;
    case Opcode::RaggedDot:
        dot(m_op.ragged_dot_dimension_numbers().dot_dimension_numbers());
        addList("lhs_ragged_dims", m_op.ragged_dot_dimension_numbers().lhs_ragged_dimensions());
        addList("rhs_group_dims", m_op.ragged_dot_dimension_numbers().rhs_group_dimensions());
        precision();
        return true;
    case Opcode::Fft:
        addWord("fft_type", wordOf(kFftTypes, m_op.fft_type()));
        addList("fft_length", m_op.fft_length());
        return true;
    case Opcode::TriangularSolve:
        triangularSolve();
        return true;
    case Opcode::Cholesky:
        addTrue("lower", m_op.cholesky_options().lower());
        return true;
    case Opcode::ReducePrecision:
        addNumber("exponent_bits", m_op.exponent_bits());
        addNumber("mantissa_bits", m_op.mantissa_bits());
        return true;
    case Opcode::ReduceWindow:
    case Opcode::SelectAndScatter:
        if (m_op.window().dimensions_size() > 0)
            add("window", windowText(m_op.window()));
        return true;
    case Opcode::Rng:
        rng();
        return true;
    case Opcode::RngBitGenerator:
        addWord("algorithm", wordOf(kRandom, m_op.rng_algorithm()));
        return true;
    case Opcode::RngGetAndUpdateState:
        addNumber("delta", m_op.delta());
        return true;
    default:
        return false;
    }
}

void AttributeWriter::slice()
{
    const bool strided = std::any_of(m_op.slice_dimensions().begin(), m_op.slice_dimensions().end(),
                                     [](const auto& dimension) { return dimension.stride() != 1; });
    std::string text;
    for (const auto& dimension : m_op.slice_dimensions()) {
        text += fmt::format("{}[{}:{}", text.empty() ? "" : ", ", dimension.start(), dimension.limit());
        text += strided ? fmt::format(":{}]", dimension.stride()) : "]";
    }
    add("slice", '{' + text + '}');
}

void AttributeWriter::gather()
{
    const proto::GatherDimensionNumbers& numbers = m_op.gather_dimension_numbers();
    addList("offset_dims", numbers.offset_dims());
    addList("collapsed_slice_dims", numbers.collapsed_slice_dims());
    addList("start_index_map", numbers.start_index_map());
    addListIfAny("operand_batching_dims", numbers.operand_batching_dims());
    addListIfAny("start_indices_batching_dims", numbers.start_indices_batching_dims());
    addNumber("index_vector_dim", numbers.index_vector_dim());
    addList("slice_sizes", m_op.gather_slice_sizes());
    addTrue("indices_are_sorted", m_op.indices_are_sorted());
}

void AttributeWriter::scatter()
{
    const proto::ScatterDimensionNumbers& numbers = m_op.scatter_dimension_numbers();
    addList("update_window_dims", numbers.update_window_dims());
    addList("inserted_window_dims", numbers.inserted_window_dims());
    addList("scatter_dims_to_operand_dims", numbers.scatter_dims_to_operand_dims());
    addListIfAny("input_batching_dims", numbers.input_batching_dims());
    addListIfAny("scatter_indices_batching_dims", numbers.scatter_indices_batching_dims());
    addNumber("index_vector_dim", numbers.index_vector_dim());
    addTrue("indices_are_sorted", m_op.indices_are_sorted());
    addTrue("unique_indices", m_op.unique_indices());
}

void AttributeWriter::aliasing()
{
    if (m_op.output_operand_aliasing_size() == 0)
        return;
    std::string text;
    for (const proto::OutputOperandAliasing& alias : m_op.output_operand_aliasing()) {
        text += fmt::format("{}{}: ({}, {})", text.empty() ? "" : ", ", listText(alias.output_shape_index()),
                            alias.operand_index(), listText(alias.operand_shape_index()));
    }
    add("output_to_operand_aliasing", '{' + text + '}');
}

void AttributeWriter::customCall()
{
    constexpr std::array<std::string_view, 3> kPaddings{"", "PADDING_VALID", "PADDING_SAME"};
    constexpr std::array<std::string_view, 3> kSchedules{"", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST"};
    constexpr std::array<std::string_view, 5> kApis{"", "", "API_VERSION_STATUS_RETURNING",
                                                    "API_VERSION_STATUS_RETURNING_UNIFIED", "API_VERSION_TYPED_FFI"};
    convolution();
    addWord("padding_type", wordOf(kPaddings, m_op.padding_type()));
    add("custom_call_target", '"' + cEscape(m_op.custom_call_target()) + '"');
    if (m_op.constrain_layout()) {
        std::string shapes;
        for (const proto::ShapeProto& shape : m_op.operand_shapes_with_layout())
            shapes.append(shapes.empty() ? "" : ", ").append(toString(shapeFromProto(shape)));
        add("operand_layout_constraints", '{' + shapes + '}');
    }
    addTrue("custom_call_has_side_effect", m_op.custom_call_has_side_effect());
    if (m_op.has_literal())
        add("literal", toString(shapeFromProto(m_op.literal().shape())) + ' ' + literalText(m_op.literal()));
    aliasing();
    addWord("schedule", wordOf(kSchedules, m_op.custom_call_schedule()));
    addWord("api_version", wordOf(kApis, m_op.custom_call_api_version()));
}

bool AttributeWriter::structured()
{
    constexpr std::array<std::string_view, 3> kTriStates{"", "true", "false"};
    switch (m_opcode) {
    case Opcode::Broadcast:
    case Opcode::Concatenate:
    case Opcode::GetDimensionSize:
    case Opcode::Map:
    case Opcode::Reduce:
    case Opcode::Reverse:
    case Opcode::SetDimensionSize:
    case Opcode::Transpose:
        addList("dimensions", m_op.dimensions());
        return true;
    case Opcode::Sort:
        addList("dimensions", m_op.dimensions());
        addTrue("is_stable", m_op.is_stable());
        return true;
    case Opcode::Scan:
        addList("dimensions", m_op.dimensions());
        addTrue("is_reverse", m_op.is_reverse());
        addNumber("num_carries", m_op.num_carries());
        addWord("is_associative", wordOf(kTriStates, m_op.is_associative()));
        return true;
    case Opcode::Topk:
        addNumber("k", m_op.k());
        add("largest", m_op.largest() ? "true" : "false");
        return true;
    case Opcode::Reshape:
        if (m_op.dimensions_size() > 0)
            addNumber("inferred_dimension", m_op.dimensions(0));
        return true;
    case Opcode::Slice:
        slice();
        return true;
    case Opcode::DynamicSlice:
        addList("dynamic_slice_sizes", m_op.dynamic_slice_sizes());
        return true;
    case Opcode::Pad:
        add("padding", paddingText(m_op.padding_config()));
        return true;
    case Opcode::Gather:
        gather();
        return true;
    case Opcode::Scatter:
        scatter();
        return true;
    case Opcode::Iota:
        addNumber("iota_dimension", m_op.dimensions_size() > 0 ? m_op.dimensions(0) : 0);
        return true;
    case Opcode::Fusion:
        addWord("kind", m_op.fusion_kind());
        aliasing();
        return true;
    case Opcode::GetTupleElement:
        addNumber("index", m_op.tuple_index());
        return true;
    case Opcode::Parameter:
        if (m_op.parameter_replication().replicated_at_leaf_buffers_size() > 0) {
            std::string text;
            for (const bool leaf : m_op.parameter_replication().replicated_at_leaf_buffers())
                text.append(text.empty() ? "" : ",").append(leaf ? "true" : "false");
            add("parameter_replication", '{' + text + '}');
        }
        return true;
    case Opcode::Infeed:
        if (!m_op.infeed_config().empty())
            add("infeed_config", '"' + cEscape(m_op.infeed_config()) + '"');
        return true;
    case Opcode::Outfeed:
        add("outfeed_shape", toString(shapeFromProto(m_op.outfeed_shape())));
        if (!m_op.outfeed_config().empty())
            add("outfeed_config", '"' + cEscape(m_op.outfeed_config()) + '"');
        return true;
    case Opcode::CustomCall:
        customCall();
        return true;
    case Opcode::Domain:
        // What the text calls entry is the exit of the proto.
        add("domain",
            fmt::format("{{kind=\"sharding\", entry={}, exit={}}}", shardingText(m_op.domain_exit_sharding()),
                        shardingText(m_op.domain_entry_sharding())));
        return true;
    case Opcode::AsyncStart:
    case Opcode::AsyncUpdate:
    case Opcode::AsyncDone:
        if (m_opcode == Opcode::AsyncStart && !m_op.async_execution_thread().empty()
            && m_op.async_execution_thread() != "main")
            add("async_execution_thread", '"' + m_op.async_execution_thread() + '"');
        aliasing();
        return true;
    case Opcode::CopyStart:
        if (m_op.optional_cross_program_prefetch_index_case()
            != HloInstructionProto::OPTIONAL_CROSS_PROGRAM_PREFETCH_INDEX_NOT_SET)
            addNumber("cross_program_prefetch_index", m_op.cross_program_prefetch_index());
        return true;
    default:
        return false;
    }
}

void AttributeWriter::calls(const ProtoNames& names)
{
    std::vector<std::string> called;
    for (const int64_t id : m_op.called_computation_ids())
        called.push_back(names.computation(id));
    if (called.empty())
        return;
    const auto list = [&](std::string_view separator) { return fmt::format("{}", fmt::join(called, separator)); };
    const bool two = called.size() == 2;
    switch (m_opcode) {
    case Opcode::While:
        // The proto holds the body first.
        if (two) {
            add("condition", called[1]);
            add("body", called[0]);
        }
        return;
    case Opcode::SelectAndScatter:
        if (two) {
            add("select", called[0]);
            add("scatter", called[1]);
        }
        return;
    case Opcode::Conditional:
        if (two && m_firstOperand != nullptr && m_firstOperand->elementType == PrimitiveType::Pred) {
            add("true_computation", called[0]);
            add("false_computation", called[1]);
        } else {
            add("branch_computations", '{' + list(", ") + '}');
        }
        return;
    case Opcode::CustomCall:
        add("called_computations", '{' + list(", ") + '}');
        return;
    case Opcode::Call:
    case Opcode::Map:
    case Opcode::Reduce:
    case Opcode::ReduceWindow:
    case Opcode::AllReduce:
    case Opcode::AllReduceStart:
    case Opcode::ReduceScatter:
    case Opcode::Scatter:
    case Opcode::Sort:
    case Opcode::Scan:
    case Opcode::Topk:
        add("to_apply", list(", "));
        if (m_opcode == Opcode::Call)
            addTrue("is_composite", m_op.is_composite());
        return;
    default:
        add("calls", list(", "));
    }
}

void AttributeWriter::common(const proto::HloModuleProto& module, const ProtoNames& names)
{
    if (m_op.has_sharding())
        add("sharding", shardingText(m_op.sharding()));
    if (m_op.frontend_attributes().map_size() > 0)
        add("frontend_attributes", frontendAttributesText(m_op.frontend_attributes()));
    if (m_op.control_predecessor_ids_size() > 0) {
        std::string text;
        for (const int64_t id : m_op.control_predecessor_ids())
            text.append(text.empty() ? "" : ", ").append(names.instruction(id));
        add("control-predecessors", '{' + text + '}');
    }
    if (m_op.statistics_viz().statistics_size() > 0)
        add("statistics", statisticsText(m_op.statistics_viz()));
    addWord("result_accuracy", resultAccuracyText(m_op.result_accuracy()));
    if (m_op.has_original_value())
        add("origin", originText(m_op.original_value(), m_shape));
    addWord("metadata", metadataText(m_op.metadata(), &module));
    std::string_view config = payloadBytes(m_op.backend_config_payload(), &module);
    if (config.empty())
        config = !m_op.backend_config().empty() ? m_op.backend_config() : m_op.custom_call_opaque();
    if (!config.empty())
        add("backend_config", quotedUnlessBraced(config));
}

} // namespace

std::vector<Attribute> attributesFromProto(const HloInstructionProto& proto, Opcode opcode, const Shape& shape,
                                           const Shape* firstOperand, const proto::HloModuleProto& module,
                                           const ProtoNames& names, ModuleBuilder& builder)
{
    AttributeWriter writer(proto, opcode, shape, firstOperand, builder);
    writer.specific();
    writer.calls(names);
    writer.common(module, names);
    return writer.take();
}

} // namespace hloscope
