// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/lookup/holdstory.h"

#include <QHash>

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

class Story {
public:
    void follow(const LockEvent& event) {
        if (!hasLockState(event))
            return;
        if (!event.lock.name.isEmpty()) {
            const bool followed = m_open.contains(event.lock.name);
            follow(m_open[event.lock.name], event, followed);
        } else if (event.type == EventType::NotWatched) {
            for (QList<PastHold>& open : m_open)
                endAll(open, event.at - event.gap);
            m_open.clear();
        }
    }

    std::vector<PastHold> take() {
        for (const QList<PastHold>& open : std::as_const(m_open))
            m_stays.insert(m_stays.end(), open.begin(), open.end());
        std::ranges::stable_sort(m_stays, {}, &PastHold::from);
        return std::move(m_stays);
    }

private:
    static auto isOf(const Holder& holder) {
        return
            [&holder](const PastHold& hold) { return hold.holder.id == holder.id && hold.holder.mode == holder.mode; };
    }

    // The event contains the lock after it: a holder that is missing there has left, a new one has joined. followed:
    // the lock's state before the event is also known, and the lock was watched since.
    void follow(QList<PastHold>& open, const LockEvent& event, bool followed) {
        if (event.type == EventType::NotWatched)
            endAll(open, event.at - event.gap);
        for (qsizetype i = open.size() - 1; i >= 0; --i) {
            const auto& holders = event.lock.holders;
            const bool stays = std::any_of(holders.begin(), holders.end(),
                                           [&](const Holder& holder) { return isOf(holder)(open[i]); });
            if (!stays || hasLeft(open[i], event))
                end(open, i, event.at, event.lock.isCut() ? HoldEnd::NotWatched : howItEnded(event));
        }
        for (const Holder& holder : event.lock.holders)
            continueOrBegin(open, holder, event, beginSeen(holder, event, followed));
    }

    static HoldBegin beginSeen(const Holder& holder, const LockEvent& event, bool followed) {
        if (event.type == EventType::Found || event.type == EventType::NotWatched || event.lock.isCut())
            return HoldBegin::NotSeen;
        const bool comes = event.type == EventType::Acquired || event.type == EventType::HandedOver;
        return followed || (comes && event.holder && event.holder->id == holder.id) ? HoldBegin::Seen
                                                                                    : HoldBegin::NotSeen;
    }

    // Whether the holder has released and acquired again between two reads.
    static bool hasLeft(const PastHold& hold, const LockEvent& event) {
        const bool leaving = event.type == EventType::Released || event.type == EventType::Expired ||
                             event.type == EventType::Deleted || event.type == EventType::Gone;
        return leaving && event.holder && isOf(*event.holder)(hold);
    }

    static HoldEnd howItEnded(const LockEvent& event) {
        switch (event.type) {
            case EventType::Released:
                return event.releaseSign == ReleaseSign::NoMessage ? HoldEnd::Gone : HoldEnd::Released;
            case EventType::Expired:
                return HoldEnd::Expired;
            case EventType::Deleted:
                return HoldEnd::Deleted;
            case EventType::HandedOver:
                return event.suspect ? HoldEnd::TakenOver : HoldEnd::HandedOver;
            default:
                return HoldEnd::Gone;
        }
    }

    static void continueOrBegin(QList<PastHold>& open, const Holder& holder, const LockEvent& event, HoldBegin begin) {
        auto hold = std::find_if(open.begin(), open.end(), isOf(holder));
        if (hold == open.end())
            hold = open.insert(open.end(), PastHold{event.lock.name, holder, event.at, begin});
        hold->holder.count = std::max(hold->holder.count, holder.count);
        hold->renewals += event.type == EventType::Renewed ? 1 : 0;
        if (event.lock.ttl)
            hold->lease = std::max(hold->lease.value_or(Milliseconds(0)), *event.lock.ttl);
    }

    void end(QList<PastHold>& open, qsizetype which, WallTime at, HoldEnd how) {
        PastHold hold = open.takeAt(which);
        hold.to = std::max(at, hold.from);
        hold.end = how;
        m_stays.push_back(std::move(hold));
    }

    void endAll(QList<PastHold>& open, WallTime at) {
        while (!open.isEmpty())
            end(open, open.size() - 1, at, HoldEnd::NotWatched);
    }

    QHash<LockName, QList<PastHold>> m_open;
    std::vector<PastHold> m_stays;
};

}  // namespace

std::vector<PastHold> holdStory(const std::vector<LockEvent>& events,
                                const std::function<bool(const PastHold&)>& wanted) {
    Story story;
    for (const LockEvent& event : events)
        story.follow(event);
    std::vector<PastHold> stays = story.take();
    std::erase_if(stays, [&wanted](const PastHold& hold) { return !wanted(hold); });
    return stays;
}

}  // namespace lockkeeper::monitor
