// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"

namespace lockkeeper::app {

// Exit codes of all commands, as resources/manual/command-line.md promises them. `lock` and `semaphore` add those of
// their command, and 128 + N if signal N has ended it.
enum class ExitCode {
    Done = 0,
    Unchanged = 1,     // of a semaphore or a latch: its state does not allow the action
    OtherOutcome = 1,  // of an experiment
    Limited = 1,       // of a check: something is missing or limited
    NothingFound = 1,  // explain: no error about a lock
    Usage = 2,
    NoConnection = 3,
    OtherHolder = 4,       // force-release: the lock is held in another way than the command line says
    OutcomeUnknown = 5,    // force-release: sent, and not answered
    AuditNotPossible = 6,  // the audit can be neither written nor read
    Denied = 7,            // the server was reached and refuses
    AlreadyFree = 8,       // force-release
    Refused = 9,           // force-release: not confirmed, a kind of lock that this program does not break, or a waiter
                           // that is not proven dead
    ChainBroken = 10,      // of the audit
    FitsNoClient = 12,     // threads: the dump is of none of the clients
    Damaged = 11,          // of a recording: it was read up to the damage
    NotListening = 13,     // exporter: its address is in use, or none of this machine
    NotReadable = 66,      // EX_NOINPUT: the file is no recording, or of a newer version; explain: it cannot be read
    OutputFailed = 74,     // EX_IOERR of sysexits.h
    NotInTime = 75,        // EX_TEMPFAIL, as flock(1) uses it
    LostWhileRunning = 76,  // the command has run without the lock, at least at its end
    MayBeLeft = 77,         // the lock may stay until its lease ends, or permits of a semaphore; or a change of a
                            // semaphore or a latch was sent, and nobody knows whether it was made
    NotExecutable = 126,    // as shells use it
    NotFound = 127
};

[[nodiscard]] constexpr int codeOf(ExitCode code) {
    return static_cast<int>(code);
}

constexpr int signalled = 128;

// For a connection that cannot be made, or a command that the server has answered with an error.
[[nodiscard]] inline ExitCode exitCodeOf(const Error& error) {
    const bool isDenied = error.code == ErrorCode::NotPermitted || error.code == ErrorCode::Auth;
    return isDenied ? ExitCode::Denied : ExitCode::NoConnection;
}

}  // namespace lockkeeper::app
