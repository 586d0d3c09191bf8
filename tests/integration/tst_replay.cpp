#include "base/systemclock.h"
#include "locks/lockclient.h"
#include "locks/reentrantlock.h"
#include "redis/sockettransport.h"
#include "support/redisserver.h"
#include "support/taskwait.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;

namespace {

using Call = test::Running<QString>;

// What the recorded client would have answered.
QString refusal(const Error& error) {
    return QStringLiteral("ERR java.lang.IllegalMonitorStateException: ") + error.text;
}

Task<QString> lock(ReentrantLock lock, ThreadId thread, std::optional<Milliseconds> lease) {
    const Result<Done> locked = co_await lock.lock(thread, lease);
    co_return locked ? QStringLiteral("OK locked") : locked.error().text;
}

Task<QString> tryLock(ReentrantLock lock, ThreadId thread, Deadline now) {
    const Result<LockAttempt> tried = co_await lock.tryLock(thread, now);
    if (!tried)
        co_return tried.error().text;
    co_return tried->acquired() ? QStringLiteral("OK true") : QStringLiteral("OK false");
}

Task<QString> unlock(ReentrantLock lock, ThreadId thread) {
    const Result<ReleaseOutcome> released = co_await lock.unlock(thread);
    co_return released ? QStringLiteral("OK unlocked") : refusal(released.error());
}

Task<QString> forceUnlock(ReentrantLock lock) {
    const Result<bool> forced = co_await lock.forceUnlock();
    if (!forced)
        co_return forced.error().text;
    co_return *forced ? QStringLiteral("OK true") : QStringLiteral("OK false");
}

Task<Result<redis::RespValue>> ask(redis::Connection* connection, redis::Command command) {
    const Completion<redis::RespValue> reply = connection->send(command);
    co_return co_await reply.wait(Deadline::in(connection->clock(), 10s));
}

// One of the three clients of the recordings.
struct Client {
    LockClient client;
    ThreadId thread;

    Client(const redis::ConnectionOptions& options, Clock& clock, LockClientOptions clientOptions, ThreadId threadId)
        : client(options, clock, std::move(clientOptions)), thread(threadId) {
        client.open();
    }
};

// One line of a recording, taken apart.
struct Operation {
    QString client;
    QString verb;
    LockName name;
    std::optional<Milliseconds> lease;
    Milliseconds pause{0};
    bool waits = false;
    bool wakes = false;  // the call that waits takes the lock in this step

    static Operation parse(const QJsonValue& step) {
        const QString text = step[u"do"].toString();
        static const QRegularExpression pause(QStringLiteral("^([\\d.]+) s later"));
        static const QRegularExpression call(QStringLiteral(
            "^([ABC])(?:\\.(lock|tryLock|unlock|forceUnlock)| (waits) on) (\\S+?)(?:,.*| lease (\\d+) ms)?(?: .*)?$"));
        Operation operation;
        if (const auto match = pause.match(text); match.hasMatch()) {
            operation.pause = Milliseconds(qRound(match.captured(1).toDouble() * 1000));
            return operation;
        }
        const auto match = call.match(text);
        if (!match.hasMatch())
            qFatal("a step that this test does not know: %s", qPrintable(text));
        operation.client = match.captured(1);
        operation.verb = match.captured(3).isEmpty() ? match.captured(2) : QStringLiteral("lock");
        operation.name = LockName(QByteArray::fromPercentEncoding(match.captured(4).toUtf8()));
        if (!match.captured(5).isEmpty())
            operation.lease = Milliseconds(match.captured(5).toInt());
        operation.waits = !match.captured(3).isEmpty() || text.contains(u"starts waiting");
        operation.wakes =
            text.contains(u"is woken") || (operation.verb == u"unlock" && step[u"answer"].toString() == u"OK locked");
        return operation;
    }
};

}  // namespace

// What the real client was recorded to do, done by ours: the same keys, values, messages, channels and answers after
// each step.
class TestReplay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }

    void leavesWhatTheRealClientLeaves_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("upTo");  // the first step that is of another kind of lock
        QTest::newRow("reentrant") << "reentrant.json"
                                   << "";
        QTest::newRow("watchdog") << "watchdog.json"
                                  << "";
        QTest::newRow("force") << "force.json"
                               << "";
        QTest::newRow("names") << "names.json"
                               << "A.readLock x{tag}y";
    }
    void leavesWhatTheRealClientLeaves() {
        QFETCH(QString, file);
        QFETCH(QString, upTo);
        connectAll();
        int steps = 0;
        for (const QJsonValue& step : stepsOf(file)) {
            if (step[u"do"].toString() == upTo)
                break;
            replay(step);
            if (QTest::currentTestFailed())
                QFAIL(qPrintable(QStringLiteral("in the step: ") + step[u"do"].toString()));
            ++steps;
        }
        QVERIFY(steps >= 6);
    }

    void cleanup() {
        m_waiting.reset();
        m_observer.reset();
        m_clients.clear();
    }

private:
    void connectAll() {
        m_clock = std::make_unique<SystemClock>();
        int thread = 33;
        for (const QString& name : {u"A"_qs, u"B"_qs, u"C"_qs}) {
            LockClientOptions options;
            options.watchdogTimeout = watchdogTimeout;
            m_clients[name] = std::make_unique<Client>(m_server.options(), *m_clock, options, ThreadId{thread});
            thread += 3;
        }
        const redis::ConnectionOptions options = m_server.options();
        m_observer = std::make_unique<redis::Connection>(
            options, [endpoint = options.endpoint] { return redis::makeSocketTransport(endpoint); }, *m_clock);
        m_published = QJsonArray();
        connect(m_observer.get(), &redis::Connection::pushReceived, this, [this](const redis::RespValue& push) {
            if (push.items.size() == 4 && push.items[0].bytes == "pmessage")
                m_published += QJsonObject{{u"channel"_qs, QString::fromUtf8(push.items[2].bytes)},
                                           {u"message"_qs, QString::fromUtf8(push.items[3].bytes)}};
        });
        m_observer->open();
        QTRY_VERIFY(m_observer->isReady());
        reply(redis::Command("PSUBSCRIBE", {"*"}));
    }

    static QJsonArray stepsOf(const QString& file) {
        QFile recording(QStringLiteral(LOCKKEEPER_TEST_DATA "/redisson-4.7.0/") + file);
        if (!recording.open(QIODevice::ReadOnly))
            qFatal("cannot read %s", qPrintable(recording.fileName()));
        return QJsonDocument::fromJson(recording.readAll()).object()[u"steps"].toArray();
    }

    void replay(const QJsonValue& step) {
        const Operation operation = Operation::parse(step);
        const QString answer = perform(operation);
        QTRY_COMPARE(channels(), step[u"channels"].toArray());
        if (step[u"answer"].isString())
            QCOMPARE(answer, withUuids(step[u"answer"].toString()));
        const QJsonObject keys = step[u"keys"].toObject();
        QCOMPARE(keysOnServer(), withoutTimes(keys));
        for (const QString& key : keys.keys())
            compareTime(key, operation);
        reply(redis::Command("PING"));  // every message published until now comes before its answer
        QCOMPARE(std::exchange(m_published, {}), step[u"published"].toArray());
    }

    // The answer that the recording shows: of the call that waited, where an unlock lets it go on.
    QString perform(const Operation& operation) {
        if (operation.client.isEmpty()) {
            QTest::qWait(static_cast<int>(operation.pause.count()));
            return {};
        }
        const Client& client = *m_clients[operation.client];
        const ReentrantLock lockObject = m_clients[operation.client]->client.reentrantLock(operation.name);
        const Call call = start(operation, lockObject, client.thread);
        if (operation.waits) {
            m_waiting = call;
            return {};
        }
        const bool ended = QTest::qWaitFor([&] { return call->has_value(); });
        if (!ended)
            return QStringLiteral("no answer");
        if (!operation.wakes)
            return **call;
        const Call woken = std::exchange(m_waiting, nullptr);
        if (!QTest::qWaitFor([&] { return woken->has_value(); }))
            return QStringLiteral("not woken");
        return operation.verb == u"unlock" ? **woken : **call;
    }

    Call start(const Operation& operation, const ReentrantLock& lockObject, ThreadId thread) {
        if (operation.verb == u"lock")
            return test::start(lock(lockObject, thread, operation.lease));
        if (operation.verb == u"tryLock")
            return test::start(tryLock(lockObject, thread, Deadline::in(*m_clock, 0ms)));
        if (operation.verb == u"unlock")
            return test::start(unlock(lockObject, thread));
        return test::start(forceUnlock(lockObject));
    }

    void compareTime(const QString& key, const Operation& operation) {
        const qint64 pttl = reply(redis::Command("PTTL", {key.toUtf8()})).integer;
        const Milliseconds full = operation.lease.value_or(watchdogTimeout);
        const Milliseconds oldest = operation.lease ? 500ms : watchdogTimeout / 3 + 500ms;
        QVERIFY2(pttl <= full.count() && pttl > (full - oldest).count(),
                 qPrintable(QStringLiteral("%1 has %2 ms").arg(key).arg(pttl)));
    }

    static QJsonObject withoutTimes(QJsonObject keys) {
        for (const QString& key : keys.keys()) {
            QJsonObject entry = keys[key].toObject();
            entry.remove(u"pttl");
            keys[key] = entry;
        }
        return keys;
    }

    QJsonObject keysOnServer() {
        QJsonObject keys;
        for (const redis::RespValue& key : reply(redis::Command("KEYS", {"*"})).items) {
            const QByteArray type = reply(redis::Command("TYPE", {key.bytes})).bytes;
            QJsonObject value;
            const redis::RespValue fields = reply(redis::Command("HGETALL", {key.bytes}));
            for (size_t i = 0; i + 1 < fields.items.size(); i += 2)
                value[withLetters(fields.items[i].bytes)] = QString::fromUtf8(fields.items[i + 1].bytes);
            keys[QString::fromUtf8(key.bytes)] =
                QJsonObject{{u"type"_qs, QString::fromUtf8(type)}, {u"value"_qs, value}};
        }
        return keys;
    }

    QJsonArray channels() {
        QStringList names;
        for (const redis::RespValue& channel : reply(redis::Command("PUBSUB", {"CHANNELS"})).items)
            names += QString::fromUtf8(channel.bytes);
        names.sort();
        return QJsonArray::fromStringList(names);
    }

    QString withLetters(const QByteArray& text) const {
        QString letters = QString::fromUtf8(text);
        for (const auto& [name, client] : m_clients)
            letters.replace(QString::fromLatin1(client->client.id().bytes()), u'<' + name + u'>');
        return letters;
    }
    QString withUuids(QString text) const {
        for (const auto& [name, client] : m_clients)
            text.replace(u'<' + name + u'>', QString::fromLatin1(client->client.id().bytes()));
        return text;
    }

    redis::RespValue reply(const redis::Command& command) {
        Result<redis::RespValue> answer = test::waitFor(ask(m_observer.get(), command));
        if (!answer)
            qFatal("%s: %s", command.name().constData(), qPrintable(answer.error().text));
        return std::move(answer).value();
    }

    static constexpr Milliseconds watchdogTimeout{3000};

    test::RedisServer m_server;
    std::unique_ptr<SystemClock> m_clock;
    std::map<QString, std::unique_ptr<Client>> m_clients;
    std::unique_ptr<redis::Connection> m_observer;
    QJsonArray m_published;
    Call m_waiting;
};

QTEST_GUILESS_MAIN(TestReplay)
#include "tst_replay.moc"
