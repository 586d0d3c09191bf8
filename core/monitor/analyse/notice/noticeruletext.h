// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "monitor/analyse/notice/noticerules.h"

namespace lockkeeper::monitor {

// Why a rule is refused. In brackets: what Error::arguments holds.
enum class NoticeRuleCause {
    UnknownWord,       // [the word]
    NoSeconds,         // [the word]; a number of seconds is needed, above 0
    NoCount,           // [the word]; a whole number is needed, above 0
    UnknownDiagnosis,  // [the diagnosis]
    UnknownCertainty,  // [the certainty]
    NoPattern,
    NothingWanted  // only names or a certainty
};

[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT const CauseTable& causeTable(NoticeRuleCause);

// A rule as `lockkeeper notify --rule` takes it: words with blanks between them, as in
// "diagnosis=deadlock,watchdog_stopped certainty=likely match=orders/*". Also "diagnosis=any" (all that are faults),
// "held=SECONDS", "ttl=SECONDS", "waiters=N" and "lost". A blank in a name is a ?. Errors: InvalidArgument with a
// NoticeRuleCause.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<NoticeRules> noticeRulesFrom(const QString& text);
// The reverse. Empty if the rules want nothing.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString ruleText(const NoticeRules& rules);

}  // namespace lockkeeper::monitor
