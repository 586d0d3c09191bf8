// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "locks/heldlocks.h"
#include "topology/shardconnections.h"

#include <QHash>
#include <QObject>
#include <QSet>

#include <set>

namespace lockkeeper::locks {

class Watchdog;
struct CheckedHold;

// Notices soon that a held lock was taken away, by CLIENT TRACKING on the connections that take the locks. A change by
// another client starts a read of that lock, and only the read decides. A hold is read for the first time when it is
// firstRead old. The commands that renew and partly release a lock are tracked themselves (core/locks/protocol.md,
// "Facts about the server"), so later reads happen only after a change.
//
// Where the server refuses tracking, locks with a fixed lease are read as often as the other locks are renewed, which
// also finds a loss; reading holds with a fixed lease are read each second. A refused read is repeated after growing
// pauses, which are at most as long as the time between two renewals; until a read succeeds, a loss may be noticed
// late. Keeps reading holds alive that other readers have cut short. Thread: the connections'.
class LOCKKEEPER_EXPORT HeldTracking : public QObject {
    Q_OBJECT
public:
    // All references must outlive this object.
    HeldTracking(topology::ShardConnections& connections, HeldLocks& held, Watchdog& watchdog,
                 QObject* parent = nullptr);
    ~HeldTracking() override;

    // A hold is tracked once it is firstRead old: most holds are released before, and then cost nothing.
    static constexpr Milliseconds firstRead{50};
    void taken(const LockName& name);
    // The values that make up this hold of a faster multi lock, instead of its field; empty: the hold is not one of a
    // faster multi lock, or not any more.
    void setValues(const HoldKey& key, const QByteArrayList& values);
    // Whether the server of this lock reports changes.
    [[nodiscard]] bool isOn(const LockName& name);
    // Reads what the server keeps of this client's holds of that name. A server that reports changes then also reports
    // those of this lock. Several requests during a read cause one more read.
    void readSoon(const LockName& name);
    // As readSoon(), but only where the server reports changes.
    void check(const LockName& name);
    [[nodiscard]] LossDetection lossDetection() const;

Q_SIGNALS:
    void lost(const lockkeeper::locks::HoldKey& key, lockkeeper::locks::LossReason why);
    void lossDetectionChanged();
    // A lease expires sooner than the client believed.
    void leaseShortened();

private:
    void onStateChanged(redis::Connection* connection, redis::Connection::State state);
    void begin(redis::Connection* connection);
    void allowCaching(redis::Connection* connection);
    void onSwitched(redis::Connection* connection, const Result<redis::RespValue>& answer);
    void note(redis::Connection* connection, LossDetection detection);
    void onPush(const redis::Connection* connection, const redis::RespValue& push);
    void onOwnersChanged();
    void checkAll(const redis::Connection* connection);
    void checkYoung();
    // Holds with a fixed lease whose changes no server reports. Reading holds are separate, because the renewals of
    // other readers may leave a reading hold only a short time.
    enum class Polled { ReadingHolds, OtherHolds };
    [[nodiscard]] Milliseconds betweenRenewals() const;
    void pollLater();
    void pollLater(Polled which);
    void poll(Polled which);
    void read(const LockName& name, const std::vector<HoldKey>& holds);
    void endRead(const LockName& name);
    void readAgainLater(const LockName& name, const Error& refusal);
    void forgetRefusal(const LockName& name);
    void reportDetection();
    void onRead(const std::vector<CheckedHold>& holds, SteadyTime sentAt, const redis::RespValue& answer);

    topology::ShardConnections& m_connections;
    HeldLocks& m_held;
    Watchdog& m_watchdog;
    std::set<const redis::Connection*> m_refusing;
    // In a Cluster: the connection that owns each slot with holds, as of the last change of owners.
    QHash<topology::HashSlot, const redis::Connection*> m_owners;
    ClockTimer m_readingPoll{m_connections.clock(), [this] { poll(Polled::ReadingHolds); }};
    ClockTimer m_otherPoll{m_connections.clock(), [this] { poll(Polled::OtherHolds); }};
    QSet<LockName> m_young;  // taken, but not tracked yet
    ClockTimer m_youngTimer{m_connections.clock(), [this] { checkYoung(); }};
    QHash<HoldKey, QByteArrayList> m_values;
    QHash<LockName, bool> m_reading;  // whether one more read must follow
    struct Refusal {
        int times = 0;
        Clock::TimerId retry = Clock::TimerId::None;
    };
    QHash<LockName, Refusal> m_refused;  // names whose last read was refused
    LossDetection m_reported = LossDetection::Tracking;
};

}  // namespace lockkeeper::locks
