// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/threadverdict.h"

namespace lockkeeper::test {

// What a dump shows of one thread that sleeps in code of the application.
inline monitor::ThreadVerdict verdictOf(const HolderId& id, WallTime at, monitor::Fate fate = monitor::Fate::Lives,
                                        monitor::TakenWhen taken = monitor::TakenWhen::DuringHold) {
    const monitor::Frame code{QStringLiteral("com.example.Jobs.report"), QStringLiteral("Jobs.java:7")};
    monitor::DumpedThread thread;
    thread.id = static_cast<qint64>(id.thread());
    thread.name = QStringLiteral("report-1");
    thread.state = monitor::ThreadState::TimedWaiting;
    thread.activity = {monitor::Activity::Sleeps, std::nullopt, code};
    thread.frames = {{QStringLiteral("java.lang.Thread.sleep"), QStringLiteral("Native Method")},
                     {QStringLiteral("java.lang.Thread.sleep"), QStringLiteral("Thread.java:337")},
                     {QStringLiteral("java.util.concurrent.TimeUnit.sleep"), QStringLiteral("TimeUnit.java:446")},
                     code,
                     {QStringLiteral("java.lang.Thread.run"), QStringLiteral("Thread.java:840")}};
    monitor::ClientDump dump;
    dump.client = id.client();
    dump.fit = monitor::Fit::Strong;
    dump.at = at;
    dump.hasOthers = dump.hasAll = true;
    dump.ids = {thread.id};
    dump.threads = {thread};
    monitor::ThreadVerdict verdict;
    verdict.id = id;
    verdict.fate = fate;
    verdict.taken = taken;
    verdict.certainty = monitor::Certainty::Certain;
    verdict.dump = std::make_shared<const monitor::ClientDump>(dump);
    return verdict;
}

}  // namespace lockkeeper::test
