// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/lookuptext.h"
#include "support/samplelocks.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_lookuptext {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

const QString uuidA = QString::fromLatin1(clientA);
const QString error =
    QStringLiteral("attempt to unlock lock, not locked by current thread by node id: %1 thread-id: 33").arg(uuidA);

// "failed UUID:THREAD @ 2026-...", "holder UUID:THREAD", "client UUID", "lock NAME"; several with a comma.
QString shown(const LookupSubject& subject) {
    QString text;
    if (const HolderId* holder = subject.holder())
        text =
            (subject.occasion == LookupOccasion::UnlockFailed ? QStringLiteral("failed ") : QStringLiteral("holder ")) +
            holder->display();
    else if (const auto* lock = std::get_if<LockName>(&subject.whom))
        text = QStringLiteral("lock ") + lock->display();
    else
        text = QStringLiteral("client ") + QString::fromLatin1(subject.client()->bytes());
    if (subject.at)
        text += QStringLiteral(" @ %1").arg(
            std::chrono::duration_cast<Milliseconds>(subject.at->time_since_epoch()).count());
    return text.replace(uuidA, QStringLiteral("A")).replace(QString::fromLatin1(clientB), QStringLiteral("B"));
}

QString shown(const LookupText& text) {
    QStringList all;
    for (const LookupSubject& subject : text.subjects)
        all << shown(subject);
    return all.join(QStringLiteral(", "));
}

}  // namespace

// What is found in a pasted text, and what is ignored.
class TestLookupText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void finds_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("found");
        const QString b = QString::fromLatin1(clientB);
        const auto row = [](const char* name, const QString& text, const char* found) {
            QTest::newRow(name) << text << QString::fromUtf8(found);
        };
        row("the message alone", error, "failed A:33");
        row("in a stack trace",
            QStringLiteral(
                "Exception in thread \"pool-1-thread-7\" java.lang.IllegalMonitorStateException: %1\n"
                "\tat org.redisson.RedissonBaseLock.lambda$unlockAsync0$2(RedissonBaseLock.java:310)\n"
                "\tat java.base/java.util.concurrent.CompletableFuture.uniHandle(CompletableFuture.java:934)")
                .arg(error),
            "failed A:33");
        row("wrapped between words", QString(error).replace(u' ', QStringLiteral("\n    ")), "failed A:33");
        row("wrapped by a terminal, within the UUID",
            QStringLiteral("x: attempt to unlock lock, not locked by current thr\nead by node id: %1\n%2 thread-id: 33")
                .arg(uuidA.left(11), uuidA.mid(11)),
            "failed A:33");
        row("with the line ends of Windows", QString(error).replace(QStringLiteral("id: "), QStringLiteral("id:\r\n")),
            "failed A:33");
        row("a number ends with its line", error + QStringLiteral("\n2026-01-31 12:00:00 next entry"), "failed A:33");
        row("a read lock", QString(error).replace(QStringLiteral("unlock lock"), QStringLiteral("unlock read lock")),
            "failed A:33");
        row("a negative thread", QString(error).replace(QStringLiteral(" 33"), QStringLiteral(" -7")), "failed A:-7");
        row("a line of JSON",
            QStringLiteral(R"J({"level":"ERROR","message":"%1\n\tat org.redisson.X(Y.java:1)"})J").arg(error),
            "failed A:33");
        row("JSON over several lines", QStringLiteral("{\n \"stack\": [\"%1\"]\n}").arg(error), "failed A:33");
        row("JSON in an entry of another form", QStringLiteral(R"J(app | {"m":"%1\n\tat x"} (1))J").arg(error),
            "failed A:33");
        row("two failures in one log", error + QLatin1Char('\n') + QString(error).replace(uuidA, b),
            "failed A:33, failed B:33");
        row("the same twice", error + QLatin1Char('\n') + error, "failed A:33");
        row("a trace id beside it is not a client", QStringLiteral("[%1] %2").arg(b, error), "failed A:33");

        row("a holder", uuidA + QStringLiteral(":33"), "holder A:33");
        row("a writer's field", uuidA + QStringLiteral(":33:write"), "holder A:33");
        row("a reader's helper key", QStringLiteral("{L}:%1:33:rwlock_timeout:2").arg(uuidA), "holder A:33");
        row("in quotes, from redis-cli", QStringLiteral("1) \"%1:33\"\n2) \"2\"").arg(uuidA), "holder A:33");
        row("a client", uuidA, "client A");
        row("a client in a sentence", QStringLiteral("Redisson id=%1, started").arg(uuidA), "client A");

        row("a channel", QStringLiteral("redisson_lock__channel:{orders}"), "lock orders");
        row("a channel of a name with braces", QStringLiteral("redisson_lock__channel:orders/{42}"),
            "lock orders/{42}");
        row("a channel of a name with spaces", QStringLiteral("redisson_lock__channel:{a b}"), "lock a b");
        row("with spaces and braces", QStringLiteral(" redisson_lock__channel:a {b} c "), "lock a {b} c");
        row("in a sentence", QStringLiteral("subscribed to redisson_lock__channel:{a b}, waiting 3 s"), "lock a b");
        row("in JSON", QStringLiteral(R"J({"channel":"redisson_rwlock:{锁}"})J"), "lock 锁");
        row("a queue", QStringLiteral("redisson_lock_queue:{fair}"), "lock fair");
        row("a token", QStringLiteral("GET redisson_lock_token:{fenced}"), "lock fenced");
        row("a fair waiter's own channel", QStringLiteral("redisson_lock__channel:{fair}:%1:33").arg(uuidA),
            "holder A:33, lock fair");
    }
    void finds() {
        QFETCH(const QString, text);
        QTEST(shown(readLookupText(text)), "found");
    }

    void tellsWhenItFailed_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("found");
        const auto row = [](const char* name, const QString& text, const char* found) {
            QTest::newRow(name) << text << QString::fromLatin1(found);
        };
        row("in UTC", QStringLiteral("2026-01-31T12:00:00.123Z ERROR %1").arg(error), "failed A:33 @ 1769860800123");
        row("in a zone", QStringLiteral("2026-01-31 13:30:00,123456 +0130 ERROR %1").arg(error),
            "failed A:33 @ 1769860800123");
        row("west of UTC", QStringLiteral("2026-01-31T08:30:00-03:30 %1").arg(error), "failed A:33 @ 1769860800000");
        row("in the line before", QStringLiteral("2026-01-31T12:00:00Z ERROR\njava.lang.X: %1").arg(error),
            "failed A:33 @ 1769860800000");
        row("the nearest before it",
            QStringLiteral("2026-01-31T11:00:00Z fine\n2026-01-31T12:00:00Z %1\n2026-01-31T13:00:00Z fine").arg(error),
            "failed A:33 @ 1769860800000");
        row("in JSON, behind the message",
            QStringLiteral(R"J({"message":"%1","time":"2026-01-31T12:00:00Z"})J").arg(error),
            "failed A:33 @ 1769860800000");
        // A time without a zone is ambiguous.
        row("without a zone", QStringLiteral("2026-01-31 12:00:00.123 ERROR %1").arg(error), "failed A:33");
        row("no such day", QStringLiteral("2026-02-31T12:00:00Z ERROR %1").arg(error), "failed A:33");
        row("only behind it", error + QStringLiteral("\n2026-01-31T12:00:00Z next"), "failed A:33");
    }
    void tellsWhenItFailed() {
        QFETCH(const QString, text);
        QTEST(shown(readLookupText(text)), "found");
    }

    void leavesTheRestAlone_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing") << QString();
        QTest::newRow("blanks") << QStringLiteral(" \n\t ");
        QTest::newRow("no id at all") << QStringLiteral("java.lang.NullPointerException\n\tat a.b.C(D.java:1)");
        QTest::newRow("a UUID that is too short") << uuidA.chopped(1);
        QTest::newRow("a UUID that is too long") << uuidA + QLatin1Char('0');
        QTest::newRow("a UUID that goes on") << uuidA + QStringLiteral("-1");
        QTest::newRow("no hexadecimal") << QString(uuidA).replace(0, 1, QStringLiteral("g"));
        QTest::newRow("a channel without a name") << QStringLiteral("redisson_lock__channel:");
        QTest::newRow("a name alone") << QStringLiteral("orders/{42}");
    }
    void leavesTheRestAlone() {
        QFETCH(const QString, text);
        QCOMPARE(shown(readLookupText(text)), QString());
    }

    void aThreadBeyondAllNumbersIsNone() {
        const QString text = QString(error).replace(QStringLiteral(" 33"), QStringLiteral(" 9999999999999999999"));
        QCOMPARE(shown(readLookupText(text)), QStringLiteral("client A"));
    }

    void isBounded() {
        QString many;
        for (int i = 0; i < 100; ++i)
            many += QStringLiteral("%1:%2\n").arg(uuidA).arg(i);
        QCOMPARE(readLookupText(many).subjects.size(), mostLookupSubjects);
        const QString far = QString(longestLookupText, QLatin1Char('x')) + QLatin1Char(' ') + error;
        QVERIFY(readLookupText(far).subjects.isEmpty());
        QVERIFY(readLookupText(far).cut);
        QVERIFY(!readLookupText(error).cut);
        // Texts that would take long to parse.
        QVERIFY(readLookupText(QString(longestLookupText, QLatin1Char('a'))).subjects.isEmpty());
        QVERIFY(readLookupText(QString(longestLookupText, QLatin1Char('\n'))).subjects.isEmpty());
        QVERIFY(readLookupText(QString(QStringLiteral("node id: ")).repeated(20000)).subjects.isEmpty());
        QVERIFY(readLookupText(QString(QStringLiteral("a\n")).repeated(100000)).subjects.isEmpty());
    }
};

LOCKKEEPER_TEST(TestLookupText, Guiless)

}  // namespace tst_lookuptext

#include "tst_lookuptext.moc"
