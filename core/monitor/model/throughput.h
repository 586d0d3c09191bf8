// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "lockkeeper_monitor_export.h"

#include <optional>

namespace lockkeeper::monitor {

// How busy a lock was during some seconds. A busy lock changes more often than it is read. So the counts come from its
// release messages, each of which is received, and the other figures from the reads. A value.
struct Throughput {
    enum class Releases {
        Counted,  // every release published a message, and it was received
        AtLeast   // some may have been silent: those of a spin lock, of a fair lock without a queue, or of one reader
                  // among several
    };

    WallTime until{};        // end of the window
    Milliseconds window{0};  // length of the window
    quint64 releases = 0;    // messages in the window
    Releases counting = Releases::Counted;
    quint64 acquisitions = 0;  // a lower bound: each end of a hold implies a begin
    int reads = 0;             // reads in the window; heldShare is based on them
    // The share of the window in which the lock was held lies between these two, 0 to 1.
    struct Share {
        double atLeast = 0;
        double atMost = 1;

        friend bool operator==(const Share&, const Share&) = default;
    };
    std::optional<Share> heldShare;           // nothing if the reads say too little
    int holds = 0;                            // recent holds measured from begin to end, for the two lengths
    std::optional<Milliseconds> median;       // nothing if there are too few holds
    std::optional<Milliseconds> ninetyNinth;  // 99 % of the holds took no longer

    [[nodiscard]] double perSecond(quint64 number) const {
        return static_cast<double>(number) * 1000.0 / static_cast<double>(window.count());
    }
    friend bool operator==(const Throughput&, const Throughput&) = default;
};

// What a sample of so many reads says about the whole, of which it found this share: with 95 % certainty it lies
// between the two (Wilson score interval).
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Throughput::Share shareBySample(double found, int reads);
// Nothing if the bounds are so far apart that they say little.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT std::optional<Throughput::Share> ifTelling(Throughput::Share share);

}  // namespace lockkeeper::monitor
