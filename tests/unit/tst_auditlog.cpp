// SPDX-License-Identifier: Apache-2.0
#include "control/audit/auditlog.h"
#include "control/audit/readaudit.h"
#include "support/auditsample.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSysInfo>
#include <QTemporaryDir>
#include <QTest>

namespace tst_auditlog {

using namespace lockkeeper;
using namespace lockkeeper::control;
using namespace std::chrono_literals;

// The audit is written on another thread, in the order of the actions.
class TestAuditLog : public QObject {
    Q_OBJECT

private:
    QString folder() const { return m_directory->filePath(QStringLiteral("audit")); }
    // A file stands where the folder should be.
    void blockFolder() const { QVERIFY(QFile(folder()).open(QIODevice::WriteOnly)); }
    void unblockFolder() const { QVERIFY(QFile::remove(folder())); }
    // "a intent", "a outcome", ...
    QStringList written() const {
        QStringList words;
        const Result<AuditReading> reading = readAudit(folder());
        if (!reading || !reading->faults.empty())
            return {QStringLiteral("damaged")};
        for (const AuditLine& line : reading->lines)
            words += line.record->lock.display() + (line.record->step == AuditStep::Intent ? " intent" : " outcome");
        return words;
    }
    Result<Done> write(const AuditRecord& record) {
        const Completion<Done> answer = m_log->write(record);
        if (!QTest::qWaitFor([&answer] { return answer.isCompleted(); }))
            qFatal("a record was not answered");
        std::optional<Result<Done>> result;
        answer.then([&result](const Result<Done>& done) { result = done; });
        return *result;
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    test::ManualClock m_clock;
    std::unique_ptr<AuditLog> m_log;

    const AuditRecord m_intent = test::intentOf("a");
    const AuditRecord m_outcome = test::outcomeOf(m_intent, AuditOutcome::Done);
    const AuditRecord m_other = test::intentOf("b");

private Q_SLOTS:
    void init() {
        m_directory = std::make_unique<QTemporaryDir>();
        m_log = std::make_unique<AuditLog>(folder(), m_clock);
    }
    void cleanup() { m_log.reset(); }

    void aRecordIsOnTheDiskWhenItIsAnswered() {
        QVERIFY(write(m_intent).ok());
        QCOMPARE(written(), QStringList{QStringLiteral("a intent")});
    }

    void aRecordIsReportedWithItsLineBeforeItIsAnswered() {
        std::vector<WrittenAuditLine> lines;
        connect(m_log.get(), &AuditLog::written, this,
                [&lines](const WrittenAuditLine& line) { lines.push_back(line); });
        const Completion<Done> answer = m_log->write(m_intent);
        answer.then([&lines](const Result<Done>&) { QCOMPARE(lines.size(), size_t{1}); });
        QTRY_VERIFY(answer.isCompleted());
        QVERIFY(write(m_outcome).ok());
        QCOMPARE(lines.size(), size_t{2});
        const std::vector<AuditLine> onDisk = readAudit(folder())->lines;
        QCOMPARE(lines.back().bytes, onDisk.back().bytes);
        QCOMPARE(lines.back().record.user, onDisk.back().record->user);
        QCOMPARE(lines.back().begin, lines.front().end);
        QCOMPARE(lines.back().end, QFileInfo(folder() + u'/' + lines.back().file).size());
    }

    void anOutcomeThatIsWrittenLaterIsReportedThen() {
        QStringList locks;
        connect(m_log.get(), &AuditLog::written, this,
                [&locks](const WrittenAuditLine& line) { locks << line.record.lock.display(); });
        blockFolder();
        QCOMPARE(write(m_outcome).error().code, ErrorCode::Storage);
        QVERIFY(locks.isEmpty());
        unblockFolder();
        QVERIFY(write(m_other).ok());
        QCOMPARE(locks, (QStringList{QStringLiteral("a"), QStringLiteral("b")}));
    }

    void theUserAndTheHostAreThoseOfTheSystem() {
        QVERIFY(write(m_intent).ok());
        const AuditRecord record = *readAudit(folder())->lines.front().record;
        QVERIFY(!record.user.isEmpty());
        QVERIFY(record.user != m_intent.user);
        QCOMPARE(record.host, QSysInfo::machineHostName());
    }

    void recordsAreWrittenInTheOrderOfTheCalls() {
        for (int i = 0; i < 20; ++i)
            (void)m_log->write(test::intentOf(QByteArray::number(i)));
        QVERIFY(write(m_intent).ok());
        QStringList expected;
        for (int i = 0; i < 20; ++i)
            expected += QStringLiteral("%1 intent").arg(i);
        QCOMPARE(written(), expected << QStringLiteral("a intent"));
    }

    void itsEndWritesWhatWaits() {
        for (int i = 0; i < 20; ++i)
            (void)m_log->write(test::intentOf(QByteArray::number(i)));
        m_log.reset();
        QCOMPARE(written().size(), 20);
    }

    void anIntentThatCannotBeWrittenIsForgotten() {
        blockFolder();
        QCOMPARE(write(m_intent).error().code, ErrorCode::Storage);
        unblockFolder();
        QVERIFY(write(m_other).ok());
        QCOMPARE(written(), QStringList{QStringLiteral("b intent")});
    }

    void anOutcomeThatCannotBeWrittenComesLaterAndBeforeAllOthers() {
        blockFolder();
        QCOMPARE(write(m_outcome).error().code, ErrorCode::Storage);
        QCOMPARE(write(m_other).error().code, ErrorCode::Storage);
        unblockFolder();
        QVERIFY(write(m_other).ok());
        QCOMPARE(written(), (QStringList{QStringLiteral("a outcome"), QStringLiteral("b intent")}));
    }

    void anOutcomeIsTriedAgainByItself() {
        blockFolder();
        QCOMPARE(write(m_outcome).error().code, ErrorCode::Storage);
        m_clock.advance(10s);
        QTRY_VERIFY(m_clock.hasTimers());  // the write was tried, and refused again
        unblockFolder();
        m_clock.advance(10s);
        QTRY_COMPARE(written(), QStringList{QStringLiteral("a outcome")});
    }

    void itsEndTriesALateOutcomeAgain() {
        blockFolder();
        QCOMPARE(write(m_outcome).error().code, ErrorCode::Storage);
        unblockFolder();
        m_log.reset();
        QCOMPARE(written(), QStringList{QStringLiteral("a outcome")});
    }

    void itsEndSaysThatAnOutcomeIsMissing() {
        blockFolder();
        QCOMPARE(write(m_outcome).error().code, ErrorCode::Storage);
        QTest::ignoreMessage(QtWarningMsg, QRegularExpression(QStringLiteral("an outcome is missing in the audit")));
        m_log.reset();
    }
};

LOCKKEEPER_TEST(TestAuditLog, Guiless)

}  // namespace tst_auditlog

#include "tst_auditlog.moc"
