// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "history/eventstore.h"
#include "lab/servers/reservedport.h"
#include "profile/connectionprofile.h"
#include "support/eventstory.h"
#include "support/exitcodes.h"
#include "support/memorycourse.h"
#include "support/places.h"
#include "support/programrun.h"
#include "support/redisserver.h"
#include "support/samplelocks.h"
#include "support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

namespace tst_explaincommand {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

const QString holder = QString::fromLatin1(clientA) + QStringLiteral(":33");

// A time-out whose parameters name a lock and its holder.
QString timeoutOf(const QString& lock) {
    return QStringLiteral(
               "2026-03-01T10:00:00.456Z ERROR org.redisson.client.RedisResponseTimeoutException: Redis server response "
               "timeout (3000 ms) occured after 3 retry attempts. Command: (EVAL), params: [if (redis.call('exists', "
               "KEYS[1]) == 0) then redis.call('hincrby', KEYS[1], ARGV[2], 1); redis.call(..., 1, %1, 30000, %2], "
               "channel: [id: 0x6294f1a2]\n")
        .arg(lock, holder);
}

QString failedUnlock() {
    return QStringLiteral(
               "java.lang.IllegalMonitorStateException: attempt to unlock lock, not locked by current thread by node id: "
               "%1 thread-id: 33\n")
        .arg(QString::fromLatin1(clientA));
}

struct Explained : ProgramRun {
    double mostMegabytes = 0;  // of the program
};

// dataFolder: where its history is.
Explained run(const QStringList& arguments, const QByteArray& input = {},
              const QString& dataFolder = QStringLiteral("/no/such/folder")) {
    const auto program = startProgram(QStringList(QStringLiteral("explain")) + arguments,
                                      {{QStringLiteral("XDG_DATA_HOME"), dataFolder}});
    program->write(input);
    program->closeWriteChannel();
    Explained result;
    constexpr int patience = 300'000;
    static_cast<ProgramRun&>(result) = endOf(*program, patience, [&] {
        result.mostMegabytes = std::max(result.mostMegabytes, MemoryCourse::residentMegabytes(program->processId()));
    });
    return result;
}

QList<QJsonObject> linesOf(const QByteArray& output) {
    QList<QJsonObject> lines;
    for (const QByteArray& line : output.trimmed().split('\n'))
        lines += QJsonDocument::fromJson(line).object();
    return lines;
}

}  // namespace

// `lockkeeper explain`: tests of the program itself.
class TestExplainCommand : public QObject {
    Q_OBJECT

private:
    QString fileWith(const QByteArray& text) const {
        const QString path = m_folder.filePath(QStringLiteral("app.log"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write %s", qPrintable(path));
        return path;
    }
    void hold(const QString& lock) {
        m_server.cli({"HSET", lock, holder, "1"});
        m_server.cli({"PEXPIRE", lock, "60000"});
    }

    QTemporaryDir m_folder;
    RedisServer m_server;

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        QVERIFY(m_server.start());
    }
    void init() { m_server.cli({"FLUSHALL"}); }

    void saysThatALockIsHeldNow() {
        hold(QStringLiteral("orders/{42}"));
        const QString file = fileWith(timeoutOf(QStringLiteral("orders/{42}")).toUtf8());
        const Explained text = run({m_server.url(), file});
        QCOMPARE(text.exitCode, 0);
        QVERIFY2(text.out.contains("Now: orders/{42} is held by this holder"), text.out.constData());
        const QList<QJsonObject> lines = linesOf(run({m_server.url(), file, "--json"}).out);
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[0]["family"].toString(), QStringLiteral("response_timeout"));
        QCOMPARE(lines[0]["lock"].toString(), QStringLiteral("orders/{42}"));
        QCOMPARE(lines[0]["now"].toString(), QStringLiteral("held"));
        QVERIFY(lines[0]["held_by_holder"].toBool());
        QCOMPARE(lines[0]["first"].toString(), QStringLiteral("2026-03-01T10:00:00.456Z"));
        QCOMPARE(lines[1]["findings"].toInt(), 1);
    }

    // The message has the name of the program or the key; the lock is the same.
    void findsALockUnderTheNameOfTheProgram_data() {
        QTest::addColumn<QString>("named");
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("shown");
        QTest::newRow("the program's name") << "job:2"
                                            << "app:job:2:x"
                                            << "job:2";
        QTest::newRow("the key") << "app:job:2:x"
                                 << "app:job:2:x"
                                 << "job:2";
        QTest::newRow("a lock without the mapper") << "job:2"
                                                   << "job:2"
                                                   << "job:2";
    }
    void findsALockUnderTheNameOfTheProgram() {
        QFETCH(QString, named);
        QFETCH(QString, key);
        QFETCH(QString, shown);
        hold(key);
        const QString url = m_server.url() + QStringLiteral("?name-prefix=app:&name-suffix=:x");
        const Explained text = run({url, fileWith(timeoutOf(named).toUtf8())});
        QCOMPARE(text.exitCode, 0);
        QVERIFY2(text.out.contains("Now: " + shown.toUtf8() + " is held by this holder"), text.out.constData());
    }
    void namesSomeOfTheClientsLocksAndCountsTheRest() {
        for (int i = 1; i <= 8; ++i)
            hold(QStringLiteral("app:job:%1").arg(i));
        const QString url = m_server.url() + QStringLiteral("?name-prefix=app:");
        const Explained text = run({url, "-"}, failedUnlock().toUtf8());
        QVERIFY2(text.out.contains("Its client holds 8 locks: job:1 (thread 33), "), text.out.constData());
        QVERIFY2(text.out.contains(" and 3 more."), text.out.constData());
    }

    void saysThatALockIsFreeNowOrNoLock() {
        m_server.cli({"SET", "text", "1"});
        const QByteArray log = (timeoutOf(QStringLiteral("free")) + timeoutOf(QStringLiteral("text"))).toUtf8();
        const QList<QJsonObject> lines = linesOf(run({m_server.url(), fileWith(log), "--json"}).out);
        QCOMPARE(lines.size(), 3);
        QCOMPARE(lines[0]["now"].toString(), QStringLiteral("free"));
        QCOMPARE(lines[1]["now"].toString(), QStringLiteral("no_lock"));
    }

    // The error of an unlock names no lock: those of the client are searched.
    void findsWhatTheClientHoldsNow() {
        hold(QStringLiteral("other"));
        const Explained ended = run({m_server.url(), "--json", "-"}, failedUnlock().toUtf8());
        QCOMPARE(ended.exitCode, 0);
        const QJsonArray held = linesOf(ended.out).first()["client_holds"].toArray();
        QCOMPARE(held.size(), 1);
        QCOMPARE(held.first()["lock"].toString(), QStringLiteral("other"));
    }

    // A user who may not read all keys cannot know what a client holds.
    void doesNotSayThatNothingIsHeldWhereItMayNotRead() {
        hold(QStringLiteral("secret:other"));
        m_server.cli({"ACL", "SETUSER", "reader", "on", "nopass", "+@all", "~app:*", "&*"});
        QString url = m_server.url();
        url.replace(QStringLiteral("://"), QStringLiteral("://reader:x@"));
        const Explained ended = run({url, "--json", "-"}, failedUnlock().toUtf8());
        const QJsonObject line = linesOf(ended.out).first();
        QVERIFY2(!line.contains("client_holds"), ended.out.constData());
        QCOMPARE(line["client_search"].toString(), QStringLiteral("partial"));
        const Explained text = run({url, "-"}, failedUnlock().toUtf8());
        QVERIFY2(text.out.contains("could not be searched completely"), text.out.constData());
    }

    void saysThatNotAllLocksWereRead() {
        QString log;
        for (int i = 0; i < 53; ++i)
            log += timeoutOf(QStringLiteral("job:%1").arg(i));
        const Explained ended = run({m_server.url(), "-"}, log.toUtf8());
        QVERIFY2(ended.err.contains("only the first 50 locks"), ended.err.constData());
    }

    void namesWhatTheHistoryKnows() {
        const QTemporaryDir data;
        const QString folder = data.filePath(QStringLiteral("lockkeeper/lockkeeper"));
        QVERIFY(QDir().mkpath(folder));
        const WallTime then = SystemClock().wallNow() - 60s;
        {
            history::EventStore store(folder + QStringLiteral("/history.sqlite"));
            QVERIFY(store.open().ok());
            const auto story = EventStory("job", then)
                                   .event(monitor::EventType::Acquired, 0s, {test::holder(clientA, 33)})
                                   .ends(monitor::EventType::Expired, 30s, test::holder(clientA, 33));
            QVERIFY(store.append(profile::ConnectionProfile::fromUrl(m_server.url())->id, story.events()).ok());
        }
        const QByteArray log = failedUnlock().toUtf8();
        const QJsonObject line = linesOf(run({m_server.url(), "--json"}, log, data.path()).out).first();
        const QJsonArray holds = line["history"].toObject()["holds"].toArray();
        QCOMPARE(holds.size(), 1);
        QCOMPARE(holds.first()["lock"].toString(), QStringLiteral("job"));
        QCOMPARE(holds.first()["end"].toString(), QStringLiteral("expired"));
        const Explained text = run({m_server.url()}, log, data.path());
        QVERIFY2(text.out.contains("History: "), text.out.constData());
        QVERIFY2(text.out.contains("job by"), text.out.constData());
    }

    void writesNothing() {
        hold(QStringLiteral("other"));
        const auto changes = [this] {
            const QStringList lines = m_server.cli({"INFO", "persistence"}).split(u'\n');
            return lines.filter(QStringLiteral("rdb_changes_since_last_save")).join(QString());
        };
        const QString before = changes();
        QVERIFY(!before.isEmpty());
        QCOMPARE(run({m_server.url(), fileWith((timeoutOf("other") + failedUnlock()).toUtf8())}).exitCode, 0);
        QCOMPARE(changes(), before);
    }

    // The log of the manual's five minutes, with the holder that the reader puts in.
    void theStoryOfTheManualWorks() {
        QFile page(places::manual() + QStringLiteral("/looking-up-an-error.md"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        QString log = QString::fromUtf8(page.readAll()).section(QStringLiteral("<<'END'\n"), 1);
        log = log.section(QStringLiteral("    END\n"), 0, 0).replace(QStringLiteral("UUID:THREAD"), holder);
        QVERIFY(log.contains(holder));
        hold(QStringLiteral("nightly-report"));
        const Explained held = run({m_server.url(), "-"}, log.toUtf8());
        QVERIFY2(held.out.contains("Now: nightly-report is held by this holder"), held.out.constData());
        m_server.cli({"DEL", "nightly-report"});
        const Explained freed = run({m_server.url(), "-"}, log.toUtf8());
        QVERIFY2(freed.out.contains("Now: nightly-report is free"), freed.out.constData());
    }

    void explainsTheTextWithoutAServer() {
        const Explained ended = run({}, timeoutOf(QStringLiteral("job")).toUtf8());
        QCOMPARE(ended.exitCode, 0);
        QVERIFY2(ended.out.contains("Lock: job"), ended.out.constData());
        QVERIFY(ended.out.contains("Next: "));
        QVERIFY(!ended.out.contains("Now: "));
    }
    void explainsTheTextIfTheServerIsGone() {
        const lab::ReservedPort port;
        const QString nobody = QStringLiteral("redis://127.0.0.1:%1").arg(port.number());
        const Explained ended = run({nobody, "-"}, timeoutOf(QStringLiteral("job")).toUtf8());
        QCOMPARE(ended.exitCode, exitcode::noConnection);
        QVERIFY2(ended.out.contains("Lock: job"), ended.out.constData());
        QVERIFY(ended.err.contains("cannot connect"));
    }

    void takesTimesInTheGivenZoneAndSaysSo() {
        const QByteArray log =
            QByteArray(timeoutOf(QStringLiteral("job")).toUtf8()).replace("T10:00:00.456Z", " 10:00:00");
        const Explained ended = run({"--zone", "+08:00", fileWith(log)});
        QVERIFY2(
            ended.out.contains("Times without a zone, or with one that cannot be read, were taken as those of UTC+08."),
            ended.out.constData());
        const QJsonObject line = linesOf(run({"--zone", "+08:00", "--json", fileWith(log)}).out).first();
        QCOMPARE(line["first"].toString(), QStringLiteral("2026-03-01T02:00:00.000Z"));
        QVERIFY(line["zone_assumed"].toBool());
    }

    void badInputHasAClearAnswer_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QByteArray>("says");
        const QStringList input{"-"};
        QTest::newRow("nothing") << input << QByteArray() << 1 << QByteArray("The text is empty");
        QTest::newRow("no error") << input << QByteArray("all is well\n") << 1
                                  << QByteArray("No error about a lock of Redisson was found. Searched: 1 line");
        QTest::newRow("binary") << input << QByteArray(10'000, '\0') << 1 << QByteArray("This is no text");
        QTest::newRow("compressed") << input << QByteArray("\x1f\x8b\x08\x00rest", 8) << 1 << QByteArray("zcat");
        QTest::newRow("no such file") << QStringList{"/no/such/file"} << QByteArray() << 66
                                      << QByteArray("/no/such/file");
        QTest::newRow("a folder") << QStringList{"/"} << QByteArray() << 66 << QByteArray("/");
        QTest::newRow("no such zone") << QStringList{"--zone", "Mars/Olympus"} << QByteArray() << 2
                                      << QByteArray("--zone takes a region");
        QTest::newRow("the demo") << QStringList{"--demo"} << QByteArray() << 2 << QByteArray("not --demo");
        QTest::newRow("two files") << QStringList{"redis://127.0.0.1", "a", "b"} << QByteArray() << 2
                                   << QByteArray("one file at most");
    }
    void badInputHasAClearAnswer() {
        QFETCH(const QStringList, arguments);
        QFETCH(const QByteArray, input);
        QFETCH(const QByteArray, says);
        const Explained ended = run(arguments, input);
        QTEST(ended.exitCode, "exitCode");
        QVERIFY2((ended.out + ended.err).contains(says), (ended.out + ended.err).constData());
    }

    // The memory does not grow with the log. A sanitizer keeps freed memory, so there the log is smaller, and only the
    // findings are checked.
    void aLargeLogTakesLittleMemory() {
#if defined(__SANITIZE_ADDRESS__)
        constexpr qint64 size = 5'000'000;
        constexpr double mostMegabytes = 2000;
#else
        constexpr qint64 size = 100'000'000;
        constexpr double mostMegabytes = 200;
#endif
        const QString path = m_folder.filePath(QStringLiteral("large.log"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QByteArray quiet =
            QByteArray("2026-03-01T10:00:00.123Z INFO c.e.shop.OrderController : order accepted in 12 ms\n")
                .repeated(500);
        int errors = 0;
        while (file.size() < size) {
            const QString lock = QStringLiteral("job:%1").arg(errors++ % 300);
            QVERIFY(file.write(quiet + timeoutOf(lock).toUtf8() + "\tat c.e.Job.run(Job.java:1)\n") > 0);
        }
        file.close();
        const Explained ended = run({path, "--json"});
        QCOMPARE(ended.exitCode, 0);
        const QList<QJsonObject> lines = linesOf(ended.out);
        QCOMPARE(lines.size(), std::min(errors, 200) + 1);
        qint64 counted = lines.last()["left_out"].toInteger();
        for (const QJsonObject& line : lines)
            counted += line["count"].toInteger();
        QCOMPARE(counted, qint64{errors});
        QVERIFY2(ended.mostMegabytes < mostMegabytes, qPrintable(QString::number(ended.mostMegabytes)));
        QFile::remove(path);
    }
};

LOCKKEEPER_TEST(TestExplainCommand, Guiless)

}  // namespace tst_explaincommand

#include "tst_explaincommand.moc"
