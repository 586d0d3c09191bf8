// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "locks/synchronizers/countdownlatch.h"
#include "locks/synchronizers/permitsemaphore.h"
#include "locks/synchronizers/semaphore.h"
#include "redis/connection.h"
#include "support/places.h"
#include "support/redisserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"
#include "support/wiretap.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

namespace tst_synchronizerreplay {

using namespace lockkeeper;
using namespace lockkeeper::locks;
using namespace std::chrono_literals;

namespace {

using Call = test::Running<QString>;

// The answers as the recordings have them. The recordings have the words of Java for a refusal; here a refusal has no
// words.
QString refused() {
    return QStringLiteral("ERR");
}

Task<QString> said(Task<Result<bool>> task) {
    const Result<bool> answer = co_await task;
    if (!answer)
        co_return answer.error().text;
    co_return *answer ? QStringLiteral("OK true") : QStringLiteral("OK false");
}

Task<QString> saidDone(Task<Result<Done>> task, QString word) {
    const Result<Done> answer = co_await task;
    co_return answer ? QStringLiteral("OK ") + word : answer.error().text;
}

Task<QString> saidDoneOrRefused(Task<Result<bool>> task, QString word) {
    const Result<bool> answer = co_await task;
    if (!answer)
        co_return answer.error().text;
    co_return *answer ? QStringLiteral("OK ") + word : refused();
}

Task<QString> saidNumber(Task<Result<qint64>> task) {
    const Result<qint64> answer = co_await task;
    co_return answer ? QStringLiteral("OK %1").arg(*answer) : answer.error().text;
}

Task<QString> saidCounted(Task<Result<qint64>> task) {
    const Result<qint64> answer = co_await task;
    co_return answer ? QStringLiteral("OK counted") : answer.error().text;
}

Task<QString> saidPermit(Task<Result<std::optional<PermitId>>> task) {
    const Result<std::optional<PermitId>> answer = co_await task;
    if (!answer)
        co_return answer.error().text;
    co_return *answer ? QStringLiteral("OK ") + QString::fromLatin1((*answer)->hex()) : QStringLiteral("OK null");
}

// A lease must outlast the steps that it outlasted in the recording, even if reading the server takes longer.
constexpr int leaseStretch = 4;

// One parsed line of a recording.
struct Operation {
    QString client;
    QString verb;
    LockName name;
    qint64 number = 1;
    QString permit;  // as the recording names it
    std::optional<Milliseconds> wait;
    std::optional<Milliseconds> lease;
    bool waits = false;

    // Nothing for a step in which no client does anything.
    static std::optional<Operation> parse(const QString& text) {
        static const QRegularExpression call(
            QStringLiteral("^([ABC])\\.(\\w+) (\\w+):?(?: (<permit-\\d>))?(?: (-?\\d+)(?! m?s\\b))?"));
        static const QRegularExpression killed(QStringLiteral("^([ABC]) is killed"));
        static const QRegularExpression wait(QStringLiteral(" (\\d+) ms"));
        static const QRegularExpression lease(QStringLiteral(" (\\d+) s\\b"));
        Operation operation;
        if (const auto match = killed.match(text); match.hasMatch()) {
            operation.client = match.captured(1);
            operation.verb = QStringLiteral("is killed");
            return operation;
        }
        const auto match = call.match(text);
        if (!match.hasMatch())
            return std::nullopt;
        operation.client = match.captured(1);
        operation.verb = match.captured(2);
        operation.name = LockName(match.captured(3).toUtf8());
        operation.permit = match.captured(4);
        if (!match.captured(5).isEmpty())
            operation.number = match.captured(5).toLongLong();
        if (const auto found = wait.match(text); found.hasMatch())
            operation.wait = Milliseconds(found.captured(1).toInt());
        if (const auto found = lease.match(text); found.hasMatch())
            operation.lease = Milliseconds(found.captured(1).toInt() * 1000 * leaseStretch);
        operation.waits = text.contains(QLatin1String("starts waiting"));
        return operation;
    }
};

enum class Kind { Semaphore, Permits, Latch };

}  // namespace

// The recorded operations of the real client on semaphores and latches, executed by our clients: the same keys, values,
// messages, channels and answers after each step.
class TestSynchronizerReplay : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_server.start()); }

    void leavesWhatTheRealClientLeaves_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<int>("steps");
        QTest::newRow("semaphore") << "semaphore.json" << Kind::Semaphore << 19;
        QTest::newRow("semaphore of permits with leases") << "permit_semaphore.json" << Kind::Permits << 19;
        QTest::newRow("latch") << "latch.json" << Kind::Latch << 13;
    }
    void leavesWhatTheRealClientLeaves() {
        QFETCH(QString, file);
        QFETCH(Kind, kind);
        QFETCH(int, steps);
        m_kind = kind;
        connectAll();
        QFile recording(test::places::data() + QStringLiteral("/redisson-4.7.0/") + file);
        QVERIFY(recording.open(QIODevice::ReadOnly));
        const QJsonArray recorded = QJsonDocument::fromJson(recording.readAll()).object()[u"steps"].toArray();
        QCOMPARE(recorded.size(), steps);
        for (const QJsonValue& step : recorded) {
            replay(step.toObject());
            if (QTest::currentTestFailed())
                QFAIL(qPrintable(QStringLiteral("in the step: ") + step[u"do"].toString()));
        }
    }

    void cleanup() {
        m_waiting.clear();
        m_permits.clear();
        m_wiretap.reset();
        m_clients.clear();
    }

private:
    void connectAll() {
        m_server.cli({"FLUSHALL"});
        for (const QString& name : {u"A"_qs, u"B"_qs, u"C"_qs}) {
            m_clients[name] = std::make_unique<LockClient>(m_server.options(), m_clock);
            m_clients[name]->open();
        }
        m_wiretap = std::make_unique<test::Wiretap>(m_server, m_clock);
    }

    void replay(const QJsonObject& step) {
        const std::optional<Operation> operation = Operation::parse(step[u"do"].toString());
        if (operation)
            perform(*operation, step[u"answer"].toString());
        const QJsonObject answers = step[u"answers"].toObject();
        for (const QString& call : answers.keys()) {
            const Call waiting = m_waiting.take(call.first(1));
            QVERIFY2(waiting && test::becomesTrue([&] { return waiting->has_value(); }, 15000), qPrintable(call));
            compareAnswer(**waiting, answers[call].toString());
        }
        QTRY_COMPARE(channels(), step[u"channels"].toArray());
        QCOMPARE(keysOnServer(), withoutTimes(step[u"keys"].toObject()));
        QStringList published;
        for (const QJsonValue& each : step[u"published"].toArray())
            published += each[u"channel"].toString() + u' ' + each[u"message"].toString();
        QCOMPARE(m_wiretap->takeMessages(), published);
        if (operation && operation->lease && !operation->waits)
            compareLease(*operation, step[u"answer"].toString());
    }

    void perform(const Operation& operation, const QString& recorded) {
        if (operation.verb == u"is killed") {
            m_waiting.remove(operation.client);
            m_clients.erase(operation.client);
            return;
        }
        const Call call = test::start(begin(operation));
        if (operation.waits) {
            m_waiting[operation.client] = call;
            return;
        }
        QVERIFY(test::becomesTrue([&] { return call->has_value(); }));
        compareAnswer(**call, recorded);
    }

    Task<QString> begin(const Operation& operation) {
        switch (m_kind) {
            case Kind::Semaphore:
                return beginSemaphore(m_clients[operation.client]->semaphore(operation.name), operation);
            case Kind::Permits:
                return beginPermits(m_clients[operation.client]->permitSemaphore(operation.name), operation);
            case Kind::Latch:
                break;
        }
        return beginLatch(m_clients[operation.client]->countDownLatch(operation.name), operation);
    }
    Task<QString> beginSemaphore(const Semaphore& semaphore, const Operation& operation) {
        const auto permits = static_cast<quint32>(operation.number);
        if (operation.verb == u"trySetPermits")
            return said(semaphore.trySetPermits(operation.number));
        if (operation.verb == u"acquire")
            return saidDone(semaphore.acquire(permits), u"acquired"_qs);
        if (operation.verb == u"tryAcquire")
            return said(semaphore.tryAcquire(permits, waitUntil(operation)));
        if (operation.verb == u"release")
            return saidDone(semaphore.release(permits), u"released"_qs);
        if (operation.verb == u"addPermits")
            return saidDone(semaphore.addPermits(operation.number), u"added"_qs);
        if (operation.verb == u"drainPermits")
            return saidNumber(semaphore.drain());
        return unknown(operation);
    }
    Task<QString> beginPermits(const PermitSemaphore& semaphore, const Operation& operation) {
        const PermitId permit = PermitId::fromHex(m_permits.value(operation.permit).toLatin1()).value_or(PermitId());
        if (operation.verb == u"trySetPermits")
            return said(semaphore.trySetPermits(operation.number));
        if (operation.verb == u"acquire")
            return saidPermit(semaphore.tryAcquire(Deadline::never(m_clock), operation.lease));
        if (operation.verb == u"tryAcquire")
            return saidPermit(semaphore.tryAcquire(waitUntil(operation), operation.lease));
        if (operation.verb == u"availablePermits")
            return saidNumber(semaphore.availablePermits());
        if (operation.verb == u"release")
            return saidDoneOrRefused(semaphore.release(permit), u"released"_qs);
        if (operation.verb == u"updateLeaseTime")
            return said(semaphore.updateLease(permit, *operation.lease));
        if (operation.verb == u"setPermits")
            return saidDone(semaphore.setPermits(operation.number), u"set"_qs);
        if (operation.verb == u"addPermits")
            return saidDone(semaphore.addPermits(operation.number), u"added"_qs);
        return unknown(operation);
    }
    Task<QString> beginLatch(const CountDownLatch& latch, const Operation& operation) {
        if (operation.verb == u"trySetCount")
            return said(latch.trySetCount(operation.number));
        if (operation.verb == u"await")
            return said(latch.await(operation.waits ? Deadline::never(m_clock) : waitUntil(operation)));
        if (operation.verb == u"countDown")
            return saidCounted(latch.countDown());
        if (operation.verb == u"getCount")
            return saidNumber(latch.count());
        return unknown(operation);
    }
    static Task<QString> unknown(const Operation& operation) {
        return endedTask(QStringLiteral("a verb that this test does not know: ") + operation.verb);
    }
    Deadline waitUntil(const Operation& operation) { return Deadline::in(m_clock, operation.wait.value_or(0ms)); }

    // The id of `<permit-N>` becomes known with the first answer that has it.
    void compareAnswer(const QString& answer, const QString& recorded) {
        if (recorded.startsWith(u"ERR")) {
            QCOMPARE(answer, refused());
        } else if (recorded.startsWith(u"OK <permit")) {
            QVERIFY2(PermitId::fromHex(answer.sliced(3).toLatin1()), qPrintable(answer));
            m_permits[recorded.sliced(3)] = answer.sliced(3);
        } else {
            QCOMPARE(answer, recorded);
        }
    }

    // A permit's lease begins at the time of the call.
    void compareLease(const Operation& operation, const QString& recordedAnswer) {
        const QString permit = operation.permit.isEmpty() ? recordedAnswer.sliced(3) : operation.permit;
        const qint64 left = m_ends.value(permit) - m_server.cli({"TIME"}).section(u'\n', 0, 0).toLongLong() * 1000;
        QVERIFY2(left <= operation.lease->count() + 1000 && left > operation.lease->count() - 2000,
                 qPrintable(QStringLiteral("%1 ms are left of %2").arg(left).arg(operation.lease->count())));
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
        for (const QString& key : m_server.cli({"KEYS", "*"}).split(u'\n', Qt::SkipEmptyParts)) {
            const QString type = m_server.cli({"TYPE", key});
            const QJsonValue value = type == u"zset" ? leasesOf(key) : QJsonValue(m_server.cli({"GET", key}));
            keys[key] = QJsonObject{{u"type"_qs, type}, {u"value"_qs, value}};
        }
        return keys;
    }

    // The members of that key are the ids of permits as raw bytes.
    QJsonValue leasesOf(const QString& key) {
        const QString script = QStringLiteral(
            "local out = redis.call('zrange', KEYS[1], 0, -1, 'withscores') for i = 1, #out, 2 do "
            "out[i] = out[i]:gsub('.', function(c) return string.format('%02x', c:byte()) end) end return out");
        const QStringList answer = m_server.cli({"EVAL", script, "1", key}).split(u'\n');
        QJsonObject leases;
        m_ends.clear();
        for (qsizetype i = 0; i + 1 < answer.size(); i += 2) {
            const QString permit = m_permits.key(answer[i], answer[i]);
            m_ends[permit] = answer[i + 1].toLongLong();
            const bool never = answer[i + 1] == u"922337203685477";
            leases[permit] = never ? answer[i + 1] : u"<deadline>"_qs;
        }
        return leases;
    }

    QJsonArray channels() {
        QStringList names = m_server.cli({"PUBSUB", "CHANNELS"}).split(u'\n', Qt::SkipEmptyParts);
        names.sort();
        return QJsonArray::fromStringList(names);
    }

    test::RedisServer m_server;
    SystemClock m_clock;
    Kind m_kind = Kind::Semaphore;
    std::map<QString, std::unique_ptr<LockClient>> m_clients;
    std::unique_ptr<test::Wiretap> m_wiretap;
    QHash<QString, Call> m_waiting;     // by client
    QHash<QString, QString> m_permits;  // from the names of the recording to 32 hex digits
    QHash<QString, qint64> m_ends;
};

LOCKKEEPER_TEST(TestSynchronizerReplay, Guiless)

}  // namespace tst_synchronizerreplay

#include "tst_synchronizerreplay.moc"
