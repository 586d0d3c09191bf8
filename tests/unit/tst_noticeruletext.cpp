// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/notice/noticeruletext.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_noticeruletext {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace std::chrono_literals;

class TestNoticeRuleText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachWordIsTaken() {
        const Result<NoticeRules> rules = noticeRulesFrom(QStringLiteral(
            "  held=300 ttl=0.5 waiters=5 lost diagnosis=deadlock,watchdog_stopped certainty=likely match=orders/* "
            "match=job?x "));
        QVERIFY(rules.ok());
        QCOMPARE(rules->heldLonger, std::optional<Milliseconds>(300s));
        QCOMPARE(rules->ttlUnder, std::optional<Milliseconds>(500ms));
        QCOMPARE(rules->waitersAtLeast, std::optional<qint64>(5));
        QVERIFY(rules->lost);
        QCOMPARE(rules->diagnoses, (QList<DiagnosisKind>{DiagnosisKind::Deadlock, DiagnosisKind::WatchdogStopped}));
        QCOMPARE(rules->leastCertain, Certainty::Likely);
        QCOMPARE(rules->names, (QList<QByteArray>{"orders/*", "job?x"}));
    }

    // What the window exports is read as the same rules.
    void theTextOfRulesIsReadAsThese() {
        NoticeRules rules;
        rules.heldLonger = 1500ms;
        rules.ttlUnder = 10s;
        rules.diagnoses = noticeableDiagnoses();
        rules.names = {"orders/{42}", "\xe4\xbd\xa0*"};
        rules.waitersAtLeast = 100'000;
        rules.lost = true;
        rules.leastCertain = Certainty::Certain;
        const Result<NoticeRules> read = noticeRulesFrom(ruleText(rules));
        QVERIFY(read.ok());
        QCOMPARE(*read == rules, true);
        QCOMPARE(ruleText(NoticeRules()), QString());
        NoticeRules onlyNames;
        onlyNames.names = {"a"};
        QCOMPARE(ruleText(onlyNames), QString());
    }

    void anyIsEachFault() {
        const Result<NoticeRules> rules = noticeRulesFrom(QStringLiteral("diagnosis=any"));
        QVERIFY(rules.ok());
        QVERIFY(rules->diagnoses.contains(DiagnosisKind::Deadlock));
        QVERIFY(!rules->diagnoses.contains(DiagnosisKind::FixedLease));  // information
        QVERIFY(!rules->diagnoses.contains(DiagnosisKind::UnlockFromOtherThread));
    }

    void badRules_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<NoticeRuleCause>("cause");
        const auto row = [](const char* text, NoticeRuleCause cause) {
            QTest::newRow(text) << QString::fromUtf8(text) << cause;
        };
        row("", NoticeRuleCause::NothingWanted);
        row("match=a", NoticeRuleCause::NothingWanted);
        row("certainty=likely", NoticeRuleCause::NothingWanted);
        row("held", NoticeRuleCause::UnknownWord);
        row("lost=1", NoticeRuleCause::UnknownWord);
        row("held=", NoticeRuleCause::NoSeconds);
        row("held=0", NoticeRuleCause::NoSeconds);
        row("held=-1", NoticeRuleCause::NoSeconds);
        row("held=nan", NoticeRuleCause::NoSeconds);
        row("held=1e300", NoticeRuleCause::NoSeconds);
        row("ttl=5m", NoticeRuleCause::NoSeconds);
        row("waiters=0", NoticeRuleCause::NoCount);
        row("waiters=1.5", NoticeRuleCause::NoCount);
        row("diagnosis=", NoticeRuleCause::UnknownDiagnosis);
        row("diagnosis=deadlock,", NoticeRuleCause::UnknownDiagnosis);
        row("diagnosis=Deadlock", NoticeRuleCause::UnknownDiagnosis);
        row("diagnosis=unlock_from_other_thread", NoticeRuleCause::UnknownDiagnosis);  // is not found by watching
        row("lost certainty=sure", NoticeRuleCause::UnknownCertainty);
        row("lost match=", NoticeRuleCause::NoPattern);
    }
    void badRules() {
        QFETCH(const QString, text);
        QFETCH(const NoticeRuleCause, cause);
        const Result<NoticeRules> rules = noticeRulesFrom(text);
        QVERIFY(!rules.ok());
        QVERIFY(rules.error().cause == cause);
        QVERIFY(!rules.error().text.isEmpty());
    }
};

LOCKKEEPER_TEST(TestNoticeRuleText, Appless)

}  // namespace tst_noticeruletext

#include "tst_noticeruletext.moc"
