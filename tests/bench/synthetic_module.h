// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hlo/hlo_text.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

namespace hloscope::bench {

// A scheduled module with about `instructions` instructions in the shape of an unrolled training step: layers of
// matmuls, a residual sum that is read far later, weight prefetches, and one loop over 100 carried arrays.
inline std::string syntheticText(int instructions)
{
    const auto number = [](int value) { return std::to_string(value); };
    const std::string array = "bf16[1024,1024]{1,0:T(8,128)(2,1)}";
    const std::string fast = "bf16[1024,1024]{1,0:T(8,128)(2,1)S(1)}";
    constexpr int kCarried = 100;
    std::string state = "(s32[]";
    for (int i = 1; i <= kCarried; ++i)
        state += ", " + array;
    state += ")";

    std::string text = "HloModule synthetic, is_scheduled=true\n\n%cond (c: " + state + ") -> pred[] {\n  %c = " + state
        + " parameter(0)\n  %ci = s32[] get-tuple-element(%c), index=0\n  %cn = s32[] constant(8)\n"
          "  ROOT %lt = pred[] compare(%ci, %cn), direction=LT\n}\n\n%body (b: "
        + state + ") -> " + state + " {\n  %b = " + state
        + " parameter(0)\n  %bi = s32[] get-tuple-element(%b), index=0\n  %one = s32[] constant(1)\n"
          "  %next = s32[] add(%bi, %one)\n";
    std::string results = "%next";
    for (int i = 1; i <= kCarried; ++i) {
        text += "  %e" + number(i) + " = " + array + " get-tuple-element(%b), index=" + number(i) + "\n  %m" + number(i)
            + " = " + array + " multiply(%e" + number(i) + ", %e" + number(i) + ")\n";
        results += ", %m" + number(i);
    }
    text += "  ROOT %bt = " + state + " tuple(" + results + ")\n}\n\nENTRY %main (x: " + array + ", w: " + array
        + ") -> " + array + " {\n  %x = " + array + " parameter(0)\n  %w = " + array + " parameter(1)\n";
    std::string last = "%x";
    for (int i = 0; i < instructions / 6; ++i) {
        const std::string n = number(i);
        const std::string scope = ", metadata={op_name=\"jit(f)/layer_" + number(i / 10) + "/mlp/op\"}\n";
        text += "  %st" + n + " = (" + fast + ", " + array + ", u32[]{:S(2)}) copy-start(%w)\n  %a" + n + " = " + array
            + " dot(" + last + ", %w), lhs_contracting_dims={1}, rhs_contracting_dims={0}" + scope + "  %d" + n + " = "
            + fast + " copy-done(%st" + n + ")\n  %g" + n + " = " + array + " dot(%a" + n + ", %d" + n
            + "), lhs_contracting_dims={1}, rhs_contracting_dims={0}" + scope + "  %v" + n + " = " + array
            + " bitcast(%g" + n + ")\n  %s" + n + " = " + array + " add(" + last + ", %v" + n + ")" + scope;
        last = "%s" + n;
    }
    std::string init = "%zero";
    for (int i = 1; i <= kCarried; ++i)
        init += ", " + last;
    text += "  %zero = s32[] constant(0)\n  %init = " + state + " tuple(" + init + ")\n  %loop = " + state
        + " while(%init), condition=%cond, body=%body\n  ROOT %r = " + array
        + " get-tuple-element(%loop), index=1\n}\n";
    return text;
}

inline std::shared_ptr<const HloModule> syntheticModule(int instructions)
{
    auto module = parseHloText(FileBytes::fromString(syntheticText(instructions), "synthetic.hlo"));
    return module ? *module : nullptr;
}

// The largest module of the shared corpus, about 27 000 instructions; null where the corpus is not at hand.
inline std::shared_ptr<const HloModule> largestCorpusModule(const std::string& fileName)
{
    const char* shared = std::getenv("HLOSCOPE_SHARED");
    const std::filesystem::path root = shared ? shared : HLOSCOPE_SOURCE_DIR "/../shared";
    auto bytes = FileBytes::open((root / "corpus/lm_train_16_layers.v5e-4x4" / fileName).string());
    if (!bytes)
        return nullptr;
    auto module = parseHloText(*bytes);
    return module ? *module : nullptr;
}

} // namespace hloscope::bench
