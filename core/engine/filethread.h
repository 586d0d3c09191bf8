// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <QFuture>
#include <QFutureWatcher>
#include <QObject>
#include <QPromise>
#include <QThread>

#include <functional>
#include <memory>
#include <type_traits>

namespace lockkeeper {

// The thread for slow work with files that only the user waits for: reading the audit, exports, parts of recordings.
// The history, the audit's writer and each recording have threads of their own, because they must not wait for an
// export. One work after the other, in the order of the calls. The thread starts with the first. Thread: the GUI's.
class LOCKKEEPER_MONITOR_EXPORT FileThread {
public:
    FileThread();
    // Blocks until all work is done.
    ~FileThread();
    FileThread(const FileThread&) = delete;
    FileThread& operator=(const FileThread&) = delete;

    // work: returns the answer. It runs on this thread, so it owns what it uses. It may take the promise, to report its
    // progress.
    template <typename Answer, typename Work>
    [[nodiscard]] QFuture<Answer> run(Work work) {
        const auto promise = std::make_shared<QPromise<Answer>>();
        promise->start();
        post([promise, work = std::move(work)] {
            if constexpr (std::is_invocable_v<const Work&, QPromise<Answer>&>)
                promise->addResult(work(*promise));
            else
                promise->addResult(work());
            promise->finish();
        });
        return promise->future();
    }

private:
    void post(std::function<void()> work);

    QThread m_thread;
    QObject m_queue;  // lives on m_thread
};

// Calls the slot with the answer, on the receiver's thread; never if the receiver is gone by then. QFuture::then()
// needs its context when the work ends.
template <typename Answer, typename Slot>
void onAnswer(const QFuture<Answer>& future, QObject* receiver, Slot slot) {
    auto* watcher = new QFutureWatcher<Answer>(receiver);
    QObject::connect(watcher, &QFutureWatcherBase::finished, receiver, [watcher, slot] {
        watcher->deleteLater();
        slot(watcher->result());
    });
    watcher->setFuture(future);
}

}  // namespace lockkeeper
