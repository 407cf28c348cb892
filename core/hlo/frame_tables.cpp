// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/frame_tables.h"

#include "core/hlo/attributes.h"

#include <array>

namespace hloscope {
namespace {

// One row of FileLocations or StackFrames; all ids count from 1.
struct Row {
    int64_t fileName = 0;
    int64_t functionName = 0;
    int64_t line = 0;
    int64_t endLine = 0;
    int64_t column = 0;
    int64_t endColumn = 0;
    int64_t location = 0;
    int64_t parent = 0;
};

class TableReader {
public:
    explicit TableReader(TextReader& reader) : m_reader(reader), m_cursor(reader.cursor) { }

    void read();

private:
    std::vector<std::string_view> names();
    std::vector<Row> rows();
    bool row(Row& row);
    bool id(size_t expected);
    StackFrame frame(const Row& row, const std::vector<Row>& locations) const;

    TextReader& m_reader;
    TextCursor& m_cursor;
    std::vector<std::string_view> m_files;
    std::vector<std::string_view> m_functions;
};

template <class T> const T* entry(const std::vector<T>& table, int64_t id)
{
    return id >= 1 && static_cast<size_t>(id) <= table.size() ? &table[static_cast<size_t>(id - 1)] : nullptr;
}

void TableReader::read()
{
    m_cursor.skipBlanks();
    const char* const begin = m_cursor.pos();
    std::vector<Row> locations;
    std::vector<Row> frames;
    for (;;) {
        m_cursor.skipBlanks();
        const char* const start = m_cursor.pos();
        const std::string_view word = m_cursor.takeNameRaw();
        if (word == "FileNames")
            m_files = names();
        else if (word == "FunctionNames")
            m_functions = names();
        else if (word == "FileLocations")
            locations = rows();
        else if (word == "StackFrames")
            frames = rows();
        else {
            m_cursor.seek(start);
            break;
        }
    }
    const char* end = m_cursor.pos();
    while (end > begin && TextClass::is(end[-1], TextClass::Blank))
        --end;
    m_reader.module.stackFrameText = std::string_view(begin, static_cast<size_t>(end - begin));
    for (const Row& row : frames)
        m_reader.module.stackFrames.push_back(frame(row, locations));
}

// The number in front of a row. Rows count up from 1; one that does not would shift all that follow.
bool TableReader::id(size_t expected)
{
    if (!TextClass::is(m_cursor.peek(), TextClass::Digit))
        return false;
    const char* const at = m_cursor.pos();
    const std::optional<int64_t> number = m_cursor.takeInt();
    if (number == static_cast<int64_t>(expected))
        return true;
    return m_reader.fail(at, "the rows of this table are not numbered in order", std::to_string(expected));
}

std::vector<std::string_view> TableReader::names()
{
    std::vector<std::string_view> result;
    while (id(result.size() + 1)) {
        m_cursor.skipBlanks();
        const char* const at = m_cursor.pos();
        const std::string_view text = m_cursor.takeString();
        if (text.empty()) {
            m_reader.fail(at, "malformed table of names", "a quoted string");
            break;
        }
        const std::string_view inside = text.substr(1, text.size() - 2);
        result.push_back(inside.find('\\') == std::string_view::npos ? inside : m_reader.builder.keep(unquote(text)));
    }
    return result;
}

std::vector<Row> TableReader::rows()
{
    std::vector<Row> result;
    while (id(result.size() + 1)) {
        if (!row(result.emplace_back())) {
            m_reader.fail(m_cursor.pos(), "malformed row of a stack frame table", "{key=number ...}");
            break;
        }
    }
    return result;
}

bool TableReader::row(Row& row)
{
    const std::array<std::pair<std::string_view, int64_t*>, 8> fields{{
        {"file_name_id", &row.fileName},
        {"function_name_id", &row.functionName},
        {"line", &row.line},
        {"end_line", &row.endLine},
        {"column", &row.column},
        {"end_column", &row.endColumn},
        {"file_location_id", &row.location},
        {"parent_frame_id", &row.parent},
    }};
    if (!m_cursor.take('{'))
        return false;
    while (!m_cursor.take('}')) {
        const std::string_view key = m_cursor.takeName();
        if (key.empty() || !m_cursor.take('='))
            return false;
        const std::optional<int64_t> number = m_cursor.takeInt();
        if (!number)
            return false;
        m_cursor.take(',');
        for (const auto& [name, value] : fields) {
            if (name == key)
                *value = *number;
        }
    }
    return true;
}

StackFrame TableReader::frame(const Row& row, const std::vector<Row>& locations) const
{
    StackFrame frame;
    if (const Row* location = entry(locations, row.location)) {
        const auto* file = entry(m_files, location->fileName);
        const auto* function = entry(m_functions, location->functionName);
        frame.file = file != nullptr ? *file : std::string_view();
        frame.function = function != nullptr ? *function : std::string_view();
        frame.line = static_cast<int32_t>(location->line);
        frame.column = static_cast<int32_t>(location->column);
        frame.endLine = static_cast<int32_t>(location->endLine);
        frame.endColumn = static_cast<int32_t>(location->endColumn);
    }
    // In text the parent is written one too high: 1 stands for "no caller", 2 for frame 1.
    if (row.parent >= 2 && row.parent < INT32_MAX)
        frame.parent = StackFrameId(static_cast<size_t>(row.parent - 2));
    return frame;
}

} // namespace

void readFrameTables(TextReader& reader)
{
    TableReader(reader).read();
}

} // namespace hloscope
