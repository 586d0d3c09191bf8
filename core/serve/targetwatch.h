// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/case.h"
#include "session/connectionstatus.h"

#include <QHash>
#include <QMap>

#include <vector>

namespace lockkeeper::serve {

struct TargetChange {
    NoticeChange::Phase phase = NoticeChange::Phase::Begun;
    Case subject;

    friend bool operator==(const TargetChange&, const TargetChange&) = default;
};

// What the rules cover on one target. What is not known neither begins nor ends anything: while the target or a node of
// it is away, only that is a case, once it has lasted. Uses no clock. Thread: one.
class TargetWatch {
public:
    // A failover is over sooner.
    static constexpr Milliseconds blindGrace{10'000};

    explicit TargetWatch(QString name) : m_name(std::move(name)) {}

    [[nodiscard]] const QString& name() const noexcept { return m_name; }
    void setRules(const std::vector<monitor::NoticeRules>& rules);
    void setStatus(const ConnectionStatus& status, SteadyTime now, WallTime wall);
    void apply(const monitor::MonitorBatch& batch, SteadyTime now, WallTime wall);

    // Since the last call: what was reported before must be seen again, because of other rules or another server.
    [[nodiscard]] bool takeReset() { return std::exchange(m_isReset, false); }
    // Whether all locks are known, so that what is not covered now has ended.
    [[nodiscard]] bool isWhole() const;
    // What has become of a case of an earlier run, once all locks are known. GoesOn: its end is reported as of any
    // other. NotClear: some diagnoses need a while.
    enum class Standing { GoesOn, Ended, NotClear };
    [[nodiscard]] Standing standingOf(const Case& subject);
    [[nodiscard]] bool isLive() const { return lockkeeper::isLive(m_status); }
    [[nodiscard]] std::optional<SteadyTime> nextDue() const;
    [[nodiscard]] std::vector<TargetChange> take(SteadyTime now, WallTime wall);

private:
    struct Blind {
        WallTime since{};
        SteadyTime due{};
        bool isReported = false;
    };

    void keep(const monitor::MonitorBatch& batch);
    // Whether all of it is away, or refuses the search for locks.
    void followWhole(SteadyTime now, WallTime since);
    void setBlind(const QString& node, WallTime since, SteadyTime now);
    void setSeen(const QString& node);
    void followNodes(const monitor::MonitorStats& stats, SteadyTime now, WallTime wall);
    [[nodiscard]] bool adopt(const monitor::NoticeFacts& held, const monitor::LockRow& row);
    [[nodiscard]] bool isDue(const QString& node, const Blind& blind, SteadyTime now) const;
    [[nodiscard]] Case notWatched(const QString& node, WallTime since) const;

    const QString m_name;
    ConnectionStatus m_status;
    std::vector<monitor::NoticeWatch> m_watches;         // one for each rule
    QHash<LockName, monitor::SharedRow> m_rows;          // for rules that come later
    QHash<ClientId, monitor::SharedClient> m_diagnosed;  // the same
    QMap<QString, Blind> m_blind;                        // by node; an empty one: all of the target
    std::vector<TargetChange> m_changes;
    bool m_isReset = true;
    int m_sweeps = 0;
    bool m_areSlotsServed = true;
    bool m_isSearchRefused = false;
};

}  // namespace lockkeeper::serve
