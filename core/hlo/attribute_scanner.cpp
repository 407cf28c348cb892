// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/attribute_scanner.h"

#include <array>
#include <utility>

namespace hloscope {
namespace {

using Kind = AttributeKind;

constexpr auto kAttributes = std::to_array<std::pair<std::string_view, Kind>>({
    {"algorithm", Kind::Plain},
    {"alias_passthrough_params", Kind::Plain},
    {"all_reduce_id", Kind::Plain},
    {"allow_spmd_sharding_propagation_to_output", Kind::Plain},
    {"allow_spmd_sharding_propagation_to_parameters", Kind::Plain},
    {"api_version", Kind::Plain},
    {"async_execution_thread", Kind::Plain},
    {"async_group_id", Kind::Plain},
    {"backend_config", Kind::FreeText},
    {"barrier", Kind::Plain},
    {"batch_group_count", Kind::Plain},
    {"body", Kind::Computations},
    {"branch_computations", Kind::Computations},
    {"buffer_donor", Kind::Plain},
    {"called_computations", Kind::Computations},
    {"calls", Kind::Computations},
    {"channel_id", Kind::Plain},
    {"channel_name", Kind::Plain},
    {"collapsed_slice_dims", Kind::Plain},
    {"condition", Kind::Computations},
    {"constrain_layout", Kind::Plain},
    {"control-predecessors", Kind::Plain},
    {"convolution_kind", Kind::Plain},
    {"cost_estimate_ns", Kind::Plain},
    {"cross_program_prefetch_index", Kind::Plain},
    {"custom_call_has_side_effect", Kind::Plain},
    {"custom_call_target", Kind::Plain},
    {"debug_attributes", Kind::Plain},
    {"delta", Kind::Plain},
    {"dim_labels", Kind::Plain},
    {"dimensions", Kind::Plain},
    {"direction", Kind::Plain},
    {"distribution", Kind::Plain},
    {"domain", Kind::Plain},
    {"dynamic_slice_sizes", Kind::Plain},
    {"elided_window_dims", Kind::Plain},
    {"entry_computation_layout", Kind::Plain},
    {"epsilon", Kind::Plain},
    {"execution_thread", Kind::Plain},
    {"exponent_bits", Kind::Plain},
    {"false_computation", Kind::Computations},
    {"feature_group_count", Kind::Plain},
    {"feature_index", Kind::Plain},
    {"fft_length", Kind::Plain},
    {"fft_type", Kind::Plain},
    {"frontend_attributes", Kind::FreeText},
    {"gather_dims_to_operand_dims", Kind::Plain},
    {"has_dynamic_root", Kind::Plain},
    {"index", Kind::Plain},
    {"index_vector_dim", Kind::Plain},
    {"indices_are_sorted", Kind::Plain},
    {"infeed_config", Kind::Plain},
    {"inferred_dimension", Kind::Plain},
    {"input_batching_dims", Kind::Plain},
    {"input_output_alias", Kind::Plain},
    {"inserted_window_dims", Kind::Plain},
    {"iota_dimension", Kind::Plain},
    {"is_associative", Kind::Plain},
    {"is_composite", Kind::Plain},
    {"is_cross_program_prefetch", Kind::Plain},
    {"is_host_transfer", Kind::Plain},
    {"is_reverse", Kind::Plain},
    {"is_scheduled", Kind::Plain},
    {"is_stable", Kind::Plain},
    {"k", Kind::Plain},
    {"kind", Kind::Plain},
    {"largest", Kind::Plain},
    {"left_side", Kind::Plain},
    {"lhs_batch_dims", Kind::Plain},
    {"lhs_contracting_dims", Kind::Plain},
    {"lhs_ragged_dims", Kind::Plain},
    {"literal", Kind::Literal},
    {"lower", Kind::Plain},
    {"mantissa_bits", Kind::Plain},
    {"metadata", Kind::Plain},
    {"mode", Kind::Plain},
    {"num_carries", Kind::Plain},
    {"num_partitions", Kind::Plain},
    {"offset_dims", Kind::Plain},
    {"opaque", Kind::Plain},
    {"operand_batching_dims", Kind::Plain},
    {"operand_layout_constraints", Kind::Plain},
    {"operand_precision", Kind::Plain},
    {"order", Kind::Plain},
    {"origin", Kind::Plain},
    {"origin_recovery_table", Kind::Plain},
    {"outer_dimension_partitions", Kind::Plain},
    {"outfeed_config", Kind::Plain},
    {"outfeed_shape", Kind::Plain},
    {"output_to_operand_aliasing", Kind::Plain},
    {"output_window_dims", Kind::Plain},
    {"padding", Kind::Plain},
    {"padding_type", Kind::Plain},
    {"parameter_replication", Kind::Plain},
    {"replica_count", Kind::Plain},
    {"replica_groups", Kind::ReplicaGroups},
    {"result_accuracy", Kind::Plain},
    {"rhs_batch_dims", Kind::Plain},
    {"rhs_contracting_dims", Kind::Plain},
    {"rhs_group_dims", Kind::Plain},
    {"scatter", Kind::Computations},
    {"scatter_dims_to_operand_dims", Kind::Plain},
    {"scatter_indices_batching_dims", Kind::Plain},
    {"schedule", Kind::Plain},
    {"select", Kind::Computations},
    {"sharding", Kind::Plain},
    {"slice", Kind::Plain},
    {"slice_sizes", Kind::Plain},
    {"source_target_pairs", Kind::Plain},
    {"sparsity", Kind::Plain},
    {"sparsity_config", Kind::Plain},
    {"start_index_map", Kind::Plain},
    {"start_indices_batching_dims", Kind::Plain},
    {"statistics", Kind::Plain},
    {"to_apply", Kind::Computations},
    {"transpose_a", Kind::Plain},
    {"true_computation", Kind::Computations},
    {"type", Kind::Plain},
    {"unique_indices", Kind::Plain},
    {"unit_diagonal", Kind::Plain},
    {"update_window_dims", Kind::Plain},
    {"use_global_device_ids", Kind::Plain},
    {"window", Kind::Plain},
    {"window_bounds", Kind::Plain},
});

// Open addressing over hashName(): one look-up per attribute of the text.
class KindTable {
public:
    KindTable()
    {
        for (const auto& attribute : kAttributes) {
            size_t slot = hashName(attribute.first) % kSlots;
            while (!m_slots[slot].first.empty())
                slot = (slot + 1) % kSlots;
            m_slots[slot] = attribute;
        }
    }

    Kind find(std::string_view key) const
    {
        for (size_t slot = hashName(key) % kSlots;; slot = (slot + 1) % kSlots) {
            if (m_slots[slot].first.empty() || m_slots[slot].first == key)
                return m_slots[slot].second;
        }
    }

private:
    static constexpr size_t kSlots = 1024;
    std::array<std::pair<std::string_view, Kind>, kSlots> m_slots{};
};

// A run without blanks at the outermost level: `3`, `bf_io->bf`, `[8,2]<=[2,8]T(1,0)`, `f32[2]{0}`, `%name`.
bool takeRun(TextCursor& cursor)
{
    for (;;) {
        const char c = cursor.peekRaw();
        switch (c) {
        case '(':
        case '[':
        case '{':
            if (!cursor.skipBracket(true))
                return false;
            break;
        case '"':
        case '\'':
            if (cursor.takeString().empty())
                return false;
            break;
        case '\0':
        case ',':
        case ')':
        case ']':
        case '}':
            return true;
        default:
            if (TextClass::is(c, TextClass::Blank))
                return true;
            if (c == '/' && (cursor.peekRaw(1) == '*' || cursor.peekRaw(1) == '/'))
                return true;
            cursor.advance(1);
        }
    }
}

// `mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)) {'b'}`
bool takeMeshGroups(TextCursor& cursor)
{
    if (!takeRun(cursor))
        return false;
    const char* const behindMesh = cursor.pos();
    if (!cursor.take(',') || !cursor.take("device_ids=") || !takeRun(cursor))
        cursor.seek(behindMesh);
    const char* const behindIds = cursor.pos();
    if (cursor.peek() != '{')
        cursor.seek(behindIds);
    else
        return cursor.skipBracket(true);
    return true;
}

bool takeLiteral(TextCursor& cursor)
{
    if (!takeRun(cursor))
        return false;
    // The value stands on the same line; `ROOT` or a name behind a line break is the next instruction.
    const char* const behindShape = cursor.pos();
    while (cursor.peekRaw() == ' ')
        cursor.advance(1);
    const char next = cursor.peekRaw();
    if (next == '{' || next == '(' || next == '-' || TextClass::is(next, TextClass::Name))
        return takeRun(cursor);
    cursor.seek(behindShape);
    return true;
}

} // namespace

AttributeKind attributeKind(std::string_view key)
{
    static const KindTable table;
    return table.find(key);
}

std::optional<std::string_view> takeAttributeValue(TextCursor& cursor, AttributeKind kind)
{
    // A newline in front belongs to the value only where a body may follow; blanks never mean an empty value.
    while (cursor.peekRaw() == ' ')
        cursor.advance(1);
    const char* const begin = cursor.pos();
    bool complete = false;
    switch (cursor.peekRaw()) {
    case '{':
        complete = cursor.skipBracket(kind != AttributeKind::FreeText);
        break;
    case '"':
    case '\'':
        complete = !cursor.takeString().empty();
        break;
    default:
        if (kind == AttributeKind::ReplicaGroups && cursor.peekRaw() == 'm')
            complete = takeMeshGroups(cursor);
        else if (kind == AttributeKind::Literal)
            complete = takeLiteral(cursor);
        else
            complete = takeRun(cursor);
    }
    if (!complete)
        return std::nullopt;
    return std::string_view(begin, static_cast<size_t>(cursor.pos() - begin));
}

} // namespace hloscope
