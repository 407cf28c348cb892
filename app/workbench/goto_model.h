// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/common/selection.h"
#include "views/common/workspace.h"

#include <QAbstractListModel>
#include <QAction>
#include <QPointer>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace hloscope {

// One thing that the command field can go to.
struct GotoHit {
    enum class Kind { Instruction, Computation, File, Command };

    Kind kind = Kind::Command;
    QString text;
    QString detail; // right end of the row: opcode, size, shortcut
    std::shared_ptr<const HloModule> module;
    ComputationId computation;
    InstructionId instruction;
    QString path; // File
    QPointer<QAction> command;
};

// How well a name answers a query, smaller is better: the name itself, a name that begins with it, a word in the name
// that begins with it, a part of the name, the letters in this order. Nothing when it does not. `query` is lower case.
std::optional<int> matchRank(std::string_view name, std::string_view query);

// What the text in the command field finds: instructions and computations of the selected module (of all modules when
// none is selected), recent files, and commands; only commands behind a leading `>`. Best first, at most kMaxHits.
class GotoModel : public QAbstractListModel {
    Q_OBJECT

public:
    static constexpr size_t kMaxHits = 200;
    enum Role { DetailRole = Qt::UserRole, IconRole, MonoRole };

    using Commands = std::function<std::vector<QAction*>()>;
    using Files = std::function<QStringList()>;

    GotoModel(const Workspace& workspace, const Selection& selection, Commands commands, Files files,
              QObject* parent = nullptr);

    void setQuery(const QString& query);
    const GotoHit& hit(int row) const { return m_hits[static_cast<size_t>(row)]; }
    // Hits in all, of which the model holds the best.
    size_t total() const { return m_total; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    struct Candidate {
        int rank = 0; // smaller is better
        GotoHit::Kind kind = GotoHit::Kind::Command;
        uint32_t source = 0; // index into Candidates::modules
        uint32_t index = 0; // of the instruction, computation, file or command
    };
    struct Candidates {
        std::vector<std::shared_ptr<const HloModule>> modules;
        QStringList files;
        std::vector<QAction*> commands;
        std::vector<Candidate> found;
    };

    static void addModule(Candidates& candidates, size_t source, std::string_view query);
    static void addFiles(Candidates& candidates, std::string_view query);
    static void addCommands(Candidates& candidates, std::string_view query);
    static GotoHit makeHit(const Candidates& candidates, const Candidate& candidate);
    void takeBest(Candidates& candidates);

    const Workspace& m_workspace;
    const Selection& m_selection;
    Commands m_commands;
    Files m_files;
    std::vector<GotoHit> m_hits;
    size_t m_total = 0;
};

} // namespace hloscope
