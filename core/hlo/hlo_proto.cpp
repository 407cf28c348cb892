// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/hlo_proto.h"

#include "core/hlo/call_order.h"
#include "core/hlo/literal_text.h"
#include "core/hlo/proto_attributes.h"
#include "core/hlo/proto_header.h"
#include "core/hlo/proto_shape.h"

#include "hlo.pb.h"

#include <google/protobuf/arena.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace hloscope {
namespace {

constexpr int kMaxDepth = 500;
constexpr uint32_t kLengthDelimited = 2;

// The outermost fields of a message: number, wire type and, when length-delimited, the bytes.
struct Field {
    uint32_t number = 0;
    uint32_t wireType = 0;
    std::string_view bytes;
    bool isCut = false; // claims more bytes than there are
};

// Reads the fields of one message without a schema; stops in front of what is no field. `complete` says whether all
// bytes were fields.
std::vector<Field> outermostFields(std::string_view bytes, bool& complete, size_t limit)
{
    std::vector<Field> fields;
    google::protobuf::io::CodedInputStream stream(reinterpret_cast<const uint8_t*>(bytes.data()),
                                                  static_cast<int>(bytes.size()));
    complete = false;
    while (fields.size() < limit) {
        const uint32_t tag = stream.ReadTag();
        if (tag == 0) {
            complete = stream.ConsumedEntireMessage();
            return fields;
        }
        Field field{tag >> 3, tag & 7, {}, false};
        uint64_t number = 0;
        uint32_t length = 0;
        switch (field.wireType) {
        case 0:
            if (!stream.ReadVarint64(&number))
                return fields;
            break;
        case 1:
        case 5:
            if (!stream.Skip(field.wireType == 1 ? 8 : 4))
                return fields;
            break;
        case kLengthDelimited: {
            if (!stream.ReadVarint32(&length))
                return fields;
            // What is left of a field that was cut off is still given.
            field.bytes = bytes.substr(static_cast<size_t>(stream.CurrentPosition()), length);
            if (!stream.Skip(static_cast<int>(std::min<size_t>(length, std::numeric_limits<int>::max())))) {
                field.isCut = true;
                fields.push_back(field);
                return fields;
            }
            break;
        }
        default:
            return fields;
        }
        fields.push_back(field);
    }
    complete = true;
    return fields;
}

std::vector<Field> outermostFields(std::string_view bytes, size_t limit = 64)
{
    bool complete = false;
    return outermostFields(bytes, complete, limit);
}

bool isName(std::string_view text)
{
    return std::none_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

// A module has a name, and computations with names in field 3.
bool looksLikeModule(std::string_view bytes)
{
    bool hasComputation = false;
    for (const Field& field : outermostFields(bytes)) {
        if (field.number == 0 || field.number > 100)
            return false;
        if ((field.number == 1 || field.number == 2) && (field.wireType != kLengthDelimited || !isName(field.bytes)))
            return false;
        if (field.number != 3 || field.wireType != kLengthDelimited)
            continue;
        const std::vector<Field> inner = outermostFields(field.bytes, 2);
        if (inner.empty() || inner[0].wireType != kLengthDelimited)
            return false;
        hasComputation = true;
    }
    return hasComputation;
}

Field findField(std::string_view message, uint32_t number)
{
    for (const Field& field : outermostFields(message)) {
        if (field.number == number && field.wireType == kLengthDelimited)
            return field;
    }
    return {};
}

// Order of the instructions of one computation: that of the schedule, else of the file, with operands in front of
// users.
class InstructionOrder {
public:
    InstructionOrder(const proto::HloComputationProto& computation, const std::vector<int64_t>& schedule)
        : m_computation(computation)
    {
        const int count = computation.instructions_size();
        m_indexOf.reserve(static_cast<size_t>(count));
        for (int i = 0; i < count; ++i)
            m_indexOf.emplace(computation.instructions(i).id(), i);
        std::vector<bool> taken(static_cast<size_t>(count));
        for (const int64_t id : schedule)
            take(find(id), taken);
        m_isScheduled = static_cast<int>(m_order.size()) == count || schedule.empty();
        for (int i = 0; i < count; ++i)
            take(i, taken);
        if (!operandsComeFirst())
            sortByOperands();
    }

    const std::vector<int>& order() const { return m_order; }
    bool isFullyScheduled() const { return m_isScheduled; }
    // Some files refer to instructions by the low half of their ids.
    int find(int64_t id) const
    {
        const auto found = m_indexOf.find(id);
        if (found != m_indexOf.end())
            return found->second;
        if (m_computation.instructions_size() == 0)
            return -1;
        const int64_t first = m_computation.instructions(0).id();
        const auto low = m_indexOf.find((first & ~int64_t(0xffffffff)) | (id & 0xffffffff));
        return low != m_indexOf.end() ? low->second : -1;
    }

private:
    void take(int index, std::vector<bool>& taken)
    {
        if (index < 0 || taken[static_cast<size_t>(index)])
            return;
        taken[static_cast<size_t>(index)] = true;
        m_order.push_back(index);
    }

    bool operandsComeFirst() const
    {
        std::vector<bool> seen(m_order.size());
        for (const int index : m_order) {
            for (const int64_t id : m_computation.instructions(index).operand_ids()) {
                const int operand = find(id);
                if (operand >= 0 && !seen[static_cast<size_t>(operand)])
                    return false;
            }
            seen[static_cast<size_t>(index)] = true;
        }
        return true;
    }

    // Depth-first from each instruction in the present order, on a stack of its own. Operands that lead back to their
    // user stay behind it; the reader then finds them undefined.
    void sortByOperands()
    {
        std::vector<int> sorted;
        std::vector<bool> entered(m_order.size());
        for (const int start : m_order) {
            if (entered[static_cast<size_t>(start)])
                continue;
            std::vector<std::pair<int, int>> stack{{start, 0}};
            entered[static_cast<size_t>(start)] = true;
            while (!stack.empty()) {
                auto& [index, next] = stack.back();
                const auto& operands = m_computation.instructions(index).operand_ids();
                if (next == operands.size()) {
                    sorted.push_back(index);
                    stack.pop_back();
                    continue;
                }
                const int operand = find(operands.Get(next++));
                if (operand >= 0 && !entered[static_cast<size_t>(operand)]) {
                    entered[static_cast<size_t>(operand)] = true;
                    stack.emplace_back(operand, 0);
                }
            }
        }
        m_order = std::move(sorted);
    }

    const proto::HloComputationProto& m_computation;
    std::unordered_map<int64_t, int> m_indexOf;
    std::vector<int> m_order;
    bool m_isScheduled = false;
};

// Order of the computations as XLA prints them: from each computation that nobody calls, depth first through the calls
// of its instructions in the order of their ids, callees completed first; the calls of one instruction are taken from
// the last to the first.
class ComputationOrder {
public:
    explicit ComputationOrder(const proto::HloModuleProto& module)
        : m_module(module), m_entered(static_cast<size_t>(module.computations_size()))
    {
        for (int i = 0; i < module.computations_size(); ++i)
            m_indexOf.emplace(module.computations(i).id(), i);
        std::vector<bool> isCalled(m_entered.size());
        for (const proto::HloComputationProto& computation : module.computations()) {
            for (const proto::HloInstructionProto& instruction : computation.instructions()) {
                for (const int64_t id : instruction.called_computation_ids()) {
                    if (const auto found = m_indexOf.find(id); found != m_indexOf.end())
                        isCalled[static_cast<size_t>(found->second)] = true;
                }
            }
        }
        for (int i = 0; i < module.computations_size(); ++i) {
            if (!isCalled[static_cast<size_t>(i)])
                visit(i);
        }
        // Only calls in a circle leave something over.
        for (int i = 0; i < module.computations_size(); ++i)
            visit(i);
    }

    const std::vector<int>& order() const { return m_order; }

private:
    using Callers = std::vector<const proto::HloInstructionProto*>;
    struct Step {
        int computation;
        Callers callers;
        size_t next;
    };

    void enter(int index)
    {
        if (m_entered[static_cast<size_t>(index)])
            return;
        m_entered[static_cast<size_t>(index)] = true;
        m_stack.push_back({index, callersIn(index), 0});
    }

    // Instructions that call something, by id.
    Callers callersIn(int index) const
    {
        Callers callers;
        for (const proto::HloInstructionProto& instruction : m_module.computations(index).instructions()) {
            if (instruction.called_computation_ids_size() > 0)
                callers.push_back(&instruction);
        }
        std::stable_sort(callers.begin(), callers.end(),
                         [](const auto* a, const auto* b) { return a->id() < b->id(); });
        return callers;
    }

    void visit(int start)
    {
        enter(start);
        while (!m_stack.empty()) {
            Step& step = m_stack.back();
            if (step.next == step.callers.size()) {
                m_order.push_back(step.computation);
                m_stack.pop_back();
                continue;
            }
            const auto& called = step.callers[step.next++]->called_computation_ids();
            for (int i = called.size(); i-- > 0;) {
                if (const auto found = m_indexOf.find(called.Get(i)); found != m_indexOf.end())
                    enter(found->second);
            }
        }
    }

    const proto::HloModuleProto& m_module;
    std::unordered_map<int64_t, int> m_indexOf;
    std::vector<bool> m_entered;
    std::vector<Step> m_stack;
    std::vector<int> m_order;
};

// Turns the messages of one module into the flat structure.
class ProtoModuleReader {
public:
    ProtoModuleReader(const proto::HloModuleProto& proto, HloModule& module, Progress* progress)
        : m_proto(proto), m_module(module), m_builder(module), m_progress(progress)
    {
    }

    // False on cancel.
    bool read();

private:
    void computation(const proto::HloComputationProto& proto);
    void instruction(const proto::HloInstructionProto& proto, const InstructionOrder& order, OpenComputation& open);
    void operands(const proto::HloInstructionProto& proto, const InstructionOrder& order, OpenComputation& open,
                  HloInstruction& op);
    void calls(const proto::HloInstructionProto& proto, HloInstruction& op);
    std::string_view payload(const proto::HloInstructionProto& proto, Opcode opcode);
    void resolveCalls();
    void chooseEntry();
    void report(std::string message);
    std::vector<int64_t> scheduleOf(int64_t computation) const;

    const proto::HloModuleProto& m_proto;
    HloModule& m_module;
    ModuleBuilder m_builder;
    Progress* m_progress;
    std::unordered_map<int64_t, ComputationId> m_computations; // by id in the file
    std::unordered_map<int64_t, std::string> m_computationNames;
    std::unordered_map<int64_t, size_t> m_schedules; // index of the sequence by computation id
    std::unordered_map<int, uint32_t> m_placeOf; // of the computation being read: index in the file -> instruction
    std::vector<std::pair<uint32_t, int64_t>> m_calls; // place in the pool, computation id in the file
};

void ProtoModuleReader::report(std::string message)
{
    m_module.problems.add(makeError(m_module.source->path(), std::move(message)));
}

bool ProtoModuleReader::read()
{
    readProtoHeader(m_proto, m_builder);
    for (const proto::HloComputationProto& computation : m_proto.computations())
        m_computationNames.emplace(computation.id(), computation.name());
    for (int i = 0; i < m_proto.schedule().sequences_size(); ++i)
        m_schedules.emplace(m_proto.schedule().sequences(i).key(), static_cast<size_t>(i));
    int done = 0;
    const ComputationOrder computations(m_proto);
    for (const int index : computations.order()) {
        if (m_progress != nullptr) {
            m_progress->report(Progress::Phase::Parsing, static_cast<double>(done++) / m_proto.computations_size());
            if (m_progress->isCancelled())
                return false;
        }
        computation(m_proto.computations(index));
    }
    chooseEntry();
    resolveCalls();
    for (size_t i = 0; i < m_module.computations.size(); ++i) {
        if (m_module.computations[i].isEntry)
            m_module.entry = ComputationId(i);
    }
    return true;
}

std::vector<int64_t> ProtoModuleReader::scheduleOf(int64_t computation) const
{
    const auto found = m_schedules.find(computation);
    if (found == m_schedules.end())
        return {};
    const auto& ids = m_proto.schedule().sequences(static_cast<int>(found->second)).value().instruction_ids();
    return {ids.begin(), ids.end()};
}

void ProtoModuleReader::computation(const proto::HloComputationProto& proto)
{
    if (proto.instructions_size() == 0) {
        report("the computation " + proto.name() + " is empty");
        return;
    }
    const InstructionOrder order(proto, scheduleOf(proto.id()));
    if (!order.isFullyScheduled())
        report("the schedule of " + proto.name() + " leaves out instructions");
    OpenComputation open(m_module.instructions, m_builder.scope());
    m_placeOf.clear();
    for (const int index : order.order()) {
        instruction(proto.instructions(index), order, open);
        const auto place = static_cast<uint32_t>(m_module.instructions.size() - 1);
        m_placeOf.emplace(index, place);
        if (order.find(proto.root_id()) == index)
            m_module.instructions[place].flags |= HloInstruction::IsRoot;
    }
    HloComputation header;
    header.name = m_builder.keep(proto.name());
    header.hasSignature = true;
    if (proto.execution_thread() != "main")
        header.executionThread = m_builder.keep(proto.execution_thread());
    m_computations.emplace(proto.id(), m_builder.addComputation(open, header));
}

void ProtoModuleReader::instruction(const proto::HloInstructionProto& proto, const InstructionOrder& order,
                                    OpenComputation& open)
{
    HloInstruction op;
    op.name = m_builder.keep(proto.name());
    op.opcode = opcodeFromName(proto.opcode());
    op.opcodeText = op.opcode != Opcode::Unknown ? opcodeName(op.opcode) : m_builder.keep(std::string(proto.opcode()));
    if (op.opcode == Opcode::Unknown)
        m_module.problems.count("unknown opcode " + proto.opcode().substr(0, 60));
    Shape shape = shapeFromProto(proto.shape());
    op.shape = m_builder.shape(Shape(shape));
    op.flags = HloInstruction::HasResultShape;
    op.payload = payload(proto, op.opcode);
    operands(proto, order, open, op);
    calls(proto, op);
    const Shape* firstOperand = op.operands.empty()
        ? nullptr
        : &m_module.shapes[m_module.instructions[m_module.operandPool[op.operands.begin].index()].shape.index()];
    ProtoNames names;
    names.computation = [this](int64_t id) {
        const auto found = m_computationNames.find(id);
        return '%' + (found != m_computationNames.end() ? found->second : "computation." + std::to_string(id));
    };
    names.instruction = [&](int64_t id) {
        const auto place = m_placeOf.find(order.find(id));
        return '%'
            + (place != m_placeOf.end() ? std::string(m_module.instructions[place->second].name)
                                        : "instruction." + std::to_string(id));
    };
    const std::vector<Attribute> attributes =
        attributesFromProto(proto, op.opcode, shape, firstOperand, m_proto, names, m_builder);
    op.attributes = {static_cast<uint32_t>(m_module.attributePool.size()), static_cast<uint32_t>(attributes.size())};
    m_module.attributePool.insert(m_module.attributePool.end(), attributes.begin(), attributes.end());
    if (!open.add(op))
        report("the name " + proto.name() + " is used twice in one computation");
}

std::string_view ProtoModuleReader::payload(const proto::HloInstructionProto& proto, Opcode opcode)
{
    if (opcode == Opcode::Parameter)
        return m_builder.keep(std::to_string(proto.parameter_number()));
    if (opcode == Opcode::Constant)
        return m_builder.keep(proto.has_literal() ? literalText(proto.literal()) : std::string("{...}"));
    return {};
}

void ProtoModuleReader::operands(const proto::HloInstructionProto& proto, const InstructionOrder& order,
                                 OpenComputation& open, HloInstruction& op)
{
    std::vector<InstructionId> found;
    for (const int64_t id : proto.operand_ids()) {
        const auto place = m_placeOf.find(order.find(id));
        if (place != m_placeOf.end()) {
            found.emplace_back(place->second);
            continue;
        }
        report("operand " + std::to_string(id) + " of " + proto.name() + " is not defined in front of it");
        HloInstruction standIn;
        standIn.name = m_builder.keep("instruction." + std::to_string(id));
        standIn.shape = m_builder.unknownShape();
        standIn.flags = HloInstruction::IsInline;
        open.add(standIn);
        found.emplace_back(m_module.instructions.size() - 1);
    }
    op.operands = {static_cast<uint32_t>(m_module.operandPool.size()), static_cast<uint32_t>(found.size())};
    m_module.operandPool.insert(m_module.operandPool.end(), found.begin(), found.end());
}

void ProtoModuleReader::calls(const proto::HloInstructionProto& proto, HloInstruction& op)
{
    std::vector<int64_t> ids(proto.called_computation_ids().begin(), proto.called_computation_ids().end());
    // Text names the condition of a loop first, the proto its body.
    if (op.opcode == Opcode::While)
        std::reverse(ids.begin(), ids.end());
    op.called = {static_cast<uint32_t>(m_module.calledPool.size()), static_cast<uint32_t>(ids.size())};
    for (const int64_t id : ids) {
        m_calls.emplace_back(static_cast<uint32_t>(m_module.calledPool.size()), id);
        m_module.calledPool.emplace_back();
    }
}

void ProtoModuleReader::resolveCalls()
{
    for (const auto& [place, id] : m_calls) {
        const auto found = m_computations.find(id);
        if (found != m_computations.end())
            m_module.calledPool[place] = found->second;
        else
            report("computation " + std::to_string(id) + " is called but not there");
    }
    for (const InstructionId id : orderByCalls(m_module))
        report("the call of " + std::string(m_module.instruction(id).name) + " leads back to itself");
}

void ProtoModuleReader::chooseEntry()
{
    if (m_module.computations.empty())
        return;
    size_t entry = m_module.computations.size() - 1;
    const auto byId = m_computations.find(m_proto.entry_computation_id());
    if (byId != m_computations.end()) {
        entry = byId->second.index();
    } else {
        for (size_t i = 0; i < m_module.computations.size(); ++i) {
            if (m_module.computations[i].name == m_proto.entry_computation_name())
                entry = i;
        }
    }
    m_module.computations[entry].isEntry = true;
}

Diagnostic notAModule(const FileBytes& source, std::string message)
{
    Diagnostic diagnostic = makeErrorAt(source.path(), 0, std::move(message));
    diagnostic.expected = "an HloProto, HloModuleProto or HloSnapshot";
    return diagnostic;
}

} // namespace

std::optional<HloProtoKind> probeHloProto(std::string_view bytes)
{
    if (looksLikeModule(bytes))
        return HloProtoKind::HloModuleProto;
    const std::string_view first = findField(bytes, 1).bytes;
    if (looksLikeModule(first))
        return HloProtoKind::HloProto;
    if (looksLikeModule(findField(first, 1).bytes))
        return HloProtoKind::HloSnapshot;
    return std::nullopt;
}

Expected<HloProtoFile> readHloProto(const std::shared_ptr<const FileBytes>& source, Progress* progress)
{
    return readHloProto(source, source->bytes(), progress);
}

Expected<HloProtoFile> readHloProto(const std::shared_ptr<const FileBytes>& source, std::string_view bytes,
                                    Progress* progress)
{
    if (bytes.size() > static_cast<size_t>(std::numeric_limits<int>::max()))
        return notAModule(*source, "a protobuf of more than 2 GiB");
    const std::optional<HloProtoKind> kind = probeHloProto(bytes);
    if (!kind)
        return notAModule(*source, "no HLO in these bytes");
    HloProtoFile file;
    file.kind = *kind;
    Field hlo{1, kLengthDelimited, bytes, false};
    if (*kind == HloProtoKind::HloSnapshot) {
        hlo = findField(bytes, 1);
        file.platform = findField(bytes, 4).bytes;
    }
    Field moduleField = hlo;
    if (*kind != HloProtoKind::HloModuleProto) {
        moduleField = findField(hlo.bytes, 1);
        const Field buffers = findField(hlo.bytes, 3);
        file.bufferAssignment = buffers.bytes;
        hlo.isCut = hlo.isCut || buffers.isCut;
    }
    const std::string_view moduleBytes = moduleField.bytes;
    const bool isCut = hlo.isCut || moduleField.isCut;

    google::protobuf::Arena arena;
    auto* proto = google::protobuf::Arena::CreateMessage<proto::HloModuleProto>(&arena);
    google::protobuf::io::ArrayInputStream array(moduleBytes.data(), static_cast<int>(moduleBytes.size()));
    google::protobuf::io::CodedInputStream stream(&array);
    stream.SetRecursionLimit(kMaxDepth);
    const bool complete = proto->ParsePartialFromCodedStream(&stream) && stream.ConsumedEntireMessage();

    auto module = std::make_shared<HloModule>();
    module->source = source;
    if (!complete || isCut)
        module->problems.add(makeErrorAt(source->path(),
                                         static_cast<uint64_t>(moduleBytes.data() - source->bytes().data()),
                                         "the module is cut off or damaged; what could be read is shown"));
    if (!ProtoModuleReader(*proto, *module, progress).read())
        return makeError(source->path(), "reading was cancelled");
    if (module->computations.empty())
        return notAModule(*source, "no computation in these bytes");
    module->finish();
    file.module = std::move(module);
    return file;
}

} // namespace hloscope
