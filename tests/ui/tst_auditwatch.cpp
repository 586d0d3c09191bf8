// SPDX-License-Identifier: Apache-2.0
#include "control/audit/auditfile.h"
#include "support/auditsample.h"
#include "support/fakeengine.h"
#include "support/guitestprogram.h"
#include "support/manualclock.h"
#include "ui/events/audit/auditwatch.h"

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

namespace tst_auditwatch {

using namespace lockkeeper;
using namespace lockkeeper::ui;
using control::AuditOutcome;
using control::AuditRecord;
using control::WrittenAuditLine;

// What operators did to the locks of one server: lines of this program by value, those of others from their files.
class TestAuditWatch : public QObject {
    Q_OBJECT

private:
    QString folder() const { return m_directory->filePath(QStringLiteral("audit")); }
    // Another program writes the line.
    WrittenAuditLine written(const AuditRecord& record) const {
        return control::AuditFile(folder()).append(record).value();
    }
    // This program has written the line; the reason shows that it is not the one of the file.
    void report(WrittenAuditLine line) const {
        line.record.reason = QStringLiteral("by value");
        Q_EMIT m_engine->auditWritten(line);
    }
    // Begins to watch, with or without waiting until the files are read.
    void begin() const {
        m_watch->setFolder(folder());
        m_watch->setServer(m_first.place.server);
    }
    void watch() const {
        QSignalSpy changed(m_watch.get(), &AuditWatch::changed);
        begin();
        QTRY_COMPARE(changed.count(), 2);  // another server, and what its audit has
    }
    // Whether a change of the files was noticed, and everything that follows is done.
    [[nodiscard]] bool hasFollowedTheFiles() const {
        const auto* pause = m_watch->findChild<QTimer*>();
        if (!QTest::qWaitFor([pause] { return pause->isActive(); }) ||
            !QTest::qWaitFor([pause] { return !pause->isActive(); }))
            return false;
        const QFuture<int> after = m_engine->files().run<int>([] { return 0; });
        return QTest::qWaitFor([&after] { return after.isFinished(); });
    }
    QStringList reasons() const {
        QStringList reasons;
        for (const AuditEntry& entry : m_watch->entries())
            reasons << entry.record.reason;
        return reasons;
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<test::FakeEngine> m_engine;
    test::ManualClock m_clock;
    std::unique_ptr<AuditWatch> m_watch;
    const AuditRecord m_first = test::intentOf("a");
    const AuditRecord m_second = test::intentOf("b");

private Q_SLOTS:
    void init() {
        m_directory = std::make_unique<QTemporaryDir>();
        m_engine = std::make_unique<test::FakeEngine>();
        m_watch = std::make_unique<AuditWatch>(*m_engine, m_clock);
    }
    void cleanup() {
        m_watch.reset();
        m_engine.reset();
    }

    void anOwnLineIsShownWithoutItsFile() {
        watch();
        const QSignalSpy changed(m_watch.get(), &AuditWatch::changed);
        report({m_first, "line", QStringLiteral("2026-11.jsonl"), 0, 5});
        QCOMPARE(reasons(), QStringList{QStringLiteral("by value")});
        QCOMPARE(changed.count(), 1);
    }

    void anOutcomeBelongsToItsIntent() {
        watch();
        report({m_first, "intent", QStringLiteral("2026-11.jsonl"), 0, 7});
        report({test::outcomeOf(m_first, AuditOutcome::Done), "outcome", QStringLiteral("2026-11.jsonl"), 7, 15});
        QCOMPARE(m_watch->entries().size(), size_t{1});
        QCOMPARE(ui::outcomeOf(m_watch->entries().front()), AuditOutcome::Done);
        QCOMPARE(m_watch->entries().front().lines, (QList<QByteArray>{"intent", "outcome"}));
    }

    void aLineOfAnotherServerIsNotShown() {
        watch();
        AuditRecord elsewhere = m_second;
        elsewhere.place.server = QStringLiteral("other.example:6379/0");
        report({elsewhere, "line", QStringLiteral("2026-11.jsonl"), 0, 5});
        report({m_first, "line", QStringLiteral("2026-11.jsonl"), 5, 10});
        QCOMPARE(m_watch->entries().size(), size_t{1});
        QCOMPARE(m_watch->entries().front().record.lock, m_first.lock);
    }

    // Its file changes, too, but it has nothing new: otherwise the line would be the one of the file.
    void anOwnLineIsNotReadFromItsFile() {
        QVERIFY(QDir().mkpath(folder()));
        watch();
        report(written(m_first));
        report(written(m_second));
        QVERIFY(hasFollowedTheFiles());
        QCOMPARE(reasons(), (QStringList{QStringLiteral("by value"), QStringLiteral("by value")}));
    }

    void aLineOfAnotherProgramIsReadAfterOwnOnes() {
        QVERIFY(QDir().mkpath(folder()));
        watch();
        report(written(m_first));
        QCOMPARE(reasons(), QStringList{QStringLiteral("by value")});
        (void)written(m_second);
        QTRY_COMPARE(reasons(), (QStringList{m_second.reason, m_first.reason}));
    }

    // The line is on the disk some time before it is reported.
    void anOwnLineThatWasReadFromItsFileBeforeIsThereOnce() {
        QVERIFY(QDir().mkpath(folder()));
        watch();
        const WrittenAuditLine line = written(m_first);
        QTRY_COMPARE(reasons(), QStringList{m_first.reason});
        report(line);
        QCOMPARE(reasons(), QStringList{m_first.reason});
    }

    // The reading may have it or not: it is there once.
    void anOwnLineThatComesWhileTheFilesAreReadIsThereOnce() {
        const WrittenAuditLine before = written(m_first);
        begin();
        report(before);
        report(written(m_second));
        QTRY_COMPARE(m_watch->entries().size(), size_t{2});
    }
};

LOCKKEEPER_TEST(TestAuditWatch, Guiless)

}  // namespace tst_auditwatch

#include "tst_auditwatch.moc"
