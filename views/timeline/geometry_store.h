// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/common/worker.h"
#include "views/timeline/geometry.h"
#include "views/timeline/minimap.h"

#include <QObject>

#include <atomic>
#include <map>
#include <memory>
#include <vector>

namespace hloscope {

// What the timeline needs to be drawn.
struct GeometryRequest {
    TimeWindow window; // what is shown, or will be when the running animation has ended
    double width = 0; // pixels of the window
    std::vector<StripKey> strips; // the visible ones first

    double picosecondsPerPixel() const { return window.span() / width; }
};

// Makes strips on a worker and keeps them: for every strip a coarse one of the whole trace, and a fine one around the
// window, three times as wide so that panning seldom waits. One request runs at a time and is finished; of those that
// come meanwhile only the last is kept. Results arrive in batches, so that a long build shows rows as they are ready.
class GeometryStore : public QObject {
    Q_OBJECT

public:
    explicit GeometryStore(QObject* parent = nullptr);
    ~GeometryStore() override;

    void setTrace(std::shared_ptr<const Trace> trace);
    void request(const GeometryRequest& request);
    // Builds on the calling thread what a request would bring. For pictures that are made without an event loop.
    void buildNow(const GeometryRequest& request);
    bool isReady() const { return !m_isRunning && !m_pending && m_minimap->columns.size() == m_minimapColumns; }

    // Strips to draw, the one on top last. The first covers the whole trace, the second the window more finely; empty
    // until the worker has been there.
    std::vector<std::shared_ptr<const Strip>> strips(const StripKey& key, const TimeWindow& window, double width) const;
    // The one that was made for this window, or the best there is; null when there is none.
    std::shared_ptr<const Strip> best(const StripKey& key, const TimeWindow& window, double width) const;

    // The coarse strip of the whole trace, null until it is there.
    std::shared_ptr<const Strip> whole(const StripKey& key) const;

    // The tracks that the minimap sums and its width.
    void requestMinimap(std::vector<TrackId> tracks, size_t columns);
    void buildMinimapNow(std::vector<TrackId> tracks, size_t columns);
    const Minimap& minimap() const { return *m_minimap; }

signals:
    void updated();
    void minimapUpdated();

private:
    struct Cell {
        std::shared_ptr<const Strip> whole;
        std::shared_ptr<const Strip> fine;
    };
    using Batch = std::vector<std::shared_ptr<const Strip>>;
    // One strip to build.
    struct Job {
        StripKey key;
        int64_t begin;
        int64_t end;
        double picosecondsPerPixel;
    };

    std::vector<Job> missing(const GeometryRequest& request) const;
    bool isExact(const Strip* strip, const TimeWindow& window, double width) const;
    void start(const GeometryRequest& request);
    void take(const Batch& batch);
    void dropUnused();
    void finish();
    double limit() const;

    std::shared_ptr<TraceIndex> m_index;
    int64_t m_origin = 0;
    int64_t m_end = 0;
    std::map<StripKey, Cell> m_cells;
    size_t m_markCount = 0; // in all cells
    std::vector<StripKey> m_wanted; // by the last request that was started, sorted
    std::unique_ptr<GeometryRequest> m_pending;
    bool m_isRunning = false;
    std::shared_ptr<const Minimap> m_minimap;
    size_t m_minimapColumns = 0;
    std::vector<TrackId> m_minimapTracks;
    std::shared_ptr<Progress> m_minimapProgress;
    std::shared_ptr<Progress> m_stripProgress;
    uint64_t m_generation = 0; // of the trace; results of an older one are dropped
    std::unique_ptr<Worker> m_stripWorker;
    std::unique_ptr<Worker> m_minimapWorker;
};

} // namespace hloscope
