// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockrow.h"
#include "ui/words/viewtime.h"

#include <QList>
#include <QMetaType>
#include <QPointF>
#include <QString>

#include <optional>

namespace lockkeeper::ui {

// The renewals of a hold as a small picture: the saw that its TTL makes, with the moment when the next renewal is due.
// A value that a delegate paints and a test reads. Made from what the last reads have shown; what they have not shown
// is not drawn.
struct Heartbeat {
    // From one lease ago to a third of a lease from now, as shares of the picture's width.
    static constexpr double now = 0.75;

    QList<QPointF> saw;         // from left to right; x: 0 to `now`; y: share of the lease that was left, 0 to 1
    QList<double> beats;        // x of each renewal, from left to right
    std::optional<double> due;  // x of the next renewal, if a watchdog renews this hold; at most 1
    bool isLate = false;        // the next renewal should have come
    bool isLive = true;         // false: as it was when it was last read
    QString count;              // "12"; empty: none was seen

    friend bool operator==(const Heartbeat&, const Heartbeat&) = default;
};

// Without a saw: free, or held without a TTL.
[[nodiscard]] Heartbeat heartbeat(const monitor::LockRow& row, const ViewTime& session);

}  // namespace lockkeeper::ui

Q_DECLARE_METATYPE(lockkeeper::ui::Heartbeat)
