// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "locks/namemapper.h"
#include "monitor/model/aliasof.h"
#include "monitor/model/lockevent.h"

#include <QByteArray>
#include <QJsonObject>

namespace lockkeeper::monitor {

// One event as one line of JSON, without a line end; the format is documented in resources/manual/json.md. `holders`
// and `ttl_ms` describe the lock after the event; `holder` is the holder that the event is about. A field that is not
// known is left out.
// names: how the program that uses the locks names them; a name of its own is the field `program_name`.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray toJsonLine(const LockEvent& event, const AliasOf& aliasOf = noAlias,
                                                              const locks::NameMapper& names = {});

// The fields of a lock alone, as in the line of an event. The reverse function has the same limits as
// eventFromJsonLine().
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QJsonObject lockToJson(const LockSnapshot& lock);
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<LockSnapshot> lockFromJson(const QJsonObject& object);

// A Found event for a lock as `list` prints it, at the time of its read.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT LockEvent foundEvent(const LockSnapshot& lock);

// Parses a line of toJsonLine(); nothing if it is not an event, or is one of a later version. Fields that the line does
// not contain (the end of the lease on the steady clock, a fair lock's queue) stay empty. Without `read_at`, the lock
// counts as read at the time of the event.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<LockEvent> eventFromJsonLine(const QByteArray& line);

// The name that the program has for it; the key itself where the NameMapper leaves nothing.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT LockName programName(const LockName& key, const locks::NameMapper& names);
// The event as text for a terminal: time, event, lock, holder and details in one line.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QString toTextLine(const LockEvent& event, const locks::NameMapper& names = {});

}  // namespace lockkeeper::monitor
