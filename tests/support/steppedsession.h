// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/audit/auditlog.h"
#include "session/session.h"
#include "support/clocksteps.h"

#include <QHash>
#include <QTemporaryDir>

namespace lockkeeper::test {

// A session on a clock that goes on in steps, and what it has reported: for what must not happen more often than so
// many times a second. Everything runs in the thread of the test.
class SteppedSession {
public:
    explicit SteppedSession(const QString& url, const QString& askpass = {})
        : m_session(targetOf(url, askpass), {}, nullptr, m_audit, m_clock) {
        m_session.onReport<ConnectionStatus>(&m_session, [this](const ConnectionStatus& now) { status = now; });
        m_session.onReport<OwnLocksChanged>(&m_session, [this](const OwnLocksChanged& now) { own = now.locks; });
        m_session.onReport<BatchReady>(&m_session, [this](const BatchReady& ready) {
            take(*ready.batch);
            if (ready.receipt->take())
                m_session.request({}, BatchTaken());
        });
        m_session.open();
    }

    [[nodiscard]] SteadyTime now() const { return m_clock.now(); }
    // See ClockSteps.
    [[nodiscard]] bool runFor(Milliseconds time) const { return m_steps.runFor(time); }
    [[nodiscard]] bool isConnected() const { return status.phase == ConnectionPhase::Connected; }
    [[nodiscard]] bool holds(const QByteArray& name) const { return rows.value(LockName(name)).lock.isHeld(); }
    // Arms the session first.
    void acquire(const QByteArray& name) {
        m_session.request({}, ArmFor{std::chrono::minutes(10)});
        control::AcquireRequest request;
        request.name = LockName(name);
        m_session.request(OperationId(++m_operations), request);
    }

    ConnectionStatus status;
    QHash<LockName, monitor::LockRow> rows;
    monitor::MonitorStats stats;
    QList<control::OwnLock> own;

private:
    static SessionTarget targetOf(const QString& url, const QString& askpass) {
        SessionTarget target;
        target.profile = profile::ConnectionProfile::fromUrl(url).value();
        target.askpass = askpass;
        return target;
    }
    void take(const monitor::MonitorBatch& batch) {
        if (batch.reset)
            rows.clear();
        for (const monitor::SharedRow& row : batch.changed)
            rows.insert(row->lock.name, *row);
        if (batch.stats)
            stats = *batch.stats;
    }

    QTemporaryDir m_folder;
    ManualClock m_clock;
    ClockSteps m_steps{m_clock};
    control::AuditLog m_audit{m_folder.path(), m_clock};
    quint64 m_operations = 0;
    Session m_session;
};

}  // namespace lockkeeper::test
