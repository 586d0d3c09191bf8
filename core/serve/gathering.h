// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/case.h"

#include <vector>

namespace lockkeeper::serve {

// Events to send in one message: the oldest are named, of the others the number.
struct Gathered {
    std::vector<CaseEvent> named;
    qint64 moreBegun = 0;
    qint64 moreEnded = 0;
};

// Waits until no more events follow at once, so that ten thousand of them are one message. At most one message in ten
// seconds. Unlike NoticePacing it drops no case that has ended in between: the receiver keeps its own record.
class Gathering {
public:
    static constexpr Milliseconds quiet{1000};      // without an event
    static constexpr Milliseconds longest{10'000};  // from the first event, if they go on
    static constexpr Milliseconds interval{10'000};
    static constexpr size_t mostNamed = 20;

    void add(const CaseEvent& event, SteadyTime now);
    // Begins that are known by their number only.
    void addCount(qint64 begun, SteadyTime now);
    [[nodiscard]] std::optional<SteadyTime> nextDue() const;
    // If it is due.
    [[nodiscard]] std::optional<Gathered> take(SteadyTime now);
    // What there is, at the end of the program.
    [[nodiscard]] std::optional<Gathered> takeAll();

private:
    void note(SteadyTime now);

    Gathered m_gathered;
    std::optional<SteadyTime> m_first;  // nothing: there is nothing to send
    SteadyTime m_newest{};
    std::optional<SteadyTime> m_sent;
};

}  // namespace lockkeeper::serve
