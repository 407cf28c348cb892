// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/mesh_parser.h"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace hloscope {

bool takeNumbers(TextCursor& cursor, char close, std::vector<int64_t>& numbers)
{
    do {
        const std::optional<int64_t> number = cursor.takeInt();
        if (!number)
            return false;
        numbers.push_back(*number);
    } while (cursor.take(','));
    return cursor.take(close);
}

std::optional<int64_t> deviceCount(const std::vector<int64_t>& sizes)
{
    int64_t count = 1;
    for (const int64_t size : sizes) {
        if (size < 1 || size > kMaxDevices / count)
            return std::nullopt;
        count *= size;
    }
    return count;
}

bool isIota(const std::vector<int64_t>& dimensions, const std::vector<int64_t>& permutation)
{
    if (!deviceCount(dimensions) || (!permutation.empty() && permutation.size() != dimensions.size()))
        return false;
    std::vector<bool> seen(dimensions.size());
    for (const int64_t axis : permutation) {
        if (axis < 0 || static_cast<size_t>(axis) >= seen.size() || seen[static_cast<size_t>(axis)])
            return false;
        seen[static_cast<size_t>(axis)] = true;
    }
    return true;
}

std::optional<std::vector<int64_t>> iotaDevices(const std::vector<int64_t>& dimensions,
                                                const std::vector<int64_t>& permutation)
{
    if (!isIota(dimensions, permutation))
        return std::nullopt;
    std::vector<int64_t> devices(static_cast<size_t>(deviceCount(dimensions).value_or(0)));
    std::iota(devices.begin(), devices.end(), 0);
    if (permutation.empty())
        return devices;
    // Strides of the untransposed array, in the order in which the transposed one is walked.
    const size_t rank = dimensions.size();
    std::vector<int64_t> strides(rank, 1);
    for (size_t i = rank - 1; i > 0; --i)
        strides[i - 1] = strides[i] * dimensions[i];
    std::vector<int64_t> index(rank, 0);
    for (int64_t& device : devices) {
        device = 0;
        for (size_t i = 0; i < rank; ++i)
            device += index[i] * strides[static_cast<size_t>(permutation[i])];
        for (size_t i = rank; i-- > 0;) {
            if (++index[i] < dimensions[static_cast<size_t>(permutation[i])])
                break;
            index[i] = 0;
        }
    }
    return devices;
}

bool takeIota(TextCursor& cursor, std::vector<int64_t>& dimensions, std::vector<int64_t>& permutation)
{
    if (!cursor.take('[') || !takeNumbers(cursor, ']', dimensions) || !deviceCount(dimensions))
        return false;
    return !cursor.take("T(") || takeNumbers(cursor, ')', permutation);
}

bool takeMesh(TextCursor& cursor, Mesh& mesh)
{
    if (!cursor.take("mesh") || !cursor.take('['))
        return false;
    std::vector<int64_t> sizes;
    if (!cursor.take(']')) {
        do {
            const std::string_view name = cursor.takeString();
            const std::optional<int64_t> size = !name.empty() && cursor.take('=') ? cursor.takeInt() : std::nullopt;
            if (!size)
                return false;
            mesh.axes.push_back({std::string(name.substr(1, name.size() - 2)), *size});
            sizes.push_back(*size);
        } while (cursor.take(','));
        if (!cursor.take(']'))
            return false;
    }
    const std::optional<int64_t> count = deviceCount(sizes);
    if (!count)
        return false;
    const char* const behind = cursor.pos();
    if (!cursor.take(',') || !cursor.take("device_ids=")) {
        cursor.seek(behind);
        return true;
    }
    if (!cursor.take('('))
        return false;
    if (cursor.peek() != '[')
        return takeNumbers(cursor, ')', mesh.deviceIds) && static_cast<int64_t>(mesh.deviceIds.size()) == *count;
    std::vector<int64_t> dimensions;
    std::vector<int64_t> permutation;
    if (!takeIota(cursor, dimensions, permutation) || !cursor.take(')'))
        return false;
    std::optional<std::vector<int64_t>> devices = iotaDevices(dimensions, permutation);
    if (!devices || static_cast<int64_t>(devices->size()) != *count)
        return false;
    mesh.deviceIds = std::move(*devices);
    return true;
}

bool takeAxis(TextCursor& cursor, const Mesh& mesh, AxisRef& axis)
{
    const std::string_view quoted = cursor.takeString();
    if (quoted.empty())
        return false;
    const std::string_view name = quoted.substr(1, quoted.size() - 2);
    auto found = std::find_if(mesh.axes.begin(), mesh.axes.end(), [&](const Mesh::Axis& a) { return a.name == name; });
    axis.axis = static_cast<size_t>(found - mesh.axes.begin());
    if (found == mesh.axes.end()) {
        // An axis may also be named by its number.
        const auto result = std::from_chars(name.data(), name.data() + name.size(), axis.axis);
        if (result.ec != std::errc() || result.ptr != name.data() + name.size() || axis.axis >= mesh.axes.size())
            return false;
    }
    if (!cursor.take(':'))
        return true;
    if (!cursor.take('('))
        return false;
    const std::optional<int64_t> pre = cursor.takeInt();
    const std::optional<int64_t> size = cursor.take(')') ? cursor.takeInt() : std::nullopt;
    if (!pre || !size || *pre < 1 || *size < 1)
        return false;
    axis.preSize = *pre;
    axis.size = *size;
    const int64_t whole = mesh.axes[axis.axis].size;
    return *pre <= whole && *size <= whole / *pre && whole % (*pre * *size) == 0;
}

bool takeAxes(TextCursor& cursor, const Mesh& mesh, std::vector<AxisRef>& axes)
{
    if (cursor.take('}'))
        return true;
    do {
        if (!takeAxis(cursor, mesh, axes.emplace_back()))
            return false;
    } while (cursor.take(','));
    return cursor.take('}');
}

int64_t axisSize(const Mesh& mesh, const AxisRef& axis)
{
    return axis.size != 0 ? axis.size : mesh.axes[axis.axis].size;
}

} // namespace hloscope
