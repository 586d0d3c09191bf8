// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/watchingwords.h"
#include "monitor/observe/read/lockreader.h"
#include "support/keyrefusals.h"
#include "support/lockreplies.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_lockreader {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

// "held alice 1", "free", "not a lock", or the error's word.
QByteArray described(const Result<LockReading>& reading) {
    if (!reading)
        return wordFor(reading.error().code).toLatin1();
    const LockSnapshot* lock = std::get_if<LockSnapshot>(&*reading);
    if (!lock)
        return "not a lock";
    QByteArray text = wordFor(lock->kind).toLatin1() + (lock->isHeld() ? " held" : " free");
    for (const Holder& holder : lock->holders)
        text += ' ' + nameOf(holder.id) + ' ' + QByteArray::number(holder.count);
    for (const FairWaiter& waiter : lock->fairQueue)
        text += " <" + nameOf(waiter.id) + (waiter.deadline ? " with deadline" : "");
    return lock->token ? text + " token " + QByteArray::number(*lock->token) : text;
}

struct Lease {
    HolderId reader;
    qint64 hold;
    qint64 pttl;
};

// The answer of read_lock.lua for a lock that alice has two read holds of.
QByteArray sharedReply(qint64 whole, const QList<Lease>& leases) {
    QByteArray reply = "*8\r\n" + list({"mode", "read", alice.bytes(), "2"}) + ":20000\r\n*0\r\n:0\r\n*0\r\n_\r\n*" +
                       QByteArray::number(1 + 3 * leases.size()) + "\r\n" + number(whole);
    for (const Lease& lease : leases)
        reply += bulk(lease.reader.bytes()) + number(lease.hold) + number(lease.pttl);
    return reply + "*0\r\n";
}

}  // namespace

class TestLockReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_server = std::make_unique<FakeServer>();
        m_denials = Denials();
        m_connection = std::make_unique<redis::Connection>(redis::ConnectionOptions(), m_server->factory(), m_clock);
        m_connection->open();
        m_server->acceptAll();
        QVERIFY(m_connection->isReady());
        m_reader = std::make_unique<LockReader>(*m_connection, m_denials);
        m_readings.clear();
    }
    void cleanup() {
        m_reader.reset();
        m_connection.reset();
    }

    void oneScriptReadsALockAndItsHelperKeys() {
        read("orders/{42}");
        const QByteArrayList command = link().takeCommand();
        QCOMPARE(command.value(0), QByteArray("EVALSHA_RO"));
        QCOMPARE(command.mid(2, 5), QByteArrayList({"3", "orders/{42}", "redisson_lock_queue:orders/{42}",
                                                    "redisson_lock_token:orders/{42}", "1"}));
        link().reply(heldReply(alice, 2));
        QCOMPARE(m_readings, QByteArrayList{"reentrant held alice 2"});
        QVERIFY(m_reader->isAtomic());
    }

    void aReadIsBoundedByItsSendingAndItsAnswer() {
        const SteadyTime sentAt = m_clock.now();
        m_reader->read(LockName("L")).then([this](const Result<LockReading>& reading) {
            m_last = std::get<LockSnapshot>(*reading);
        });
        (void)link().takeCommand();
        m_clock.advance(3ms);
        link().reply(heldReply(alice, 1, 1000));
        QCOMPARE(m_last.expiry->earliest, sentAt + 1000ms);
        QCOMPARE(m_last.expiry->latest, sentAt + 3ms + 1001ms);
        QCOMPARE(m_last.seenAt, m_clock.now());
    }

    // In a Cluster a redirection says nothing about the lock, in whichever way the lock is read.
    void aRedirectionIsAnErrorAndNotAFreeLock_data() {
        QTest::addColumn<QByteArray>("reply");
        QTest::newRow("moved") << QByteArray("-MOVED 1 other:6379\r\n");
        QTest::newRow("moving") << QByteArray("-ASK 1 other:6379\r\n");
        QTest::newRow("moved in part") << QByteArray("-TRYAGAIN Multiple keys request during rehashing of slot\r\n");
    }
    void aRedirectionIsAnErrorAndNotAFreeLock() {
        QFETCH(const QByteArray, reply);
        read("L");
        (void)link().takeCommand();
        link().reply(reply);
        // From now on the reads are in transactions.
        read("M");
        for (const char* command : {"evalsha_ro", "eval_ro"}) {
            (void)link().takeCommand();
            link().reply(noPermission(command));
        }
        (void)link().takeCommand();
        link().reply(number(0));
        QCOMPARE(link().takeCommands().size(), 8);
        link().reply("+OK\r\n" + reply.repeated(6) +
                     "-EXECABORT Transaction discarded because of previous errors.\r\n");
        QCOMPARE(m_readings, QByteArrayList({"ServerReply", "ServerReply"}));
        QVERIFY(m_reader->isAtomic());
    }

    void decodesScriptAnswers_data() {
        QTest::addColumn<QByteArray>("reply");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("free") << freeReply() << QByteArray("unknown free");
        QTest::newRow("shortly, held") << "*2\r\n" + list({alice.bytes(), "2"}) + ":30000\r\n"
                                       << QByteArray("reentrant held alice 2");
        QTest::newRow("shortly, free") << QByteArray("*2\r\n*0\r\n:-2\r\n") << QByteArray("unknown free");
        QTest::newRow("no hash") << bulk("type") << QByteArray("not a lock");
        QTest::newRow("too many fields") << bulk("fields") << QByteArray("not a lock");
        QTest::newRow("foreign field names") << bulk("names") << QByteArray("not a lock");
        QTest::newRow("values too big") << bulk("size") << QByteArray("not a lock");
        QTest::newRow("refused")
            << bulk("refused HLEN ERR The user executing the script can't run this command or subcommand")
            << QByteArray("NotPermitted");
        QTest::newRow("a server that is busy")
            << QByteArray("-BUSY Redis is busy running a script\r\n") << QByteArray("ServerReply");
        QTest::newRow("nonsense") << QByteArray(":7\r\n") << QByteArray("Protocol");
        QTest::newRow("a fair lock") << "*8\r\n" + list({alice.bytes(), "1"}) + ":30000\r\n" + list({bob.bytes()}) +
                                            ":1\r\n" + list({bob.bytes(), "1700000300123"}) + "_\r\n_\r\n*0\r\n"
                                     << QByteArray("fair held alice 1 <bob with deadline");
        QTest::newRow("a fenced lock") << "*8\r\n" + list({alice.bytes(), "1"}) +
                                              ":30000\r\n*0\r\n:0\r\n*0\r\n$1\r\n7\r\n_\r\n*0\r\n"
                                       << QByteArray("fenced held alice 1 token 7");
    }
    void decodesScriptAnswers() {
        QFETCH(const QByteArray, reply);
        QFETCH(const QByteArray, expected);
        read("L");
        (void)link().takeCommand();
        link().reply(reply);
        QCOMPARE(m_readings, QByteArrayList{expected});
    }

    void readsTheLeaseOfEachHoldOfAReader() {
        m_reader->read(LockName("W"), {bob}).then([this](const Result<LockReading>& reading) {
            m_last = std::get<LockSnapshot>(*reading);
        });
        QCOMPARE(link().takeCommand().mid(6), QByteArrayList({"1", bob.bytes()}));
        link().reply(sharedReply(1, {{alice, 1, 20000}, {alice, 2, 5000}, {bob, 1, -1}}));
        QCOMPARE(m_last.kind, LockKind::ReadWrite);
        const QList<ReadLease> leases = m_last.readLeases();
        QCOMPARE(leases.size(), 3);
        QCOMPARE(leases[0].reader, bob);  // ordered by their ids
        QCOMPARE(leases[0].expiry, std::nullopt);
        QCOMPARE(leases[2].hold, 2);
        QCOMPARE(leases[2].expiry->earliest, m_clock.now() + 5s);
        QVERIFY(m_last.parts->areLeasesWhole);
    }

    void leasesThatAreNotWholeSayNothingOfTheRest() {
        m_reader->read(LockName("W"), {}).then([this](const Result<LockReading>& reading) {
            m_last = std::get<LockSnapshot>(*reading);
        });
        (void)link().takeCommand();
        link().reply(sharedReply(0, {{alice, 1, 20000}}));
        QCOMPARE(m_last.readLeases().size(), 1);
        QVERIFY(!m_last.parts->areLeasesWhole);
    }

    void notesWhichHelperCommandsTheScriptMayNotUse() {
        read("L");
        (void)link().takeCommand();
        link().reply("*8\r\n" + list({alice.bytes(), "1"}) + ":30000\r\n*0\r\n:0\r\n*0\r\n_\r\n_\r\n" +
                     list({"LRANGE ERR The user executing the script can't run this command or subcommand"}));
        QCOMPARE(m_readings, QByteArrayList{"reentrant held alice 1"});
        QCOMPARE(denialLines(m_denials.list()).size(), 1);
        QVERIFY(denialLines(m_denials.list()).first().startsWith("LRANGE: "));
    }

    // Each attempt would be a line in the server's ACL LOG.
    void withoutTheCommandsOfAShortReadItDoesNotTryThemAgain_data() {
        QTest::addColumn<QByteArray>("command");
        QTest::newRow("OBJECT") << QByteArray("OBJECT");
        QTest::newRow("EXISTS") << QByteArray("EXISTS");
    }
    void withoutTheCommandsOfAShortReadItDoesNotTryThemAgain() {
        QFETCH(const QByteArray, command);
        read("L");
        QCOMPARE(link().takeCommand().last(), QByteArray("1"));
        link().reply("*8\r\n" + list({alice.bytes(), "1"}) + ":30000\r\n*0\r\n:0\r\n*0\r\n_\r\n_\r\n" +
                     list({command + " ERR ACL failure in script: User u has no permissions to run the command"}));
        QVERIFY(denialLines(m_denials.list()).first().startsWith(QString::fromLatin1(command) + ": "));
        read("L");
        QCOMPARE(link().takeCommand().last(), QByteArray("0"));
        link().reply(heldReply(alice));
        QCOMPARE(m_readings, QByteArrayList({"reentrant held alice 1", "reentrant held alice 1"}));
        m_reader->startOver();
        read("L");
        QCOMPARE(link().takeCommand().last(), QByteArray("1"));
    }

    void sendsTheScriptItselfWhereItsNameIsNotEnough_data() {
        QTest::addColumn<QByteArray>("answer");
        QTest::addColumn<QByteArray>("next");  // how the next read begins
        QTest::newRow("not known yet") << QByteArray("-NOSCRIPT No matching script.\r\n") << QByteArray("EVALSHA_RO");
        QTest::newRow("not allowed") << noPermission("evalsha_ro") << QByteArray("EVAL_RO");
    }
    void sendsTheScriptItselfWhereItsNameIsNotEnough() {
        QFETCH(const QByteArray, answer);
        QFETCH(const QByteArray, next);
        read("L");
        const QByteArrayList byName = link().takeCommand();
        link().reply(answer);
        const QByteArrayList byText = link().takeCommand();
        QCOMPARE(byText.value(0), QByteArray("EVAL_RO"));
        QVERIFY(
            byText.value(1).startsWith("local mostFields, longestField, longestValue, mostLeases, partOfFields = "
                                       "1024, 256, 64, 256, 100\n"));
        QVERIFY(byText.value(1).contains("HGETALL"));
        QCOMPARE(byText.mid(2), byName.mid(2));
        link().reply(heldReply(alice));
        QCOMPARE(m_readings, QByteArrayList{"reentrant held alice 1"});
        QCOMPARE(denialLines(m_denials.list()), QStringList());
        read("M");
        QCOMPARE(link().takeCommand().value(0), next);
    }

    void readsUnderWayAreAllSentAgainAsText_data() { sendsTheScriptItselfWhereItsNameIsNotEnough_data(); }
    void readsUnderWayAreAllSentAgainAsText() {
        QFETCH(const QByteArray, answer);
        read("L");
        read("M");
        QCOMPARE(link().takeCommands().size(), 2);
        link().reply(answer + answer);
        const QList<QByteArrayList> byText = link().takeCommands();
        QCOMPARE(byText.size(), 2);
        for (const QByteArrayList& command : byText)
            QCOMPARE(command.value(0), QByteArray("EVAL_RO"));
        QCOMPARE(byText.at(0).value(3), QByteArray("L"));
        QCOMPARE(byText.at(1).value(3), QByteArray("M"));
        link().reply(heldReply(alice) + heldReply(bob));
        QCOMPARE(m_readings, (QByteArrayList{"reentrant held alice 1", "reentrant held bob 1"}));
    }

    void usesATransactionWhereThereIsNoReadOnlyScript_data() {
        QTest::addColumn<QByteArray>("refusal");
        QTest::newRow("unknown") << QByteArray("-ERR unknown command, with args beginning with:\r\n");
        QTest::newRow("denied") << noPermission("eval_ro");
    }
    void usesATransactionWhereThereIsNoReadOnlyScript() {
        QFETCH(const QByteArray, refusal);
        read("L");
        refuseScripts(refusal);
        QCOMPARE(link().takeCommand(), QByteArrayList({"HLEN", "L"}));
        link().reply(":1\r\n");
        QCOMPARE(link().takeCommand(), QByteArrayList({"HKEYS", "L"}));
        link().reply(list({alice.bytes()}));
        QList<QByteArrayList> commands = link().takeCommands();
        QCOMPARE(commands.size(), 8);
        QCOMPARE(commands.first(), QByteArrayList{"MULTI"});
        QCOMPARE(commands.at(1), QByteArrayList({"HGETALL", "L"}));
        QCOMPARE(commands.last(), QByteArrayList{"EXEC"});
        QByteArray replies = "+OK\r\n";
        for (int i = 0; i < 6; ++i)
            replies += "+QUEUED\r\n";
        // RESP3: a map, and a list of pairs with a double; a queue key of another type is no queue.
        replies += "*6\r\n%1\r\n" + bulk(alice.bytes()) + bulk("3") + ":5000\r\n" + list({bob.bytes()}) +
                   ":1\r\n*1\r\n*2\r\n" + bulk(bob.bytes()) + ",1700000300123\r\n" + wrongType;
        link().reply(replies);
        QCOMPARE(m_readings, QByteArrayList{"fair held alice 3 <bob with deadline"});
        QVERIFY(denialLines(m_denials.list()).first().startsWith("EVAL_RO: "));
        QVERIFY(m_reader->isAtomic());

        read("M");
        QCOMPARE(link().takeCommand(), QByteArrayList({"HLEN", "M"}));  // the script is not sent again
    }

    void guardsItselfBeforeItReadsAHash_data() {
        QTest::addColumn<QByteArray>("length");
        QTest::addColumn<QByteArray>("names");
        QTest::newRow("no hash") << wrongType << QByteArray();
        QTest::newRow("a session") << QByteArray(":2\r\n") << list({"user", "since"});
        QTest::newRow("a huge field") << QByteArray(":1\r\n") << list({alice.bytes() + QByteArray(1000, 'x')});
    }
    void guardsItselfBeforeItReadsAHash() {
        QFETCH(const QByteArray, length);
        QFETCH(const QByteArray, names);
        read("L");
        refuseScripts(noPermission("eval_ro"));
        (void)link().takeCommand();
        link().reply(length);
        if (!names.isEmpty()) {
            QCOMPARE(link().takeCommand().value(0), QByteArray("HKEYS"));
            link().reply(names);
        }
        QCOMPARE(m_readings, QByteArrayList{"not a lock"});
        QCOMPARE(link().takeCommands().size(), 0);
    }

    // The hash may be a read lock, of which only a part is read.
    void ofALargeHashItAsksForTheMode_data() {
        QTest::addColumn<QByteArray>("mode");
        QTest::addColumn<bool>("isRead");
        QTest::newRow("none") << QByteArray("_\r\n") << false;
        QTest::newRow("write") << bulk("write") << false;
        QTest::newRow("not allowed") << noPermission("hget") << false;
        QTest::newRow("read") << bulk("read") << true;
    }
    void ofALargeHashItAsksForTheMode() {
        QFETCH(const QByteArray, mode);
        QFETCH(const bool, isRead);
        read("L");
        refuseScripts(noPermission("eval_ro"));
        (void)link().takeCommand();
        link().reply(":5000000\r\n");
        QCOMPARE(link().takeCommand(), QByteArrayList({"HGET", "L", "mode"}));
        link().reply(mode);
        QCOMPARE(m_readings, isRead ? QByteArrayList() : QByteArrayList{"not a lock"});
        const QList<QByteArrayList> commands = link().takeCommands();
        QCOMPARE(commands.value(1), isRead ? QByteArrayList({"HSCAN", "L", "0", "COUNT", "1000"}) : QByteArrayList());
    }

    void usesPlainCommandsWithoutTheRightToTransactions() {
        read("L");
        refuseScripts(noPermission("eval_ro"));
        (void)link().takeCommand();
        link().reply(":0\r\n");
        QCOMPARE(link().takeCommands().size(), 8);
        link().reply(noPermission("multi") + "*0\r\n:-2\r\n*0\r\n:0\r\n*0\r\n_\r\n-ERR EXEC without MULTI\r\n");
        const QList<QByteArrayList> commands = link().takeCommands();
        QCOMPARE(commands.size(), 7);
        QCOMPARE(commands.last(), QByteArrayList({"HLEN", "L"}));
        link().reply("*2\r\n" + bulk(alice.bytes()) + bulk("1") + ":-1\r\n" + noPermission("lrange") +
                     noPermission("llen") + "*0\r\n_\r\n:1\r\n");
        QCOMPARE(m_readings, QByteArrayList{"reentrant held alice 1"});
        QVERIFY(!m_reader->isAtomic());
        QCOMPARE(denialLines(m_denials.list()).size(), 4);  // EVAL_RO, MULTI, LRANGE, LLEN
    }

    // Alice holds the lock and bob waits. A flush between two of the commands would show a holder and no waiters.
    void aFlushBetweenPlainCommandsIsNoStateOfALock_data() {
        QTest::addColumn<QByteArrayList>("replies");  // of HGETALL, PTTL, LRANGE, LLEN, ZRANGE, GET, HLEN
        QTest::addColumn<bool>("isReadAgain");
        const QByteArray hash = "*2\r\n" + bulk(alice.bytes()) + bulk("1");
        const QByteArray queue = list({bob.bytes()});
        const QByteArray none = "*0\r\n";
        QTest::newRow("no flush") << QByteArrayList{hash, ":5000\r\n", queue, ":1\r\n", none, "_\r\n", ":1\r\n"}
                                  << false;
        QTest::newRow("after the hash") << QByteArrayList{hash, ":-2\r\n", none, ":0\r\n", none, "_\r\n", ":0\r\n"}
                                        << true;
        QTest::newRow("after the TTL") << QByteArrayList{hash, ":5000\r\n", none, ":0\r\n", none, "_\r\n", ":0\r\n"}
                                       << true;
        QTest::newRow("a hash that came after it was read")
            << QByteArrayList{none, ":5000\r\n", queue, ":1\r\n", none, "_\r\n", ":1\r\n"} << true;
    }
    void aFlushBetweenPlainCommandsIsNoStateOfALock() {
        QFETCH(const QByteArrayList, replies);
        QFETCH(const bool, isReadAgain);
        read("L");
        refuseScripts(noPermission("eval_ro"));
        (void)link().takeCommand();
        link().reply(":0\r\n");
        (void)link().takeCommands();
        link().reply(noPermission("multi") + "*0\r\n:-2\r\n*0\r\n:0\r\n*0\r\n_\r\n-ERR EXEC without MULTI\r\n");
        (void)link().takeCommands();
        link().reply(replies.join());
        QCOMPARE(m_readings.isEmpty(), isReadAgain);
        QCOMPARE(link().takeCommands().size(), isReadAgain ? 7 : 0);
        if (isReadAgain)
            link().reply("*0\r\n:-2\r\n*0\r\n:0\r\n*0\r\n_\r\n:0\r\n");
        QCOMPARE(m_readings, QByteArrayList{isReadAgain ? "unknown free" : "fair held alice 1 <bob"});
    }

    void aKeyThatMayNotBeReadIsNoLock() {
        read("L");
        (void)link().takeCommand();
        const QByteArray refusal =
            "-NOPERM this user has no permissions to access one of the keys used as arguments\r\n";
        link().reply(refusal);
        QCOMPARE(link().takeCommand(), QByteArrayList({"HLEN", "L"}));
        link().reply(refusal);
        QCOMPARE(m_readings, QByteArrayList{"not a lock"});
        QVERIFY(denialLines(m_denials.list()).first().startsWith("keys: "));
    }

    void withoutTheRightToReadHashesItSaysSo() {
        read("L");
        refuseScripts(noPermission("eval_ro"));
        (void)link().takeCommand();
        link().reply(noPermission("hlen"));
        QCOMPARE(m_readings, QByteArrayList{"NotPermitted"});
        QVERIFY(denialLines(m_denials.list()).last().startsWith("HLEN: "));
    }

    // Each command contains the name several times.
    void locksWithVeryLongNamesAreReadOneAtATime() {
        const QByteArray one(200'000, 'x');
        const QByteArray two(200'000, 'y');
        read(one);
        read(two);
        read("L");
        const QList<QByteArrayList> first = link().takeCommands();
        QCOMPARE(first.size(), 2);
        QCOMPARE(first.first().value(3), one);
        QCOMPARE(first.last().value(3), QByteArray("L"));
        link().reply(heldReply(alice, 1) + freeReply());
        QCOMPARE(m_readings, QByteArrayList({"reentrant held alice 1", "unknown free"}));
        QCOMPARE(link().takeCommand().value(3), two);
        link().reply(heldReply(bob, 1));
        QCOMPARE(m_readings.last(), QByteArray("reentrant held bob 1"));
        read(one);
        QCOMPARE(link().takeCommand().value(3), one);
    }

    void aLostConnectionEndsEveryRead() {
        read("L");
        read("M");
        (void)link().takeCommands();
        link().lose();
        QCOMPARE(m_readings, QByteArrayList({"ConnectionLost", "ConnectionLost"}));
    }

    void itsEndCancelsWhatIsUnderWay() {
        const QByteArray longName(200'000, 'x');
        read("L");
        read(longName);
        read(longName);
        (void)link().takeCommands();
        m_reader.reset();
        QCOMPARE(m_readings, QByteArrayList({"Cancelled", "Cancelled", "Cancelled"}));
    }

private:
    FakeLink& link() { return m_server->lastLink(); }
    void read(const QByteArray& name) {
        m_reader->read(LockName(name)).then([this](const Result<LockReading>& reading) {
            m_readings << described(reading);
        });
    }

    // Refuses the script by its SHA-1 and as a whole.
    void refuseScripts(const QByteArray& refusal) {
        for (const char* command : {"EVALSHA_RO", "EVAL_RO"}) {
            QCOMPARE(link().takeCommand().value(0), QByteArray(command));
            link().reply(refusal);
        }
    }

    ManualClock m_clock;
    std::unique_ptr<FakeServer> m_server;
    Denials m_denials;
    std::unique_ptr<redis::Connection> m_connection;
    std::unique_ptr<LockReader> m_reader;
    QByteArrayList m_readings;
    LockSnapshot m_last;
};

LOCKKEEPER_TEST(TestLockReader, Guiless)

}  // namespace tst_lockreader

#include "tst_lockreader.moc"
