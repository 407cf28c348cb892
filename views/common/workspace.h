// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/formats/document.h"
#include "core/memory/memory_report.h"
#include "core/support/progress.h"
#include "core/tpu/simulation.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <vector>

namespace hloscope {

class Worker;

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
    uint64_t run = 0; // of the analysis whose results are awaited; those of older runs are dropped
};

struct TraceEntry {
    std::shared_ptr<const Trace> trace;
    QString label;
    QString path;
};

// A file or folder that is open.
struct DocumentEntry {
    QString path;
    FileKind kind = FileKind::HloText;
    Problems problems; // of the container
};

// Everything that is open. Files are read and analysed on worker threads; results arrive in stages through the signals,
// always on the thread of this object: first the module or trace as it was read, then memory, cost and simulation one
// by one. The destructor cancels and waits for what still runs.
class Workspace : public QObject {
    Q_OBJECT

public:
    explicit Workspace(QObject* parent = nullptr);
    ~Workspace() override;

    // Reads a file or folder. One that is open already is read again and replaced.
    void open(const QString& path);
    // Files that are being read are given up without a message; analyses end without their result.
    void cancelOpening();
    bool isBusy() const { return !m_jobs.empty(); } // a file is being read or a module analysed
    const Progress* progress() const; // of the oldest running job, null when idle
    QString busyWith() const; // path that the job is about

    const std::vector<DocumentEntry>& documents() const { return m_documents; }
    const std::vector<ModuleEntry>& modules() const { return m_modules; }
    const std::vector<TraceEntry>& traces() const { return m_traces; }
    // Null when the module is not open.
    const ModuleEntry* entry(const HloModule* module) const;
    // Prices and simulates the module again for another chip.
    void setChip(const HloModule* module, const ChipSpec* chip);
    void close(const QString& path);
    void closeAll();

signals:
    void busyChanged(bool busy);
    void documentOpened(const QString& path); // its modules and traces are in the lists
    // `message` is the diagnostic as the command line prints it.
    void openFailed(const QString& path, const QString& message, const hloscope::Diagnostic& error);
    void moduleChanged(const hloscope::HloModule* module); // a derived part has arrived
    void closed(); // something has been closed: the lists are shorter
    void fileChanged(const QString& path); // an open file is different on disk

private:
    struct Job {
        uint64_t id = 0;
        QString path;
        bool isAnalysis = false;
        std::shared_ptr<Progress> progress;
    };

    void begin(bool isAnalysis, const QString& path, std::function<void(uint64_t id, Progress&)> task);
    bool isCancelled(uint64_t id) const;
    void end(uint64_t id);
    void deliver(std::function<void()> result);
    void finishOpening(const QString& path, Expected<Document> document);
    void analyse(ModuleEntry& entry, bool withMemory);
    void update(const HloModule* module, uint64_t run, const std::function<void(ModuleEntry&)>& change);
    void remove(const QString& path);
    template <class T> void discard(T&& value);

    std::vector<DocumentEntry> m_documents;
    std::vector<ModuleEntry> m_modules;
    std::vector<TraceEntry> m_traces;
    std::vector<Job> m_jobs; // posted and not yet delivered, oldest first
    uint64_t m_lastId = 0;
    QFileSystemWatcher m_watcher;
    std::unique_ptr<Worker> m_reader;
    std::unique_ptr<Worker> m_analyst;
};

} // namespace hloscope
