// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/common/workspace.h"

#include <QAbstractTableModel>

#include <memory>
#include <vector>

namespace hloscope {

// What was wrong with the files that were opened: failures of this session first, then what readers and analyses met
// in each open file, with the number of times for what they only counted.
class ProblemsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { What, Where, Times, ColumnCount };
    enum Role { SeverityRole = Qt::UserRole };

    struct Row {
        Severity severity = Severity::Warning;
        QString what;
        QString where; // "module.hlo:575:37"
        quint64 times = 1;
        std::shared_ptr<const HloModule> module; // with `line`: where to go
        uint32_t line = 0;
    };

    explicit ProblemsModel(const Workspace& workspace, QObject* parent = nullptr);

    const Row& row(int index) const { return m_rows[static_cast<size_t>(index)]; }
    // All times of all rows.
    quint64 total() const;
    void clearFailures();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void rebuild();
    void add(const Problems& problems, const QString& path, const std::shared_ptr<const HloModule>& module = {});

    const Workspace& m_workspace;
    std::vector<Row> m_failures;
    std::vector<Row> m_rows;
};

// One sentence for people: what is wrong, what was expected and found, what to do.
QString problemText(const Diagnostic& diagnostic);

} // namespace hloscope
