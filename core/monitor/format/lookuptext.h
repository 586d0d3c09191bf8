// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/lookup/lookupsubject.h"

#include <QList>
#include <QString>

namespace lockkeeper::monitor {

struct LookupText {
    QList<LookupSubject> subjects;  // each once; failed unlocks first, then holders, locks and clients
    bool cut = false;               // the text is longer than the part that was read
};

// Finds what can be looked up in a text: the error of an unlock by a client that does not hold the lock, `UUID:THREAD`,
// a lock's channel or helper key; if there is none of these, a UUID alone. The text may be a whole log with stack
// traces, lines wrapped anywhere, or JSON with escapes. The two constants below limit what is read and returned.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT LookupText readLookupText(const QString& text);

constexpr qsizetype longestLookupText = 200'000;  // characters
constexpr qsizetype mostLookupSubjects = 20;

}  // namespace lockkeeper::monitor
