// SPDX-License-Identifier: Apache-2.0
#include "views/words/opcode_words.h"

#include "views/words/words_tr.h"

#include <algorithm>
#include <array>
#include <utility>

namespace hloscope {

namespace {

struct OpcodeEntry {
    Opcode opcode;
    const char* meaning;
};

// In the order of the enum, so that a look-up is an index; opcodeMeaning() checks it.
constexpr OpcodeEntry kOpcodes[] = {
    {Opcode::Unknown, QT_TRANSLATE_NOOP("Words", "an opcode that is not in XLA's list")},
    {Opcode::Abs, QT_TRANSLATE_NOOP("Words", "absolute value of each element; the magnitude of complex numbers")},
    {Opcode::Acos, QT_TRANSLATE_NOOP("Words", "arc cosine of each element")},
    {Opcode::Acosh, QT_TRANSLATE_NOOP("Words", "inverse hyperbolic cosine of each element")},
    {Opcode::Add, QT_TRANSLATE_NOOP("Words", "sum of two arrays, element by element; or for pred")},
    {Opcode::AddDependency, QT_TRANSLATE_NOOP("Words", "passes its first operand on once its second has happened")},
    {Opcode::AfterAll, QT_TRANSLATE_NOOP("Words", "joins tokens, so that what follows waits for all of them")},
    {Opcode::AllGather,
     QT_TRANSLATE_NOOP("Words", "collects the parts of all devices of a group, so that each device has the whole")},
    {Opcode::AllGatherDone, QT_TRANSLATE_NOOP("Words", "waits for the all-gather that its operand started")},
    {Opcode::AllGatherStart, QT_TRANSLATE_NOOP("Words", "starts an all-gather that runs beside other work")},
    {Opcode::AllReduce,
     QT_TRANSLATE_NOOP("Words",
                       "combines the values of all devices of a group, element by element, and gives all the result")},
    {Opcode::AllReduceDone, QT_TRANSLATE_NOOP("Words", "waits for the all-reduce that its operand started")},
    {Opcode::AllReduceStart, QT_TRANSLATE_NOOP("Words", "starts an all-reduce that runs beside other work")},
    {Opcode::AllToAll,
     QT_TRANSLATE_NOOP("Words", "each device of a group sends a different block to each of the others")},
    {Opcode::And, QT_TRANSLATE_NOOP("Words", "bitwise or logical and, element by element")},
    {Opcode::Asin, QT_TRANSLATE_NOOP("Words", "arc sine of each element")},
    {Opcode::Asinh, QT_TRANSLATE_NOOP("Words", "inverse hyperbolic sine of each element")},
    {Opcode::AsyncDone, QT_TRANSLATE_NOOP("Words", "waits for the work that its operand started")},
    {Opcode::AsyncStart, QT_TRANSLATE_NOOP("Words", "starts a computation that runs beside other work")},
    {Opcode::AsyncUpdate, QT_TRANSLATE_NOOP("Words", "a point between the start and the end of work running beside")},
    {Opcode::Atan2, QT_TRANSLATE_NOOP("Words", "angle of the point (x, y), from y and x, element by element")},
    {Opcode::Atanh, QT_TRANSLATE_NOOP("Words", "inverse hyperbolic tangent of each element")},
    {Opcode::BatchNormGrad, QT_TRANSLATE_NOOP("Words", "gradients of a batch normalisation")},
    {Opcode::BatchNormInference, QT_TRANSLATE_NOOP("Words", "batch normalisation with given mean and variance")},
    {Opcode::BatchNormTraining,
     QT_TRANSLATE_NOOP("Words", "batch normalisation that computes mean and variance itself")},
    {Opcode::Bitcast, QT_TRANSLATE_NOOP("Words", "reads the same bytes under another shape or layout; nothing moves")},
    {Opcode::BitcastConvert, QT_TRANSLATE_NOOP("Words", "reads the same bits as another element type")},
    {Opcode::Broadcast, QT_TRANSLATE_NOOP("Words", "repeats its operand along new dimensions")},
    {Opcode::Call, QT_TRANSLATE_NOOP("Words", "runs another computation")},
    {Opcode::Cbrt, QT_TRANSLATE_NOOP("Words", "cube root of each element")},
    {Opcode::Ceil, QT_TRANSLATE_NOOP("Words", "each element rounded up to a whole number")},
    {Opcode::Cholesky, QT_TRANSLATE_NOOP("Words", "Cholesky factor of each matrix")},
    {Opcode::Clamp, QT_TRANSLATE_NOOP("Words", "each element kept between a lower and an upper bound")},
    {Opcode::CollectiveBroadcast,
     QT_TRANSLATE_NOOP("Words", "the first device of a group sends its value to all others")},
    {Opcode::CollectivePermute, QT_TRANSLATE_NOOP("Words", "each device sends its value to one given other device")},
    {Opcode::CollectivePermuteDone, QT_TRANSLATE_NOOP("Words", "waits for the permute that its operand started")},
    {Opcode::CollectivePermuteStart,
     QT_TRANSLATE_NOOP("Words", "starts a collective-permute that runs beside other work")},
    {Opcode::Compare, QT_TRANSLATE_NOOP("Words", "compares two arrays, element by element; the result is pred")},
    {Opcode::Complex, QT_TRANSLATE_NOOP("Words", "complex numbers from real and imaginary parts")},
    {Opcode::Concatenate, QT_TRANSLATE_NOOP("Words", "puts arrays one behind the other along a dimension")},
    {Opcode::Conditional, QT_TRANSLATE_NOOP("Words", "runs one of several computations, chosen by its first operand")},
    {Opcode::Constant, QT_TRANSLATE_NOOP("Words", "a value that the compiler knows")},
    {Opcode::Convert, QT_TRANSLATE_NOOP("Words", "each element converted to another number type")},
    {Opcode::Convolution,
     QT_TRANSLATE_NOOP("Words", "convolution; without a window it is a matrix multiplication, as TPUs write it")},
    {Opcode::Copy, QT_TRANSLATE_NOOP("Words", "copies an array, often into another layout or memory")},
    {Opcode::CopyDone, QT_TRANSLATE_NOOP("Words", "waits for the copy that its operand started")},
    {Opcode::CopyStart, QT_TRANSLATE_NOOP("Words", "starts a copy that runs beside other work")},
    {Opcode::Cosh, QT_TRANSLATE_NOOP("Words", "hyperbolic cosine of each element")},
    {Opcode::Cosine, QT_TRANSLATE_NOOP("Words", "cosine of each element")},
    {Opcode::CountLeadingZeros, QT_TRANSLATE_NOOP("Words", "number of zero bits before the highest one bit")},
    {Opcode::CustomCall, QT_TRANSLATE_NOOP("Words", "runs code that XLA only knows by the name of its target")},
    {Opcode::Divide, QT_TRANSLATE_NOOP("Words", "quotient of two arrays, element by element")},
    {Opcode::Domain, QT_TRANSLATE_NOOP("Words", "border between parts of the program with different shardings")},
    {Opcode::Dot, QT_TRANSLATE_NOOP("Words", "matrix product: multiplies and sums over the contracting dimensions")},
    {Opcode::DynamicReshape, QT_TRANSLATE_NOOP("Words", "the same elements under sizes known only at run time")},
    {Opcode::DynamicSlice, QT_TRANSLATE_NOOP("Words", "cuts out a block of fixed size at a place known at run time")},
    {Opcode::DynamicUpdateSlice,
     QT_TRANSLATE_NOOP("Words", "writes its second operand into the first at a place known at run time")},
    {Opcode::Erf, QT_TRANSLATE_NOOP("Words", "error function of each element")},
    {Opcode::Exponential, QT_TRANSLATE_NOOP("Words", "e to the power of each element")},
    {Opcode::ExponentialMinusOne, QT_TRANSLATE_NOOP("Words", "e to the power of each element, less one")},
    {Opcode::Fft, QT_TRANSLATE_NOOP("Words", "Fourier transform over the last dimensions")},
    {Opcode::Floor, QT_TRANSLATE_NOOP("Words", "each element rounded down to a whole number")},
    {Opcode::Fusion, QT_TRANSLATE_NOOP("Words", "several ops compiled as one; the values in between are never stored")},
    {Opcode::Gather, QT_TRANSLATE_NOOP("Words", "picks slices out of an array at the given indices")},
    {Opcode::GetDimensionSize, QT_TRANSLATE_NOOP("Words", "size that a dimension has at run time")},
    {Opcode::GetTupleElement, QT_TRANSLATE_NOOP("Words", "one part of a tuple; nothing moves")},
    {Opcode::Imag, QT_TRANSLATE_NOOP("Words", "imaginary part of each element")},
    {Opcode::Infeed, QT_TRANSLATE_NOOP("Words", "takes data that the host has queued")},
    {Opcode::Iota, QT_TRANSLATE_NOOP("Words", "counts 0, 1, 2, ... along one dimension")},
    {Opcode::IsFinite, QT_TRANSLATE_NOOP("Words", "whether each element is neither infinite nor NaN")},
    {Opcode::Log, QT_TRANSLATE_NOOP("Words", "natural logarithm of each element")},
    {Opcode::LogPlusOne, QT_TRANSLATE_NOOP("Words", "natural logarithm of one plus each element")},
    {Opcode::Logistic, QT_TRANSLATE_NOOP("Words", "sigmoid, 1 / (1 + e^-x), of each element")},
    {Opcode::Map, QT_TRANSLATE_NOOP("Words", "applies a computation to each element")},
    {Opcode::Maximum, QT_TRANSLATE_NOOP("Words", "the larger of two elements, element by element")},
    {Opcode::Minimum, QT_TRANSLATE_NOOP("Words", "the smaller of two elements, element by element")},
    {Opcode::Mulhi, QT_TRANSLATE_NOOP("Words", "upper half of the product of two integers")},
    {Opcode::Multiply, QT_TRANSLATE_NOOP("Words", "product of two arrays, element by element; and for pred")},
    {Opcode::Negate, QT_TRANSLATE_NOOP("Words", "each element with the other sign")},
    {Opcode::Not, QT_TRANSLATE_NOOP("Words", "bitwise or logical not of each element")},
    {Opcode::OptBarrier, QT_TRANSLATE_NOOP("Words", "passes its operand on; no optimisation may cross it")},
    {Opcode::Or, QT_TRANSLATE_NOOP("Words", "bitwise or logical or, element by element")},
    {Opcode::Outfeed, QT_TRANSLATE_NOOP("Words", "queues data for the host")},
    {Opcode::Pad, QT_TRANSLATE_NOOP("Words", "adds elements of one value around or between those of an array")},
    {Opcode::Parameter, QT_TRANSLATE_NOOP("Words", "an argument of the computation")},
    {Opcode::PartitionId, QT_TRANSLATE_NOOP("Words", "number of the partition that runs this")},
    {Opcode::Popcnt, QT_TRANSLATE_NOOP("Words", "number of one bits in each element")},
    {Opcode::Power, QT_TRANSLATE_NOOP("Words", "the first operand to the power of the second, element by element")},
    {Opcode::RaggedAllToAll, QT_TRANSLATE_NOOP("Words", "an all-to-all whose block sizes are known only at run time")},
    {Opcode::RaggedDot, QT_TRANSLATE_NOOP("Words", "matrix products of groups of rows, each with its own matrix")},
    {Opcode::Real, QT_TRANSLATE_NOOP("Words", "real part of each element")},
    {Opcode::Recv, QT_TRANSLATE_NOOP("Words", "starts to receive what is sent on its channel")},
    {Opcode::RecvDone, QT_TRANSLATE_NOOP("Words", "waits for the receive that its operand started")},
    {Opcode::Reduce, QT_TRANSLATE_NOOP("Words", "folds dimensions away, for example by adding up")},
    {Opcode::ReducePrecision, QT_TRANSLATE_NOOP("Words", "rounds each element to fewer exponent and mantissa bits")},
    {Opcode::ReduceScatter,
     QT_TRANSLATE_NOOP("Words",
                       "combines the values of all devices of a group; each keeps its own part of the result")},
    {Opcode::ReduceWindow, QT_TRANSLATE_NOOP("Words", "folds the elements under a moving window, as in pooling")},
    {Opcode::Remainder, QT_TRANSLATE_NOOP("Words", "remainder of a division, with the sign of the dividend")},
    {Opcode::ReplicaId, QT_TRANSLATE_NOOP("Words", "number of the replica that runs this")},
    {Opcode::Reshape, QT_TRANSLATE_NOOP("Words", "the same elements under other dimensions")},
    {Opcode::Reverse, QT_TRANSLATE_NOOP("Words", "turns the order of the elements around along some dimensions")},
    {Opcode::Rng, QT_TRANSLATE_NOOP("Words", "random numbers of a given distribution")},
    {Opcode::RngBitGenerator, QT_TRANSLATE_NOOP("Words", "random bits, and the generator's next state")},
    {Opcode::RngGetAndUpdateState, QT_TRANSLATE_NOOP("Words", "reads the program's random state and moves it on")},
    {Opcode::RoundNearestAfz, QT_TRANSLATE_NOOP("Words", "each element rounded, halves away from zero")},
    {Opcode::RoundNearestEven, QT_TRANSLATE_NOOP("Words", "each element rounded, halves to the even number")},
    {Opcode::Rsqrt, QT_TRANSLATE_NOOP("Words", "one over the square root of each element")},
    {Opcode::ScaledDot, QT_TRANSLATE_NOOP("Words", "matrix product whose operands carry a scale per block")},
    {Opcode::Scan, QT_TRANSLATE_NOOP("Words", "runs along a dimension and carries values from step to step")},
    {Opcode::Scatter, QT_TRANSLATE_NOOP("Words", "combines updates into an array at the given indices")},
    {Opcode::Select, QT_TRANSLATE_NOOP("Words", "takes each element from one of two arrays, as a pred array says")},
    {Opcode::SelectAndScatter,
     QT_TRANSLATE_NOOP("Words", "gradient of a pooling: adds to the element that was chosen")},
    {Opcode::Send, QT_TRANSLATE_NOOP("Words", "starts to send its operand on a channel")},
    {Opcode::SendDone, QT_TRANSLATE_NOOP("Words", "waits for the send that its operand started")},
    {Opcode::SetDimensionSize, QT_TRANSLATE_NOOP("Words", "sets the size that a dimension has at run time")},
    {Opcode::ShiftLeft, QT_TRANSLATE_NOOP("Words", "shifts the bits of each element to the left")},
    {Opcode::ShiftRightArithmetic,
     QT_TRANSLATE_NOOP("Words", "shifts the bits of each element to the right and keeps the sign")},
    {Opcode::ShiftRightLogical,
     QT_TRANSLATE_NOOP("Words", "shifts the bits of each element to the right and fills with zeros")},
    {Opcode::Sign, QT_TRANSLATE_NOOP("Words", "sign of each element: -1, 0 or 1")},
    {Opcode::Sine, QT_TRANSLATE_NOOP("Words", "sine of each element")},
    {Opcode::Sinh, QT_TRANSLATE_NOOP("Words", "hyperbolic sine of each element")},
    {Opcode::Slice, QT_TRANSLATE_NOOP("Words", "cuts a block out of an array at a fixed place")},
    {Opcode::Sort, QT_TRANSLATE_NOOP("Words", "sorts along a dimension with a comparison of its own")},
    {Opcode::Sqrt, QT_TRANSLATE_NOOP("Words", "square root of each element")},
    {Opcode::StochasticConvert, QT_TRANSLATE_NOOP("Words", "converts with a rounding that random bits decide")},
    {Opcode::Subtract, QT_TRANSLATE_NOOP("Words", "difference of two arrays, element by element")},
    {Opcode::Tan, QT_TRANSLATE_NOOP("Words", "tangent of each element")},
    {Opcode::Tanh, QT_TRANSLATE_NOOP("Words", "hyperbolic tangent of each element")},
    {Opcode::Topk, QT_TRANSLATE_NOOP("Words", "the k largest or smallest elements and where they were")},
    {Opcode::Transpose, QT_TRANSLATE_NOOP("Words", "puts the dimensions of an array in another order")},
    {Opcode::TriangularSolve, QT_TRANSLATE_NOOP("Words", "solves linear systems with triangular matrices")},
    {Opcode::Tuple, QT_TRANSLATE_NOOP("Words", "puts values together into a tuple")},
    {Opcode::While, QT_TRANSLATE_NOOP("Words", "repeats a body as long as a condition holds")},
    {Opcode::Xor, QT_TRANSLATE_NOOP("Words", "bitwise or logical exclusive or, element by element")},
};

constexpr bool isInEnumOrder()
{
    for (size_t i = 0; i < std::size(kOpcodes); ++i) {
        if (static_cast<size_t>(kOpcodes[i].opcode) != i)
            return false;
    }
    return true;
}
static_assert(isInEnumOrder());
static_assert(std::size(kOpcodes) == static_cast<size_t>(Opcode::Xor) + 1);

struct KeyEntry {
    std::string_view key;
    const char* meaning;
};

constexpr KeyEntry kAttributes[] = {
    {"algorithm", QT_TRANSLATE_NOOP("Words", "which algorithm to use")},
    {"api_version", QT_TRANSLATE_NOOP("Words", "how the target of the custom call is called")},
    {"backend_config", QT_TRANSLATE_NOOP("Words", "what the back end decided for this op: windows, estimates, memory")},
    {"body", QT_TRANSLATE_NOOP("Words", "computation that the loop repeats")},
    {"branch_computations", QT_TRANSLATE_NOOP("Words", "computations to choose from")},
    {"calls", QT_TRANSLATE_NOOP("Words", "computation that this op runs")},
    {"channel_id", QT_TRANSLATE_NOOP("Words", "channel that ties the two ends of a transfer together")},
    {"condition", QT_TRANSLATE_NOOP("Words", "computation that says whether the loop goes on")},
    {"control-predecessors", QT_TRANSLATE_NOOP("Words", "ops that must have run before, though no data flows")},
    {"custom_call_target", QT_TRANSLATE_NOOP("Words", "name of the code that is called")},
    {"dim_labels",
     QT_TRANSLATE_NOOP("Words", "role of each dimension of input, kernel and output: batch, feature, space")},
    {"dimensions", QT_TRANSLATE_NOOP("Words", "dimensions that the op works along")},
    {"direction", QT_TRANSLATE_NOOP("Words", "the comparison: EQ, NE, GE, GT, LE or LT")},
    {"dynamic_slice_sizes", QT_TRANSLATE_NOOP("Words", "size of the block that is cut out")},
    {"feature_group_count", QT_TRANSLATE_NOOP("Words", "groups of features that are convolved apart from each other")},
    {"frontend_attributes", QT_TRANSLATE_NOOP("Words", "notes that the framework left for the compiler")},
    {"index", QT_TRANSLATE_NOOP("Words", "which part of the tuple, from 0")},
    {"iota_dimension", QT_TRANSLATE_NOOP("Words", "dimension along which it counts")},
    {"is_scheduled", QT_TRANSLATE_NOOP("Words", "the order of the lines is the order of execution")},
    {"is_stable", QT_TRANSLATE_NOOP("Words", "equal elements keep their order")},
    {"kind", QT_TRANSLATE_NOOP("Words", "how the fusion is built")},
    {"lhs_batch_dims", QT_TRANSLATE_NOOP("Words", "dimensions of the first operand that number the products")},
    {"lhs_contracting_dims", QT_TRANSLATE_NOOP("Words", "dimensions of the first operand that are summed over")},
    {"metadata", QT_TRANSLATE_NOOP("Words", "where the op comes from: named scopes and source")},
    {"operand_precision", QT_TRANSLATE_NOOP("Words", "precision wanted for each operand")},
    {"output_to_operand_aliasing",
     QT_TRANSLATE_NOOP("Words", "outputs that are written into the buffer of an operand")},
    {"padding", QT_TRANSLATE_NOOP("Words", "elements added before, behind and between, per dimension")},
    {"replica_groups", QT_TRANSLATE_NOOP("Words", "devices that take part together")},
    {"rhs_batch_dims", QT_TRANSLATE_NOOP("Words", "dimensions of the second operand that number the products")},
    {"rhs_contracting_dims", QT_TRANSLATE_NOOP("Words", "dimensions of the second operand that are summed over")},
    {"sharding", QT_TRANSLATE_NOOP("Words", "how the value is spread over devices")},
    {"slice", QT_TRANSLATE_NOOP("Words", "start and end of the block in each dimension")},
    {"slice_sizes", QT_TRANSLATE_NOOP("Words", "size of each slice that is picked")},
    {"source_target_pairs", QT_TRANSLATE_NOOP("Words", "which device sends to which")},
    {"to_apply", QT_TRANSLATE_NOOP("Words", "computation that combines two values")},
    {"use_global_device_ids", QT_TRANSLATE_NOOP("Words", "the groups number devices, not replicas")},
    {"window", QT_TRANSLATE_NOOP("Words", "the moving window: size, stride, padding and dilation")},
};

} // namespace

QString opcodeMeaning(Opcode opcode)
{
    return Words::tr(kOpcodes[static_cast<size_t>(opcode)].meaning);
}

QString categoryName(OpCategory category)
{
    switch (category) {
    case OpCategory::Matmul:
        return Words::tr("Matmul");
    case OpCategory::Pointwise:
        return Words::tr("Pointwise");
    case OpCategory::Reduce:
        return Words::tr("Reduce");
    case OpCategory::DataMovement:
        return Words::tr("Data movement");
    case OpCategory::Collective:
        return Words::tr("Collective");
    case OpCategory::AsyncDma:
        return Words::tr("Async DMA");
    case OpCategory::ControlFlow:
        return Words::tr("Control flow");
    case OpCategory::CustomCall:
        return Words::tr("Custom call");
    case OpCategory::Host:
        return Words::tr("Host");
    case OpCategory::Idle:
        return Words::tr("Idle");
    }
    return {};
}

QString fusionKindMeaning(std::string_view kind)
{
    if (kind == "kLoop")
        return Words::tr("one loop over the elements of the result");
    if (kind == "kInput")
        return Words::tr("built around a reduction, whose input is computed on the way in");
    if (kind == "kOutput")
        return Words::tr("built around a matmul or convolution, whose output is worked on before it is stored");
    if (kind == "kCustom")
        return Words::tr("a pattern for which the back end has code of its own");
    return {};
}

QString attributeMeaning(std::string_view key)
{
    const auto* entry = std::find_if(std::begin(kAttributes), std::end(kAttributes),
                                     [key](const KeyEntry& candidate) { return candidate.key == key; });
    return entry == std::end(kAttributes) ? QString() : Words::tr(entry->meaning);
}

} // namespace hloscope
