// SPDX-License-Identifier: Apache-2.0
#include "support/auditsample.h"
#include "support/testprogram.h"
#include "ui/events/audit/auditentry.h"
#include "ui/events/audit/auditmodel.h"

#include <QTest>

namespace tst_auditentry {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using control::AuditLine;
using control::AuditOutcome;
using control::AuditRecord;

namespace {

AuditLine lineOf(const AuditRecord& record) {
    AuditLine line;
    line.bytes = record.id.toUtf8() + (record.step == control::AuditStep::Intent ? " intent" : " outcome");
    line.record = record;
    return line;
}

}  // namespace

class TestAuditEntry : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anIntentAndItsOutcomeAreOneAction() {
        const AuditRecord first = intentOf("orders");
        const AuditRecord second = intentOf("catalog", QStringLiteral("2026-11-23T12:00:01.000Z"));
        const std::vector<AuditEntry> entries =
            auditEntries({lineOf(first), lineOf(second), lineOf(test::outcomeOf(first, AuditOutcome::Done))});
        QCOMPARE(entries.size(), 2U);
        QCOMPARE(entries[0].record.lock.bytes(), QByteArray("catalog"));  // the newest first
        QCOMPARE(entries[1].record.reason, first.reason);
        QCOMPARE(ui::outcomeOf(entries[1]), AuditOutcome::Done);
        QCOMPARE(entries[1].lines, QList<QByteArray>({"of orders intent", "of orders outcome"}));
    }

    void theLastOutcomeOfAnActionCounts() {
        const AuditRecord intent = intentOf("orders");
        const std::vector<AuditEntry> entries =
            auditEntries({lineOf(intent), lineOf(test::outcomeOf(intent, AuditOutcome::Unknown)),
                          lineOf(test::outcomeOf(intent, AuditOutcome::TakenBack))});
        QCOMPARE(entries.size(), 1U);
        QCOMPARE(ui::outcomeOf(entries[0]), AuditOutcome::TakenBack);
        QCOMPARE(entries[0].lines.size(), 3);
    }

    // The reason why an outcome was unknown is still needed when the outcome is known.
    void theErrorOfTheFirstOutcomeStays() {
        const AuditRecord intent = intentOf("orders");
        AuditRecord unknown = test::outcomeOf(intent, AuditOutcome::Unknown);
        unknown.error = QStringLiteral("no answer in time");
        const std::vector<AuditEntry> entries =
            auditEntries({lineOf(intent), lineOf(unknown), lineOf(test::outcomeOf(intent, AuditOutcome::TakenBack))});
        QCOMPARE(ui::outcomeOf(entries[0]), AuditOutcome::TakenBack);
        QCOMPARE(entries[0].outcome->error, QStringLiteral("no answer in time"));
    }

    void outcomesWhoseIntentIsOlderAreOneAction() {
        const AuditRecord intent = intentOf("orders");
        const std::vector<AuditEntry> entries =
            auditEntries({lineOf(test::outcomeOf(intent, AuditOutcome::Unknown)),
                          lineOf(test::outcomeOf(intent, AuditOutcome::TakenBack))});
        QCOMPARE(entries.size(), 1U);
        QCOMPARE(ui::outcomeOf(entries[0]), AuditOutcome::TakenBack);
    }

    // The program was killed between the intent and the outcome.
    void anIntentWithoutAnOutcomeIsUnknown() {
        const std::vector<AuditEntry> entries = auditEntries({lineOf(intentOf("orders"))});
        QVERIFY(!entries[0].outcome);
        QCOMPARE(ui::outcomeOf(entries[0]), AuditOutcome::Unknown);
    }

    // The outcome is of a release, or its intent is older than what was read.
    void anOutcomeAloneIsAnAction() {
        const std::vector<AuditEntry> entries =
            auditEntries({lineOf(test::outcomeOf(intentOf("orders"), AuditOutcome::Failed))});
        QCOMPARE(entries.size(), 1U);
        QCOMPARE(ui::outcomeOf(entries[0]), AuditOutcome::Failed);
    }

    void aLineThatIsTornIsLeftOut() {
        AuditLine torn;
        torn.standing = AuditLine::Standing::Torn;
        QVERIFY(auditEntries({torn}).empty());
    }

    void aLossHasNoOutcome() {
        AuditRecord lost = test::outcomeOf(intentOf("orders"), AuditOutcome::Done);
        lost.action = control::AuditAction::Lost;
        lost.error = QStringLiteral("the lease ran out");
        const std::vector<AuditEntry> entries = auditEntries({lineOf(lost)});
        QCOMPARE(entryText(entries[0], {}), QStringLiteral("The console of ann@bastion lost it: the lease ran out"));
        QVERIFY(passes(entries[0], {}, lost.at));
        AuditChoice done;
        done.outcome = AuditOutcome::Done;
        QVERIFY(!passes(entries[0], done, lost.at));
        AuditModel model;
        model.setEntries(entries);
        QCOMPARE(model.index(0, AuditModel::Action).data().toString(), QStringLiteral("lost"));
        QCOMPARE(model.index(0, AuditModel::Outcome).data().toString(), QString());
    }

    void isChosen_data() {
        QTest::addColumn<QString>("words");
        QTest::addColumn<std::optional<AuditOutcome>>("outcome");
        QTest::addColumn<AuditSpan>("span");
        QTest::addColumn<bool>("isShown");
        const auto row = [](const char* name, const char* words, std::optional<AuditOutcome> outcome, AuditSpan span,
                            bool isShown) {
            QTest::newRow(name) << QString::fromLatin1(words) << outcome << span << isShown;
        };
        row("everything", "", std::nullopt, AuditSpan::All, true);
        row("by lock", "orders", std::nullopt, AuditSpan::All, true);
        row("by another lock", "catalog", std::nullopt, AuditSpan::All, false);
        row("by operator", "ANN@bast", std::nullopt, AuditSpan::All, true);
        row("by reason and server", "1234 cache.example", std::nullopt, AuditSpan::All, true);
        row("one word is missing", "orders bob", std::nullopt, AuditSpan::All, false);
        row("by outcome", "", AuditOutcome::Done, AuditSpan::All, true);
        row("by another outcome", "", AuditOutcome::Unknown, AuditSpan::All, false);
        row("of the day", "", std::nullopt, AuditSpan::Day, false);
        row("of the week", "", std::nullopt, AuditSpan::Week, true);
    }
    void isChosen() {
        QFETCH(const QString, words);
        QFETCH(const std::optional<AuditOutcome>, outcome);
        QFETCH(const AuditSpan, span);
        const AuditRecord intent = intentOf("orders");
        const AuditEntry entry{intent, test::outcomeOf(intent, AuditOutcome::Done), {}};
        QTEST(passes(entry, {words, outcome, span}, intent.at + std::chrono::hours(30)), "isShown");
    }
};

LOCKKEEPER_TEST(TestAuditEntry, Guiless)

}  // namespace tst_auditentry

#include "tst_auditentry.moc"
