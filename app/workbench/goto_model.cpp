// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/goto_model.h"

#include "app/workbench/navigator_model.h"
#include "app/workbench/window_actions.h"
#include "views/words/units.h"

#include <QKeySequence>

#include <algorithm>
#include <cctype>
#include <tuple>
#include <utility>

namespace hloscope {

namespace {

// Steps between the ways to match; the length of the name fills the room between them.
constexpr int kExact = 0;
constexpr int kPrefix = 100;
constexpr int kWord = 200;
constexpr int kPart = 300;
constexpr int kLetters = 400;

// Names of HLO are ASCII; without the locale this is done in one go over all names of a module.
char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool isWordCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

bool holdsLettersInOrder(std::string_view name, std::string_view query)
{
    size_t next = 0;
    for (const char c : name) {
        if (next < query.size() && lower(c) == query[next])
            ++next;
    }
    return next == query.size();
}

QString toQt(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

std::optional<int> matchRank(std::string_view name, std::string_view query)
{
    const int length = static_cast<int>(std::min<size_t>(name.size(), 99));
    if (query.empty())
        return kPart;
    const auto equal = [](char a, char b) { return lower(a) == b; };
    std::optional<int> part;
    for (auto at = name.begin(); at != name.end();) {
        at = std::search(at, name.end(), query.begin(), query.end(), equal);
        if (at == name.end())
            break;
        if (at == name.begin())
            return name.size() == query.size() ? kExact : kPrefix + length;
        if (!isWordCharacter(*(at - 1)) && isWordCharacter(*at))
            return kWord + length;
        part = kPart + length;
        ++at;
    }
    if (part)
        return part;
    return holdsLettersInOrder(name, query) ? std::optional(kLetters + length) : std::nullopt;
}

GotoModel::GotoModel(const Workspace& workspace, const Selection& selection, Commands commands, Files files,
                     QObject* parent)
    : QAbstractListModel(parent)
    , m_workspace(workspace)
    , m_selection(selection)
    , m_commands(std::move(commands))
    , m_files(std::move(files))
{
}

void GotoModel::setQuery(const QString& query)
{
    QString text = query.trimmed().toLower();
    const bool onlyCommands = text.startsWith(QLatin1Char('>'));
    if (onlyCommands)
        text = text.mid(1).trimmed();
    if (text.startsWith(QLatin1Char('%')))
        text.remove(0, 1); // as names are written in HLO text
    const std::string needle = text.toStdString();
    Candidates candidates;
    if (!onlyCommands) {
        if (m_selection.state().module)
            candidates.modules.push_back(m_selection.state().module);
        for (const ModuleEntry& entry : m_workspace.modules()) {
            if (!m_selection.state().module)
                candidates.modules.push_back(entry.module);
        }
        for (size_t i = 0; i < candidates.modules.size(); ++i)
            addModule(candidates, i, needle);
        candidates.files = m_files();
        addFiles(candidates, needle);
    }
    candidates.commands = m_commands();
    addCommands(candidates, needle);

    beginResetModel();
    takeBest(candidates);
    endResetModel();
}

// Hits are made for the few that are shown, not for every name that matches.
void GotoModel::takeBest(Candidates& candidates)
{
    m_total = candidates.found.size();
    const auto count = static_cast<std::ptrdiff_t>(std::min(m_total, kMaxHits));
    const auto begin = candidates.found.begin();
    std::partial_sort(begin, begin + count, candidates.found.end(), [](const Candidate& a, const Candidate& b) {
        // Equal ranks stay in the order of the program.
        return std::tuple(a.rank, a.kind, a.source, a.index) < std::tuple(b.rank, b.kind, b.source, b.index);
    });
    m_hits.clear();
    for (auto at = begin; at != begin + count; ++at)
        m_hits.push_back(makeHit(candidates, *at));
}

int GotoModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_hits.size());
}

QVariant GotoModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const GotoHit& hit = m_hits[static_cast<size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return hit.text;
    case Qt::ToolTipRole:
        return hit.kind == GotoHit::Kind::File ? hit.path : hit.text;
    case DetailRole:
        return hit.detail;
    case MonoRole:
        return hit.kind == GotoHit::Kind::Instruction || hit.kind == GotoHit::Kind::Computation;
    case IconRole:
        switch (hit.kind) {
        case GotoHit::Kind::Instruction:
            return QStringLiteral("instruction");
        case GotoHit::Kind::Computation:
            return QStringLiteral("computation");
        case GotoHit::Kind::File:
            return QStringLiteral("file");
        case GotoHit::Kind::Command:
            return QStringLiteral("command");
        }
        return {};
    default:
        return {};
    }
}

void GotoModel::addModule(Candidates& candidates, size_t source, std::string_view query)
{
    const HloModule& module = *candidates.modules[source];
    const auto add = [&](GotoHit::Kind kind, int rank, size_t index) {
        candidates.found.push_back({rank, kind, static_cast<uint32_t>(source), static_cast<uint32_t>(index)});
    };
    for (size_t i = 0; i < module.computations.size(); ++i) {
        const HloComputation& computation = module.computations[i];
        const std::optional<int> rank = matchRank(computation.name, query);
        if (rank && !computation.isImplicit)
            add(GotoHit::Kind::Computation, *rank - (computation.isEntry ? 1 : 0), i);
    }
    // Without a query the list is a menu, not the program.
    if (query.empty())
        return;
    for (size_t i = 0; i < module.instructions.size(); ++i) {
        // What takes time comes before what a fusion holds.
        if (const std::optional<int> rank = matchRank(module.instructions[i].name, query))
            add(GotoHit::Kind::Instruction, *rank - (module.instructions[i].computation == module.entry ? 2 : 0), i);
    }
}

void GotoModel::addFiles(Candidates& candidates, std::string_view query)
{
    for (qsizetype i = 0; i < candidates.files.size(); ++i) {
        const std::string name = displayNameOf(candidates.files[i]).toStdString();
        if (const std::optional<int> rank = matchRank(name, query))
            candidates.found.push_back({*rank + 3, GotoHit::Kind::File, 0, static_cast<uint32_t>(i)});
    }
}

void GotoModel::addCommands(Candidates& candidates, std::string_view query)
{
    for (size_t i = 0; i < candidates.commands.size(); ++i) {
        const QAction& action = *candidates.commands[i];
        const std::optional<int> rank = matchRank(commandText(action).toStdString(), query);
        if (rank && action.isEnabled())
            candidates.found.push_back({*rank + 4, GotoHit::Kind::Command, 0, static_cast<uint32_t>(i)});
    }
}

GotoHit GotoModel::makeHit(const Candidates& candidates, const Candidate& candidate)
{
    GotoHit hit;
    hit.kind = candidate.kind;
    switch (candidate.kind) {
    case GotoHit::Kind::Instruction: {
        hit.module = candidates.modules[candidate.source];
        hit.instruction = InstructionId(candidate.index);
        const HloInstruction& instruction = hit.module->instruction(hit.instruction);
        const HloComputation& computation = hit.module->computation(instruction.computation);
        hit.text = toQt(instruction.name);
        hit.detail = tr("%1 in %2").arg(toQt(instruction.opcodeText), toQt(computation.name));
        break;
    }
    case GotoHit::Kind::Computation: {
        hit.module = candidates.modules[candidate.source];
        hit.computation = ComputationId(candidate.index);
        const HloComputation& computation = hit.module->computation(hit.computation);
        hit.text = toQt(computation.name);
        hit.detail = tr("%1 instruction(s)", nullptr, static_cast<int>(computation.instructions.count))
                         .arg(formatCount(computation.instructions.count));
        break;
    }
    case GotoHit::Kind::File:
        hit.path = candidates.files[candidate.index];
        hit.text = displayNameOf(hit.path);
        hit.detail = tr("recent file");
        break;
    case GotoHit::Kind::Command:
        hit.command = candidates.commands[candidate.index];
        hit.text = commandText(*hit.command);
        hit.detail = hit.command->shortcut().toString(QKeySequence::NativeText);
        break;
    }
    return hit;
}

} // namespace hloscope
