// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/locksnapshot.h"

namespace lockkeeper::monitor {

// The name of a holder's field in a lock's hash: UUID:THREAD, of a writer with :write, and of a transaction's lock with
// :TXID after that.
struct LOCKKEEPER_MONITOR_EXPORT HolderField {
    HolderId id;
    bool writes = false;
    Rare<QByteArray> transaction;  // 32 hex digits

    // Nothing if it is not exactly one of these.
    [[nodiscard]] static std::optional<HolderField> parse(QByteArrayView field);
    [[nodiscard]] static HolderField of(const Holder& holder);
    [[nodiscard]] QByteArray bytes() const;
};

}  // namespace lockkeeper::monitor
