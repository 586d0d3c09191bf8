// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"

#include <QList>

#include <optional>
#include <variant>

namespace lockkeeper::monitor {

enum class LookupOccasion {
    Mentioned,
    UnlockFailed  // by the client's error: it released a lock that it does not hold
};

// A holder, client or lock that a pasted text mentions.
struct LOCKKEEPER_MONITOR_EXPORT LookupSubject {
    std::variant<HolderId, ClientId, LockName> whom;
    LookupOccasion occasion = LookupOccasion::Mentioned;
    // When it happened, by the clock of the machine that wrote the text; only if the time has a zone, else it is
    // ambiguous.
    std::optional<WallTime> at;

    // Nothing if the subject is a lock.
    [[nodiscard]] std::optional<ClientId> client() const;
    [[nodiscard]] const HolderId* holder() const { return std::get_if<HolderId>(&whom); }
    friend bool operator==(const LookupSubject&, const LookupSubject&) = default;
};

struct LookupText {
    QList<LookupSubject> subjects;  // each once; failed unlocks first, then holders, locks and clients
    bool cut = false;               // the text is longer than the part that was read
};

// Finds what can be looked up in a text: the error of an unlock by a client that does not hold the lock, `UUID:THREAD`,
// a lock's channel or helper key; if there is none of these, a UUID alone. The text may be a whole log with stack
// traces, lines wrapped anywhere, or JSON with escapes. The two constants below bound what is read and returned.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT LookupText readLookupText(const QString& text);

constexpr qsizetype longestLookupText = 200'000;  // characters
constexpr qsizetype mostLookupSubjects = 20;

}  // namespace lockkeeper::monitor
