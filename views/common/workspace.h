// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/document.h"
#include "core/memory/memory_report.h"
#include "core/support/progress.h"
#include "core/tpu/simulation.h"

#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace hloscope {

// A module that is open, with what was derived from it. Derived parts are null until their worker has finished, or
// where they cannot be had (an unscheduled module has no simulation).
struct ModuleEntry {
    std::shared_ptr<const HloModule> module;
    QString label; // module name, or file name where that says more
    QString path;
    const ChipSpec* chip = nullptr;
    bool chipIsGuessed = false; // the file names no chip
    std::shared_ptr<const ModuleCost> cost;
    std::shared_ptr<const MemoryReport> memory;
    std::shared_ptr<const Simulation> simulation;
    Problems problems; // why a derived part is missing
    bool isAnalysed = false; // all derived parts that can be had are there
};

struct TraceEntry {
    std::shared_ptr<const Trace> trace;
    QString label;
    QString path;
};

// Everything that is open. Files are read and analysed on worker threads; results arrive in stages through the signals,
// always on the thread of this object.
class Workspace : public QObject {
    Q_OBJECT

public:
    explicit Workspace(QObject* parent = nullptr);
    ~Workspace() override;

    void open(const QString& path);
    void cancelOpening();
    bool isBusy() const; // a file is being read or a module analysed
    const Progress* progress() const; // of the running job, null when idle

    const std::vector<ModuleEntry>& modules() const { return m_modules; }
    const std::vector<TraceEntry>& traces() const { return m_traces; }
    // Null when the module is not open.
    const ModuleEntry* entry(const HloModule* module) const;
    // Prices and simulates the module again for another chip.
    void setChip(const HloModule* module, const ChipSpec* chip);
    void closeAll();

signals:
    void busyChanged(bool busy);
    void documentOpened(const QString& path); // its modules and traces are in the lists
    void openFailed(const QString& path, const QString& message);
    void moduleChanged(const hloscope::HloModule* module); // a derived part has arrived
    void closed();

private:
    struct Job;
    void analyse(size_t moduleIndex);

    std::vector<ModuleEntry> m_modules;
    std::vector<TraceEntry> m_traces;
    std::unique_ptr<Job> m_job;
};

} // namespace hloscope
