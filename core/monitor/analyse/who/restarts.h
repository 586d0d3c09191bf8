// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/who/holderidentity.h"
#include "monitor/model/clientrow.h"

#include <QHash>

namespace lockkeeper::monitor {

struct IdentifiedClient {
    ClientRow client;
    HolderIdentity identity;
};

// Which clients probably took the place of which earlier ones: a process that starts again has another UUID, but the
// same host, and the name that its connections had before. Never certain: a second process may have both. Only a client
// that holds nothing, or renews nothing, is an earlier one.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QHash<ClientId, ClientId> restartsAmong(const QList<IdentifiedClient>& clients);

}  // namespace lockkeeper::monitor
