// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jvm/dumpmatch.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/clientdump.h"

#include <QByteArrayList>
#include <QStringList>

namespace lockkeeper::jvm {

// Why a client comes with dumps.
enum class ClientBy {
    User,  // the user says that the dumps are of it, or the demo plays it
    Asked  // Lockkeeper has taken the dumps where this client should be, which may have been another JVM's place
};

// Thread dumps that Lockkeeper has taken itself, of the JVM of one client; the oldest first.
struct TakenDumps {
    QByteArrayList texts;
    ClientId client;
    // The time in which they were taken, by the clock of this machine.
    WallTime askedAt{};
    WallTime receivedAt{};
    ClientBy by = ClientBy::Asked;
};

// When the last dump was taken or read, by the clock of this machine, as far as that is known.
struct DumpClock {
    std::optional<WallTime> askedAt{};
    std::optional<WallTime> receivedAt{};
    std::optional<WallTime> readAt{};  // taken before
};

// Clocks of two machines may differ by this, when a hold and a dump are compared.
constexpr Milliseconds clockDifference{10'000};

// Whether the dump says that it was taken after its reading, by more than clocks may differ: its time says nothing.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isTimeAhead(const ThreadDump& dump, const DumpClock& clock);

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT monitor::DumpTime takenTime(const ThreadDump& dump, const DumpClock& clock);

// What a session keeps of a dump. named: the threads that the server names. Pure.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT monitor::SharedDump keptDump(const ThreadDump& dump, const ClientThreads& named,
                                                                     Fit fit, const DumpClock& clock,
                                                                     const QStringList& application);

}  // namespace lockkeeper::jvm
