// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/common/selection.h"
#include "views/common/workspace.h"

#include <QAbstractItemModel>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hloscope {

// The tree of what is open: files > modules > computations > instructions, the simulated step of a module with its
// planes, lines and counters, and traces with theirs. Children are made when a row is opened. A module shows its entry
// and the first few computations, the rest stands behind one row that is opened on demand; a filter searches all of
// them.
class NavigatorModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum class Kind { File, Module, Computation, Instruction, Step, Trace, Plane, Line, Counter, More };
    enum Role {
        KindRole = Qt::UserRole,
        CountRole, // text at the right end of the row
        IconRole, // name for icon()
        MonoRole, // a name from the file, set in the fixed font
    };
    // Shown at first under a module and a computation.
    static constexpr size_t kFirstComputations = 8;
    static constexpr size_t kFirstInstructions = 200;
    // Added each time "n more" is opened.
    static constexpr size_t kMoreRows = 1000;

    explicit NavigatorModel(const Workspace& workspace, QObject* parent = nullptr);
    ~NavigatorModel() override;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    bool hasChildren(const QModelIndex& parent = {}) const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;
    QVariant data(const QModelIndex& index, int role) const override;

    // Only rows whose name contains the text, with the rows above them; everything for the empty text.
    void setFilter(const QString& text);
    const QString& filter() const { return m_filter; }
    // Puts the rows behind "n more" into the tree. The row itself goes when none is left.
    void showMore(const QModelIndex& more);
    // Gives the selection what the row stands for. False for a row that stands for nothing but its children.
    bool select(const QModelIndex& index, Selection& selection) const;
    // The row that shows the selection best, among those that are in the tree; invalid when none does.
    QModelIndex indexOf(const SelectionState& state) const;

signals:
    // The filter is another one: what should be open has to be opened again.
    void rebuilt();
    void fileAdded(const QModelIndex& file);

private:
    struct Node;

    void rebuild();
    void updateFile(const QString& path);
    void removeClosed();
    void updateModule(const HloModule* module);
    void insert(Node* parent, int at, std::vector<std::unique_ptr<Node>> rows);
    void remove(Node* parent, int at);
    Node* nodeAt(const QModelIndex& index) const;
    QModelIndex indexOfNode(const Node* node) const;
    static QString iconOf(const Node& node);

    void populate(Node& node) const;
    std::unique_ptr<Node> finished(std::unique_ptr<Node> node) const;
    std::vector<std::unique_ptr<Node>> makeChildren(const Node& node) const;
    std::vector<std::unique_ptr<Node>> makeContents(const Node& file) const;
    std::vector<std::unique_ptr<Node>> makeComputations(const Node& module) const;
    std::vector<std::unique_ptr<Node>> makeInstructions(const Node& computation) const;
    std::vector<std::unique_ptr<Node>> makePlanes(const Node& trace) const;
    std::vector<std::unique_ptr<Node>> makeLines(const Node& plane) const;
    std::unique_ptr<Node> makeFile(const QString& path) const;
    std::unique_ptr<Node> makeStep(const ModuleEntry& entry) const;
    std::unique_ptr<Node> makeComputation(const std::shared_ptr<const HloModule>& module, ComputationId id) const;
    std::unique_ptr<Node> makeInstruction(const std::shared_ptr<const HloModule>& module, InstructionId id) const;
    std::unique_ptr<Node> makeMore(std::vector<uint32_t> hidden, bool areComputations) const;
    bool matches(std::string_view name) const;
    bool holdsMatch(const HloModule& module, ComputationId id) const;
    const Node* best(const Node& node, const SelectionState& state) const;

    const Workspace& m_workspace;
    QString m_filter;
    std::string m_needle; // lower case, for ASCII names
    std::unique_ptr<Node> m_root;
};

// How a file is called where only its name is shown: files named like every other (`module.hlo`) with their folder.
QString displayNameOf(const QString& path);

} // namespace hloscope
