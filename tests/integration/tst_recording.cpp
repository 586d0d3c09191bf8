// SPDX-License-Identifier: Apache-2.0
#include "recording/recordingfile.h"
#include "recording/replay.h"
#include "support/auditedengine.h"
#include "support/places.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QDeadlineTimer>
#include <QLocalSocket>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <map>

namespace tst_recording {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

// `watch --json`, whose output is read while it runs.
class Watch {
public:
    Watch(const RedisServer& server, const QStringList& options, const QString& before = QString()) {
        const QStringList arguments = QStringList{test::places::program(), "watch", server.url(), "--json"} + options;
        m_process.start("/bin/bash", QStringList{"-c", before + " exec \"$@\"", "bash"} + arguments);
    }
    [[nodiscard]] bool hasSeen(const QString& event, const QString& lock) {
        return hasPrinted([&](const QByteArray& line) {
            return line.contains("\"event\":\"" + event.toUtf8() + '"') && line.contains('"' + lock.toUtf8() + '"');
        });
    }
    [[nodiscard]] bool hasSeen(const QString& event) { return hasSeen(event, event); }
    [[nodiscard]] bool hasComplained(const QByteArray& words) {
        return becomesTrue([&] { return complainsNow(words); });
    }
    [[nodiscard]] bool complainsNow(const QByteArray& words) {
        m_process.waitForReadyRead(1);
        m_complaints += m_process.readAllStandardError();
        return m_complaints.contains(words);
    }
    // Returns all that the program has printed.
    [[nodiscard]] QByteArray end() {
        m_process.terminate();
        m_process.waitForFinished(10000);
        m_output += m_process.readAllStandardOutput();
        return m_output;
    }
    [[nodiscard]] QByteArray kill() {
        m_process.kill();
        m_process.waitForFinished(10000);
        m_output += m_process.readAllStandardOutput();
        return m_output;
    }
    [[nodiscard]] int exitCode() const { return m_process.exitCode(); }
    // waitForFinished() is false for a program that has already ended while the test waited for something else.
    [[nodiscard]] bool waitForEnd() {
        return m_process.state() == QProcess::NotRunning || m_process.waitForFinished(10000);
    }

private:
    template <typename Predicate>
    [[nodiscard]] bool hasPrinted(Predicate predicate) {
        return becomesTrue([&] {
            m_output += m_process.readAllStandardOutput();
            for (const QByteArray& line : m_output.split('\n')) {
                if (predicate(line))
                    return true;
            }
            return false;
        });
    }

    QProcess m_process;
    QByteArray m_output;
    QByteArray m_complaints;
};

struct Printed {
    int exitCode = -1;
    QByteArray output;
    QByteArray complaints;
};

Printed run(const QStringList& arguments) {
    QProcess process;
    process.start(test::places::program(), arguments);
    process.waitForFinished(60000);
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QString nameOf(int number) {
    return QStringLiteral("lock:%1").arg(number);
}

HolderId holder(int number) {
    return {alice.client(), ThreadId{number}};
}

// Clients that wait for these locks, as the server sees them.
std::unique_ptr<QLocalSocket> waiters(const RedisServer& server, int first, int count) {
    auto socket = std::make_unique<QLocalSocket>();
    socket->connectToServer(server.socketPath());
    if (!socket->waitForConnected())
        return nullptr;
    for (int i = first; i < first + count; ++i)
        socket->write("SUBSCRIBE redisson_lock__channel:{" + nameOf(i).toUtf8() + "}\r\n");
    socket->flush();
    return socket;
}

// All that can happen to some hundred locks, apart from the loss of the server. Each line is a script of its own, as
// in ServerHand, but all lines go through one redis-cli: hundreds of programs would take minutes.
class Churn {
public:
    Churn& take(const QString& name, const HolderId& holder, int ttl = 30000) {
        return add("redis.call('hincrby', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], ARGV[2])", name,
                   {holder.display(), QString::number(ttl)});
    }
    Churn& release(const QString& name) {
        return add(
            "redis.call('del', KEYS[1]) redis.call('publish', 'redisson_lock__channel:{' .. KEYS[1] .. '}', '0')",
            name);
    }
    Churn& handOver(const QString& name, const HolderId& next) {
        return add(
            "redis.call('del', KEYS[1]) redis.call('hset', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], 30000)",
            name, {next.display()});
    }
    Churn& queueUp(const QString& name, const HolderId& waiter) {
        return add(
            "redis.call('rpush', 'redisson_lock_queue:{' .. KEYS[1] .. '}', ARGV[1]) "
            "redis.call('zadd', 'redisson_lock_timeout:{' .. KEYS[1] .. '}', 1700000300123, ARGV[1])",
            name, {waiter.display()});
    }
    Churn& remove(const QString& name) { return add("redis.call('del', KEYS[1])", name); }
    Churn& extend(const QString& name) { return add("redis.call('pexpire', KEYS[1], 60000)", name); }
    Churn& persist(const QString& name) { return add("redis.call('persist', KEYS[1])", name); }
    void run(RedisServer& server) { server.cli({}, m_lines); }

private:
    Churn& add(const QByteArray& script, const QString& name, const QStringList& arguments = {}) {
        m_lines += "EVAL \"" + script + "\" 1 " + name.toUtf8() + ' ' + arguments.join(' ').toUtf8() + '\n';
        return *this;
    }

    QByteArray m_lines;
};

void churn(RedisServer& server) {
    Churn churn;
    for (int i = 0; i < 300; ++i)
        churn.take(nameOf(i), holder(i), i % 10 == 0 ? 2500 : 30000);
    for (int i = 100; i < 160; ++i)
        churn.take(nameOf(i), holder(i));  // reentered
    for (int i = 200; i < 240; ++i)
        churn.handOver(nameOf(i), bob);
    for (int i = 240; i < 260; ++i)
        churn.queueUp(nameOf(i), carol);
    for (int i = 260; i < 280; ++i)
        churn.remove(nameOf(i));
    for (int i = 280; i < 300; ++i)
        churn.release(nameOf(i));
    for (int i = 161; i < 199; ++i)
        churn.extend(nameOf(i));
    for (int i = 0; i < 200; ++i)
        churn.release(nameOf(5)).take(nameOf(5), holder(i));
    churn.take(QStringLiteral("never"), bob, 1000).persist(QStringLiteral("never"));
    churn.run(server);
}

}  // namespace

// What `watch` saw is recorded, and a replay shows the same.
class TestRecording : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_file = m_folder.filePath(QStringLiteral("%1.lkrec").arg(++m_files)); }

    // Byte for byte, in JSON and as text: events, diagnoses, and the lines about the source.
    void aReplayPrintsWhatWatchPrinted() {
        RedisServer server;
        QVERIFY(server.start());
        ServerHand hand(server);
        hand.take(QStringLiteral("before"), alice);
        Watch watch(server, {"--record", m_file});
        QVERIFY(watch.hasSeen("swept"));
        const std::unique_ptr<QLocalSocket> waiting = waiters(server, 280, 20);
        QVERIFY(waiting);
        churn(server);
        QVERIFY(watch.hasSeen("acquired", "never"));
        QVERIFY(watch.hasSeen("diagnosis", "never"));
        QVERIFY(watch.hasSeen("expired", nameOf(10)));
        QVERIFY(watch.hasSeen("waiters", nameOf(281)));
        server.cli({"FLUSHALL"});
        QVERIFY(watch.hasSeen("deleted", "never"));
        server.kill();
        QVERIFY(watch.hasComplained("is lost"));
        QVERIFY(server.start());
        churn(server);
        hand.take(QStringLiteral("after"), bob);
        QVERIFY(watch.hasSeen("acquired", "after") || watch.hasSeen("found", "after"));
        const QByteArray live = watch.end();
        QVERIFY(live.count('\n') > 500);
        const Printed replayed = run({"replay", m_file, "--json"});
        QCOMPARE(replayed.exitCode, 0);
        QVERIFY2(replayed.complaints.contains("is lost"), replayed.complaints);
        QCOMPARE(replayed.output.split('\n').size(), live.split('\n').size());
        QVERIFY(replayed.output == live);
        QCOMPARE(run({"replay", m_file, "--json"}).output, replayed.output);  // another hash seed
    }

    // All that was seen until a second before the kill is there.
    void aKilledRecordingIsShownUpToItsEnd() {
        RedisServer server;
        QVERIFY(server.start());
        ServerHand hand(server);
        hand.take(QStringLiteral("a"), alice);
        Watch watch(server, {"--record", m_file});
        QVERIFY(watch.hasSeen("found", "a"));
        QVERIFY(becomesTrue([this] { return run({"replay", m_file, "--json"}).output.contains("\"found\""); }));
        const QByteArray live = watch.kill();
        const Printed replayed = run({"replay", m_file, "--json"});
        QCOMPARE(replayed.exitCode, 0);
        QVERIFY(live.startsWith(replayed.output));
        QVERIFY2(replayed.complaints.contains("without the mark of an ended recording"), replayed.complaints);
    }

    void aDamagedRecordingIsShownUpToTheDamage() {
        RedisServer server;
        QVERIFY(server.start());
        Watch watch(server, {"--record", m_file});
        QVERIFY(watch.hasSeen("swept"));
        const QByteArray live = watch.end();
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.seek(file.size() - 60));
        file.write("damage");
        file.close();
        const Printed replayed = run({"replay", m_file, "--json"});
        QCOMPARE(replayed.exitCode, 11);
        QVERIFY(live.startsWith(replayed.output));
        QVERIFY2(replayed.complaints.contains("is damaged behind byte"), replayed.complaints);
    }

    void anExistingFileIsNotOverwritten() {
        RedisServer server;
        QVERIFY(server.start());
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("mine");
        file.close();
        Watch watch(server, {"--record", m_file});
        QVERIFY(watch.hasComplained("cannot record"));
        QVERIFY(watch.waitForEnd());
        QCOMPARE(watch.exitCode(), 74);
        QCOMPARE(file.size(), 4);
    }

    // The session goes on without the recording, and the file opens.
    void aRecordingThatCannotGoOnEndsAlone_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("words");
        // A file of at most 40 blocks of 1,024 bytes, as on a full disk.
        QTest::newRow("the disk is full")
            << "trap '' XFSZ; ulimit -f 40;" << QStringList() << QByteArray("the recording has ended");
        QTest::newRow("the limit is reached")
            << QString() << QStringList{"--record-limit", "64K"} << QByteArray("has reached its limit");
    }
    void aRecordingThatCannotGoOnEndsAlone() {
        QFETCH(QString, before);
        QFETCH(QStringList, options);
        QFETCH(QByteArray, words);
        RedisServer server;
        QVERIFY(server.start());
        Watch watch(server, QStringList{"--record", m_file} + options, before);
        QVERIFY(watch.hasSeen("swept"));
        QVERIFY(becomesTrue([this] { return run({"replay", m_file, "--json"}).output.contains("\"swept\""); }));
        // How much of the churn is recorded depends on how often a busy computer reads.
        for (const QDeadlineTimer end(60s); !watch.complainsNow(words) && !end.hasExpired();)
            churn(server);
        QVERIFY(watch.hasComplained(words));
        ServerHand(server).take(QStringLiteral("after"), bob);
        QVERIFY(watch.hasSeen("acquired", "after"));
        const QByteArray live = watch.end();
        QCOMPARE(watch.exitCode(), 0);
        const Printed replayed = run({"replay", m_file, "--json"});
        QCOMPARE(replayed.exitCode, 0);
        QVERIFY(!replayed.output.isEmpty());
        QVERIFY(live.startsWith(replayed.output));
        QVERIFY(QFile(m_file).size() <= 64 * 1024);
    }

    void aMaskedRecordingHasNoNames() {
        RedisServer server;
        QVERIFY(server.start());
        ServerHand(server).take(QStringLiteral("customer-4711"), alice);
        Watch watch(server, {"--record", m_file, "--mask"});
        QVERIFY(watch.hasSeen("found", "customer-4711"));
        (void)watch.end();
        const Printed replayed = run({"replay", m_file, "--json"});
        QVERIFY(replayed.output.contains("\"found\""));
        QVERIFY(!replayed.output.contains("customer"));
        QVERIFY(!replayed.output.contains(alice.client().bytes()));
        QVERIFY(replayed.output.contains("\"lock-"));
    }

    // The first lines of the part are about the locks of its beginning.
    void aSpanIsSavedAsARecording() {
        RedisServer server;
        QVERIFY(server.start());
        ServerHand hand(server);
        hand.take(QStringLiteral("early"), alice);
        Watch watch(server, {"--record", m_file});
        QVERIFY(watch.hasSeen("found", "early"));
        hand.take(QStringLiteral("middle"), bob);
        QVERIFY(watch.hasSeen("acquired", "middle"));
        hand.take(QStringLiteral("late"), carol);
        QVERIFY(watch.hasSeen("acquired", "late"));
        const QByteArray live = watch.end();
        const QString from = timeOf(live, "middle");
        const QString to = timeOf(live, "late");
        const QString saved = m_file + QStringLiteral(".span");
        const Printed printed = run({"replay", m_file, "--from", from, "--to", to, "--save", saved});
        QCOMPARE(printed.complaints, QByteArray());
        QCOMPARE(printed.exitCode, 0);
        const Printed span = run({"replay", saved, "--json"});
        QCOMPARE(span.exitCode, 0);
        QCOMPARE(span.complaints, QByteArray());
        QVERIFY(span.output.contains("\"early\""));
        QVERIFY(span.output.contains("\"middle\""));
        QVERIFY(!span.output.contains("\"late\""));
    }

    void ofATimeThatIsNotInItNothingIsSaved_data() {
        QTest::addColumn<QString>("option");
        QTest::addColumn<QString>("time");
        QTest::newRow("before it") << QStringLiteral("--to") << QStringLiteral("2001-01-01T00:00:00Z");
        QTest::newRow("behind it") << QStringLiteral("--from") << QStringLiteral("2201-01-01T00:00:00Z");
    }
    void ofATimeThatIsNotInItNothingIsSaved() {
        QFETCH(const QString, option);
        QFETCH(const QString, time);
        RedisServer server;
        QVERIFY(server.start());
        ServerHand(server).take(QStringLiteral("early"), alice);
        Watch watch(server, {"--record", m_file});
        QVERIFY(watch.hasSeen("found", "early"));
        (void)watch.end();
        const QString saved = m_file + QStringLiteral(".span");
        const Printed printed = run({"replay", m_file, option, time, "--save", saved});
        QVERIFY2(printed.complaints.contains("nothing was recorded in that time"), printed.complaints.constData());
        QCOMPARE(printed.exitCode, 2);
        QVERIFY(!QFile::exists(saved));
    }

    // The recording begins in the middle, as in the window.
    void aRecordingBegunInTheMiddleHasTheLocksOfThatTime() {
        RedisServer server;
        QVERIFY(server.start());
        churn(server);
        AuditedEngine engine;
        std::map<QByteArray, monitor::LockSnapshot> live;
        engine.onReport<BatchReady>(this, [&live](SessionId, const BatchReady& ready) { follow(live, *ready.batch); });
        recording::RecordingPhase phase = recording::RecordingPhase::Off;
        engine.onReport<recording::RecordingStatus>(
            this, [&phase](SessionId, const recording::RecordingStatus& status) { phase = status.phase; });
        profile::ConnectionProfile profile = profile::ConnectionProfile::fromUrl(server.url()).value();
        const SessionId session = engine.open(profile, {});
        QVERIFY(becomesTrue([&live] { return live.size() >= 200; }));
        recording::RecordingRequest request;
        request.path = m_file;
        engine.request(session, request);
        QVERIFY(becomesTrue([&phase] { return phase == recording::RecordingPhase::Running; }));
        ServerHand(server).take(QStringLiteral("later"), bob);
        QVERIFY(becomesTrue([&live] { return live.contains("later"); }));
        engine.request(session, StopRecording());
        QVERIFY(becomesTrue([&phase] { return phase == recording::RecordingPhase::Stopped; }));
        const recording::RecordingFile::Opened opened = recording::RecordingFile::open(m_file);
        QVERIFY(opened.file);
        recording::Replay replay(*opened.file, recording::Replay::Batches::Together);
        while (replay.nextAt())
            (void)replay.feed();
        std::map<QByteArray, monitor::LockSnapshot> replayed;
        follow(replayed, *replay.take());
        QVERIFY(replayed.contains("later"));
        for (const auto& [name, lock] : replayed) {
            QVERIFY2(live.contains(name), name);
            if (!name.endsWith('0'))  // locks with these names expire, perhaps just now
                QCOMPARE(lock.holders, live.at(name).holders);
        }
        QCOMPARE(replayed.size(), live.size());
    }

    void whatIsNoRecordingIsRefused() {
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{}");
        file.close();
        const Printed printed = run({"replay", m_file});
        QCOMPARE(printed.exitCode, 66);
        QVERIFY(printed.complaints.contains("neither a recording"));
    }

private:
    static void follow(std::map<QByteArray, monitor::LockSnapshot>& rows, const monitor::MonitorBatch& batch) {
        if (batch.reset)
            rows.clear();
        for (const monitor::SharedRow& row : batch.changed)
            rows.insert_or_assign(row->lock.name.bytes(), row->lock);
        for (const LockName& name : batch.removed)
            rows.erase(name.bytes());
    }
    // The time of the first line about the lock.
    static QString timeOf(const QByteArray& lines, const QByteArray& lock) {
        for (const QByteArray& line : lines.split('\n')) {
            const qsizetype at = line.indexOf("\"at\":\"");
            if (line.contains('"' + lock + '"') && at >= 0)
                return QString::fromLatin1(line.mid(at + 6, line.indexOf('"', at + 6) - at - 6));
        }
        return {};
    }

    QTemporaryDir m_folder;
    QString m_file;
    int m_files = 0;
};

LOCKKEEPER_TEST(TestRecording, Guiless)

}  // namespace tst_recording

#include "tst_recording.moc"
