// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "lockkeeper_monitor_export.h"
#include "locks/kinds/lock.h"
#include "locks/lockclient.h"

#include <QObject>

#include <memory>
#include <vector>

namespace lockkeeper::lab {

// Several clients that use locks as real services do: some compete, some queue, some read, a writer continues to read,
// one reenters, one uses fencing tokens, one runs a long job with the watchdog, one crashes while it holds a lock for
// which another one waits in vain, one uses a fixed lease that expires. They are real clients on a real server, so the
// monitor shows them as it would show a Java fleet. Thread: that of its clock.
class LOCKKEEPER_MONITOR_EXPORT SimulatedFleet : public QObject {
    Q_OBJECT
public:
    SimulatedFleet(redis::ConnectionOptions options, Clock& clock, QObject* parent = nullptr);
    ~SimulatedFleet() override;

    void start();
    // Stops all clients at once, as a power failure would; their locks expire.
    void stop();
    // Whether it is a client that has crashed while it held a lock.
    [[nodiscard]] bool isDead(const ClientId& client) const { return m_dead.contains(client); }

private:
    locks::LockClient* addClient(const QByteArray& name);
    // Repeats: acquire, work, release, pause.
    Task<void> takeTurns(locks::Lock lock, Milliseconds work, Milliseconds rest);
    Task<void> compete(locks::LockClient* client, Milliseconds work, Milliseconds rest);
    Task<void> writeAndReadOn(locks::LockClient* client);
    Task<void> reenter(locks::LockClient* client);
    Task<void> crashAndComeBack();
    Task<bool> crash();
    Task<void> letLeaseRunOut(locks::LockClient* client);
    // These return false when the fleet is being stopped.
    Task<bool> pause(Milliseconds time);
    Task<bool> take(locks::Lock lock);
    static Task<bool> giveBack(locks::Lock lock);
    Task<bool> hold(locks::Lock lock, Milliseconds time);

    redis::ConnectionOptions m_options;
    Clock& m_clock;
    std::vector<std::unique_ptr<locks::LockClient>> m_clients;
    QList<ClientId> m_dead;  // the last ones
    TaskScope m_scope;
};

}  // namespace lockkeeper::lab
