#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/aliasof.h"
#include "monitor/model/lockevent.h"

#include <QByteArray>

namespace lockkeeper::monitor {

// One event as one line of JSON, without the line's end; the format that resources/manual/json.md promises.
// `holders` and `ttl_ms` tell the lock after the event, `holder` whom the event is about; what is not known is left out.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray toJsonLine(const LockEvent& event, const AliasOf& aliasOf = noAlias);

// A lock as `list` prints it: found, when it was looked at.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT LockEvent foundEvent(const LockSnapshot& lock);

// The way back; nothing when it is no event or one of a later version. What the line does not carry (the end of the
// lease on the steady clock, a fair lock's queue) stays empty; the lock was looked at when the event happened.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<LockEvent> eventFromJsonLine(const QByteArray& line);

// The same for a reader at a terminal: time, event, lock, holder and what else there is to say, in one line.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString toTextLine(const LockEvent& event);

}  // namespace lockkeeper::monitor
