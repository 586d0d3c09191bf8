// SPDX-License-Identifier: Apache-2.0
#include "control/audit/auditfile.h"
#include "control/audit/auditjson.h"
#include "control/audit/readaudit.h"
#include "platform/filelock.h"
#include "support/auditsample.h"
#include "support/filesizelimit.h"
#include "support/locksnapshots.h"
#include "support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <atomic>
#include <cerrno>
#include <thread>

namespace tst_auditfile {

using namespace lockkeeper;
using namespace lockkeeper::control;
using namespace std::chrono_literals;

namespace {

using Standing = AuditLine::Standing;

}  // namespace

// What an operator did cannot be changed afterwards without a visible fault.
class TestAuditFile : public QObject {
    Q_OBJECT

private:
    QString folder() const { return m_directory->filePath(QStringLiteral("data/audit")); }
    QString path(const char* month = "2026-11") const {
        return folder() + u'/' + QLatin1String(month) + QStringLiteral(".jsonl");
    }
    AuditFile file() const { return AuditFile(folder(), 0ms); }
    QByteArray bytes(const char* month = "2026-11") const {
        QFile opened(path(month));
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }
    void replace(const QByteArray& content, const char* month = "2026-11") const {
        QFile opened(path(month));
        QVERIFY(opened.open(QIODevice::WriteOnly | QIODevice::Truncate));
        QCOMPARE(opened.write(content), content.size());
    }
    void append(const QByteArray& lock, const char* at = "2026-11-23T12:00:00.000Z") const {
        const auto done = file().append(test::intentOf(lock, QLatin1String(at)));
        QVERIFY2(done.ok(), done ? "" : qPrintable(done.error().text));
    }
    AuditReading read(const AuditFilter& filter = {}) const {
        const Result<AuditReading> reading = readAudit(folder(), filter);
        return reading ? *reading : AuditReading();
    }
    QByteArrayList locksRead(const AuditFilter& filter = {}) const {
        QByteArrayList locks;
        for (const AuditLine& line : read(filter).lines)
            locks += line.record->lock.bytes();
        return locks;
    }
    // "FILE:NUMBER torn" or "broken"
    QStringList faults() const {
        QStringList places;
        for (const AuditLine& line : read().faults)
            places += QStringLiteral("%1:%2 %3")
                          .arg(line.file)
                          .arg(line.number)
                          .arg(line.standing == Standing::Torn ? "torn" : "broken");
        return places;
    }

    std::unique_ptr<QTemporaryDir> m_directory;

private Q_SLOTS:
    void init() { m_directory = std::make_unique<QTemporaryDir>(); }

    void aRecordIsReadAsItWasWritten() {
        AuditRecord intent = test::intentOf("orders/{42}");
        intent.place.profile = QStringLiteral("billing");
        intent.place.environment = QStringLiteral("production");
        intent.state = test::held(0ms, test::alice, 2, 20s);
        intent.state->seenAtWall = intent.at;
        intent.state->token = 41;
        intent.state->fairQueue = {{test::bob, intent.at + 5min}, {test::carol, std::nullopt}};
        AuditRecord outcome = test::outcomeOf(intent, AuditOutcome::OtherHolder);
        outcome.state.reset();
        outcome.error = QStringLiteral("words of the server");
        QVERIFY(file().append(intent).ok());
        QVERIFY(file().append(outcome).ok());
        const std::vector<AuditLine> lines = read().lines;
        QCOMPARE(lines.size(), size_t{2});
        const AuditRecord first = *lines[0].record;
        QCOMPARE(first.step, AuditStep::Intent);
        QCOMPARE(first.id, intent.id);
        QCOMPARE(first.at, intent.at);
        QCOMPARE(first.user + u'@' + first.host, QStringLiteral("ann@bastion"));
        QCOMPARE(first.place, intent.place);
        QCOMPARE(first.lock, intent.lock);
        QCOMPARE(first.reason, intent.reason);
        QCOMPARE(first.state->holders, intent.state->holders);
        QCOMPARE(first.state->ttl, intent.state->ttl);
        QCOMPARE(first.state->token, intent.state->token);
        QCOMPARE(first.state->fairQueue, intent.state->fairQueue);
        QCOMPARE(first.state->seenAtWall, intent.at);
        const AuditRecord second = *lines[1].record;
        QCOMPARE(second.step, AuditStep::Outcome);
        QCOMPARE(second.id, intent.id);
        QCOMPARE(second.outcome, AuditOutcome::OtherHolder);
        QCOMPARE(second.error, outcome.error);
        QVERIFY(!second.state);
    }

    void aSecondOutcomeIsReadAsItWasWritten() {
        const AuditRecord intent = test::intentOf("L");
        QVERIFY(file().append(intent).ok());
        for (const AuditOutcome outcome : {AuditOutcome::Unknown, AuditOutcome::TakenBack})
            QVERIFY(file().append(test::outcomeOf(intent, outcome)).ok());
        const AuditReading reading = read();
        QCOMPARE(reading.faults.size(), size_t{0});
        QCOMPARE(reading.lines.back().record->id, intent.id);
        QCOMPARE(reading.lines.back().record->outcome, AuditOutcome::TakenBack);
        QVERIFY(bytes().contains("\"outcome\":\"taken_back\""));
    }

    void everyChangeIsReadAsItWasWritten_data() {
        QTest::addColumn<LockChange>("change");
        using enum ChangeKind;
        LockChange change;
        QTest::newRow("force_release") << change;
        change.kind = WakeWaiters;
        QTest::newRow("wake_waiters") << change;
        change.kind = SetExpiry;
        change.time = 90s;
        QTest::newRow("set_expiry") << change;
        change.kind = Quarantine;
        change.newHolder = test::carol;
        QTest::newRow("quarantine") << change;
        change.kind = QuarantineHolder;
        change.holder = test::bob;
        QTest::newRow("quarantine_holder") << change;
        change = LockChange();
        change.kind = ReleaseHolder;
        change.holder = test::bob;
        QTest::newRow("release_holder") << change;
        change = LockChange();
        change.kind = ReleaseReader;
        change.reader = test::reader(test::alice);
        QTest::newRow("release_reader") << change;
        change = LockChange();
        change.kind = RemoveWaiter;
        change.waiter = monitor::FairWaiter{test::bob, std::nullopt};
        QTest::newRow("remove_waiter") << change;
    }
    void everyChangeIsReadAsItWasWritten() {
        QFETCH(LockChange, change);
        AuditRecord intent = test::intentOf("L");
        intent.change = change;
        QVERIFY(file().append(intent).ok());
        QCOMPARE(read().lines[0].record->change, change);
        QVERIFY(bytes().contains(QByteArray("\"action\":\"") + QTest::currentDataTag() + '"'));
    }

    void anyNameIsKept() {
        const QByteArray name("\xff\n\x00 x", 5);
        append(name);
        QCOMPARE(locksRead(), QByteArrayList{name});
        QCOMPARE(bytes().count('\n'), 1);
    }

    void onlyItsOwnerMayReadIt() {
        append("a");
        const QFile::Permissions others = QFile::ReadGroup | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther;
        QCOMPARE(QFile(path()).permissions() & others, QFile::Permissions());
        QCOMPARE(QFile(folder()).permissions() & others, QFile::Permissions());
        QFile::setPermissions(path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ReadOther);
        append("b");
        QCOMPARE(QFile(path()).permissions() & others, QFile::Permissions());
    }

    void readsByLockAndTime() {
        append("a", "2026-11-01T00:00:00.000Z");
        append("b", "2026-11-02T00:00:00.000Z");
        append("a", "2026-11-03T00:00:00.000Z");
        AuditFilter filter;
        filter.lock = LockName("a");
        QCOMPARE(locksRead(filter), (QByteArrayList{"a", "a"}));
        filter.since = timeFromIso(QStringLiteral("2026-11-02T00:00:00.000Z"));
        QCOMPARE(locksRead(filter), QByteArrayList{"a"});
        filter.lock.reset();
        QCOMPARE(locksRead(filter), (QByteArrayList{"b", "a"}));
    }

    void ofManyLinesTheNewestAreReadAndAllAreChecked_data() {
        QTest::addColumn<int>("lines");
        QTest::addColumn<int>("read");
        QTest::addColumn<int>("leftOut");
        QTest::newRow("fewer") << 2 << 2 << 0;
        QTest::newRow("as many") << 3 << 3 << 0;
        QTest::newRow("one more") << 4 << 3 << 1;
        QTest::newRow("many more") << 20 << 3 << 17;
    }
    void ofManyLinesTheNewestAreReadAndAllAreChecked() {
        QFETCH(const int, lines);
        for (int i = 1; i <= lines; ++i)
            append(QByteArray::number(i));
        AuditFilter filter;
        filter.atMost = 3;
        const AuditReading reading = read(filter);
        QTEST(static_cast<int>(reading.lines.size()), "read");
        QTEST(static_cast<int>(reading.leftOut), "leftOut");
        QCOMPARE(reading.lines.back().record->lock.bytes(), QByteArray::number(lines));
        QCOMPARE(reading.lineCount, lines);
        QVERIFY(reading.faults.empty());
    }

    void thereMayBeNoneYet() {
        const Result<AuditReading> reading = readAudit(folder());
        QVERIFY(reading.ok());
        QCOMPARE(reading->lineCount, 0);
        QVERIFY(!QFile::exists(folder()));
    }

    // ---- the chain ----

    void eachLineHasTheHashOfTheLineBefore() {
        append("a");
        append("b");
        const QByteArrayList lines = bytes().split('\n');
        QCOMPARE(fromAuditLine(lines[0])->previous, noAuditHash());
        QCOMPARE(fromAuditLine(lines[1])->previous, auditHash(lines[0]));
        QCOMPARE(faults(), QStringList());
        QCOMPARE(read().lastHash, auditHash(lines[1]));
    }

    void aMonthBeginsWithTheLastHashOfTheMonthBefore() {
        append("a", "2026-11-30T23:59:59.999Z");
        append("b", "2026-12-01T00:00:00.000Z");
        append("c", "2027-02-01T00:00:00.000Z");
        QCOMPARE(QDir(folder()).entryList({QStringLiteral("*.jsonl")}, QDir::Files),
                 (QStringList{QStringLiteral("2026-11.jsonl"), QStringLiteral("2026-12.jsonl"),
                              QStringLiteral("2027-02.jsonl")}));
        QCOMPARE(locksRead(), (QByteArrayList{"a", "b", "c"}));
        QCOMPARE(faults(), QStringList());
        QVERIFY(QFile::remove(path("2026-12")));
        QCOMPARE(faults(), QStringList{QStringLiteral("2027-02.jsonl:1 broken")});
    }

    // Otherwise the order of the files would not be that of the chain.
    void aClockThatIsSetBackBeginsNoFileOfAnEarlierMonth() {
        append("a", "2026-12-01T00:00:00.000Z");
        append("b", "2026-11-30T00:00:00.000Z");
        QVERIFY(!QFile::exists(path("2026-11")));
        QCOMPARE(locksRead(), (QByteArrayList{"a", "b"}));
        QCOMPARE(faults(), QStringList());
    }

    void aFileThatWasOnlyCreatedDoesNotBreakTheChain() {
        append("a", "2026-11-30T00:00:00.000Z");
        replace("", "2026-12");
        append("b", "2026-12-01T00:00:00.000Z");
        QCOMPARE(faults(), QStringList());
    }

    void aChangeIsFound_data() {
        QTest::addColumn<int>("changed");  // line, from 0
        QTest::addColumn<QByteArray>("to");
        QTest::addColumn<QStringList>("found");
        const QStringList third{QStringLiteral("2026-11.jsonl:3 broken")};
        QTest::newRow("another reason") << 1 << QByteArray("ticket 1235") << third;
        QTest::newRow("a blank more") << 1 << QByteArray("ticket 1234 ") << third;
        QTest::newRow("a line removed") << 1 << QByteArray() << QStringList{QStringLiteral("2026-11.jsonl:2 broken")};
        QTest::newRow("the first line removed")
            << 0 << QByteArray() << QStringList{QStringLiteral("2026-11.jsonl:1 broken")};
    }
    void aChangeIsFound() {
        QFETCH(int, changed);
        QFETCH(QByteArray, to);
        for (const char* lock : {"a", "b", "c"})
            append(lock);
        QByteArrayList lines = bytes().split('\n');
        if (to.isEmpty())
            lines.removeAt(changed);
        else
            lines[changed].replace("ticket 1234", to);
        replace(lines.join('\n'));
        QTEST(faults(), "found");
    }

    void aLineThatWasPutInIsFound() {
        append("a");
        append("b");
        QByteArrayList lines = bytes().split('\n');
        lines.insert(1, toAuditLine(test::intentOf("forged"), auditHash(lines[0])));
        replace(lines.join('\n'));
        QCOMPARE(faults(), QStringList{QStringLiteral("2026-11.jsonl:3 broken")});
    }

    void longLinesAreChained() {
        append(QByteArray(70'000, 'x'));
        append(QByteArray(200'000, 'y'));
        append("z");
        QCOMPARE(faults(), QStringList());
        QCOMPARE(read().lineCount, 3);
    }

    void severalProgramsMayAppendAtOnce() {
        std::atomic<int> appended = 0;  // Qt Test is for one thread
        std::vector<std::thread> programs;
        for (int program = 0; program < 4; ++program)
            programs.emplace_back([this, &appended] {
                for (int i = 0; i < 10; ++i)
                    appended += AuditFile(folder(), 1min).append(test::intentOf("L")).ok() ? 1 : 0;
            });
        for (std::thread& program : programs)
            program.join();
        QCOMPARE(appended.load(), 40);
        QCOMPARE(read().lineCount, 40);
        QCOMPARE(faults(), QStringList());
    }

    // ---- half-written lines ----

    // A file of empty lines takes a byte for each of them. That a line was changed is reported whatever is before it.
    void notEveryFaultIsKept() {
        append("a");
        replace(bytes() + QByteArray(5000, '\n') + R"({"previous":"other"})" + '\n' + QByteArray(5000, '\n'));
        const AuditReading reading = read();
        QCOMPARE(reading.lineCount, 10'002);
        QCOMPARE(reading.faults.size(), size_t{1001});
        QCOMPARE(reading.faults.front().standing, Standing::Torn);
        QCOMPARE(reading.faults.back().standing, Standing::Broken);
        QCOMPARE(reading.faults.back().number, 5002);
    }

    void aTornLineIsRecoveredFrom_data() {
        QTest::addColumn<int>("missing");
        QTest::addColumn<QByteArrayList>("locks");
        QTest::addColumn<QStringList>("found");
        const QStringList torn{QStringLiteral("2026-11.jsonl:2 torn")};
        QTest::newRow("its line end is missing") << 1 << QByteArrayList{"a", "b", "c"} << QStringList();
        QTest::newRow("its last character is missing") << 2 << QByteArrayList{"a", "c"} << torn;
        QTest::newRow("half of it is missing") << 100 << QByteArrayList{"a", "c"} << torn;
    }
    void aTornLineIsRecoveredFrom() {
        QFETCH(int, missing);
        append("a");
        append("b");
        replace(bytes().chopped(missing));
        append("c");
        QTEST(locksRead(), "locks");
        QTEST(faults(), "found");
        QCOMPARE(read().lineCount, 3);
    }

    void aTornLineAtTheEndOfAMonthIsInTheChain() {
        append("a");
        replace(bytes().chopped(9));
        append("b", "2026-12-01T00:00:00.000Z");
        QCOMPARE(faults(), QStringList{QStringLiteral("2026-11.jsonl:1 torn")});
        replace(bytes().chopped(1));
        QCOMPARE(faults(),
                 (QStringList{QStringLiteral("2026-11.jsonl:1 torn"), QStringLiteral("2026-12.jsonl:1 broken")}));
    }

    void aDiskThatIsFullInTheMiddleOfALineFails() {
        append("a");
        {
            const test::FileSizeLimit full(static_cast<rlim_t>(bytes().size() + 20));
            const Error tooLarge(ErrorCode::Storage, Cause::FileNotWritten, {path(), qt_error_string(EFBIG)});
            QCOMPARE(file().append(test::intentOf("b")).error(), tooLarge);
        }
        append("c");
        QCOMPARE(locksRead(), (QByteArrayList{"a", "c"}));
        QCOMPARE(faults(), QStringList{QStringLiteral("2026-11.jsonl:2 torn")});
    }

    // ---- where nothing can be written ----

    // A FIFO would block until somebody else opens it, and a device may have no end.
    void whatIsNoRegularFileIsNotOpened_data() {
        QTest::addColumn<bool>("isFifo");
        QTest::newRow("a FIFO") << true;
        QTest::newRow("a device") << false;
    }
    void whatIsNoRegularFileIsNotOpened() {
        QFETCH(const bool, isFifo);
        append("a", "2026-10-01T00:00:00.000Z");
        if (isFifo)
            QCOMPARE(mkfifo(QFile::encodeName(path()).constData(), S_IRUSR | S_IWUSR), 0);
        else
            QVERIFY(QFile::link(QStringLiteral("/dev/full"), path()));
        const Error notAFile(ErrorCode::Storage, Cause::NotAFile, {path()});
        QCOMPARE(file().append(test::intentOf("b")).error(), notAFile);
        QCOMPARE(readAudit(folder()).error(), notAFile);
    }

    void aFolderThatCannotBeWrittenFails_data() {
        QTest::addColumn<QString>("folder");
        QTest::newRow("of the system") << QStringLiteral("/proc/self/audit");
        QTest::newRow("below a file") << QStringLiteral("/dev/null/audit");
        QTest::newRow("none") << QString();
    }
    void aFolderThatCannotBeWrittenFails() {
        QFETCH(QString, folder);
        QCOMPARE(AuditFile(folder).append(test::intentOf("a")).error().code, ErrorCode::Storage);
    }

    void aFileThatCannotBeReadFails() {
        append("a");
        QVERIFY(QFile::remove(path()));
        QVERIFY(QFile::link(QStringLiteral("/dev/null/gone"), path()));
        QCOMPARE(readAudit(folder()).error().code, ErrorCode::Storage);
        QCOMPARE(file().append(test::intentOf("b")).error().code, ErrorCode::Storage);
    }

    void aFolderThatAnotherProgramKeepsLockedFails() {
        append("a");
        platform::FileLock other(folder() + QStringLiteral("/lock"));
        QVERIFY(other.acquire(0ms));
        QCOMPARE(file().append(test::intentOf("b")).error().code, ErrorCode::Storage);
    }
};

LOCKKEEPER_TEST(TestAuditFile, Appless)

}  // namespace tst_auditfile

#include "tst_auditfile.moc"
