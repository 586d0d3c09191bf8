// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockevent.h"
#include "ui/timeline/timerange.h"

#include <memory>
#include <variant>

namespace lockkeeper::ui {

// Whether the begin or end of a hold was seen; No: it only lies at the edge of a gap.
enum class Seen : quint8 { No, Yes };

// The time in which one holder had the lock, as far as it was watched: a gap splits it in two.
struct Hold {
    HolderId holder;
    qint64 deepest = 1;  // highest reentry count
    WallTime from{};
    WallTime to{};  // meaningful once it has ended
    quint32 renewals = 0;
    int track = 0;  // holds of one lock that overlap lie beside each other
    monitor::HoldMode mode = monitor::HoldMode::Exclusive;
    Seen begin = Seen::Yes;
    Seen end = Seen::Yes;  // likewise
};

// What a timeline keeps of an event.
struct Moment {
    WallTime at{};
    monitor::EventType type = monitor::EventType::Found;
    bool suspect = false;
    std::optional<WallTime> leaseEnd;  // nothing while free or without expiry
    std::optional<int> waiters;
    Milliseconds gap{0};
    std::optional<monitor::DiagnosisKind> diagnosis;  // that began
};

// One lock's past: all lists oldest first.
struct LaneHistory {
    static constexpr int mostTracks = 4;  // more holders at once share the last one

    QList<Moment> moments;
    QList<Hold> ended;  // in the order of their ends
    QList<Hold> open;
    std::optional<WallTime> unwatchedSince;  // until the next moment

    [[nodiscard]] bool isEmpty() const { return moments.isEmpty() && ended.isEmpty() && open.isEmpty(); }
    // From the first to the last moment, or to the present while the lock is held. Must not be called without
    // moments.
    [[nodiscard]] TimeRange extent(WallTime present) const;
    void add(const Moment& moment);
    // Inserts the moment where its time belongs.
    void insert(const Moment& moment);
    void begin(const monitor::Holder& holder, WallTime at, Seen seen);
};

[[nodiscard]] Moment momentOf(const monitor::LockEvent& event, WallTime at);

// The past of a lock in small memory while it was only found: of most of 100,000 locks nothing else is known. It needs
// the whole from the first change on, and when it is not watched any more.
class Lane {
public:
    [[nodiscard]] bool isEmpty() const { return whole() ? whole()->isEmpty() : !found(); }
    // Somebody holds the lock.
    [[nodiscard]] bool isOpen() const {
        return whole() ? !whole()->open.isEmpty() : found() && !found()->holders.isEmpty();
    }
    // The times of the first and the last moment; nothing without moments.
    [[nodiscard]] std::optional<WallTime> first() const;
    [[nodiscard]] std::optional<WallTime> last() const;
    [[nodiscard]] LaneHistory history() const;
    // The whole history, to be changed. Valid as long as the lane.
    [[nodiscard]] LaneHistory& edit();

    // Its first event. False: it is more than small memory can keep, and nothing was done.
    [[nodiscard]] bool begin(const monitor::LockEvent& event, WallTime at);

private:
    struct Found {
        WallTime at{};
        QList<monitor::Holder> holders;  // shared with the row
        std::optional<WallTime> leaseEnd;
        std::optional<int> waiters;
    };

    using Whole = std::unique_ptr<LaneHistory>;

    // Null if it is kept in the other way, or not at all.
    [[nodiscard]] const Found* found() const { return std::get_if<Found>(&m_kept); }
    [[nodiscard]] const LaneHistory* whole() const {
        const Whole* whole = std::get_if<Whole>(&m_kept);
        return whole ? whole->get() : nullptr;
    }

    std::variant<std::monostate, Found, Whole> m_kept;
};

}  // namespace lockkeeper::ui
