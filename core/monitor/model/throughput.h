#pragma once

#include "base/clock.h"

#include <optional>

namespace lockkeeper::monitor {

// How busy a lock was during some seconds. No lock is looked at as often as a hot one changes: what is counted comes
// from the messages of its releases, each of which is heard, and the rest from the looks in between. A value.
struct Throughput {
    enum class Releases {
        Counted,  // every one was announced, and heard
        AtLeast  // some may have been silent, as those of a spin lock, of a fair lock without a queue, or of one reader
                 // among several
    };

    WallTime until{};        // the end of the window
    Milliseconds window{0};  // its length
    quint64 releases = 0;    // announced in it
    Releases counting = Releases::Counted;
    quint64 acquisitions = 0;                 // at least: each end has had its beginning
    int looks = 0;                            // in the window; the share of time stands on them
    double heldShare = 0;                     // of the window, 0 to 1, held by anybody
    int holds = 0;                            // measured from begin to end, of late; the lengths stand on them
    std::optional<Milliseconds> median;       // of those; nothing while there are too few
    std::optional<Milliseconds> ninetyNinth;  // 99 % of those took no longer

    [[nodiscard]] double perSecond(quint64 number) const {
        return static_cast<double>(number) * 1000.0 / static_cast<double>(window.count());
    }
    friend bool operator==(const Throughput&, const Throughput&) = default;
};

}  // namespace lockkeeper::monitor
