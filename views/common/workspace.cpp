// SPDX-License-Identifier: Apache-2.0
#include "views/common/workspace.h"

#include "core/analysis/module_facts.h"
#include "views/common/worker.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <exception>
#include <utility>

namespace hloscope {

namespace {

QString toQt(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString absolute(const QString& path)
{
    return path == QLatin1String("-") ? path : QFileInfo(path).absoluteFilePath();
}

// The readers give diagnostics; what is left are exhausted resources, which must not take the window down.
template <class Run> auto guarded(const QString& path, Run&& run) -> decltype(run())
{
    try {
        return run();
    } catch (const std::exception& error) {
        return makeError(path.toStdString(), error.what());
    }
}

// A profile says which device it was taken on, a path may name one; HLO itself does not.
const ChipSpec* chipOf(const Document& document, const QString& path)
{
    for (const std::shared_ptr<const Trace>& trace : document.traces) {
        for (const Plane& plane : trace->planes) {
            for (const Argument& argument : plane.arguments) {
                if (argument.name != "device_type_string")
                    continue;
                if (const ChipSpec* chip = findChip(argument.value))
                    return chip;
            }
        }
    }
    return chipNamedBy(path.toStdString());
}

QString labelOf(std::string_view name, const QString& path)
{
    return name.empty() ? QFileInfo(path).fileName() : toQt(name);
}

} // namespace

Workspace::Workspace(QObject* parent)
    : QObject(parent), m_reader(std::make_unique<Worker>()), m_analyst(std::make_unique<Worker>())
{
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, &Workspace::fileChanged);
}

Workspace::~Workspace()
{
    // Tasks refer to this object, so they end first; results that are queued go with it.
    for (const Job& job : m_jobs)
        job.progress->cancel();
    m_analyst.reset();
    m_reader.reset();
}

void Workspace::open(const QString& path)
{
    const QString full = absolute(path);
    begin(false, full, [this, full](uint64_t id, Progress& progress) {
        auto document = std::make_shared<Expected<Document>>(
            guarded(full, [&] { return openDocument(full.toStdString(), &progress); }));
        deliver([this, id, full, document] {
            // Cancel also counts when the worker had finished but its result was still on the way.
            if (!isCancelled(id))
                finishOpening(full, std::move(*document));
            end(id);
        });
    });
}

void Workspace::cancelOpening()
{
    for (const Job& job : m_jobs)
        job.progress->cancel();
}

const Progress* Workspace::progress() const
{
    return m_jobs.empty() ? nullptr : m_jobs.front().progress.get();
}

QString Workspace::busyWith() const
{
    return m_jobs.empty() ? QString() : m_jobs.front().path;
}

const ModuleEntry* Workspace::entry(const HloModule* module) const
{
    const auto found = std::ranges::find_if(m_modules, [&](const ModuleEntry& e) { return e.module.get() == module; });
    return module == nullptr || found == m_modules.end() ? nullptr : &*found;
}

void Workspace::setChip(const HloModule* module, const ChipSpec* chip)
{
    const auto found = std::ranges::find_if(m_modules, [&](const ModuleEntry& e) { return e.module.get() == module; });
    if (found == m_modules.end() || chip == nullptr || (found->chip == chip && !found->chipIsGuessed))
        return;
    const bool isSame = found->chip == chip;
    found->chip = chip;
    found->chipIsGuessed = false;
    if (!isSame) {
        found->cost.reset();
        found->simulation.reset();
        analyse(*found, !found->memory);
    }
    emit moduleChanged(module);
}

void Workspace::close(const QString& path)
{
    remove(absolute(path));
    emit closed();
}

void Workspace::closeAll()
{
    cancelOpening();
    while (!m_documents.empty())
        remove(m_documents.back().path);
    emit closed();
}

void Workspace::begin(bool isAnalysis, const QString& path, std::function<void(uint64_t id, Progress&)> task)
{
    const uint64_t id = ++m_lastId;
    Worker& worker = isAnalysis ? *m_analyst : *m_reader;
    m_jobs.push_back(
        {id, path, isAnalysis, worker.post([id, task = std::move(task)](Progress& progress) { task(id, progress); })});
    if (m_jobs.size() == 1)
        emit busyChanged(true);
}

bool Workspace::isCancelled(uint64_t id) const
{
    const auto found = std::ranges::find(m_jobs, id, &Job::id);
    return found == m_jobs.end() || found->progress->isCancelled();
}

void Workspace::end(uint64_t id)
{
    std::erase_if(m_jobs, [id](const Job& job) { return job.id == id; });
    if (m_jobs.empty())
        emit busyChanged(false);
}

void Workspace::deliver(std::function<void()> result)
{
    QMetaObject::invokeMethod(this, std::move(result), Qt::QueuedConnection);
}

void Workspace::finishOpening(const QString& path, Expected<Document> document)
{
    if (!document) {
        emit openFailed(path, toQt(document.error().format()), document.error());
        return;
    }
    remove(path);
    m_documents.push_back({path, document->kind, std::move(document->problems)});
    const size_t firstNew = m_modules.size();
    const ChipSpec* chip = chipOf(*document, path);
    for (std::shared_ptr<const HloModule>& module : document->modules) {
        ModuleEntry entry;
        entry.label = labelOf(module->name, path);
        entry.path = path;
        entry.chip = chip;
        entry.chipIsGuessed = entry.chip == nullptr;
        if (entry.chipIsGuessed)
            entry.chip = findChip("v5e");
        entry.module = std::move(module);
        m_modules.push_back(std::move(entry));
    }
    for (std::shared_ptr<const Trace>& trace : document->traces)
        m_traces.push_back({trace, labelOf(trace->name, path), path});
    if (QFileInfo(path).isFile())
        m_watcher.addPath(path);

    for (size_t i = firstNew; i < m_modules.size(); ++i)
        analyse(m_modules[i], true);
    emit documentOpened(path);
}

void Workspace::analyse(ModuleEntry& entry, bool withMemory)
{
    entry.run = m_lastId + 1;
    entry.isAnalysed = false;
    entry.problems = Problems();
    const auto task = [this, module = entry.module, chip = entry.chip, memory = withMemory ? nullptr : entry.memory,
                       path = entry.path](uint64_t id, Progress& progress) mutable {
        const auto report = [&](auto member, auto result) {
            deliver([this, key = module.get(), id, member, result] {
                update(key, id, [&](ModuleEntry& e) { e.*member = result; });
            });
        };
        Problems problems;
        if (!memory) {
            auto result = guarded(path, [&]() -> Expected<MemoryReport> { return analyseMemory(*module, &progress); });
            if (result) {
                memory = std::make_shared<const MemoryReport>(std::move(*result));
                report(&ModuleEntry::memory, memory);
            } else {
                problems.add(result.error());
            }
        }
        auto cost = guarded(path, [&]() -> Expected<std::shared_ptr<const ModuleCost>> {
            return std::make_shared<const ModuleCost>(analyseCost(*module, *chip, &progress));
        });
        if (cost && !progress.isCancelled()) {
            report(&ModuleEntry::cost, *cost);
            auto result = guarded(path, [&] { return simulate(module, **cost, memory.get(), {}, &progress); });
            if (result)
                report(&ModuleEntry::simulation, std::make_shared<const Simulation>(std::move(*result)));
            else
                problems.add(result.error());
        } else if (!cost) {
            problems.add(cost.error());
        }
        deliver([this, key = module.get(), id, problems] {
            update(key, id, [&](ModuleEntry& e) {
                e.problems = problems;
                e.isAnalysed = true;
            });
            end(id);
        });
    };
    begin(true, entry.path, task);
}

void Workspace::update(const HloModule* module, uint64_t run, const std::function<void(ModuleEntry&)>& change)
{
    const auto found = std::ranges::find_if(m_modules, [&](const ModuleEntry& e) { return e.module.get() == module; });
    if (found == m_modules.end() || found->run != run)
        return;
    change(*found);
    emit moduleChanged(module);
}

// Frees on the worker what may be large: a trace of ten million events takes longer to free than a frame.
template <class T> void Workspace::discard(T&& value)
{
    m_reader->post(
        [kept = std::make_shared<std::decay_t<T>>(std::forward<T>(value))](Progress&) mutable { kept.reset(); });
}

void Workspace::remove(const QString& path)
{
    const auto isOfPath = [&](const auto& entry) { return entry.path == path; };
    for (const Job& job : m_jobs) {
        if (job.path == path && job.isAnalysis)
            job.progress->cancel();
    }
    std::vector<ModuleEntry> modules;
    std::vector<TraceEntry> traces;
    std::ranges::copy_if(m_modules, std::back_inserter(modules), isOfPath);
    std::ranges::copy_if(m_traces, std::back_inserter(traces), isOfPath);
    std::erase_if(m_modules, isOfPath);
    std::erase_if(m_traces, isOfPath);
    std::erase_if(m_documents, isOfPath);
    if (m_watcher.files().contains(path))
        m_watcher.removePath(path);
    discard(std::make_pair(std::move(modules), std::move(traces)));
}

} // namespace hloscope
