// SPDX-License-Identifier: Apache-2.0
#include "app/workbench/goto_model.h"

#include "app/workbench/navigator_model.h"
#include "app/workbench/window_actions.h"
#include "views/words/units.h"

#include <QKeySequence>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace hloscope {

namespace {

// Steps between the ways to match; the length of the name fills the room between them.
constexpr int kExact = 0;
constexpr int kPrefix = 100;
constexpr int kWord = 200;
constexpr int kPart = 300;
constexpr int kLetters = 400;

char lower(char c)
{
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
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
    beginResetModel();
    m_hits.clear();
    QString text = query.trimmed().toLower();
    const bool onlyCommands = text.startsWith(QLatin1Char('>'));
    if (onlyCommands)
        text = text.mid(1).trimmed();
    if (text.startsWith(QLatin1Char('%')))
        text.remove(0, 1); // as names are written in HLO text
    const std::string needle = text.toStdString();
    if (!onlyCommands) {
        if (m_selection.state().module) {
            addModule(m_selection.state().module, needle);
        } else {
            for (const ModuleEntry& entry : m_workspace.modules())
                addModule(entry.module, needle);
        }
        addFiles(needle);
    }
    addCommands(needle);
    keepBest();
    for (GotoHit& hit : m_hits)
        describe(hit);
    endResetModel();
}

void GotoModel::keepBest()
{
    m_total = m_hits.size();
    const size_t count = std::min(m_total, kMaxHits);
    std::vector<size_t> order(m_total);
    std::iota(order.begin(), order.end(), size_t(0));
    // Equal ranks stay in the order of the program.
    const auto better = [&](size_t a, size_t b) { return std::pair(m_hits[a].rank, a) < std::pair(m_hits[b].rank, b); };
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(), better);
    std::vector<GotoHit> best;
    best.reserve(count);
    for (size_t i = 0; i < count; ++i)
        best.push_back(std::move(m_hits[order[i]]));
    m_hits = std::move(best);
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

void GotoModel::addModule(const std::shared_ptr<const HloModule>& module, std::string_view query)
{
    for (size_t i = 0; i < module->computations.size(); ++i) {
        const HloComputation& computation = module->computations[i];
        const std::optional<int> rank = matchRank(computation.name, query);
        if (!rank || computation.isImplicit)
            continue;
        GotoHit hit;
        hit.kind = GotoHit::Kind::Computation;
        hit.module = module;
        hit.computation = ComputationId(i);
        hit.rank = *rank - (computation.isEntry ? 1 : 0);
        m_hits.push_back(std::move(hit));
    }
    // Without a query the list is a menu, not the program.
    if (query.empty())
        return;
    for (size_t i = 0; i < module->instructions.size(); ++i) {
        const std::optional<int> rank = matchRank(module->instructions[i].name, query);
        if (!rank)
            continue;
        GotoHit hit;
        hit.kind = GotoHit::Kind::Instruction;
        hit.module = module;
        hit.instruction = InstructionId(i);
        // What takes time comes before what a fusion holds.
        hit.rank = *rank - (module->instructions[i].computation == module->entry ? 2 : 0);
        m_hits.push_back(std::move(hit));
    }
}

// Texts are made for the few hits that are shown, not for every name that matches.
void GotoModel::describe(GotoHit& hit)
{
    if (hit.kind == GotoHit::Kind::Instruction) {
        const HloInstruction& instruction = hit.module->instruction(hit.instruction);
        hit.text = toQt(instruction.name);
        hit.detail =
            tr("%1 in %2")
                .arg(toQt(instruction.opcodeText), toQt(hit.module->computation(instruction.computation).name));
    } else if (hit.kind == GotoHit::Kind::Computation) {
        const HloComputation& computation = hit.module->computation(hit.computation);
        hit.text = toQt(computation.name);
        hit.detail = tr("%n instruction(s)", nullptr, static_cast<int>(computation.instructions.count));
    }
}

void GotoModel::addFiles(std::string_view query)
{
    for (const QString& path : m_files()) {
        const QString name = displayNameOf(path);
        const std::optional<int> rank = matchRank(name.toStdString(), query);
        if (!rank)
            continue;
        GotoHit hit;
        hit.kind = GotoHit::Kind::File;
        hit.text = name;
        hit.detail = tr("recent file");
        hit.path = path;
        hit.rank = *rank + 3;
        m_hits.push_back(std::move(hit));
    }
}

void GotoModel::addCommands(std::string_view query)
{
    for (QAction* action : m_commands()) {
        const QString text = commandText(*action);
        const std::optional<int> rank = matchRank(text.toStdString(), query);
        if (!rank || !action->isEnabled())
            continue;
        GotoHit hit;
        hit.kind = GotoHit::Kind::Command;
        hit.text = text;
        hit.detail = action->shortcut().toString(QKeySequence::NativeText);
        hit.command = action;
        hit.rank = *rank + 4;
        m_hits.push_back(std::move(hit));
    }
}

} // namespace hloscope
