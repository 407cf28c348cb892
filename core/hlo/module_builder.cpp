// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/module_builder.h"

#include <algorithm>

namespace hloscope {
namespace {

bool hasTooManyElements(const Shape& shape)
{
    if (shape.isArray()) {
        return !shape.elementCount()
            && std::find(shape.dimensions.begin(), shape.dimensions.end(), Shape::kUnbounded) == shape.dimensions.end();
    }
    return std::any_of(shape.elements.begin(), shape.elements.end(), hasTooManyElements);
}

} // namespace

InstructionId OpenComputation::find(std::string_view name) const
{
    const uint32_t index = m_names.find(name, hashName(name), [this](uint32_t i) { return m_instructions[i].name; });
    return index != NameTable::kNone ? InstructionId(index) : InstructionId();
}

bool OpenComputation::add(const HloInstruction& instruction)
{
    const auto index = static_cast<uint32_t>(m_instructions.size());
    m_instructions.push_back(instruction);
    if (instruction.name.empty())
        return true;
    return m_names.insert(instruction.name, hashName(instruction.name), index, [this](uint32_t i) {
        return m_instructions[i].name;
    }) == index;
}

ModuleBuilder::ModuleBuilder(HloModule& module) : m_module(module), m_unknownShape(shape(Shape())) { }

ShapeId ModuleBuilder::shape(std::string_view text, ShapeError& error)
{
    const uint32_t hash = hashName(text);
    const uint32_t next = static_cast<uint32_t>(m_shapeTexts.size());
    const uint32_t found = m_shapesByText.find(text, hash, [this](uint32_t i) { return m_shapeTexts[i].first; });
    if (found != NameTable::kNone)
        return m_shapeTexts[found].second;
    TextCursor cursor(text);
    std::optional<Shape> read = takeShape(cursor, error);
    if (!read)
        return {};
    if (read->elements.size() > 5)
        m_module.style.tupleIndexComments = text.find("/*") != std::string_view::npos;
    if (hasTooManyElements(*read))
        error.message = "the number of elements of the shape does not fit into 64 bits";
    const ShapeId id = shape(std::move(*read));
    m_shapeTexts.emplace_back(text, id);
    m_shapesByText.insert(text, hash, next, [this](uint32_t i) { return m_shapeTexts[i].first; });
    return id;
}

ShapeId ModuleBuilder::shape(Shape shape)
{
    std::string text = toString(shape);
    const uint32_t hash = hashName(text);
    const uint32_t next = static_cast<uint32_t>(m_module.shapes.size());
    const auto textOf = [this](uint32_t i) -> std::string_view { return m_canonicalTexts[i]; };
    const uint32_t found = m_shapesByCanonicalText.find(text, hash, textOf);
    if (found != NameTable::kNone)
        return ShapeId(found);
    m_module.shapes.push_back(std::move(shape));
    m_canonicalTexts.push_back(std::move(text));
    m_shapesByCanonicalText.insert(m_canonicalTexts.back(), hash, next, textOf);
    return ShapeId(next);
}

std::string_view ModuleBuilder::keep(std::string text)
{
    // Short strings share a block, which never grows beyond what it reserved, so views into it stay valid.
    constexpr size_t kBlock = 1 << 16;
    if (text.empty())
        return {};
    if (text.size() >= kBlock / 4)
        return m_module.arena.emplace_back(std::move(text));
    if (m_block == nullptr || m_block->capacity() - m_block->size() < text.size()) {
        m_block = &m_module.arena.emplace_back();
        m_block->reserve(kBlock);
    }
    const size_t begin = m_block->size();
    m_block->append(text);
    return std::string_view(*m_block).substr(begin);
}

std::string_view ModuleBuilder::nameOf(uint32_t computation) const
{
    const size_t done = m_module.computations.size();
    return computation < done ? m_module.computations[computation].name : m_nested[computation - done].header.name;
}

ComputationId ModuleBuilder::findComputation(std::string_view name) const
{
    const uint32_t index = m_computations.find(name, hashName(name), [this](uint32_t i) { return nameOf(i); });
    return index != NameTable::kNone ? ComputationId(index) : ComputationId();
}

void ModuleBuilder::declare(std::string_view name, ComputationId id)
{
    if (!name.empty()) {
        m_computations.insert(name, hashName(name), static_cast<uint32_t>(id.index()),
                              [this](uint32_t i) { return nameOf(i); });
    }
}

void ModuleBuilder::closeComputation(HloComputation& header, uint32_t first, uint32_t count, ComputationId id)
{
    header.instructions = {first, count};
    header.root = InstructionId(first + count - 1);
    // The marked root, else the last instruction that the text has.
    bool found = false;
    for (uint32_t i = first; i < first + count; ++i) {
        HloInstruction& op = m_module.instructions[i];
        op.computation = id;
        if (op.isRoot() || (!found && !op.isInline()))
            header.root = InstructionId(i);
        found = found || op.isRoot();
    }
}

void ModuleBuilder::shiftOperands(const HloInstruction& instruction, uint32_t by)
{
    for (uint32_t i = instruction.operands.begin; i < instruction.operands.end(); ++i)
        m_module.operandPool[i] = InstructionId(m_module.operandPool[i].index() + by);
}

ComputationId ModuleBuilder::addComputation(OpenComputation& open, HloComputation header)
{
    const uint32_t count = open.count();
    uint32_t first = open.first();
    if (!m_nested.empty()) {
        placeNested(first);
        first = static_cast<uint32_t>(m_module.instructions.size()) - count;
    }
    const ComputationId id(m_module.computations.size());
    closeComputation(header, first, count, id);
    m_module.computations.push_back(header);
    declare(header.name, id);
    return id;
}

// Moves the waiting computations in front of the one that starts at `first`.
void ModuleBuilder::placeNested(uint32_t first)
{
    std::vector<HloInstruction>& all = m_module.instructions;
    size_t added = 0;
    for (const Nested& nested : m_nested)
        added += nested.instructions.size();
    const size_t old = all.size();
    for (size_t i = first; i < old; ++i)
        shiftOperands(all[i], static_cast<uint32_t>(added));
    all.resize(old + added);
    std::move_backward(all.begin() + first, all.begin() + static_cast<ptrdiff_t>(old), all.end());
    for (Nested& nested : m_nested) {
        const auto count = static_cast<uint32_t>(nested.instructions.size());
        for (uint32_t i = 0; i < count; ++i) {
            all[first + i] = nested.instructions[i];
            shiftOperands(all[first + i], first);
        }
        closeComputation(nested.header, first, count, ComputationId(m_module.computations.size()));
        m_module.computations.push_back(nested.header);
        first += count;
    }
    m_nested.clear();
}

ComputationId ModuleBuilder::addNested(std::vector<HloInstruction> instructions, HloComputation header)
{
    const ComputationId id(m_module.computations.size() + m_nested.size());
    m_nested.push_back({std::move(instructions), header});
    declare(header.name, id);
    return id;
}

} // namespace hloscope
