// SPDX-License-Identifier: Apache-2.0
#include "base/isotime.h"
#include "monitor/analyse/explain/errorreader.h"
#include "monitor/analyse/explain/errorstate.h"
#include "support/places.h"
#include "support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QTest>

namespace tst_errorreader {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;

namespace {

const QTimeZone zone(8 * 3600);  // that the texts without a zone are read in

QString dataFolder() {
    return places::data() + QStringLiteral("/errors/");
}

QByteArray fileText(const QString& name) {
    QFile file(dataFolder() + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

ErrorReport read(const QByteArray& text, qsizetype piece = std::numeric_limits<int>::max()) {
    ErrorReader reader(zone);
    for (qsizetype from = 0; from < text.size(); from += piece)
        reader.feed(QByteArrayView(text).sliced(from, std::min(piece, text.size() - from)));
    return reader.finish();
}

QString orNone(const QString& text) {
    return text.isEmpty() ? QStringLiteral("-") : text;
}

QString shownTime(const std::optional<LogTime>& time) {
    return time ? isoTime(time->at) + (time->hasZone ? QString() : QStringLiteral("~")) : QStringLiteral("-");
}

// As a line of expected.txt, without the file.
QString shown(const ErrorFinding& finding) {
    return QStringList{wordFor(finding.family),
                       finding.cause ? wordFor(*finding.cause) : QStringLiteral("-"),
                       orNone(finding.lock.display()),
                       finding.holder ? finding.holder->display() : QStringLiteral("-"),
                       finding.client ? QString::fromLatin1(finding.client->bytes()) : QStringLiteral("-"),
                       shownTime(finding.first),
                       wordFor(finding.certainty)}
        .join(QStringLiteral(" | "));
}

QString shown(const ErrorReport& report) {
    QStringList all;
    for (const ErrorFinding& finding : report.findings)
        all << shown(finding) + QStringLiteral(" x%1 line %2").arg(finding.count).arg(finding.line);
    all << QStringLiteral("%1 lines, %2 left out").arg(report.lines).arg(report.leftOut);
    return all.join(u'\n');
}

QStringList families(const ErrorReport& report) {
    QStringList words;
    for (const ErrorFinding& finding : report.findings) {
        words << wordFor(finding.family);
        if (finding.cause)
            words << wordFor(*finding.cause);
    }
    return words;
}

QString failed(int thread) {
    return QStringLiteral(
               "attempt to unlock lock, not locked by current thread by node id: 6d1f9d4e-1111-4222-8333-0123456789ab "
               "thread-id: %1")
        .arg(thread);
}

// A time-out of an acquire, whose list ends with these parameters.
QString timeoutOf(const QString& parameters) {
    return QStringLiteral(
               "org.redisson.client.RedisResponseTimeoutException: Redis server response timeout (3000 ms) occured. "
               "Command: (EVAL), params: [if ((redis.call('exists', KEYS[1]) == 0) or (redis.call('hexists', KEYS[1], "
               "ARGV[2]) == 1)) then redis.call('hincrby', KEYS[..., %1")
        .arg(parameters);
}

}  // namespace

// Which errors are found in texts of logs, what they are about, and what is none.
class TestErrorReader : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void explains_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("expected");
        for (const QString& line : QString::fromUtf8(fileText(QStringLiteral("expected.txt"))).split(u'\n')) {
            if (line.startsWith(u'#') || line.isEmpty())
                continue;
            const qsizetype separator = line.indexOf(QStringLiteral(" | "));
            QTest::newRow(qPrintable(line.first(separator)))
                << line.first(separator) + QStringLiteral(".txt") << line.sliced(separator + 3);
        }
    }
    void explains() {
        QFETCH(const QString, file);
        QFETCH(const QString, expected);
        const QByteArray text = fileText(file);
        QVERIFY2(!text.isEmpty(), qPrintable(file));
        const ErrorReport report = read(text);
        QCOMPARE(report.findings.size(), size_t{1});
        QCOMPARE(shown(report.findings.front()), expected);
    }

    void everyFamilyHasATextAndEveryTextIsListed() {
        const QString expected = QString::fromUtf8(fileText(QStringLiteral("expected.txt")));
        for (const ErrorFamily family : allErrorFamilies())
            QVERIFY2(expected.contains(QStringLiteral(" | %1 | ").arg(wordFor(family))), qPrintable(wordFor(family)));
        const QStringList files = QDir(dataFolder()).entryList({QStringLiteral("*.txt")});
        for (const QString& file : files) {
            const bool isTable = file == QLatin1String("expected.txt") || file == QLatin1String("near-misses.txt");
            QVERIFY2(isTable || expected.contains(u'\n' + file.chopped(4) + QStringLiteral(" | ")), qPrintable(file));
        }
        QVERIFY(files.size() > 40);
    }

    void doesNotMatchNearMisses_data() {
        QTest::addColumn<QString>("family");
        QTest::addColumn<QString>("text");
        const QString all = QString::fromUtf8(fileText(QStringLiteral("near-misses.txt")));
        QHash<QString, int> numbers;
        for (const QString& part : all.split(QStringLiteral("\n=== ")).sliced(1)) {
            const QString family = part.section(u'\n', 0, 0);
            QTest::newRow(qPrintable(QStringLiteral("%1 %2").arg(family).arg(++numbers[family])))
                << family << part.section(u'\n', 1);
        }
    }
    void doesNotMatchNearMisses() {
        QFETCH(const QString, family);
        QFETCH(const QString, text);
        QVERIFY(errorFamilyOf(family));
        const QStringList found = families(read(text.toUtf8()));
        QVERIFY2(!found.contains(family), qPrintable(found.join(u' ')));
    }
    void everyFamilyHasTwoNearMisses() {
        const QByteArray all = fileText(QStringLiteral("near-misses.txt"));
        for (const ErrorFamily family : allErrorFamilies())
            QCOMPARE(all.count("\n=== " + wordFor(family).toUtf8() + '\n'), 2);
    }

    void piecesMakeNoDifference_data() {
        QTest::addColumn<qsizetype>("piece");
        for (const int piece : {1, 2, 3, 7, 64, 1000, 16'384, 20'000})
            QTest::newRow(qPrintable(QString::number(piece))) << qsizetype{piece};
    }
    void piecesMakeNoDifference() {
        QFETCH(const qsizetype, piece);
        QByteArray text;
        for (const QString& file : QDir(dataFolder()).entryList({QStringLiteral("*.txt")}))
            text += fileText(file);
        QCOMPARE(shown(read(text, piece)), shown(read(text)));
    }

    // Every beginning of every text is read, and says nothing that the whole does not say, but for what it lacks.
    void everyTruncationIsRead() {
        for (const QString& file : QDir(dataFolder()).entryList({QStringLiteral("*.txt")})) {
            if (file == QLatin1String("expected.txt") || file == QLatin1String("near-misses.txt"))
                continue;
            const QByteArray text = fileText(file);
            const ErrorReport whole = read(text);
            for (qsizetype length = 0; length < text.size(); length += 1 + text.size() / 60) {
                const ErrorReport part = read(text.first(length));
                QVERIFY(part.findings.size() <= 2);
                for (const ErrorFinding& finding : part.findings) {
                    const ErrorFinding& full = whole.findings.front();
                    const bool isSameHolder = !finding.holder || !full.holder || finding.holder == full.holder ||
                                              full.holder->bytes().startsWith(finding.holder->bytes());
                    QVERIFY2(isSameHolder, qPrintable(file + u' ' + QString::number(length)));
                    // Where a list is cut, a comma within a name looks like the one behind it.
                    const bool isSameLock = finding.lock.isEmpty() || full.lock.isEmpty() ||
                                            finding.lock == full.lock || full.lock.bytes().contains(", ");
                    QVERIFY2(isSameLock,
                             qPrintable(file + u' ' + QString::number(length) + u' ' + finding.lock.display()));
                }
            }
        }
    }

    void equalErrorsAreCounted() {
        QString log;
        for (int minute = 10; minute < 50; ++minute)
            log += QStringLiteral(
                       "2026-01-31T12:%1:00Z ERROR org.redisson.RedissonBaseLock Can't update lock a:%2 "
                       "expiration\n")
                       .arg(minute)
                       .arg(minute % 2);
        const ErrorReport report = read(log.toUtf8());
        QCOMPARE(report.findings.size(), size_t{2});
        QCOMPARE(report.findings[0].count, quint64{20});
        QCOMPARE(isoTime(report.findings[0].first->at), QStringLiteral("2026-01-31T12:10:00.000Z"));
        QCOMPARE(isoTime(report.findings[0].last->at), QStringLiteral("2026-01-31T12:48:00.000Z"));
        QCOMPARE(report.findings[1].line, quint64{2});
    }

    void equalErrorsAreCountedWithoutTimes() {
        const QByteArray unlock = QByteArray("java.lang.IllegalMonitorStateException: ") + failed(5).toUtf8() + '\n';
        QCOMPARE(read(unlock.repeated(3)).findings.front().count, quint64{3});
        const QByteArray frames = "\tat org.redisson.RedissonLock.unlock(RedissonLock.java:366)\n";
        QCOMPARE(read((unlock + frames).repeated(3)).findings.front().count, quint64{3});
        const QByteArray renewal = "Can't update lock a expiration\n";
        QCOMPARE(read(renewal.repeated(3)).findings.front().count, quint64{3});
        // The cause belongs to its message.
        const QByteArray cause =
            "java.util.concurrent.CompletionException: org.redisson.client.RedisException: MISCONF\n";
        const ErrorReport report = read((renewal + cause).repeated(3));
        QCOMPARE(report.findings.size(), size_t{1});
        QCOMPARE(report.findings.front().count, quint64{3});
        QCOMPARE(report.findings.front().cause, std::optional(ErrorFamily::NotPersisted));
    }

    void theNumberOfFindingsIsBounded() {
        QByteArray log;
        for (int thread = 0; thread < 1000; ++thread)
            log += QStringLiteral("2026-01-31T12:00:00Z ").toUtf8() + failed(thread + 1).toUtf8() + '\n';
        const ErrorReport report = read(log);
        QCOMPARE(report.findings.size(), mostFindings);
        QCOMPARE(report.leftOut, quint64{1000 - mostFindings});
    }

    void aLongLineIsReadInPieces() {
        QByteArray text = QByteArray(1'000'000, 'x') + ' ' + failed(5).toUtf8() + ' ' + QByteArray(1'000'000, 'y');
        const ErrorReport report = read(text);
        QCOMPARE(report.findings.size(), size_t{1});
        QCOMPARE(static_cast<qint64>(report.findings.front().holder->thread()), 5);
        QCOMPARE(report.lines, quint64{1});
        QCOMPARE(report.longLines, quint64{1});
    }
    // Wherever the error is in a long text without line ends.
    void noPlaceInAWindowIsMissed() {
        for (int before = 40'000; before < 140'000; before += 2993) {
            const QByteArray text = QByteArray(before, 'x') + ' ' + failed(5).toUtf8() + ' ' + QByteArray(90'000, 'y');
            const ErrorReport report = read(text);
            QVERIFY2(report.findings.size() == 1, qPrintable(QString::number(before)));
            QCOMPARE(report.findings.front().count, quint64{1});
            QVERIFY(report.findings.front().holder);
        }
    }

    void tellsWhatIsNoText_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<TextKind>("kind");
        QTest::newRow("nothing") << QByteArray() << TextKind::Empty;
        QTest::newRow("blanks") << QByteArray("  \n") << TextKind::Text;
        QTest::newRow("gzip") << QByteArray("\x1f\x8b\x08\x00xyz", 7) << TextKind::Compressed;
        QTest::newRow("zip") << QByteArray("PK\x03\x04xyz") << TextKind::Compressed;
        QTest::newRow("binary") << QByteArray(5000, '\0') + "abc" << TextKind::Binary;
        QTest::newRow("text") << QByteArray("abc") << TextKind::Text;
    }
    void tellsWhatIsNoText() {
        QFETCH(const QByteArray, text);
        QFETCH(const TextKind, kind);
        const ErrorReport report = read(text);
        QCOMPARE(report.kind, kind);
        QVERIFY(report.findings.empty());
        QCOMPARE(report.bytes, static_cast<quint64>(text.size()));
    }

    void readsUtf16() {
        const QString text = QStringLiteral("\ufeff") + failed(5) + QStringLiteral("\r\n");
        const auto* units = reinterpret_cast<const char*>(text.utf16());
        const ErrorReport report = read(QByteArray(units, text.size() * 2), 3);
        QCOMPARE(families(report), QStringList{QStringLiteral("unlock_not_held")});
        QCOMPARE(report.kind, TextKind::Text);
    }

    // The punctuation behind a name belongs to the sentence.
    void aNameTakesNoPunctuation_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("lock");
        const auto row = [](const char* key, const char* lock) {
            QTest::newRow(key) << QString::fromUtf8(key) << QString::fromUtf8(lock);
        };
        row("redisson_lock__channel:{a}, next", "a");
        row("redisson_lock__channel:orders/{42}, next", "orders/{42}");
        row("(redisson_lock__channel:orders/{42})", "orders/{42}");
        row("[redisson_lock__channel:orders/{42}:x]", "orders/{42}:x");
        row("redisson_lock__channel__{a}, next", "a");
        row("redisson_rwlock__{{m}:HASH:rw}, next", "{m}:HASH:rw");
        row("redisson_rwlock:{a b}.", "a b");
        row("redisson_lock_queue:{锁:1}; next", "锁:1");
        row("redisson_lock_timeout:{a}: next", "a");
        row("'redisson_lock__channel:{a}'", "a");
    }
    void aNameTakesNoPunctuation() {
        QFETCH(const QString, key);
        const QString text =
            QStringLiteral("org.redisson.client.RedisTimeoutException: Subscribe timeout: (7500ms) %1").arg(key);
        const ErrorReport report = read(text.toUtf8());
        QCOMPARE(report.findings.size(), size_t{1});
        QTEST(report.findings.front().lock.display(), "lock");
    }

    // Which words of a message are the lock's name.
    void aRenewalNamesItsLock_data() {
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("lock");
        QTest::addColumn<Doubt>("doubt");
        const auto row = [](const char* message, const char* lock, Doubt doubt) {
            QTest::newRow(message) << QString::fromUtf8(message) << QString::fromUtf8(lock) << doubt;
        };
        row("Can't update lock card expiration check expiration", "card expiration check", Doubt::None);
        row("Can't update lock card expiration (expiration in 3 s)", "card", Doubt::Name);
        row("Can't update lock card expiration of A", "card", Doubt::None);
        row("{\"message\":\"Can't update lock a b expiration\",\"n\":\"no expiration\"}", "a b", Doubt::None);
        row("Can't update locks [Smith, John, b] expiration", "Smith", Doubt::Name);
        row("Can't update locks [a:1, b:2] expiration", "a:1", Doubt::None);
        row("Can't update locks [Smith] expiration", "Smith", Doubt::None);
        row("Can't update lock \xef\xbf\xbd\xef\xbf\xbd:1 expiration", "\ufffd\ufffd:1", Doubt::NotUtf8);
    }
    void aRenewalNamesItsLock() {
        QFETCH(const QString, message);
        QFETCH(const Doubt, doubt);
        const ErrorReport report = read(message.toUtf8() + '\n');
        QCOMPARE(report.findings.size(), size_t{1});
        const ErrorFinding& finding = report.findings.front();
        QTEST(finding.lock.display(), "lock");
        QCOMPARE(finding.doubt, doubt);
        QCOMPARE(finding.certainty, doubt == Doubt::None ? Certainty::Certain : Certainty::Likely);
        QCOMPARE(finding.namesLock(), doubt == Doubt::None);
        QCOMPARE(subjectOf(finding).has_value(), doubt == Doubt::None);
    }

    // Bytes of GBK, whatever they are, are no name that could be looked up.
    void aNameInAnotherEncodingIsNotCertain() {
        const ErrorReport report = read("2025-03-09 02:31:07Z ERROR Can't update lock \xb6\xa9\xb5\xa5:1 expiration\n");
        QCOMPARE(report.findings.size(), size_t{1});
        QCOMPARE(report.findings.front().doubt, Doubt::NotUtf8);
        QCOMPARE(report.findings.front().certainty, Certainty::Likely);
        QVERIFY(!subjectOf(report.findings.front()));
    }

    void aNumberThatMayBeCutIsNotCertain() {
        QCOMPARE(read(failed(1).toUtf8()).findings.front().certainty, Certainty::Likely);
        QCOMPARE(read(failed(1).toUtf8()).findings.front().doubt, Doubt::Thread);
        QCOMPARE(read(failed(1).toUtf8() + '\n').findings.front().certainty, Certainty::Certain);
    }

    // Of a list of parameters that is cut, only what is followed by the lease is a name.
    void aCutListHasNoCertainName() {
        const QString acquire = timeoutOf(QStringLiteral("1, Smith, John"));
        const ErrorReport report = read(acquire.toUtf8());
        QCOMPARE(report.findings.size(), size_t{1});
        QVERIFY(!report.findings.front().namesLock());
        QCOMPARE(report.findings.front().certainty, Certainty::Likely);
        QCOMPARE(
            read(timeoutOf(QStringLiteral("1, Smith, John, 30000, 9f3c")).toUtf8()).findings.front().lock.display(),
            QStringLiteral("Smith, John"));
    }

    void anotherObjectIsNoLock_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("a map") << QStringLiteral(
            "org.redisson.client.RedisResponseTimeoutException: Redis server response timeout (3000 ms) occured. Command: "
            "(EVAL), params: [if redis.call('hexists', KEYS[1], ARGV[1]) == 1 then local v = redis.call('hget', KEYS[1], "
            "ARGV[1]); redi..., 1, users, 1, Bob], channel: x\n"
            "\tat org.redisson.RedissonMap.replace(RedissonMap.java:800)\n");
        QTest::newRow("a map whose script begins as a lock's") << QStringLiteral(
            "org.redisson.client.RedisException: WRONGTYPE Operation against a key. command: (EVAL), params: [if "
            "(redis.call('exists', KEYS[1]) == 0) then redi..., 1, users, 1, Bob], channel: x\n"
            "\tat org.redisson.RedissonMap.replace(RedissonMap.java:800)\n");
        QTest::newRow("a class of the program") << QStringLiteral(
            "com.mysql.cj.jdbc.exceptions.CommunicationsException: Communications link failure\n"
            "\tat com.acme.lock.RedissonLock.execute(RedissonLock.java:40)\n"
            "Caused by: java.net.ConnectException: Connection refused\n");
    }
    void anotherObjectIsNoLock() {
        QFETCH(const QString, text);
        QCOMPARE(families(read(text.toUtf8())), QStringList());
    }
    void aClassOfTheProgramIsNoUnlock() {
        const QByteArray text =
            "org.redisson.RedissonShutdownException: Redisson is shutdown\n"
            "\tat org.redisson.RedissonLock.tryLock(RedissonLock.java:1)\n"
            "\tat com.acme.LockUtil.unlockStale(LockUtil.java:7)\n";
        QCOMPARE(families(read(text)), QStringList{QStringLiteral("shutdown_lock")});
    }

    // Wherever the border of two pieces is.
    void anEscapeIsNotCutInALongLine() {
        for (size_t place = ErrorReader::longestLine - 80; place < ErrorReader::longestLine + 10; ++place) {
            QByteArray text = "{\"filler\":\"";
            text += QByteArray(static_cast<qsizetype>(place) - text.size(), 'x');
            text += "\",\"message\":\"Can't update lock \\u8ba2\\ud83d\\ude00\\\\:1 expiration\\n\\tat x\"}";
            const ErrorReport report = read(text + '\n');
            QCOMPARE(report.findings.size(), size_t{1});
            QCOMPARE(report.findings.front().lock.bytes(), QByteArray("\u8ba2\U0001f600\\:1"));
        }
    }

    void linesOfEpochsAreCounted() {
        QByteArray log;
        for (int i = 0; i < 500; ++i)
            log += QByteArray::number(1741487467400 + i) + " ERROR Can't update lock L expiration\n";
        const ErrorReport report = read(log);
        QCOMPARE(report.findings.size(), size_t{1});
        QCOMPARE(report.findings.front().count, quint64{500});
        QCOMPARE(report.unexamined, quint64{0});
    }
    // Also in one entry, but not without a bound.
    void manyErrorsInOneEntryAreExamined() {
        QByteArray text;
        for (int i = 1; i <= 200; ++i)
            text += failed(i).toUtf8() + ' ';
        const ErrorReport report = read(text + '\n');
        QCOMPARE(report.findings.size(), size_t{200});
        QCOMPARE(report.unexamined, quint64{0});
        QVERIFY(read(QByteArray("NOPERM ").repeated(3000)).unexamined > 0);
    }
    void aLongLineOfOpenBracesIsRead() {
        const QByteArray text =
            "org.redisson Subscribe timeout: (7500ms) " + QByteArray("redisson_lock_queue:{").repeated(20'000);
        QCOMPARE(families(read(text)), QStringList{QStringLiteral("subscribe_timeout")});
    }

    void theExcerptHasNoSecrets_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("excerpt");
        const auto row = [](const char* line, const char* excerpt) {
            QTest::newRow(line) << QString::fromUtf8(line) << QString::fromUtf8(excerpt);
        };
        row("for redis://default:S3cr3t@10.0.0.4:6379", "for redis://***@10.0.0.4:6379");
        row("for redis://:a/b@c@10.0.0.4:6379", "for redis://***@10.0.0.4:6379");
        row("password=hunter2, next", "password=***, next");
        row("{\"password\":\"hunter 2\",\"a\":1}", "{\"password\":***,\"a\":1}");
        row("Passwd: hunter2", "Passwd: ***");
        row("token=abc", "token=***");
        row("command: (AUTH), params: [app, hunter2]", "command: (AUTH), params: [***]");
        row("command: (HELLO), params: [3, AUTH, app, hunter2]", "command: (HELLO), params: [***]");
        row("redisson_lock_token:{a}", "redisson_lock_token:{a}");
    }
    void theExcerptHasNoSecrets() {
        QFETCH(const QString, line);
        QFETCH(const QString, excerpt);
        const QString message = QStringLiteral("Can't update lock a expiration ");
        const ErrorReport report = read((message + line).toUtf8());
        QCOMPARE(report.findings.size(), size_t{1});
        QCOMPARE(report.findings.front().excerpt, message + excerpt);
    }

    void tellsWhatElseFollows() {
        QCOMPARE(read("Can't update lock a expiration\n").findings.front().detail, Detail::RenewalEnded);
        QCOMPARE(read("Can't update locks [a] expiration\n").findings.front().detail, Detail::None);
        QCOMPARE(read(fileText(QStringLiteral("no-permission-script.txt"))).findings.front().detail,
                 Detail::ReleasedSilently);
        QCOMPARE(read(fileText(QStringLiteral("no-permission-channel.txt"))).findings.front().detail, Detail::None);
    }
    // Clients end, and their last renewals fail.
    void aRenewalOfAClientThatHasEndedIsHarmless() {
        QCOMPARE(seriousnessOf(ErrorFamily::RenewalFailed, ErrorFamily::ShutdownRenewal), Seriousness::Passing);
        QCOMPARE(seriousnessOf(ErrorFamily::RenewalFailed, std::nullopt), Seriousness::LockMayBeLost);
    }
    void aSemaphoreIsNoLockToLookUp() {
        const ErrorReport report = read(fileText(QStringLiteral("permit-nil.txt")));
        QVERIFY(!report.findings.front().namesLock());
        QVERIFY(!subjectOf(report.findings.front()));
    }

    void timesAreReadInTheirZone_data() {
        QTest::addColumn<QString>("time");
        QTest::addColumn<QString>("read");  // with ~: in the zone that was given, eight hours east
        const auto row = [](const char* time, const char* read) {
            QTest::newRow(time) << QString::fromLatin1(time) << QString::fromLatin1(read);
        };
        row("2026-01-31 12:00:00Z", "2026-01-31T12:00:00.000Z");
        row("2026-01-31 12:00:00 CET", "2026-01-31T11:00:00.000Z");
        row("2026-07-31 12:00:00 CEST", "2026-07-31T10:00:00.000Z");
        row("2026-01-31 12:00:00.500 EST", "2026-01-31T17:00:00.500Z");
        row("2026-07-31 12:00:00 EDT", "2026-07-31T16:00:00.000Z");
        row("Sat Jan 31 12:00:00 CET 2026", "2026-01-31T11:00:00.000Z");
        row("Sat Jan 31 12:00:00 CST 2026", "2026-01-31T04:00:00.000Z~");
        row("Jan 31, 2026 12:00:00 PM JST", "2026-01-31T03:00:00.000Z");
        row("2026-01-31 12:00:00", "2026-01-31T04:00:00.000Z~");
        row("2026-01-31 12:00:00 CST", "2026-01-31T04:00:00.000Z~");
        row("2026-01-31 12:00:00 IST", "2026-01-31T04:00:00.000Z~");
        row("2026-01-31 12:00:00 CETUS", "2026-01-31T04:00:00.000Z~");
        row("2026-01-31 12:00:00 cet", "2026-01-31T04:00:00.000Z~");
    }
    void timesAreReadInTheirZone() {
        QFETCH(const QString, time);
        const ErrorReport report = read(time.toUtf8() + " ERROR Can't update lock a expiration\n");
        QCOMPARE(report.findings.size(), size_t{1});
        QTEST(shownTime(report.findings.front().first), "read");
    }

    // Each line has the name of its thread, also those of stack traces.
    void entriesOfSeveralThreadsStayApart_data() {
        QTest::addColumn<QString>("first");
        QTest::addColumn<QString>("second");
        QTest::newRow("Logback") << "12:00:00.001 [pool-1] %1"
                                 << "12:00:00.001 [pool-2] %1";
        QTest::newRow("Spring Boot") << "2026-01-31T12:00:00.123Z ERROR 1 --- [orders] [exec-1] c.e.Job : %1"
                                     << "2026-01-31T12:00:00.123Z ERROR 1 --- [orders] [exec-2] c.e.Job : %1";
    }
    void entriesOfSeveralThreadsStayApart() {
        QFETCH(const QString, first);
        QFETCH(const QString, second);
        const QStringList lines{first.arg(QStringLiteral("Can't update lock a expiration")),
                                second.arg(QStringLiteral("Can't update lock b expiration")),
                                first.arg(QStringLiteral("    at org.redisson.Renewal.run(Renewal.java:1)")),
                                second.arg(QStringLiteral("    at org.redisson.Renewal.run(Renewal.java:1)")),
                                first.arg(QStringLiteral(" Caused by: java.net.ConnectException: Connection refused")),
                                second.arg(QStringLiteral(" Caused by: org.redisson.RedissonShutdownException: "
                                                          "Redisson is shutdown"))};
        const ErrorReport report = read((lines.join(u'\n') + u'\n').toUtf8());
        QStringList found;
        for (const ErrorFinding& finding : report.findings)
            found << QStringLiteral("%1 %2 line %3")
                         .arg(finding.lock.display(), finding.cause ? wordFor(*finding.cause) : QStringLiteral("-"))
                         .arg(finding.line);
        QCOMPARE(found, QStringList({"a connection_failed line 1", "b shutdown_renewal line 2"}));
    }
    void manyThreadsAreBounded() {
        QByteArray log;
        for (int i = 0; i < 100; ++i)
            log += "12:00:00.001 [pool-" + QByteArray::number(i) + "] Can't update lock l" + QByteArray::number(i) +
                   " expiration\n";
        QCOMPARE(read(log).findings.size(), size_t{100});
    }

    // A runtime of containers cuts long lines into parts, each with a time before it.
    void partsOfAContainersLineAreJoined() {
        const QByteArray time = "2026-01-31T12:00:00.1Z stderr ";
        const QByteArray cut = time + "P Can't update lock ord\n" + time + "P ers:4\n" + time + "F 2 expiration\n";
        for (const QByteArray& log : {cut, "> " + QByteArray(cut).replace("\n2", "\n> 2")}) {
            const ErrorReport report = read(log);
            QCOMPARE(report.findings.size(), size_t{1});
            QCOMPARE(report.findings.front().lock.display(), QStringLiteral("orders:42"));
            QCOMPARE(report.lines, quint64{3});
        }
        // As long as they are in earnest.
        const QByteArray filler(static_cast<qsizetype>(ErrorReader::longestLine) - 15, 'x');
        const ErrorReport far =
            read(time + "P " + filler + " Can't update l\n" + time + "F ock orders:42 expiration\n");
        QCOMPARE(far.findings.size(), size_t{1});
        QCOMPARE(far.findings.front().lock.display(), QStringLiteral("orders:42"));
        // The end is missing: the entry that follows is one of its own.
        QCOMPARE(read(time + "P Can't update lock a expiration\n2026-01-31 12:00:01 Can't update lock b expiration\n")
                     .findings.size(),
                 size_t{2});
        const QByteArray json = "{\"message\":\"Can't update lock a expiration\\n\\tat x\"}";
        QCOMPARE(read(time + "F " + json + '\n').findings.front().lock.display(), QStringLiteral("a"));
    }

    // The exception is the first line of the entry, or follows another one: its own stamp counts.
    void aContainersStampIsTheTimeOfAnException_data() {
        QTest::addColumn<QByteArray>("before");
        QTest::newRow("as the first line") << QByteArray();
        QTest::newRow("behind another line") << QByteArray("2026-01-31T09:00:00.1Z stdout F Started\n");
        QTest::newRow("behind an entry with a time")
            << QByteArray("2026-01-31T09:00:00.1Z stdout F 2026-01-31 09:00:00 INFO Started\n");
    }
    void aContainersStampIsTheTimeOfAnException() {
        QFETCH(QByteArray, before);
        const QByteArray exception =
            "java.lang.IllegalMonitorStateException: attempt to unlock lock, not locked by current thread by node id: "
            "97b87f0b-0c5d-4043-bd00-c2b44039227f thread-id: 33";
        const QByteArray plain = before + "2026-01-31T12:00:00.100Z stderr F " + exception + "\n" +
                                 "2026-01-31T12:00:00.101Z stderr F \tat com.example.Jobs.run(Jobs.java:7)\n";
        const QByteArray docker =
            before + "{\"log\":\"" + exception + "\\n\",\"stream\":\"stderr\",\"time\":\"2026-01-31T12:00:00.100Z\"}\n";
        for (const QByteArray& log : {plain, docker}) {
            const ErrorReport report = read(log);
            QCOMPARE(report.findings.size(), size_t{1});
            QCOMPARE(shownTime(report.findings.front().first), QStringLiteral("2026-01-31T12:00:00.100Z"));
        }
    }

    void partsOfAContainersLineAreJoinedPerStream() {
        const QByteArray time = "2026-01-31T12:00:00.1Z ";
        const QByteArray log = time + "stderr P Can't update lock ord\n" + time +
                               "stdout F Can't update lock b expiration\n" + time + "stdout P Can't update lo\n" +
                               time + "stderr F ers:42 expiration\n" + time + "stdout F ck c expiration\n";
        for (const qsizetype piece : {qsizetype{7}, log.size()}) {
            const ErrorReport report = read(log, piece);
            QStringList found;
            for (const ErrorFinding& finding : report.findings)
                found += QStringLiteral("%1 %2").arg(finding.line).arg(finding.lock.display());
            QCOMPARE(found, (QStringList{QStringLiteral("1 orders:42"), QStringLiteral("2 b"), QStringLiteral("3 c")}));
            QCOMPARE(report.lines, quint64{5});
        }
        // The end of the part is missing: what stands behind it is read all the same.
        const ErrorReport open = read(time + "stderr P Can't update lock a expiration\n" + time +
                                      "stdout F Can't update lock b expiration\n");
        QCOMPARE(open.findings.size(), size_t{2});
        QByteArray many = time + "stderr P Can't update lock a\n";
        for (int i = 0; i < 3000; ++i)
            many += time + "stdout F nothing of interest\n";
        QCOMPARE(read(many + time + "stdout F Can't update lock b expiration\n").findings.size(), size_t{1});
    }

    void severalErrorsInOneLogStaySeparate() {
        const QByteArray report =
            shown(read(fileText(QStringLiteral("renewal-network.txt")) + fileText(QStringLiteral("unlock-2x.txt")) +
                       fileText(QStringLiteral("not-synced-none.txt"))))
                .toUtf8();
        QVERIFY2(report.contains("renewal_failed | connection_failed"), report.constData());
        QVERIFY2(report.contains("unlock_not_held"), report.constData());
        QVERIFY2(report.contains("replicas_not_synced"), report.constData());
    }
};

LOCKKEEPER_TEST(TestErrorReader, Guiless)

}  // namespace tst_errorreader

#include "tst_errorreader.moc"
