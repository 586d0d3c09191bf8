// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "soak/lockpast.h"
#include "soak/reading.h"

namespace lockkeeper::soak {

constexpr Milliseconds wholeMilliseconds{2};  // times and TTLs are cut

// Whether the events of a reading are what the manual promises (resources/manual/json.md, "Events") for a lock that had
// the state `from` at the reading before and the state `to` at this one.
class Explanation {
public:
    enum class Server { Answered, StoodStill };

    // age: the longest time between the server's execution of a read and the time in its events. server: since the
    // reading before. What ended while it stood still may be reported without how.
    Explanation(const LockPast& past, Milliseconds age, Server server = Server::Answered)
        : m_past(past), m_age(age), m_server(server) {}

    // Whether the reading may have seen this state, by holder, count, TTL and time.
    [[nodiscard]] bool mayShow(const Reading& reading, size_t to) const;
    // Whether the reading may have seen this state, whatever its time.
    [[nodiscard]] bool isOf(const Reading& reading, size_t state) const;
    [[nodiscard]] bool holds(const Reading& reading, size_t from, size_t to) const;
    // The states that a reading after `from` may have seen without any event: nothing that is reported has changed.
    [[nodiscard]] std::vector<size_t> silentlyAfter(size_t from, size_t to) const;
    // Whether the hold after this release cannot be distinguished from the one that the reading before it has shown.
    [[nodiscard]] bool isReleaseHidden(size_t release, const Reading& before, WallTime until) const;

private:
    using Events = std::vector<Reading::Event>;

    [[nodiscard]] bool isAcrossGap(const Events& events, size_t from, size_t to) const;
    [[nodiscard]] bool isEnd(const Reading& reading, size_t from, size_t to) const;
    [[nodiscard]] bool isRemoved(const Reading& reading, size_t from, size_t to) const;
    [[nodiscard]] bool isHandOver(const Events& events, size_t from, size_t to) const;
    [[nodiscard]] bool isOfSameHolder(const Events& events, size_t from, size_t to) const;
    [[nodiscard]] bool has(LockPast::Cause cause, size_t from, size_t to) const;
    [[nodiscard]] bool ranOutFirst(size_t from, size_t to) const;
    [[nodiscard]] bool mayRunOutFirst(size_t from, size_t to) const;
    [[nodiscard]] bool mayEndTogether(size_t one, size_t other) const;
    [[nodiscard]] bool mayMeet(Span a, Span b) const;

    const LockPast& m_past;
    const Milliseconds m_age;
    const Server m_server;
};

}  // namespace lockkeeper::soak
