// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/kinds/reentrantlock.h"
#include "locks/lockclient.h"
#include "support/fakeserver.h"
#include "support/manualclock.h"
#include "support/taskwait.h"

namespace lockkeeper::test {

// One client of the lock `L` on a fake server. Commands are shown as words: "acquire 30000 by 7".
class ReentrantLockTest : public QObject {
    Q_OBJECT

public:
    // At which stage a call is waiting when something happens to it.
    enum class Stage {
        Connecting,    // until the connection is ready
        FirstTry,      // for the answer to the first attempt
        Subscribing,   // for the confirmation of the subscription
        SecondTry,     // for the answer to the second attempt
        Asleep,        // for a message or the TTL
        Reconnecting,  // the answer to the second attempt was lost with the connection
        Settling,      // for the answer to the reconciliation that follows
        Late           // the second attempt is not answered in time
    };

protected:
    using Running = test::Running<Result<locks::LockAttempt>>;

    inline static const QByteArray uuid = "5f0a3c8e-0000-4000-8000-000000000001";
    inline static const QByteArray channel = "redisson_lock__channel:{L}";
    inline static const QByteArray taken = "_\r\n";
    static constexpr ThreadId owner{7};

    static void stages();

    void open();
    [[nodiscard]] locks::ReentrantLock reentrantLock() { return m_client->reentrantLock(LockName("L")); }
    [[nodiscard]] Deadline in(std::optional<Milliseconds> wait) {
        return Deadline::in(*m_clock, wait.value_or(Milliseconds(0)));
    }

    [[nodiscard]] Running tryLock(std::optional<Milliseconds> wait = std::nullopt,
                                  std::optional<Milliseconds> lease = std::nullopt, std::stop_token stop = {}) {
        return test::start(reentrantLock().tryLock(owner, in(wait), lease, std::move(stop)));
    }
    // lock(), with the same type of answer as the other calls.
    [[nodiscard]] Running lock(ThreadId who = owner) {
        return test::start(reentrantLock().tryLock(who, Deadline::never(*m_clock)));
    }
    [[nodiscard]] test::Running<Result<locks::ReleaseOutcome>> unlock() {
        return test::start(reentrantLock().unlock(owner));
    }
    void take(std::optional<Milliseconds> lease = std::nullopt);

    // A call that has reached this stage and can be cancelled with m_stop.
    Running bring(Stage stage, int pttl = 5000, std::optional<Milliseconds> wait = std::nullopt);

    [[nodiscard]] FakeLink& commands() { return m_server->linkOf("lockkeeper"); }
    [[nodiscard]] FakeLink& waiting() { return m_server->linkOf("lockkeeper-waiting"); }
    [[nodiscard]] QStringList sent() { return wordsOfAll(commands()); }
    [[nodiscard]] QStringList sentForWaiting() { return wordsOfAll(waiting()); }
    void confirm() { waiting().reply(">3\r\n" + bulk("subscribe") + bulk(channel) + number(1)); }
    void publish(const QByteArray& message) { waiting().reply(pushOf({"message", channel, message})); }

    [[nodiscard]] qint64 held() const {
        return m_client->hold(locks::HoldKey(LockName("L"), HolderId(ClientId(uuid), owner))).count;
    }

    template <typename T>
    [[nodiscard]] static QString wordOf(const test::Running<Result<T>>& call) {
        if (!call->has_value())
            return QStringLiteral("running");
        if (!(*call)->ok())
            return wordFor((*call)->error().code);
        if constexpr (std::is_same_v<T, locks::LockAttempt>)
            return (*call)->value().acquired() ? QStringLiteral("acquired") : QStringLiteral("held by other");
        return QStringLiteral("done");
    }

    // The names of lockLost() so far.
    [[nodiscard]] const QByteArrayList& lost() {
        turnEventLoop();
        return m_lost;
    }

    std::unique_ptr<ManualClock> m_clock;
    std::unique_ptr<FakeServer> m_server;
    std::unique_ptr<locks::LockClient> m_client;
    std::stop_source m_stop;

private:
    [[nodiscard]] static QString wordsOf(const QByteArrayList& command);
    [[nodiscard]] static QStringList wordsOfAll(FakeLink& link);

    QByteArrayList m_lost;

protected Q_SLOTS:
    void init();
    void cleanup();
};

}  // namespace lockkeeper::test

Q_DECLARE_METATYPE(lockkeeper::test::ReentrantLockTest::Stage)
