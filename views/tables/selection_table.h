// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/common/worker.h"
#include "views/tables/selection_table_model.h"

#include <QWidget>

#include <memory>

QT_FORWARD_DECLARE_CLASS(QLabel)
QT_FORWARD_DECLARE_CLASS(QTableView)
QT_FORWARD_DECLARE_CLASS(QToolButton)

namespace hloscope {

// The table under the timeline: what a range of time over some tracks holds. Summed on a worker; while the range is
// dragged only the latest one is summed.
class SelectionTable : public QWidget {
    Q_OBJECT

public:
    explicit SelectionTable(QWidget* parent = nullptr);
    ~SelectionTable() override;

    void setRange(std::shared_ptr<const Trace> trace, std::vector<TrackId> tracks, int64_t beginPs, int64_t endPs);
    void clear();
    bool isReady() const { return !m_isRunning; }
    // Marks the row of the selected event.
    void setCurrent(std::shared_ptr<const Trace> trace, EventId event);

    SelectionTableModel& model() { return *m_model; }
    QTableView& table() { return *m_table; }
    QString summary() const;
    QString footer() const;

signals:
    void eventActivated(hloscope::EventId event);
    void closeRequested();
    void readyChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Request {
        std::shared_ptr<const Trace> trace;
        std::vector<TrackId> tracks;
        int64_t beginPs = 0;
        int64_t endPs = 0;
    };
    void start(Request request);
    void take(RangeStatistics statistics);
    void applyTheme();
    void layOutColumns();
    void buildHeader(QWidget* header);
    void showWords();

    SelectionTableModel* m_model;
    QLabel* m_title;
    QLabel* m_summary;
    QToolButton* m_close;
    QTableView* m_table;
    QLabel* m_footer;
    std::unique_ptr<Request> m_pending;
    std::shared_ptr<Progress> m_progress;
    bool m_isRunning = false;
    uint64_t m_generation = 0;
    std::shared_ptr<const Trace> m_currentTrace;
    EventId m_current;
    std::unique_ptr<Worker> m_worker;
};

} // namespace hloscope
