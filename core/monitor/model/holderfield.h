// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/locksnapshot.h"

namespace lockkeeper::monitor {

// The name of a holder's field in a lock's hash: UUID:THREAD. A writer's name ends with :write; a transaction's lock
// then adds :TXID.
struct LOCKKEEPER_MONITOR_EXPORT HolderField {
    HolderId id;
    bool writes = false;
    Rare<QByteArray> transaction;  // 32 hex digits

    // Nothing if the field does not have exactly one of these forms.
    [[nodiscard]] static std::optional<HolderField> parse(QByteArrayView field);
    // As parse(), or the field of a holder that another program has named otherwise: see HolderId::parseAny().
    [[nodiscard]] static std::optional<HolderField> parseAny(QByteArrayView field);
    [[nodiscard]] static HolderField of(const Holder& holder);
    [[nodiscard]] QByteArray bytes() const;
};

// Whether no field of another program's lock has the form of a client's UUID. Its key alone does not prove that it is a
// lock: other hashes have the same form.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT bool isLockByNameOnly(const LockSnapshot& lock);

}  // namespace lockkeeper::monitor
