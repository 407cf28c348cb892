// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/opcode.h"

#include "core/hlo/text_cursor.h"

#include <array>

namespace hloscope {
namespace {

constexpr int8_t kVariadic = -1;

struct OpcodeInfo {
    std::string_view name;
    int8_t arity;
};

// Indexed by Opcode.
constexpr std::array<OpcodeInfo, 134> kOpcodes{{
    {"", kVariadic},
    {"abs", 1},
    {"acos", 1},
    {"acosh", 1},
    {"add", 2},
    {"add-dependency", 2},
    {"after-all", kVariadic},
    {"all-gather", kVariadic},
    {"all-gather-done", 1},
    {"all-gather-start", kVariadic},
    {"all-reduce", kVariadic},
    {"all-reduce-done", 1},
    {"all-reduce-start", kVariadic},
    {"all-to-all", kVariadic},
    {"and", 2},
    {"asin", 1},
    {"asinh", 1},
    {"async-done", 1},
    {"async-start", kVariadic},
    {"async-update", kVariadic},
    {"atan2", 2},
    {"atanh", 1},
    {"batch-norm-grad", 5},
    {"batch-norm-inference", 5},
    {"batch-norm-training", 3},
    {"bitcast", 1},
    {"bitcast-convert", 1},
    {"broadcast", 1},
    {"call", kVariadic},
    {"cbrt", 1},
    {"ceil", 1},
    {"cholesky", 1},
    {"clamp", 3},
    {"collective-broadcast", kVariadic},
    {"collective-permute", kVariadic},
    {"collective-permute-done", 1},
    {"collective-permute-start", kVariadic},
    {"compare", 2},
    {"complex", 2},
    {"concatenate", kVariadic},
    {"conditional", kVariadic},
    {"constant", 0},
    {"convert", 1},
    {"convolution", kVariadic},
    {"copy", 1},
    {"copy-done", 1},
    {"copy-start", 1},
    {"cosh", 1},
    {"cosine", 1},
    {"count-leading-zeros", 1},
    {"custom-call", kVariadic},
    {"divide", 2},
    {"domain", 1},
    {"dot", 2},
    {"dynamic-reshape", kVariadic},
    {"dynamic-slice", kVariadic},
    {"dynamic-update-slice", kVariadic},
    {"erf", 1},
    {"exponential", 1},
    {"exponential-minus-one", 1},
    {"fft", 1},
    {"floor", 1},
    {"fusion", kVariadic},
    {"gather", 2},
    {"get-dimension-size", 1},
    {"get-tuple-element", 1},
    {"imag", 1},
    {"infeed", 1},
    {"iota", 0},
    {"is-finite", 1},
    {"log", 1},
    {"log-plus-one", 1},
    {"logistic", 1},
    {"map", kVariadic},
    {"maximum", 2},
    {"minimum", 2},
    {"mulhi", 2},
    {"multiply", 2},
    {"negate", 1},
    {"not", 1},
    {"opt-barrier", 1},
    {"or", 2},
    {"outfeed", 2},
    {"pad", 2},
    {"parameter", 0},
    {"partition-id", 0},
    {"popcnt", 1},
    {"power", 2},
    {"ragged-all-to-all", 6},
    {"ragged-dot", 3},
    {"real", 1},
    {"recv", 1},
    {"recv-done", 1},
    {"reduce", kVariadic},
    {"reduce-precision", 1},
    {"reduce-scatter", kVariadic},
    {"reduce-window", kVariadic},
    {"remainder", 2},
    {"replica-id", 0},
    {"reshape", 1},
    {"reverse", 1},
    {"rng", kVariadic},
    {"rng-bit-generator", 1},
    {"rng-get-and-update-state", 0},
    {"round-nearest-afz", 1},
    {"round-nearest-even", 1},
    {"rsqrt", 1},
    {"scaled-dot", 4},
    {"scan", kVariadic},
    {"scatter", kVariadic},
    {"select", 3},
    {"select-and-scatter", 3},
    {"send", 2},
    {"send-done", 1},
    {"set-dimension-size", 2},
    {"shift-left", 2},
    {"shift-right-arithmetic", 2},
    {"shift-right-logical", 2},
    {"sign", 1},
    {"sine", 1},
    {"sinh", 1},
    {"slice", 1},
    {"sort", kVariadic},
    {"sqrt", 1},
    {"stochastic-convert", 2},
    {"subtract", 2},
    {"tan", 1},
    {"tanh", 1},
    {"topk", 1},
    {"transpose", 1},
    {"triangular-solve", 2},
    {"tuple", kVariadic},
    {"while", 1},
    {"xor", 2},
}};
static_assert(kOpcodes.size() == static_cast<size_t>(Opcode::Xor) + 1);

// Spellings that later versions renamed without changing what the op does.
constexpr std::array<std::pair<std::string_view, Opcode>, 2> kOldNames{{
    {"cross-replica-sum", Opcode::AllReduce},
    {"generate-token", Opcode::AfterAll},
}};

// Open addressing over hashName(): the parser looks up one opcode per instruction.
class OpcodeTable {
public:
    OpcodeTable()
    {
        for (size_t i = 1; i < kOpcodes.size(); ++i)
            insert(kOpcodes[i].name, static_cast<Opcode>(i));
        for (const auto& [name, opcode] : kOldNames)
            insert(name, opcode);
    }

    Opcode find(std::string_view name) const
    {
        for (size_t slot = hashName(name) % kSlots;; slot = (slot + 1) % kSlots) {
            if (m_slots[slot].name.empty() || m_slots[slot].name == name)
                return m_slots[slot].opcode;
        }
    }

private:
    static constexpr size_t kSlots = 1024;
    struct Slot {
        std::string_view name;
        Opcode opcode = Opcode::Unknown;
    };

    void insert(std::string_view name, Opcode opcode)
    {
        size_t slot = hashName(name) % kSlots;
        while (!m_slots[slot].name.empty())
            slot = (slot + 1) % kSlots;
        m_slots[slot] = {name, opcode};
    }

    std::array<Slot, kSlots> m_slots{};
};

} // namespace

std::string_view opcodeName(Opcode opcode)
{
    const auto index = static_cast<size_t>(opcode);
    return index < kOpcodes.size() ? kOpcodes[index].name : std::string_view();
}

Opcode opcodeFromName(std::string_view name)
{
    static const OpcodeTable table;
    return name.empty() ? Opcode::Unknown : table.find(name);
}

std::optional<int> opcodeArity(Opcode opcode)
{
    const auto index = static_cast<size_t>(opcode);
    if (index >= kOpcodes.size() || kOpcodes[index].arity == kVariadic)
        return std::nullopt;
    return kOpcodes[index].arity;
}

bool isElementwise(Opcode opcode)
{
    switch (opcode) {
    case Opcode::Abs:
    case Opcode::Acos:
    case Opcode::Acosh:
    case Opcode::Add:
    case Opcode::And:
    case Opcode::Asin:
    case Opcode::Asinh:
    case Opcode::Atan2:
    case Opcode::Atanh:
    case Opcode::BitcastConvert:
    case Opcode::Cbrt:
    case Opcode::Ceil:
    case Opcode::Clamp:
    case Opcode::Compare:
    case Opcode::Complex:
    case Opcode::Convert:
    case Opcode::Copy:
    case Opcode::Cosh:
    case Opcode::Cosine:
    case Opcode::CountLeadingZeros:
    case Opcode::Divide:
    case Opcode::Erf:
    case Opcode::Exponential:
    case Opcode::ExponentialMinusOne:
    case Opcode::Floor:
    case Opcode::Imag:
    case Opcode::IsFinite:
    case Opcode::Log:
    case Opcode::LogPlusOne:
    case Opcode::Logistic:
    case Opcode::Map:
    case Opcode::Maximum:
    case Opcode::Minimum:
    case Opcode::Mulhi:
    case Opcode::Multiply:
    case Opcode::Negate:
    case Opcode::Not:
    case Opcode::Or:
    case Opcode::Popcnt:
    case Opcode::Power:
    case Opcode::Real:
    case Opcode::ReducePrecision:
    case Opcode::Remainder:
    case Opcode::RoundNearestAfz:
    case Opcode::RoundNearestEven:
    case Opcode::Rsqrt:
    case Opcode::Select:
    case Opcode::ShiftLeft:
    case Opcode::ShiftRightArithmetic:
    case Opcode::ShiftRightLogical:
    case Opcode::Sign:
    case Opcode::Sine:
    case Opcode::Sinh:
    case Opcode::Sqrt:
    case Opcode::StochasticConvert:
    case Opcode::Subtract:
    case Opcode::Tan:
    case Opcode::Tanh:
    case Opcode::Xor:
        return true;
    default:
        return false;
    }
}

bool isTranscendental(Opcode opcode)
{
    switch (opcode) {
    case Opcode::Acos:
    case Opcode::Acosh:
    case Opcode::Asin:
    case Opcode::Asinh:
    case Opcode::Atan2:
    case Opcode::Atanh:
    case Opcode::Cbrt:
    case Opcode::Cosh:
    case Opcode::Cosine:
    case Opcode::Erf:
    case Opcode::Exponential:
    case Opcode::ExponentialMinusOne:
    case Opcode::Log:
    case Opcode::LogPlusOne:
    case Opcode::Logistic:
    case Opcode::Power:
    case Opcode::Rsqrt:
    case Opcode::Sine:
    case Opcode::Sinh:
    case Opcode::Sqrt:
    case Opcode::Tan:
    case Opcode::Tanh:
        return true;
    default:
        return false;
    }
}

bool isCollective(Opcode opcode)
{
    switch (opcode) {
    case Opcode::AllGather:
    case Opcode::AllGatherDone:
    case Opcode::AllGatherStart:
    case Opcode::AllReduce:
    case Opcode::AllReduceDone:
    case Opcode::AllReduceStart:
    case Opcode::AllToAll:
    case Opcode::CollectiveBroadcast:
    case Opcode::CollectivePermute:
    case Opcode::CollectivePermuteDone:
    case Opcode::CollectivePermuteStart:
    case Opcode::RaggedAllToAll:
    case Opcode::ReduceScatter:
        return true;
    default:
        return false;
    }
}

} // namespace hloscope
