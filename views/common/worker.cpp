// SPDX-License-Identifier: Apache-2.0
#include "views/common/worker.h"

#include <utility>

namespace hloscope {

Worker::Worker() : m_thread([this] { run(); }) { }

Worker::~Worker()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isStopping = true;
        m_queue.clear();
        if (m_running)
            m_running->cancel();
    }
    m_wake.notify_one();
    m_thread.join();
}

std::shared_ptr<Progress> Worker::post(Task task)
{
    auto progress = std::make_shared<Progress>();
    {
        const std::lock_guard lock(m_mutex);
        m_queue.push_back({std::move(task), progress});
    }
    m_wake.notify_one();
    return progress;
}

void Worker::run()
{
    while (true) {
        Item item;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [this] { return m_isStopping || !m_queue.empty(); });
            if (m_isStopping)
                return;
            item = std::move(m_queue.front());
            m_queue.pop_front();
            m_running = item.progress;
        }
        item.task(*item.progress);
        const std::lock_guard lock(m_mutex);
        m_running.reset();
    }
}

} // namespace hloscope
