// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

#include <vector>

namespace lockkeeper::recording {

// What a trace is, and what it does not show.
struct TraceNotes {
    enum class Kind {
        Monitor,  // what MONITOR has printed
        State     // what redis-cli has answered: one moment
    };

    Kind kind = Kind::Monitor;
    quint64 commands = 0;         // lines of MONITOR that were read
    quint64 cutLines = 0;         // lines that end within an argument, or are too long
    quint64 unknownScripts = 0;   // scripts with keys, run by their hash only, or of another program: effects unknown
    quint64 assumedAcquired = 0;  // first scripts about a lock without an answer in the trace, taken as successful
    quint64 reckonedEnds = 0;     // leases whose end follows from the times alone
    quint64 outOfOrder = 0;       // lines that are older than the line before, and have its time
    quint64 clockJumps = 0;       // so far back or ahead that the clock was set, or the lines are of another server
    quint64 leftOut = 0;          // keys beyond the limit
    quint64 withoutTtl = 0;       // State: locks whose TTL is not in the text
    std::vector<int> databases;   // in which locks were found, the first one first
    bool isPasted = false;        // the text is of no file
    bool isFull = false;          // the recording has its greatest size: the rest was not read

    friend bool operator==(const TraceNotes&, const TraceNotes&) = default;
};

}  // namespace lockkeeper::recording
