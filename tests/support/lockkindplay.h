// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/fakeserver.h"
#include "support/lockkinds.h"
#include "support/manualclock.h"
#include "support/taskwait.h"

#include <QObject>

namespace lockkeeper::test {

// How the same call differs between the kinds of lock.
struct LockShape {
    const char* name;
    Kind kind;
    QString acquire;  // the names of its scripts
    QString release;
    QString settle;
    QString force;
    QByteArray taken;    // the script's answer if the lock was taken
    QByteArray channel;  // empty: the kind has no messages and tries again by itself
    locks::HoldMode mode;
};

// At which stage a call is waiting when something happens to it.
enum class Stage {
    Connecting,    // until the connection is ready
    FirstTry,      // for the answer to the first attempt
    Subscribing,   // for the confirmation of the subscription
    SecondTry,     // for the answer to the second attempt
    Asleep,        // for a message, the TTL or the next attempt
    Reconnecting,  // the answer to the second attempt was lost with the connection
    Settling,      // for the answer to the reconciliation that follows
    Late           // the second attempt is not answered in time
};

// Why a command stays without an answer.
enum class Loss { TimeOver, Connection, Client };

// A client on a fake server, and the steps that bring a call of any kind of lock to any stage.
class LockKindPlay : public QObject {
protected:
    using Running = test::Running<Result<locks::LockAttempt>>;

    explicit LockKindPlay(QList<LockShape> shapes) : m_shapes(std::move(shapes)) {}

    void start();
    void end();
    [[nodiscard]] const QList<LockShape>& shapes() const { return m_shapes; }

    static const QByteArray uuid;
    static const ThreadId owner;
    static const QByteArray nil;

    // Test data: each of these kinds; each stage of its calls; each loss of an answer.
    void kinds() const;
    void stages() const;
    void losses() const;

    void open();
    void take(const LockShape& shape, std::optional<Milliseconds> lease = std::nullopt);
    locks::ReleaseOutcome release(const LockShape& shape, const QByteArray& answer);
    // A call that has reached this stage and can be cancelled with m_stop.
    Running bring(const LockShape& shape, Stage stage, int pttl = 5000,
                  std::optional<Milliseconds> wait = std::nullopt);
    void lose(Loss loss);
    // To be called after the connection was lost.
    void reconnect();

    [[nodiscard]] locks::Lock lockOf(const LockShape& shape) {
        return test::lockOf(*m_client, shape.kind, LockName("L"));
    }
    [[nodiscard]] FakeLink& commands() { return m_server->linkOf("lockkeeper"); }
    [[nodiscard]] FakeLink& waiting() { return m_server->linkOf("lockkeeper-waiting"); }
    // The names of the scripts that ran since the last call; other commands unchanged.
    QStringList sent();
    [[nodiscard]] qint64 held(const LockShape& shape) const;

    std::unique_ptr<ManualClock> m_clock;
    std::unique_ptr<FakeServer> m_server;
    std::unique_ptr<locks::LockClient> m_client;
    std::stop_source m_stop;

private:
    const QList<LockShape> m_shapes;
};

}  // namespace lockkeeper::test

Q_DECLARE_METATYPE(lockkeeper::test::Loss)
Q_DECLARE_METATYPE(lockkeeper::test::Stage)
Q_DECLARE_METATYPE(lockkeeper::test::LockShape)
