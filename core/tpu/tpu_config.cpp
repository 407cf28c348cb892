// SPDX-License-Identifier: Apache-2.0
#include "core/tpu/tpu_config.h"

#include "core/hlo/attributes.h"

#include <algorithm>
#include <charconv>
#include <string>

#include <simdjson.h>

namespace hloscope {

namespace {

using simdjson::dom::element;

// The JSON text of a backend_config. Older dialects print it as a quoted string.
class ConfigDocument {
public:
    explicit ConfigDocument(std::string_view text)
    {
        std::string json = text.starts_with('"') ? unquote(text) : std::string(text);
        if (m_parser.parse(json).get(m_root) != simdjson::SUCCESS)
            m_isValid = false;
    }

    std::optional<element> at(std::string_view pointer) const
    {
        element found;
        if (!m_isValid || m_root.at_pointer(pointer).get(found) != simdjson::SUCCESS)
            return std::nullopt;
        return found;
    }

private:
    simdjson::dom::parser m_parser;
    element m_root;
    bool m_isValid = true;
};

// Protobuf's JSON writes 64-bit integers as strings.
std::optional<int64_t> toInteger(const element& value)
{
    int64_t number = 0;
    if (value.get(number) == simdjson::SUCCESS)
        return number;
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS)
        return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

std::optional<int64_t> integerAt(const ConfigDocument& document, std::string_view pointer)
{
    const std::optional<element> value = document.at(pointer);
    return value ? toInteger(*value) : std::nullopt;
}

// The numbers behind `key` up to the closing brace: "cores:{4 4},{4 4}" gives 4 and 4.
std::vector<int64_t> numbersInBraces(std::string_view text, std::string_view key)
{
    std::vector<int64_t> numbers;
    const size_t at = text.find(key);
    if (at == std::string_view::npos)
        return numbers;
    text.remove_prefix(at + key.size());
    text = text.substr(0, text.find('}'));
    while (!text.empty()) {
        int64_t number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc() || number <= 0)
            return {};
        numbers.push_back(number);
        text.remove_prefix(static_cast<size_t>(end - text.data()));
        text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ')));
    }
    return numbers;
}

} // namespace

std::optional<ContinuationRange> parseContinuation(std::string_view backendConfig)
{
    if (backendConfig.find("continuation_config") == std::string_view::npos)
        return std::nullopt;
    const ConfigDocument document(backendConfig);
    ContinuationRange range;
    const auto read = [&](std::string_view pointer, int64_t& target) {
        const auto value = integerAt(document, pointer);
        target = value.value_or(0);
        return value.has_value();
    };
    if (!read("/continuation_config/output_tuple_original_start", range.firstOutput)
        || !read("/continuation_config/output_tuple_original_end", range.lastOutput)
        || !read("/continuation_config/operand_original_start", range.firstOperand)
        || !read("/continuation_config/operand_original_end", range.lastOperand))
        return std::nullopt;
    return range;
}

std::optional<KernelEstimate> parseKernelEstimate(std::string_view backendConfig)
{
    if (backendConfig.find("cost_estimate") == std::string_view::npos)
        return std::nullopt;
    const ConfigDocument document(backendConfig);
    if (!document.at("/custom_call_config/cost_estimate"))
        return std::nullopt;
    const auto read = [&](std::string_view pointer) {
        return static_cast<double>(integerAt(document, pointer).value_or(0));
    };
    return KernelEstimate{read("/custom_call_config/cost_estimate/flops"),
                          read("/custom_call_config/cost_estimate/transcendentals"),
                          read("/custom_call_config/cost_estimate/bytes_accessed")};
}

std::vector<int64_t> parseAliasedOutputs(std::string_view backendConfig, size_t operandCount)
{
    std::vector<int64_t> outputs;
    if (backendConfig.find("\"indices\"") == std::string_view::npos)
        return outputs;
    const ConfigDocument document(backendConfig);
    const std::optional<element> lists = document.at("/aliasing_operands/lists");
    simdjson::dom::array entries;
    if (!lists || lists->get(entries) != simdjson::SUCCESS)
        return outputs;
    const auto count = static_cast<int64_t>(operandCount);
    for (element entry : entries) {
        simdjson::dom::array indices;
        if (entry["indices"].get(indices) != simdjson::SUCCESS)
            continue;
        std::vector<int64_t> shared;
        bool hasOperand = false;
        for (element index : indices) {
            const int64_t number = toInteger(index).value_or(-1);
            hasOperand |= number >= 0 && number < count;
            if (number >= count)
                shared.push_back(number - count);
        }
        if (hasOperand)
            outputs.insert(outputs.end(), shared.begin(), shared.end());
    }
    return outputs;
}

std::vector<int64_t> parseCollectiveAxes(std::string_view backendConfig)
{
    if (backendConfig.find("collective_algorithm_config") == std::string_view::npos)
        return {};
    const ConfigDocument document(backendConfig);
    const std::optional<element> debug = document.at("/collective_algorithm_config/debug");
    std::string_view text;
    if (!debug || debug->get(text) != simdjson::SUCCESS)
        return {};
    return numbersInBraces(text, "cores:{");
}

} // namespace hloscope
