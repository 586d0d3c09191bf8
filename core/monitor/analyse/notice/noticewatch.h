#pragma once

#include "lockkeeper_monitor_export.h"
#include "monitor/model/lookagenda.h"
#include "monitor/model/monitorbatch.h"
#include "monitor/analyse/notice/noticerules.h"

#include <QHash>

namespace lockkeeper::monitor {

struct NoticeChange {
    enum class Phase { Begun, Ended };
    Phase phase = Phase::Begun;
    Notice notice;
};

// Finds what the rules ask for: each once, from its beginning until it has ended; only then may it be told of again.
// Knows no clock: times come with the looks and the calls. Remembers held locks and those that were told of, no others,
// and nothing without a rule. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT NoticeWatch {
public:
    // rows: all that are known now.
    void setRules(const NoticeRules& rules, const std::vector<LockRow>& rows);
    void apply(const MonitorBatch& batch);
    // The connection is lost: what was seen is old, and of a lock nothing is due until it is looked at again.
    void interrupt();

    // When time alone may begin something; nothing: never.
    [[nodiscard]] std::optional<SteadyTime> nextDue() const { return m_agenda.earliest(); }
    // Everything since the last call, with what has become due.
    [[nodiscard]] std::vector<NoticeChange> take(SteadyTime now);

private:
    struct Watched {
        SteadyTime heldSince{};
        std::optional<Holder> holder;
        std::optional<SteadyTime> heldDue;  // nothing: not by time
        std::optional<SteadyTime> ttlDue;
        QList<Notice> told;
    };

    void follow(const LockRow& row);
    void followHold(Watched& watched, const LockRow& row);
    void followDiagnoses(Watched& watched, const LockRow& row);
    void forget(const LockName& name);
    void begin(Watched& watched, const Notice& notice);
    void end(Watched& watched, const std::function<bool(const Notice&)>& which);
    void endHold(Watched& watched);
    void beginDue(const LockName& name, Watched& watched, SteadyTime now);
    void schedule(const LockName& name, const Watched& watched);
    [[nodiscard]] bool concerns(const LockName& name) const;
    [[nodiscard]] std::optional<SteadyTime> heldDue(const LockRow& row) const;
    [[nodiscard]] std::optional<SteadyTime> ttlDue(const LockRow& row) const;

    NoticeRules m_rules;
    QHash<LockName, Watched> m_watched;
    LookAgenda m_agenda;
    std::vector<NoticeChange> m_changes;  // in order
};

}  // namespace lockkeeper::monitor
