// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "monitor/analyse/explain/errorfamily.h"
#include "monitor/analyse/explain/logtime.h"
#include "monitor/model/diagnosis.h"

#include <QList>
#include <QString>

#include <optional>
#include <vector>

namespace lockkeeper::monitor {

// Why it is not certain what the text names.
enum class Doubt {
    None,
    Name,     // where the lock's name ends: it may have a comma, or "expiration" in it
    NotUtf8,  // the text has another encoding, so the name is not as it was written
    Thread    // the text ends with the thread's number, which may be cut
};

// What else follows from an error in this case.
enum class Detail {
    None,
    RenewalEnded,     // the client does not try to renew this hold again
    ReleasedSilently  // the script had released the lock before it was refused
};

// One kind of error about one lock (or holder, where the text names no lock), with all its occurrences in a text.
struct ErrorFinding {
    ErrorFamily family{};
    std::optional<ErrorFamily> cause;  // of a renewal that failed, or of a pool without connections
    Detail detail = Detail::None;
    LockName lock;  // empty: the text names none
    Doubt doubt = Doubt::None;
    QList<LockName> otherLocks;      // that the same message names, at most mostOtherLocks
    std::optional<HolderId> holder;  // of the first occurrence
    std::optional<ClientId> client;  // the holder's, or the one that the text names
    Certainty certainty = Certainty::Suspected;
    quint64 count = 1;
    quint64 line = 1;              // of the first occurrence
    std::optional<LogTime> first;  // times, if the text has them
    std::optional<LogTime> last;
    bool hasOtherHolders = false;  // later occurrences name other holders
    QString version;               // of Redisson, if a stack trace names it
    QString excerpt;               // the line of the first occurrence, or its begin, without secrets

    // Whether there is a lock that can be looked up. What a semaphore lacks is no lock.
    [[nodiscard]] bool namesLock() const {
        return !lock.isEmpty() && doubt == Doubt::None && family != ErrorFamily::PermitNil;
    }
};

constexpr qsizetype mostOtherLocks = 20;

enum class TextKind { Empty, Text, Binary, Compressed };

struct ErrorReport {
    std::vector<ErrorFinding> findings;  // in the order of their first occurrences
    TextKind kind = TextKind::Empty;
    quint64 bytes = 0;
    quint64 lines = 0;
    quint64 longLines = 0;   // lines that were read in pieces
    quint64 leftOut = 0;     // occurrences that would have been further findings
    quint64 unexamined = 0;  // places with words of an error, too many in one place of the text
};

constexpr size_t mostFindings = 200;

}  // namespace lockkeeper::monitor
