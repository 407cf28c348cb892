// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/replica_groups.h"

#include "core/hlo/mesh_parser.h"

#include <algorithm>

namespace hloscope {
namespace {

// One factor that a mesh axis is cut into, with the distance of its steps in the row-major device array.
struct Factor {
    int64_t size;
    int64_t stride;
};

// Splits the axes into those inside a group (in the order of the text) and the rest (in mesh order). A sub-axis (m)k of
// an axis of size n leaves the factors m and n/(m*k) to the rest.
void splitAxes(const Mesh& mesh, const std::vector<AxisRef>& axes, std::vector<Factor>& inside,
               std::vector<Factor>& outside)
{
    std::vector<int64_t> stride(mesh.axes.size(), 1);
    for (size_t i = mesh.axes.size(); i-- > 1;)
        stride[i - 1] = stride[i] * mesh.axes[i].size;
    for (const AxisRef& axis : axes) {
        const int64_t size = axisSize(mesh, axis);
        const int64_t post = mesh.axes[axis.axis].size / (axis.preSize * size);
        inside.push_back({size, stride[axis.axis] * post});
    }
    for (size_t i = 0; i < mesh.axes.size(); ++i) {
        // Cut points of the axis, from major to minor.
        std::vector<std::pair<int64_t, int64_t>> taken;
        for (const AxisRef& axis : axes) {
            if (axis.axis == i)
                taken.emplace_back(axis.preSize, axis.preSize * axisSize(mesh, axis));
        }
        std::sort(taken.begin(), taken.end());
        int64_t done = 1;
        const auto rest = [&](int64_t until) {
            if (until > done)
                outside.push_back({until / done, stride[i] * (mesh.axes[i].size / until)});
        };
        for (const auto& [from, to] : taken) {
            rest(from);
            done = std::max(done, to);
        }
        rest(mesh.axes[i].size);
    }
}

// All positions that the factors reach, the first one most major.
std::vector<int64_t> positions(const std::vector<Factor>& factors)
{
    std::vector<int64_t> result{0};
    for (const Factor& factor : factors) {
        std::vector<int64_t> next;
        next.reserve(result.size() * static_cast<size_t>(factor.size));
        for (const int64_t base : result) {
            for (int64_t i = 0; i < factor.size; ++i)
                next.push_back(base + i * factor.stride);
        }
        result = std::move(next);
    }
    return result;
}

std::vector<std::vector<int64_t>> meshGroups(const Mesh& mesh, const std::vector<AxisRef>& axes)
{
    std::vector<Factor> inside;
    std::vector<Factor> outside;
    splitAxes(mesh, axes, inside, outside);
    const std::vector<int64_t> members = positions(inside);
    std::vector<std::vector<int64_t>> groups;
    for (const int64_t base : positions(outside)) {
        std::vector<int64_t>& group = groups.emplace_back();
        group.reserve(members.size());
        for (const int64_t member : members) {
            const auto position = static_cast<size_t>(base + member);
            group.push_back(position < mesh.deviceIds.size() ? mesh.deviceIds[position] : base + member);
        }
    }
    return groups;
}

bool overlap(const std::vector<AxisRef>& axes, const Mesh& mesh)
{
    for (size_t i = 0; i < axes.size(); ++i) {
        for (size_t j = i + 1; j < axes.size(); ++j) {
            const int64_t endI = axes[i].preSize * axisSize(mesh, axes[i]);
            const int64_t endJ = axes[j].preSize * axisSize(mesh, axes[j]);
            if (axes[i].axis == axes[j].axis && axes[i].preSize < endJ && axes[j].preSize < endI)
                return true;
        }
    }
    return false;
}

Diagnostic malformed(const TextCursor& cursor, std::string expected)
{
    Diagnostic diagnostic = makeError("", "malformed replica groups");
    diagnostic.expected = std::move(expected);
    diagnostic.line = 1;
    diagnostic.column = static_cast<uint32_t>(cursor.offset() + 1);
    return diagnostic;
}

bool takeLists(TextCursor& cursor, ReplicaGroups& groups)
{
    cursor.take('{');
    if (cursor.take('}'))
        return true;
    do {
        if (!cursor.take('{'))
            return false;
        std::vector<int64_t>& group = groups.lists.emplace_back();
        if (!cursor.take('}') && !takeNumbers(cursor, '}', group))
            return false;
    } while (cursor.take(','));
    return cursor.take('}');
}

bool takeIotaGroups(TextCursor& cursor, ReplicaGroups& groups)
{
    groups.notation = ReplicaGroups::Notation::Iota;
    cursor.take('[');
    std::vector<int64_t> sizes;
    if (!takeNumbers(cursor, ']', sizes) || sizes.size() != 2 || !cursor.take("<=")
        || !takeIota(cursor, groups.reshapeDimensions, groups.transposePermutation))
        return false;
    groups.groupCount = sizes[0];
    groups.groupSize = sizes[1];
    return deviceCount(sizes) && deviceCount(sizes) == deviceCount(groups.reshapeDimensions)
        && isIota(groups.reshapeDimensions, groups.transposePermutation);
}

bool takeMeshGroups(TextCursor& cursor, ReplicaGroups& groups)
{
    groups.notation = ReplicaGroups::Notation::Mesh;
    return takeMesh(cursor, groups.mesh) && cursor.take('{') && takeAxes(cursor, groups.mesh, groups.axes)
        && !overlap(groups.axes, groups.mesh);
}

} // namespace

std::vector<std::vector<int64_t>> ReplicaGroups::groups() const
{
    if (notation == Notation::List)
        return lists;
    if (notation == Notation::Mesh)
        return meshGroups(mesh, axes);
    std::vector<std::vector<int64_t>> result;
    const auto devices = iotaDevices(reshapeDimensions, transposePermutation);
    if (!devices || groupSize < 1)
        return result;
    for (auto it = devices->begin(); it != devices->end(); it += groupSize)
        result.emplace_back(it, it + groupSize);
    return result;
}

int64_t ReplicaGroups::sizeOfGroups(int64_t deviceTotal) const
{
    if (notation == Notation::Iota)
        return groupSize;
    if (notation == Notation::Mesh) {
        int64_t size = 1;
        for (const AxisRef& axis : axes)
            size *= axisSize(mesh, axis);
        return size;
    }
    if (lists.empty())
        return deviceTotal;
    size_t largest = 0;
    for (const std::vector<int64_t>& group : lists)
        largest = std::max(largest, group.size());
    return static_cast<int64_t>(largest);
}

Expected<ReplicaGroups> parseReplicaGroups(std::string_view text)
{
    TextCursor cursor(text);
    ReplicaGroups groups;
    bool ok = false;
    switch (cursor.peek()) {
    case '{':
        ok = takeLists(cursor, groups);
        break;
    case '[':
        ok = takeIotaGroups(cursor, groups);
        break;
    case 'm':
        ok = takeMeshGroups(cursor, groups);
        break;
    default:
        return malformed(cursor, "'{{0,1},...}', '[2,4]<=[8]' or 'mesh[...] {...}'");
    }
    if (!ok || !cursor.atEnd())
        return malformed(cursor, {});
    return groups;
}

} // namespace hloscope
