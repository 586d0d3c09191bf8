// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockrow.h"
#include "ui/words/viewtime.h"

#include <QMetaType>

namespace lockkeeper::ui {

// How much of a lease is left, as a value that a delegate paints and a test reads.
struct TtlBar {
    enum class Kind {
        None,          // free
        Running,       // counts down
        RunOut,        // over by this computer's clock; the server has not confirmed it yet
        NeverExpires,  // held without a TTL
        Frozen         // not connected: what was left when the connection ended
    };

    Kind kind = Kind::None;
    double fraction = 0;  // of the longest TTL seen during this hold, 0 to 1
    QString text;

    friend bool operator==(const TtlBar&, const TtlBar&) = default;
};

[[nodiscard]] TtlBar ttlBar(const monitor::LockRow& row, const ViewTime& session);
// The longest usual text beside a bar, to measure the room that it needs.
[[nodiscard]] QString longestTtlText();
// For a cell that is too narrow for the text of its bar: "9 min", "was 9 min", "never".
[[nodiscard]] QString shortTtlText(const monitor::LockRow& row, const ViewTime& session);
// Any text of the column may be the longest one, in another language.
[[nodiscard]] QStringList longestTtlTexts();
// Any short text (shortTtlText()) of locks that are read may be the longest one.
[[nodiscard]] QStringList longestShortTtlTexts();
// The longest short text of a lock that is not read.
[[nodiscard]] QString longestShortOldTtlText();
// Until the earliest moment at which the lease can end; never negative. Nothing when free or without expiry.
[[nodiscard]] std::optional<Milliseconds> timeLeft(const monitor::LockRow& row, SteadyTime moment);

}  // namespace lockkeeper::ui

Q_DECLARE_METATYPE(lockkeeper::ui::TtlBar)
