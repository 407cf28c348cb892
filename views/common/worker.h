// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/support/progress.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace hloscope {

// A thread that runs tasks one after the other. Every task that was posted runs, so that it can report its end; one
// that was cancelled while it waited finds its progress cancelled and returns at once. Only tasks that still wait when
// the worker is destroyed are dropped; the destructor cancels the running one and waits for it.
class Worker {
public:
    using Task = std::function<void(Progress&)>;

    Worker();
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    std::shared_ptr<Progress> post(Task task);

private:
    struct Item {
        Task task;
        std::shared_ptr<Progress> progress;
    };
    void run();

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<Item> m_queue;
    std::shared_ptr<Progress> m_running;
    bool m_isStopping = false;
    std::thread m_thread; // last: starts when everything else stands
};

} // namespace hloscope
