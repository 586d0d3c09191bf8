// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measuring.h"

#include "async/taskscope.h"
#include "locks/kinds/reentrantlock.h"
#include "locks/lockclient.h"

namespace lockkeeper::bench {

inline Task<void> lockAndUnlock(locks::LockClient* client, QByteArray name, ThreadId owner,
                                std::chrono::steady_clock::time_point until, qint64* pairs,
                                std::function<void()> ended) {
    const locks::ReentrantLock lock = client->reentrantLock(LockName(name));
    while (std::chrono::steady_clock::now() < until) {
        const Result<Done> taken = co_await lock.lock(owner);
        const Result<locks::ReleaseOutcome> released = co_await lock.unlock(owner);
        if (!taken || !released)
            giveUp(taken ? released.error().text : taken.error().text);
        ++*pairs;
    }
    ended();
}

// Locks and unlocks each of these for this time, as fast as it can and all at once. Returns the pairs.
inline qint64 runLockPairs(locks::LockClient& client, const QByteArrayList& names, ThreadId owner,
                           std::chrono::milliseconds time) {
    QEventLoop loop;
    qint64 pairs = 0;
    qsizetype running = names.size();
    TaskScope scope;
    const auto until = std::chrono::steady_clock::now() + time;
    for (const QByteArray& name : names) {
        scope.spawn(lockAndUnlock(&client, name, owner, until, &pairs, [&] {
            if (--running == 0)
                loop.quit();
        }));
    }
    if (running > 0)  // none, if the time was over before the first pair
        loop.exec();
    return pairs;
}

}  // namespace lockkeeper::bench
