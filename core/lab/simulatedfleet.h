#pragma once

#include "async/taskscope.h"
#include "lockkeeper_monitor_export.h"
#include "locks/kinds/lock.h"
#include "locks/lockclient.h"

#include <QObject>

#include <memory>
#include <vector>

namespace lockkeeper::lab {

// A handful of clients that live with locks as real services do: some that compete, some that queue, readers and a writer
// who reads on, one that reenters, one with fencing tokens, a long job under its watchdog, one that crashes while it
// holds (and one that waits for it in vain), a fixed lease that runs out. Real clients on a real server: what the monitor
// shows of them it would show of a Java fleet. Thread: that of its clock.
class LOCKKEEPER_MONITOR_EXPORT SimulatedFleet : public QObject {
    Q_OBJECT
public:
    SimulatedFleet(redis::ConnectionOptions options, Clock& clock, QObject* parent = nullptr);
    ~SimulatedFleet() override;

    void start();
    // Ends all of them at once, as a power cut would; their locks run out.
    void stop();

private:
    locks::LockClient* addClient(const QByteArray& name);
    // Works under the lock, rests, and comes again.
    Task<void> takeTurns(locks::Lock lock, Milliseconds work, Milliseconds rest);
    Task<void> compete(locks::LockClient* client, Milliseconds work, Milliseconds rest);
    Task<void> writeAndReadOn(locks::LockClient* client);
    Task<void> reenter(locks::LockClient* client);
    Task<void> crashAndComeBack();
    Task<bool> crash();
    Task<void> letLeaseRunOut(locks::LockClient* client);
    // These answer false when the fleet is being stopped.
    Task<bool> pause(Milliseconds time);
    Task<bool> take(locks::Lock lock);
    static Task<bool> giveBack(locks::Lock lock);
    Task<bool> hold(locks::Lock lock, Milliseconds time);

    redis::ConnectionOptions m_options;
    Clock& m_clock;
    std::vector<std::unique_ptr<locks::LockClient>> m_clients;
    TaskScope m_scope;
};

}  // namespace lockkeeper::lab
