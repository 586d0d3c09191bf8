// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/aliasof.h"
#include "monitor/model/clientrow.h"

#include <QByteArray>

namespace lockkeeper::monitor {

// The client as it was at this time. locks: that it holds or waits for, by name; of many the first ones are written.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray toJsonLine(const ClientRow& client, const QList<LockName>& locks,
                                                              WallTime at, const AliasOf& aliasOf = noAlias);
// The same without the names of its locks.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QByteArray toJsonLine(const ClientRow& client, WallTime at,
                                                              const AliasOf& aliasOf = noAlias);

// Lines of text for a terminal, with a title; each column as wide as its longest cell.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QStringList clientTable(const QList<ClientRow>& clients,
                                                                const AliasOf& aliasOf = noAlias);

}  // namespace lockkeeper::monitor
