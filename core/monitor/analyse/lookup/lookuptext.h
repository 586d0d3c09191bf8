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
    UnlockFailed  // by the client's own words: it gave back what it does not hold
};

// Whom a pasted text is about.
struct LOCKKEEPER_MONITOR_EXPORT LookupSubject {
    std::variant<HolderId, ClientId, LockName> whom;
    LookupOccasion occasion = LookupOccasion::Mentioned;
    // When it says it happened, by the clock of whoever wrote it; only from a time with its zone, others could be any.
    std::optional<WallTime> at;

    // Nothing when it is about a lock.
    [[nodiscard]] std::optional<ClientId> client() const;
    [[nodiscard]] const HolderId* holder() const { return std::get_if<HolderId>(&whom); }
    friend bool operator==(const LookupSubject&, const LookupSubject&) = default;
};

struct LookupText {
    QList<LookupSubject> subjects;  // each once; failed unlocks first, then holders, locks, and clients last
    bool cut = false;               // the text is longer than what was read of it
};

// Finds in a text what can be looked up: the error of an unlock by one who does not hold the lock, `UUID:THREAD`, a
// lock's channel or helper key, or, where there is nothing better, a UUID alone. The text may be a whole log: stack
// traces, lines wrapped anywhere, JSON with its escapes. Only so much of it is read, and so many subjects are named.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT LookupText readLookupText(const QString& text);

constexpr qsizetype longestLookupText = 200'000;  // characters
constexpr qsizetype mostLookupSubjects = 20;

}  // namespace lockkeeper::monitor
