// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/geometry_store.h"

#include <QElapsedTimer>

#include <algorithm>
#include <cmath>

namespace hloscope {

namespace {

constexpr double kPadding = 1.0; // windows on either side of a fine strip
constexpr qint64 kBatchMilliseconds = 12;
// Beyond this many marks (64 MB) strips that the last request did not ask for are dropped.
constexpr size_t kMaxMarks = 500'000;

bool isSameResolution(double a, double b)
{
    return std::abs(a - b) <= 1e-6 * std::max(a, b);
}

} // namespace

GeometryStore::GeometryStore(QObject* parent)
    : QObject(parent)
    , m_minimap(std::make_shared<Minimap>())
    , m_stripWorker(std::make_unique<Worker>())
    , m_minimapWorker(std::make_unique<Worker>())
{
}

GeometryStore::~GeometryStore() = default;

void GeometryStore::setTrace(std::shared_ptr<const Trace> trace)
{
    ++m_generation;
    for (const std::shared_ptr<Progress>& progress : {m_stripProgress, m_minimapProgress}) {
        if (progress)
            progress->cancel();
    }
    m_cells.clear();
    m_wanted.clear();
    m_markCount = 0;
    m_pending.reset();
    m_isRunning = false;
    m_minimap = std::make_shared<Minimap>();
    m_minimapColumns = 0;
    // The index of a large trace takes longer to free than a frame.
    m_stripWorker->post([old = std::move(m_index)](Progress&) mutable { old.reset(); });
    m_index = trace ? std::make_shared<TraceIndex>(trace) : nullptr;
    m_origin = trace ? trace->span().first : 0;
    m_end = trace ? trace->span().second : 0;
}

double GeometryStore::limit() const
{
    return std::max(static_cast<double>(m_end - m_origin), kMinWindowSpan);
}

bool GeometryStore::isExact(const Strip* strip, const TimeWindow& window, double width) const
{
    if (strip == nullptr || !isSameResolution(strip->picosecondsPerPixel, window.span() / width))
        return false;
    const auto begin = m_origin + static_cast<int64_t>(std::floor(std::max(window.begin, 0.0)));
    const auto end =
        m_origin + static_cast<int64_t>(std::ceil(std::min(window.end, static_cast<double>(m_end - m_origin))));
    return strip->covers(begin, std::max(begin, end));
}

std::vector<GeometryStore::Job> GeometryStore::missing(const GeometryRequest& request) const
{
    std::vector<Job> jobs;
    const double perPixel = request.picosecondsPerPixel();
    const double padding = request.window.span() * kPadding;
    const double begin = std::max(request.window.begin - padding, 0.0);
    const double end = std::min(request.window.end + padding, limit());
    for (const StripKey& key : request.strips) {
        const auto cell = m_cells.find(key);
        const Strip* whole = cell == m_cells.end() ? nullptr : cell->second.whole.get();
        const Strip* fine = cell == m_cells.end() ? nullptr : cell->second.fine.get();
        if (whole == nullptr)
            jobs.push_back({key, m_origin, m_end, limit() / request.width});
        const bool isWhole = isSameResolution(perPixel, limit() / request.width);
        if (isExact(fine, request.window, request.width) || isExact(whole, request.window, request.width)
            || (whole == nullptr && isWhole))
            continue;
        jobs.push_back({key, m_origin + static_cast<int64_t>(std::floor(begin)),
                        m_origin + static_cast<int64_t>(std::ceil(end)), perPixel});
    }
    return jobs;
}

void GeometryStore::request(const GeometryRequest& request)
{
    if (!m_index || request.width < 1 || request.strips.empty())
        return;
    if (m_isRunning) {
        m_pending = std::make_unique<GeometryRequest>(request);
        return;
    }
    start(request);
}

void GeometryStore::start(const GeometryRequest& request)
{
    std::vector<Job> jobs = missing(request);
    if (jobs.empty())
        return;
    m_isRunning = true;
    m_wanted = request.strips;
    std::ranges::sort(m_wanted);
    m_stripProgress = m_stripWorker->post(
        [this, index = m_index, jobs = std::move(jobs), generation = m_generation](const Progress& progress) {
            QElapsedTimer timer;
            timer.start();
            Batch batch;
            const auto flush = [&](bool isLast) {
                QMetaObject::invokeMethod(
                    this,
                    [this, generation, isLast, done = std::move(batch)] {
                        if (generation != m_generation)
                            return;
                        take(done);
                        if (isLast)
                            finish();
                    },
                    Qt::QueuedConnection);
                batch.clear();
                timer.restart();
            };
            for (const Job& job : jobs) {
                if (progress.isCancelled())
                    return;
                batch.push_back(buildStrip(*index, job.key, job.begin, job.end, job.picosecondsPerPixel));
                if (timer.elapsed() >= kBatchMilliseconds)
                    flush(false);
            }
            flush(true);
        });
}

void GeometryStore::buildNow(const GeometryRequest& request)
{
    if (!m_index || request.width < 1)
        return;
    Batch batch;
    for (const Job& job : missing(request))
        batch.push_back(buildStrip(*m_index, job.key, job.begin, job.end, job.picosecondsPerPixel));
    take(batch);
}

void GeometryStore::take(const Batch& batch)
{
    if (m_markCount > kMaxMarks)
        dropUnused();
    for (const std::shared_ptr<const Strip>& strip : batch) {
        Cell& cell = m_cells[strip->key];
        const bool isWhole = strip->begin == m_origin && strip->end == m_end
            && (!cell.whole || strip->picosecondsPerPixel >= cell.whole->picosecondsPerPixel * 0.999);
        std::shared_ptr<const Strip>& place = isWhole ? cell.whole : cell.fine;
        m_markCount += strip->marks.size();
        m_markCount -= place ? place->marks.size() : 0;
        place = strip;
    }
    if (!batch.empty())
        emit updated();
}

void GeometryStore::dropUnused()
{
    std::erase_if(m_cells, [this](const auto& cell) { return !std::ranges::binary_search(m_wanted, cell.first); });
    m_markCount = 0;
    for (const auto& [key, cell] : m_cells) {
        for (const std::shared_ptr<const Strip>& strip : {cell.whole, cell.fine})
            m_markCount += strip ? strip->marks.size() : 0;
    }
}

void GeometryStore::finish()
{
    m_isRunning = false;
    if (const std::unique_ptr<GeometryRequest> next = std::move(m_pending))
        start(*next);
    if (!m_isRunning)
        emit updated();
}

std::vector<std::shared_ptr<const Strip>> GeometryStore::strips(const StripKey& key, const TimeWindow& window,
                                                                double width) const
{
    std::vector<std::shared_ptr<const Strip>> result;
    const auto cell = m_cells.find(key);
    if (cell == m_cells.end())
        return result;
    const std::shared_ptr<const Strip>& whole = cell->second.whole;
    const std::shared_ptr<const Strip>& fine = cell->second.fine;
    const auto begin = m_origin + static_cast<int64_t>(std::max(window.begin, 0.0));
    const auto end = m_origin + static_cast<int64_t>(std::min(window.end, static_cast<double>(m_end - m_origin)));
    const bool fineSuffices = fine && fine->covers(begin, end);
    const double perPixel = window.span() / width;
    // A fine strip is no better than the whole one when the window shows nearly everything.
    const bool fineIsBetter = fine
        && (!whole
            || std::abs(std::log(fine->picosecondsPerPixel / perPixel))
                < std::abs(std::log(whole->picosecondsPerPixel / perPixel)));
    if (whole && !(fineSuffices && fineIsBetter))
        result.push_back(whole);
    if (fineIsBetter)
        result.push_back(fine);
    return result;
}

std::shared_ptr<const Strip> GeometryStore::best(const StripKey& key, const TimeWindow& window, double width) const
{
    const auto all = strips(key, window, width);
    return all.empty() ? nullptr : all.back();
}

std::shared_ptr<const Strip> GeometryStore::whole(const StripKey& key) const
{
    const auto cell = m_cells.find(key);
    return cell == m_cells.end() ? nullptr : cell->second.whole;
}

void GeometryStore::requestMinimap(std::vector<TrackId> tracks, size_t columns)
{
    if (!m_index || columns == 0 || (columns == m_minimapColumns && tracks == m_minimapTracks))
        return;
    m_minimapColumns = columns;
    m_minimapTracks = tracks;
    if (m_minimapProgress)
        m_minimapProgress->cancel();
    m_minimapProgress = m_minimapWorker->post([this, index = m_index, tracks = std::move(tracks), columns,
                                               generation = m_generation](const Progress& progress) {
        auto map = std::make_shared<const Minimap>(buildMinimap(index->trace(), tracks, columns, &progress));
        if (progress.isCancelled())
            return;
        QMetaObject::invokeMethod(
            this,
            [this, generation, map] {
                if (generation != m_generation || map->columns.size() != m_minimapColumns)
                    return;
                m_minimap = map;
                emit minimapUpdated();
            },
            Qt::QueuedConnection);
    });
}

void GeometryStore::buildMinimapNow(std::vector<TrackId> tracks, size_t columns)
{
    if (!m_index || columns == 0 || m_minimap->columns.size() == columns)
        return;
    m_minimapColumns = columns;
    m_minimapTracks = tracks;
    m_minimap = std::make_shared<const Minimap>(buildMinimap(m_index->trace(), tracks, columns));
}

} // namespace hloscope
