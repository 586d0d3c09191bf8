// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/threadverdict.h"

namespace lockkeeper::monitor {

SeenThread seenThread(const ThreadVerdict& verdict) {
    SeenThread seen;
    seen.dumpAt = verdict.dump->at;
    seen.fate = verdict.fate;
    seen.taken = verdict.taken;
    seen.certainty = verdict.certainty;
    if (const DumpedThread* thread = verdict.thread()) {
        seen.name = thread->name;
        seen.activity = thread->activity;
    }
    return seen;
}

QString wordFor(Fate fate) {
    switch (fate) {
        case Fate::Lives:
            return QStringLiteral("lives");
        case Fate::Ended:
            return QStringLiteral("ended");
        case Fate::NoThread:
            return QStringLiteral("no_thread");
        case Fate::Later:
            return QStringLiteral("later");
        case Fate::NotInDump:
            return QStringLiteral("not_in_dump");
    }
    return {};
}

QString wordFor(TakenWhen dumpTells) {
    switch (dumpTells) {
        case TakenWhen::NotKnown:
            return QStringLiteral("not_known");
        case TakenWhen::DuringHold:
            return QStringLiteral("during_hold");
        case TakenWhen::BeforeHold:
            return QStringLiteral("before_hold");
    }
    return {};
}

QString wordFor(Activity activity) {
    switch (activity) {
        case Activity::Runs:
            return QStringLiteral("runs");
        case Activity::Sleeps:
            return QStringLiteral("sleeps");
        case Activity::ReadsSocket:
            return QStringLiteral("reads_socket");
        case Activity::WaitsForRedisson:
            return QStringLiteral("waits_for_redisson");
        case Activity::WaitsForMonitor:
            return QStringLiteral("waits_for_monitor");
        case Activity::Waits:
            return QStringLiteral("waits");
        case Activity::Idle:
            return QStringLiteral("idle");
    }
    return {};
}

QString wordFor(RedissonCall call) {
    switch (call) {
        case RedissonCall::Lock:
            return QStringLiteral("lock");
        case RedissonCall::SpinLock:
            return QStringLiteral("spin_lock");
        case RedissonCall::MultiLock:
            return QStringLiteral("multi_lock");
        case RedissonCall::Semaphore:
            return QStringLiteral("semaphore");
        case RedissonCall::Latch:
            return QStringLiteral("latch");
        case RedissonCall::Other:
            return QStringLiteral("other");
    }
    return {};
}

QString wordFor(Fit fit) {
    switch (fit) {
        case Fit::Given:
            return QStringLiteral("given");
        case Fit::Strong:
            return QStringLiteral("strong");
        case Fit::Weak:
            return QStringLiteral("weak");
        case Fit::Contradicts:
            return QStringLiteral("contradicts");
    }
    return {};
}

}  // namespace lockkeeper::monitor
