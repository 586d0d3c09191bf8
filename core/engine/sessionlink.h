// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"

namespace lockkeeper {

// The GUI's access to one session at a time: requests and reports without the session in each. A page
// of the window keeps one object for its whole life. Connecting again opens another session behind it, and later
// reports of the previous session are dropped. Thread: the GUI's.
class LOCKKEEPER_MONITOR_EXPORT SessionLink final : public QObject {
    Q_OBJECT
public:
    // The engine must outlive it.
    explicit SessionLink(Engine& engine, QObject* parent = nullptr);
    // Closes the session and releases its own locks.
    ~SessionLink() override;

    [[nodiscard]] Engine& engine() noexcept { return m_engine; }
    [[nodiscard]] bool isOpen() const noexcept { return m_session != SessionId::None; }

    // Closes the present session, releases its locks, and opens another session.
    void connectTo(const profile::ConnectionProfile& profile, const QList<LockName>& knownNames,
                   const profile::ProfileLabel& label = {});
    void connectToDemo(redis::AccessMode access);
    // SessionClosed follows.
    void disconnectFromServer(control::OwnLocksAtExit ownLocks = control::OwnLocksAtExit::Release);
    // See Engine.
    OperationId request(const SessionRequest& request) { return m_engine.request(m_session, request); }
    // Calls the slot with each later report of this type about the present session. A new session begins with an empty
    // list of own locks and a batch with `reset`.
    template <typename Report, typename Receiver, typename Slot>
    void onReport(Receiver* receiver, Slot slot) const {
        connect(this, &SessionLink::reported, receiver,
                [receiver, slot](const SessionReport& report) { passReport<Report>(report, receiver, slot); });
    }

Q_SIGNALS:
    void reported(const lockkeeper::SessionReport& report);

private:
    void pass(SessionId session, const SessionReport& report);
    void closePresent();
    void forgetState();

    Engine& m_engine;
    SessionId m_session = SessionId::None;
};

}  // namespace lockkeeper
