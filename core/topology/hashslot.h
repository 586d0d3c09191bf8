// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QByteArrayView>

namespace lockkeeper::topology {

// Of a Cluster's 16384 slots: each key, and each channel of sharded publishing, belongs to one.
using HashSlot = quint16;
constexpr int hashSlots = 16384;

// CRC16 (XMODEM) of the key, or of its first {hash tag} if that is not empty.
[[nodiscard]] LOCKKEEPER_EXPORT HashSlot hashSlotOf(QByteArrayView key) noexcept;

}  // namespace lockkeeper::topology
