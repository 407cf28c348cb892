// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/attributes.h"

#include <simdjson.h>

#include <charconv>
#include <limits>

namespace hloscope {
namespace {

using simdjson::dom::element;

// libtpu writes 64-bit numbers as strings; other back ends write plain numbers.
std::optional<int64_t> number(const simdjson::simdjson_result<element>& value)
{
    int64_t result = 0;
    if (value.get_int64().get(result) == simdjson::SUCCESS)
        return result;
    std::string_view text;
    if (value.get_string().get(text) != simdjson::SUCCESS)
        return std::nullopt;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), result);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size())
        return std::nullopt;
    return result;
}

std::vector<int64_t> numbers(const simdjson::simdjson_result<element>& value)
{
    std::vector<int64_t> result;
    simdjson::dom::array array;
    if (value.get_array().get(array) != simdjson::SUCCESS)
        return result;
    for (const element item : array) {
        if (const std::optional<int64_t> one = number(simdjson::simdjson_result<element>(element(item))))
            result.push_back(*one);
    }
    return result;
}

} // namespace

TpuBackendConfig parseTpuBackendConfig(std::string_view text)
{
    TpuBackendConfig config;
    thread_local simdjson::dom::parser parser;
    element root;
    // A config of another back end may be a quoted string.
    const std::string plain = text.starts_with('"') ? unquote(text) : std::string(text);
    if (parser.parse(plain).get(root) != simdjson::SUCCESS || !root.is_object())
        return config;
    const auto window = root["window_config"];
    config.estimatedCycles = number(window["estimated_cycles"]);
    if (config.estimatedCycles == std::numeric_limits<int64_t>::max())
        config.estimatedCycles.reset();
    config.iterationBounds = numbers(window["iteration_bounds"]);
    config.outputWindowBounds = numbers(window["output_window_bounds"]);
    config.kernelWindowBounds = numbers(window["kernel_window_bounds"]);
    config.inputWindowBounds = numbers(window["input_window_bounds"]);
    config.bufferingLevel = number(window["buffering_level"]);
    config.knownTripCount = number(root["known_trip_count"]["n"]);
    std::string_view emitter;
    if (root["convolution_algorithm_config"]["emitter"].get_string().get(emitter) == simdjson::SUCCESS)
        config.emitter = emitter;
    return config;
}

} // namespace hloscope
