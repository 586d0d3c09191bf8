// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QByteArrayView>
#include <QList>
#include <QString>

namespace lockkeeper::topology {

// One of a Cluster's 16384 slots. Each key, and each channel of sharded publishing, belongs to one slot.
using HashSlot = quint16;
constexpr int hashSlots = 16384;

// CRC16 (XMODEM) of the key, or of its first {hash tag} if that is not empty.
[[nodiscard]] LOCKKEEPER_EXPORT HashSlot hashSlotOf(QByteArrayView key) noexcept;

// Slots that follow each other.
struct SlotRange {
    HashSlot first = 0;
    HashSlot last = 0;  // included

    friend bool operator==(const SlotRange&, const SlotRange&) = default;
};

// As text: "0-5460, 7000".
[[nodiscard]] LOCKKEEPER_EXPORT QString displayOf(const QList<SlotRange>& ranges);

}  // namespace lockkeeper::topology
