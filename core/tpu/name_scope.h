// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hloscope {

// The named scopes in an op_name that JAX wrote, outermost first:
// `jit(f)/layer_0/mlp/up/btd,df->btf/dot_general` -> layer_0, mlp, up.
//
// Left out are the op itself (the last part), einsum formulas, jitted functions, and the parts that loops, branches,
// checkpoints and shard_map add (`while/body/closed_call`). A transformation keeps what it is applied to,
// `jvp(layer_0)`
// -> layer_0; the backward pass, `transpose(jvp(layer_0))`, lies in a scope "backward" of its own.
std::vector<std::string> nameScopes(std::string_view opName);

} // namespace hloscope
