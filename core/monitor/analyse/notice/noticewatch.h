// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/analyse/notice/noticerules.h"
#include "monitor/model/monitorbatch.h"
#include "monitor/model/nameschedule.h"

#include <QHash>
#include <QSet>

namespace lockkeeper::monitor {

struct NoticeChange {
    // Happened: a case of one moment, which never ends.
    enum class Phase { Begun, Ended, Happened };
    Phase phase = Phase::Begun;
    Notice notice;
};

// Finds the cases that the rules cover. Each case is reported once, from its begin to its end; only after its end it
// may be reported again. Uses no clock: times come with the rows and the calls. It remembers only held locks and
// reported cases, and nothing without a rule. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT NoticeWatch {
public:
    // True if these are other rules: then follow() every known lock, and every known client.
    [[nodiscard]] bool setRules(const NoticeRules& rules);
    void follow(const LockRow& row);
    void follow(const ClientRow& client);
    void apply(const MonitorBatch& batch);
    // A hold that an earlier run of the program has reported as HeldLonger goes on: only its end is to be reported.
    // False: the rules do not cover it, or the lock is not held.
    [[nodiscard]] bool adopt(const NoticeFacts& held);
    // The connection is lost and the rows are out of date: nothing becomes due for a lock until the lock is read again.
    void interrupt();
    // As interrupt(), for the locks of these nodes of a Cluster, by their addresses.
    void interrupt(const QSet<QString>& nodes);

    // When a case may begin without a change of a row; nothing: never.
    [[nodiscard]] std::optional<SteadyTime> nextDue() const { return m_schedule.earliest(); }
    // All changes since the last call, including cases that have become due by time.
    [[nodiscard]] std::vector<NoticeChange> take(SteadyTime now);

private:
    struct Watched {
        SteadyTime heldSince{};
        NodePointer node;
        std::optional<Holder> holder;
        std::optional<SteadyTime> heldDue;  // nothing: no time is set
        std::optional<SteadyTime> ttlDue;
        QList<Notice> reported;
    };

    void followHold(Watched& watched, const LockRow& row);
    void followDiagnoses(Watched& watched, const LockRow& row);
    void followWaiters(Watched& watched, const LockRow& row);
    void follow(const LockEvent& event);
    void unreport(const Notice& notice);
    void forget(const LockName& name);
    void forget(const ClientId& client);
    void begin(Watched& watched, const Notice& notice);
    void end(Watched& watched, const std::function<bool(const Notice&)>& which);
    void endHold(Watched& watched);
    void beginDue(const LockName& name, Watched& watched, SteadyTime now);
    void schedule(const LockName& name, const Watched& watched);
    [[nodiscard]] bool concerns(const LockName& name) const;
    [[nodiscard]] bool concernsAny(const StoppedLocks& stopped) const;
    [[nodiscard]] std::optional<Notice> noticeOf(const ClientRow& client) const;
    [[nodiscard]] std::optional<SteadyTime> heldDue(const LockRow& row) const;
    [[nodiscard]] std::optional<SteadyTime> ttlDue(const LockRow& row) const;

    NoticeRules m_rules;
    QHash<LockName, Watched> m_watched;
    QHash<ClientId, Notice> m_clients;  // reported; a client has one diagnosis at most
    NameSchedule m_schedule;
    std::vector<NoticeChange> m_changes;  // in order
};

}  // namespace lockkeeper::monitor
