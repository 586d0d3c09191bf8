// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/exitcode.h"
#include "base/systemclock.h"
#include "engine/engine.h"
#include "jvm/fetch/dumpplan.h"
#include "jvm/keptdump.h"
#include "jvm/threaddump.h"

#include <QObject>

namespace lockkeeper::app {

// `threads` with a way to take a dump: runs what --print would print. By ssh it first finds the process; without --pid
// it prints what it has found, and ends. Thread: that of the Engine.
class DumpTaker final : public QObject {
    Q_OBJECT
public:
    // Both outlive it.
    DumpTaker(Engine& engine, const Arguments& arguments, QObject* parent = nullptr);

    // What runs, a line for each command; no password.
    // Errors: InvalidArgument, if what the user has set cannot be used.
    [[nodiscard]] static Result<QString> plan(const Arguments& arguments);

    void begin(SessionId session);

Q_SIGNALS:
    // Not empty, the oldest first. clock: of the last one.
    void taken(const std::vector<lockkeeper::jvm::ThreadDump>& dumps, const lockkeeper::jvm::DumpClock& clock);
    // Reported already.
    void ended(lockkeeper::app::ExitCode code);

private:
    void onProcesses(const ProcessesFound& found);
    void onDumps(const DumpsTaken& dumps);
    void fail(const Error& error);
    void take(const jvm::DumpOrder& order);

    Engine& m_engine;
    const Arguments& m_arguments;
    SessionId m_session{};
    OperationId m_running{};
    const SystemClock m_clock;
    WallTime m_askedAt{};
    jvm::ProcessSearch m_search;  // ssh
};

}  // namespace lockkeeper::app
