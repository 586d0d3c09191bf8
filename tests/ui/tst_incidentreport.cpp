// SPDX-License-Identifier: Apache-2.0
#include "support/auditsample.h"
#include "support/guitestprogram.h"
#include "support/sampledump.h"
#include "support/samplelocks.h"
#include "ui/events/audit/auditentry.h"
#include "ui/events/export/incidentreport.h"
#include "ui/events/export/markdown.h"
#include "ui/words/clockzone.h"
#include "ui/words/utctext.h"

#include <QRegularExpression>
#include <QScopeGuard>
#include <QTest>

namespace tst_incidentreport {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestIncidentReport : public QObject {
    Q_OBJECT

private:
    Incident incident(const monitor::LockRow& row) const {
        Incident incident;
        incident.lock = row;
        incident.server = QStringLiteral("redis://10.0.0.1:6379/0");
        incident.label = {QStringLiteral("orders db"), profile::Environment::Production, {}};
        incident.at = m_clock.wallNow();
        incident.moment = m_clock.now();
        return incident;
    }

    ManualClock m_clock;

private Q_SLOTS:
    void initTestCase() { qputenv("TZ", "Asia/Kathmandu"); }  // 5 h 45 min ahead

    // ---- text that is not ours ----

    void textIsNoMarkup_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("markdown");
        const auto row = [](const char* name) -> QTestData& { return QTest::newRow(name); };
        row("plain") << QStringLiteral("orders-a:33 at 14:02") << QStringLiteral("orders-a:33 at 14:02");
        row("emphasis") << QStringLiteral("*a* _b_") << QStringLiteral("\\*a\\* \\_b\\_");
        row("a link") << QStringLiteral("[x](y)") << QStringLiteral("\\[x\\]\\(y\\)");
        row("HTML") << QStringLiteral("<img src=x>") << QStringLiteral("\\<img src=x\\>");
        row("an address") << QStringLiteral("http://x www.y") << QStringLiteral("http\\://x www\\.y");
        row("a heading on a line of its own") << QStringLiteral("a\n# b") << QStringLiteral("a \\# b");
        row("a list") << QStringLiteral("- a") << QStringLiteral("\\- a");
        row("a table") << QStringLiteral("a|b") << QStringLiteral("a\\|b");
        row("code") << QStringLiteral("`a`") << QStringLiteral("\\`a\\`");
        row("a mention") << QStringLiteral("@all") << QStringLiteral("\\@all");
    }
    void textIsNoMarkup() {
        QFETCH(const QString, text);
        QTEST(markdownText(text), "markdown");
    }

    void codeCannotBeEndedByWhatIsInIt_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("markdown");
        QTest::newRow("plain") << QStringLiteral("a*b") << QStringLiteral("`a*b`");
        QTest::newRow("a backtick") << QStringLiteral("a`b") << QStringLiteral("``a`b``");
        QTest::newRow("backticks at the edge") << QStringLiteral("``a") << QStringLiteral("``` ``a ```");
        QTest::newRow("two lines") << QStringLiteral("a\nb") << QStringLiteral("`a b`");
    }
    void codeCannotBeEndedByWhatIsInIt() {
        QFETCH(const QString, text);
        QTEST(markdownCode(text), "markdown");
    }

    void aBlockCannotBeEndedByALine() {
        QCOMPARE(markdownBlock({QStringLiteral("a"), QStringLiteral("```b")}),
                 QStringLiteral("````text\na\n```b\n````\n"));
    }

    // ---- the report ----

    void saysWhatSomebodyElseNeeds_data() {
        QTest::addColumn<QString>("line");
        const auto row = [](const char* name, const QString& line) { QTest::newRow(name) << line; };
        row("lock", QStringLiteral("# Lock `orders:{42}`"));
        row("server", QStringLiteral("- **Server:** `redis://10.0.0.1:6379/0`"));
        row("connection", QStringLiteral("- **Connection:** orders db"));
        row("environment", QStringLiteral("- **Environment:** Production"));
        row("zone", QStringLiteral("- **Times:** UTC"));
        row("moment", QStringLiteral("- **As of:** %1").arg(utcText(m_clock.wallNow() + 5s)));
        row("since", QStringLiteral("- **Held since:** %1 (for 5 s)").arg(utcText(m_clock.wallNow())));
        row("TTL", QStringLiteral("- **TTL:** 7 s left, of 12 s at most seen"));
        row("holder", QStringLiteral(
                          "- `orders-a (%1:33)`, exclusive, count 1; host `10.0.0.7:53422`, confirmed by MONITOR at %2")
                          .arg(QString::fromLatin1(clientA), utcText(m_clock.wallNow())));
        row("waiters", QStringLiteral("Clients that wait: 3"));
        row("diagnosis", QStringLiteral("- **Watchdog stopped \\(likely\\).** Renewed 7 times to 30 s"));
        row("advice", QStringLiteral("  - Check whether the holder's process is alive"));
        row("event", QStringLiteral("%1  Acquired  orders-a (%2:33)  count 1, lease 12 s")
                         .arg(utcText(m_clock.wallNow()), QString::fromLatin1(clientA)));
        row("picture", QStringLiteral("![Timeline](<report.png>)"));
    }
    void saysWhatSomebodyElseNeeds() {
        QFETCH(const QString, line);
        ManualClock clock;
        monitor::LockRow held = diagnosedRow(clock, lockName("orders:{42}"), {watchdogStopped(clock)});
        held.lock.waiters = 3;
        Incident report = incident(held);
        report.events = {eventOf(clock, monitor::EventType::Acquired, held)};
        report.events[0].holder = held.lock.holders.front();
        report.knowledge.aliases.set(ClientId(clientA), QStringLiteral("orders-a"));
        report.knowledge.identities.insert(
            ClientId(clientA),
            {ClientId(clientA), monitor::IdentityBasis::Monitor, "10.0.0.7:53422", {}, {}, clock.wallNow(), {}});
        report.at = clock.wallNow() + 5s;
        report.moment = clock.now() + 5s;
        const QString text = incidentReport(report, QStringLiteral("report.png"));
        QVERIFY2(text.contains(line), qPrintable(text));
    }

    // Its reader may be in another zone, and may not know the writer's.
    void everyTimeIsUtcWhateverZoneIsShown_data() {
        QTest::addColumn<ClockZone>("zone");
        QTest::newRow("local") << ClockZone::Local;
        QTest::newRow("UTC") << ClockZone::Utc;
    }
    void everyTimeIsUtcWhateverZoneIsShown() {
        QFETCH(const ClockZone, zone);
        setClockZone(zone);
        const QScopeGuard back([] { setClockZone(ClockZone::Local); });
        monitor::LockRow held = diagnosedRow(m_clock, lockName("L"), {watchdogStopped(m_clock)});
        Incident report = incident(held);
        report.events = {eventOf(m_clock, monitor::EventType::Acquired, held)};
        const QString text = incidentReport(report);
        const auto evidence = std::get<monitor::WatchdogStopped>(watchdogStopped(m_clock).evidence);
        for (const WallTime at : {evidence.lastRenewal, evidence.endsAt})
            QVERIFY2(text.contains(utcText(at)), qPrintable(text));
        static const QRegularExpression time(QStringLiteral("\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(.)"));
        for (auto found = time.globalMatch(text + u' '); found.hasNext();)
            QVERIFY2(found.next().captured(2) == QStringLiteral("Z"), qPrintable(text));
        QVERIFY2(!text.contains(QStringLiteral("local")), qPrintable(text));
    }

    void aForceNamesItsOperator() {
        const monitor::LockRow held = heldRow(m_clock, lockName("L"), 30s);
        Incident report = incident(held);
        report.events = {eventOf(m_clock, monitor::EventType::Forced, held)};
        QVERIFY(incidentReport(report).contains(QStringLiteral("broken by this console")));
        const control::AuditRecord intent = intentOf("L");
        report.events[0].doneBy = std::make_shared<const AuditEntry>(
            AuditEntry{intent, test::outcomeOf(intent, control::AuditOutcome::Done), {}});
        const QString text = incidentReport(report);
        QVERIFY2(text.contains(QStringLiteral("by ann@bastion")), qPrintable(text));
        QVERIFY2(!text.contains(QStringLiteral("broken by this console")), qPrintable(text));
    }

    void whatIsNotKnownIsSaid() {
        monitor::LockRow held = heldRow(m_clock, lockName("L"), 30s);
        held.lock.waiters.reset();
        Incident report = incident(held);
        report.isLive = false;
        const QString text = incidentReport(report);
        for (const char* part : {"; host not known", "## Waiters\n\nNot known", "## Diagnoses\n\nNone",
                                 ", when the server answered last", "## Last events\n\nNone"})
            QVERIFY2(text.contains(QLatin1String(part)), part);
        QVERIFY(!text.contains(QStringLiteral("![")));
    }

    void aNameCannotAddALine() {
        const QString text = incidentReport(incident(heldRow(m_clock, lockName("a`\n# Lock free"), 30s)));
        QVERIFY2(!text.contains(QStringLiteral("\n# Lock free")), qPrintable(text));
    }

    void aFreeLockHasNoHolder() {
        const QString text = incidentReport(incident(freeRow(m_clock, lockName("L"))));
        QVERIFY(text.contains(QStringLiteral("- **State:** Free\n")));
        QVERIFY(!text.contains(QStringLiteral("## Holder")));
    }

    // After a force the receiver of a report asks who held the lock.
    void theLastHoldOfAFreeLockIsInIt_data() {
        QTest::addColumn<QString>("line");
        const auto row = [](const char* name, const QString& line) { QTest::newRow(name) << line; };
        row("state", QStringLiteral("- **State:** Free\n"));
        row("title", QStringLiteral("## The last hold\n"));
        row("zone", QStringLiteral("- **Times:** UTC"));
        row("moment", QStringLiteral("- **As read last at:** %1\n").arg(utcText(m_clock.wallNow())));
        row("since", QStringLiteral("- **Held since:** %1 (for 0 ms)").arg(utcText(m_clock.wallNow())));
        row("TTL", QStringLiteral("- **TTL:** 12 s left"));
        row("holder", QStringLiteral("- `%1:33`, exclusive, count 1").arg(QString::fromLatin1(clientA)));
        row("diagnosis", QStringLiteral("- **Watchdog stopped \\(likely\\).**"));
    }
    void theLastHoldOfAFreeLockIsInIt() {
        QFETCH(const QString, line);
        ManualClock clock;
        Incident report = incident(freeRow(clock, lockName("L")));
        report.lastHeld = diagnosedRow(clock, lockName("L"), {watchdogStopped(clock)});
        clock.advance(1min);
        report.moment = clock.now();
        const QString text = incidentReport(report);
        QVERIFY2(text.contains(line), qPrintable(text));
        report.lock = heldRow(clock, lockName("L"), 30s, holder(clientB, 1));
        QVERIFY(!incidentReport(report).contains(QStringLiteral("## The last hold")));
    }

    void theThreadOfTheHolderIsInItWithItsFrames() {
        monitor::LockRow held = heldRow(m_clock, lockName("L"), 30s);
        held.threads = QList<monitor::ThreadVerdict>{verdictOf(held.lock.holders.first().id, m_clock.wallNow())};
        const QString text = incidentReport(incident(held));
        for (const char* part :
             {"## Threads\n", "sleeps, in com.example.Jobs.report", "\ncom.example.Jobs.report (Jobs.java:7)\n"})
            QVERIFY2(text.contains(QString::fromLatin1(part)), qPrintable(text));
    }

    void timesAreUtc() { QCOMPARE(utcText(WallTime(1767225600123ms)), QStringLiteral("2026-01-01 00:00:00.123Z")); }
};

LOCKKEEPER_TEST(TestIncidentReport, Gui)

}  // namespace tst_incidentreport

#include "tst_incidentreport.moc"
