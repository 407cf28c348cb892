// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/name_scope.h"

#include <algorithm>
#include <array>

namespace hloscope {

namespace {

constexpr size_t kMaxScopes = 64;
constexpr std::string_view kBackward = "backward";
constexpr std::array<std::string_view, 14> kStructure{
    "while", "body",     "cond",      "closed_call",     "checkpoint",      "remat",     "scan",
    "pjit",  "xla_call", "core_call", "custom_jvp_call", "custom_vjp_call", "shard_map", "named"};
constexpr std::array<std::string_view, 4> kFunctions{"jit", "pjit", "pmap", "xmap"};

bool isStructure(std::string_view part)
{
    const bool isBranch = part.starts_with("branch_") && part.ends_with("_fun");
    return isBranch || part.find("->") != std::string_view::npos
        || std::ranges::find(kStructure, part) != kStructure.end();
}

// Cuts at the slashes that stand outside parentheses.
std::vector<std::string_view> splitPath(std::string_view path)
{
    std::vector<std::string_view> parts;
    int depth = 0;
    size_t begin = 0;
    for (size_t i = 0; i <= path.size(); ++i) {
        if (i == path.size() || (path[i] == '/' && depth <= 0)) {
            parts.push_back(path.substr(begin, i - begin));
            begin = i + 1;
        } else if (path[i] == '(') {
            ++depth;
        } else if (path[i] == ')') {
            --depth;
        }
    }
    return parts;
}

struct ScopePart {
    std::string_view name; // empty when the part is no scope
    bool isBackward = false;
};

ScopePart readPart(std::string_view part)
{
    ScopePart result;
    for (size_t open = part.find('('); open != std::string_view::npos && part.ends_with(')'); open = part.find('(')) {
        const std::string_view transformation = part.substr(0, open);
        if (std::ranges::find(kFunctions, transformation) != kFunctions.end())
            return result;
        result.isBackward = result.isBackward || transformation == "transpose";
        part = part.substr(open + 1, part.size() - open - 2);
    }
    if (!isStructure(part))
        result.name = part;
    return result;
}

} // namespace

std::vector<std::string> nameScopes(std::string_view opName)
{
    std::vector<std::string> scopes;
    std::vector<std::string_view> parts = splitPath(opName);
    parts.pop_back();
    bool isBackward = false;
    for (const std::string_view text : parts) {
        const ScopePart part = readPart(text);
        isBackward = isBackward || part.isBackward;
        if (!part.name.empty() && scopes.size() < kMaxScopes)
            scopes.emplace_back(part.name);
    }
    if (isBackward)
        scopes.emplace(scopes.begin(), kBackward);
    return scopes;
}

} // namespace hloscope
