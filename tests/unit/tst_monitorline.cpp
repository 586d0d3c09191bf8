// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/who/monitorline.h"
#include "support/samplelocks.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_monitorline {

using namespace lockkeeper;
using namespace lockkeeper::monitor;

namespace {

const QByteArray start = "1700000000.123456 [0 127.0.0.1:53422] ";

// As MONITOR writes it; ' is used here in place of ".
QByteArray line(const char* text) {
    return QByteArray(text).replace('\'', '"');
}

QByteArray quoted(const QByteArrayList& arguments) {
    QByteArrayList strings;
    for (const QByteArray& argument : arguments)
        strings += '"' + argument + '"';
    return strings.join(' ');
}

}  // namespace

class TestMonitorLine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsALine_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("address");
        QTest::addColumn<QByteArrayList>("arguments");
        using Parts = QByteArrayList;
        const QByteArray tcp = "127.0.0.1:53422";
        QTest::newRow("a command") << start + line("'GET' 'k'") << tcp << Parts{"GET", "k"};
        QTest::newRow("no arguments") << start + line("'PING'") << tcp << Parts{"PING"};
        QTest::newRow("an empty argument") << start + line("'SET' 'k' ''") << tcp << Parts{"SET", "k", ""};
        QTest::newRow("another database, IPv6")
            << line("1.000001 [15 [::1]:53422] 'GET' 'k'") << QByteArray("[::1]:53422") << Parts{"GET", "k"};
        QTest::newRow("a Unix socket") << line("1.000001 [0 unix:/run/my redis.sock] 'GET' 'k'")
                                       << QByteArray("unix:/run/my redis.sock") << Parts{"GET", "k"};
        QTest::newRow("within a script") << line("1.000001 [0 lua] 'pexpire' 'L' '30000'") << QByteArray("lua")
                                         << Parts{"pexpire", "L", "30000"};
        QTest::newRow("escapes") << start + line("'\\\\ \\' \\n\\r\\t\\a\\b \\x00\\xe5\\xFF'") << tcp
                                 << Parts{QByteArray("\\ \" \n\r\t\a\b \0\xe5\xff", 13)};
        QTest::newRow("an escape of another kind") << start + line("'\\q\\xzz'") << tcp << Parts{"qxzz"};
        QTest::newRow("the line's own marks inside")
            << start + line("'GET' '] \\'x\\' [0 1] \\''") << tcp << Parts{"GET", "] \"x\" [0 1] \""};
        QTest::newRow("cut within an argument") << start + line("'SET' 'k' 'the beginn") << tcp << Parts{"SET", "k"};
        QTest::newRow("cut within an escape") << start + line("'SET' 'k' '\\x0") << tcp << Parts{"SET", "k"};
        QTest::newRow("something else behind") << start + line("'GET' 'k' k2") << tcp << Parts{"GET", "k"};
    }
    void readsALine() {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, address);
        QFETCH(QByteArrayList, arguments);
        const std::optional<MonitorLine> read = MonitorLine::parse(line);
        QVERIFY(read);
        QCOMPARE(read->address, address);
        QCOMPARE(read->arguments, arguments);
    }

    void everyByteComesBackAsItWasSent() {
        QByteArray sent;
        QByteArray written;
        for (int byte = 0; byte < 256; ++byte) {
            sent += static_cast<char>(byte);
            written += "\\x" + QByteArray::number(byte, 16).rightJustified(2, '0');
        }
        QCOMPARE(MonitorLine::parse(start + '"' + written + '"')->arguments, QByteArrayList{sent});
    }

    void whatIsNoLineIsNone_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("OK") << QByteArray("OK");
        QTest::newRow("no source") << line("1700000000.123456 'GET' 'k'");
        QTest::newRow("an empty source") << line("1700000000.123456 [] 'GET' 'k'");
        QTest::newRow("no address") << line("1700000000.123456 [0] 'GET' 'k'");
        QTest::newRow("no command") << start;
        QTest::newRow("a command cut short") << start + line("'GE");
        QTest::newRow("turned round") << line("1] 'GET' [0 1.2.3.4:5");
        QTest::newRow("too many arguments") << start + quoted(QByteArrayList(5000, "a"));
    }
    void whatIsNoLineIsNone() {
        QFETCH(QByteArray, line);
        QVERIFY(!MonitorLine::parse(line));
    }

    void anyBeginningOfALineIsTolerated() {
        const QByteArray whole = start + line("'EVALSHA' '5d\\x00\\'' '1' 'L' '30000'");
        for (qsizetype length = 0; length <= whole.size(); ++length) {
            const std::optional<MonitorLine> read = MonitorLine::parse(whole.first(length));
            QVERIFY(!read || read->address == "127.0.0.1:53422");
        }
    }

    void tellsWhoActsAsAClient_data() {
        QTest::addColumn<QByteArrayList>("command");
        QTest::addColumn<bool>("acts");
        using Parts = QByteArrayList;
        const QByteArray holder = test::clientA + ":33";
        const QByteArray sha(40, 'a');
        QTest::newRow("a renewal") << Parts{"EVALSHA", sha, "1", "L", "30000", holder} << true;
        QTest::newRow("by EVAL") << Parts{"eval", "return 1", "1", "L", "30000", holder} << true;
        QTest::newRow("of a write lock") << Parts{"EVALSHA", sha, "1", "L", "30000", holder + ":write"} << true;
        QTest::newRow("of many locks") << Parts{"EVALSHA", sha, "2", "L", "M", "30000", test::clientB + ":1", holder}
                                       << true;
        QTest::newRow("another thread of the client")
            << Parts{"EVALSHA", sha, "1", "L", "30000", test::clientA + ":-7"} << true;
        QTest::newRow("another client") << Parts{"EVALSHA", sha, "1", "L", "30000", test::clientB + ":33"} << false;
        QTest::newRow("only a part of an argument") << Parts{"EVALSHA", sha, "1", "L", "30000", "x" + holder} << false;
        QTest::newRow("only in a key") << Parts{"EVALSHA", sha, "1", holder, "30000"} << false;
        QTest::newRow("no script") << Parts{"HGET", "L", holder} << false;
        QTest::newRow("who listens") << Parts{"SUBSCRIBE", "redisson_lock__channel:{L}:" + holder} << false;
        QTest::newRow("who breaks its lock")
            << Parts{"EVALSHA", sha, "1",    "L", "redisson_lock__channel:{L}", "redisson_rwlock:{L}",
                     "",        "1", holder, "1"}
            << false;
        QTest::newRow("keys not counted") << Parts{"EVALSHA", sha, "x", "L", holder} << false;
        QTest::newRow("more keys than there are") << Parts{"EVALSHA", sha, "9", "L", holder} << false;
        QTest::newRow("fewer than none") << Parts{"EVALSHA", sha, "-1", "L", holder} << false;
        QTest::newRow("nothing behind the command") << Parts{"EVALSHA"} << false;
    }
    void tellsWhoActsAsAClient() {
        QFETCH(QByteArrayList, command);
        const std::optional<MonitorLine> line = MonitorLine::parse(start + quoted(command));
        QVERIFY(line);
        QTEST(actsAs(ClientId(test::clientA), *line), "acts");
    }
};

LOCKKEEPER_TEST(TestMonitorLine, Guiless)

}  // namespace tst_monitorline

#include "tst_monitorline.moc"
