// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/sharding.h"

#include "core/hlo/mesh_parser.h"
#include "core/hlo/shape_parser.h"

namespace hloscope {
namespace {

using Kind = Sharding::Kind;

constexpr int kMaxDepth = 500;

std::optional<Kind> kindFromWord(std::string_view word)
{
    if (word == "replicated")
        return Kind::Replicated;
    if (word == "maximal")
        return Kind::Maximal;
    if (word == "manual")
        return Kind::Manual;
    if (word == "unknown")
        return Kind::Unknown;
    if (word == "unreduced")
        return Kind::Unreduced;
    return std::nullopt;
}

class ShardingReader {
public:
    explicit ShardingReader(std::string_view text) : m_cursor(text) { }

    bool read(Sharding& sharding, int depth);
    TextCursor& cursor() { return m_cursor; }

private:
    bool tuple(Sharding& sharding, int depth);
    bool field(Sharding& sharding);
    bool devices(Sharding& sharding);
    bool subgroups(Sharding& sharding);
    bool named(Sharding& sharding);
    bool namedDimensions(Sharding& sharding);
    bool namedAxes(Sharding& sharding);
    bool skipValue();

    TextCursor m_cursor;
};

bool ShardingReader::read(Sharding& sharding, int depth)
{
    if (depth > kMaxDepth || !m_cursor.take('{'))
        return false;
    const char next = m_cursor.peek();
    if (next == '{' || next == '}')
        return tuple(sharding, depth);
    TextCursor look = m_cursor;
    const std::string_view word = look.takeName();
    if (word == "mesh")
        return named(sharding);
    if (word == "maximal_mesh") {
        sharding.kind = Kind::Maximal;
        m_cursor = look;
        const bool head = m_cursor.take('[') && m_cursor.take("device_id=");
        const std::optional<int64_t> device = head ? m_cursor.takeInt() : std::nullopt;
        sharding.devices.push_back(device.value_or(0));
        return device && m_cursor.take(']') && m_cursor.take('}');
    }
    while (!m_cursor.take('}')) {
        if (!field(sharding))
            return false;
    }
    return true;
}

bool ShardingReader::tuple(Sharding& sharding, int depth)
{
    sharding.kind = Kind::Tuple;
    if (m_cursor.take('}'))
        return true;
    do {
        if (!read(sharding.elements.emplace_back(), depth + 1))
            return false;
    } while (m_cursor.take(','));
    return m_cursor.take('}');
}

// One of the blank-separated parts of the V1 form.
bool ShardingReader::field(Sharding& sharding)
{
    m_cursor.skipBlanks();
    const char* const start = m_cursor.pos();
    const std::string_view word = m_cursor.takeNameRaw();
    if (word.empty())
        return false;
    if (m_cursor.peekRaw() == '[') {
        // Text of 2018 repeats the shape of a tile.
        m_cursor.seek(start);
        return skipShape(m_cursor);
    }
    if (word == "devices")
        return devices(sharding);
    if (word == "device") {
        const std::optional<int64_t> device = m_cursor.take('=') ? m_cursor.takeInt() : std::nullopt;
        sharding.devices.assign(1, device.value_or(0));
        return device.has_value();
    }
    if (word == "last_tile_dim_replicate") {
        sharding.subgroupKinds.assign(1, Kind::Replicated);
        return true;
    }
    if (word == "last_tile_dims")
        return subgroups(sharding);
    if (word == "shard_as" || word == "shard_like")
        return m_cursor.takeInt().has_value();
    if (word == "metadata")
        return m_cursor.take('=') && m_cursor.peek() == '{' && m_cursor.skipBracket();
    const std::optional<Kind> kind = kindFromWord(word);
    if (!kind)
        return false;
    sharding.kind = *kind;
    return !m_cursor.take('=') || skipValue();
}

// `unreduced=max`
bool ShardingReader::skipValue()
{
    return !m_cursor.takeName().empty();
}

bool ShardingReader::devices(Sharding& sharding)
{
    sharding.kind = Kind::Tiled;
    if (!m_cursor.take('=') || !m_cursor.take('[') || !takeNumbers(m_cursor, ']', sharding.tileDimensions))
        return false;
    const std::optional<int64_t> count = deviceCount(sharding.tileDimensions);
    if (!count)
        return false;
    if (m_cursor.take("<=")) {
        std::vector<int64_t> dimensions;
        std::vector<int64_t> permutation;
        if (!takeIota(m_cursor, dimensions, permutation))
            return false;
        std::optional<std::vector<int64_t>> devices = iotaDevices(dimensions, permutation);
        if (!devices)
            return false;
        sharding.devices = std::move(*devices);
    } else {
        do {
            const std::optional<int64_t> device = m_cursor.takeInt();
            if (!device)
                return false;
            sharding.devices.push_back(*device);
        } while (m_cursor.take(','));
    }
    return static_cast<int64_t>(sharding.devices.size()) == *count;
}

bool ShardingReader::subgroups(Sharding& sharding)
{
    if (!m_cursor.take('=') || !m_cursor.take('{'))
        return false;
    if (m_cursor.take('}'))
        return true;
    do {
        const std::optional<Kind> kind = kindFromWord(m_cursor.takeName());
        if (!kind)
            return false;
        sharding.subgroupKinds.push_back(*kind);
    } while (m_cursor.take(','));
    return m_cursor.take('}');
}

// `mesh['a'=2,'b'=4], [{'a'}, {'b':(1)2, ?}], replicated={'b':(2)2}}`
bool ShardingReader::named(Sharding& sharding)
{
    sharding.kind = Kind::Named;
    if (!takeMesh(m_cursor, sharding.mesh))
        return false;
    m_cursor.take(',');
    if (m_cursor.peek() == '[' && !namedDimensions(sharding))
        return false;
    while (!m_cursor.take('}')) {
        m_cursor.take(',');
        if (!namedAxes(sharding))
            return false;
    }
    return true;
}

bool ShardingReader::namedDimensions(Sharding& sharding)
{
    m_cursor.take('[');
    if (m_cursor.take(']'))
        return true;
    do {
        if (!m_cursor.take('{'))
            return false;
        std::vector<AxisRef>& axes = sharding.dimensionAxes.emplace_back();
        bool open = false;
        while (!m_cursor.take('}')) {
            open = m_cursor.take('?');
            if (!open && !takeAxis(m_cursor, sharding.mesh, axes.emplace_back()))
                return false;
            m_cursor.take(',');
        }
        sharding.openDimensions.push_back(open);
    } while (m_cursor.take(','));
    return m_cursor.take(']');
}

// `replicated={'b'}`, `unreduced=sum{'b'}`, `metadata={...}`; without axes the word speaks of the whole value.
bool ShardingReader::namedAxes(Sharding& sharding)
{
    const std::string_view word = m_cursor.takeName();
    if (word == "metadata")
        return m_cursor.take('=') && m_cursor.peek() == '{' && m_cursor.skipBracket();
    const std::optional<Kind> kind = kindFromWord(word);
    if (!kind)
        return false;
    if (!m_cursor.take('=')) {
        if (sharding.dimensionAxes.empty())
            sharding.kind = *kind;
        return true;
    }
    const bool hasOperator = !m_cursor.takeName().empty();
    if (m_cursor.peek() != '{') {
        if (sharding.dimensionAxes.empty())
            sharding.kind = *kind;
        return hasOperator;
    }
    m_cursor.take('{');
    std::vector<AxisRef> axes;
    if (!takeAxes(m_cursor, sharding.mesh, axes))
        return false;
    if (kind == Kind::Replicated)
        sharding.replicatedAxes = std::move(axes);
    else if (kind == Kind::Unreduced)
        sharding.unreducedAxes = std::move(axes);
    return true;
}

} // namespace

int64_t Sharding::partsOf(size_t dimension) const
{
    if (kind == Kind::Tiled) {
        const size_t rank = tileDimensions.size() - std::min(tileDimensions.size(), subgroupKinds.size());
        return dimension < rank ? tileDimensions[dimension] : 1;
    }
    if (kind != Kind::Named || dimension >= dimensionAxes.size())
        return 1;
    int64_t parts = 1;
    for (const AxisRef& axis : dimensionAxes[dimension])
        parts *= axisSize(mesh, axis);
    return parts;
}

Expected<Sharding> parseSharding(std::string_view text)
{
    ShardingReader reader(text);
    Sharding sharding;
    if (reader.read(sharding, 0) && reader.cursor().atEnd())
        return sharding;
    Diagnostic diagnostic = makeError("", "malformed sharding");
    diagnostic.line = 1;
    diagnostic.column = static_cast<uint32_t>(reader.cursor().offset() + 1);
    return diagnostic;
}

} // namespace hloscope
