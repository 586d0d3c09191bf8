// SPDX-License-Identifier: Apache-2.0
#include "control/audit/auditjson.h"
#include "control/audit/readaudit.h"
#include "history/eventstore.h"
#include "profile/profilestore.h"
#include "recording/labreports.h"
#include "recording/replay.h"
#include "support/guitestprogram.h"
#include "support/places.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/connections/discoverydefaults.h"
#include "ui/locks/filter/savedfilters.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/timeline/timelineoptions.h"
#include "ui/window/notices/noticesettings.h"
#include "ui/window/settings/appearance.h"
#include "ui/window/settings/retentioncontroller.h"
#include "ui/words/holderaliases.h"

#include <QCheckBox>
#include <QDir>
#include <QHeaderView>
#include <QTableView>
#include <QTest>

namespace tst_filesof01 {

using namespace lockkeeper;
using namespace std::chrono_literals;

namespace {

QString fileOf01(const QString& name) {
    return test::places::data() + QStringLiteral("/0.1/") + name;
}

// How often each event is among them.
template <typename Events>
QMap<QString, int> countsOf(const Events& events) {
    QMap<QString, int> counts;
    for (const monitor::LockEvent& event : events)
        ++counts[monitor::wordFor(event.type)];
    return counts;
}

const profile::ProfileId here(QStringLiteral("aaaaaaaa-0000-4000-8000-000000000004"));
const ClientId clientA("11111111-1111-4111-8111-111111111111");
const ClientId clientB("22222222-2222-4222-8222-222222222222");

}  // namespace

// Files as version 0.1 wrote them: every later version opens them. See tests/data/0.1/README.md.
class TestFilesOf01 : public test::WindowTest {
    Q_OBJECT

private:
    // A file that may be written.
    QString copyOf(const QString& name) const {
        const QString path = m_directory->filePath(QFileInfo(name).fileName());
        QFile::remove(path);
        if (!QFile::copy(fileOf01(name), path) || !QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner))
            qFatal("no copy of %s", qPrintable(name));
        return path;
    }

private Q_SLOTS:
    void init() {
        begin();
        m_settings = std::make_unique<QSettings>(copyOf(QStringLiteral("settings.conf")), QSettings::IniFormat);
    }
    void cleanup() {
        m_settings->clear();
        restart();  // restores font, theme and clock
        end();
    }

    // ---- settings ----

    void theTableIsArrangedAsItWas() {
        using ui::LockTableModel;
        makeWindow();
        m_engine->report(test::connected());
        const auto& table = find<QTableView>("lockTable");
        const QHeaderView& header = *table.horizontalHeader();
        QVERIFY(header.visualIndex(LockTableModel::State) < header.visualIndex(LockTableModel::Ttl));
        QVERIFY(header.visualIndex(LockTableModel::Ttl) < header.visualIndex(LockTableModel::Name));
        QVERIFY(header.visualIndex(LockTableModel::Name) < header.visualIndex(LockTableModel::HolderColumn));
        QList<int> shown;
        for (int visual = 0; visual < header.count(); ++visual) {
            if (!table.isColumnHidden(header.logicalIndex(visual)))
                shown << header.logicalIndex(visual);
        }
        QCOMPARE(shown, (QList<int>{LockTableModel::State, LockTableModel::Ttl, LockTableModel::Name,
                                    LockTableModel::Kind, LockTableModel::HolderColumn, LockTableModel::Waiters}));
        QVERIFY(!find<QCheckBox>("showFreeLocks").isChecked());
    }

    void theWindowLooksAsItDid() {
        makeWindow();
        const ui::Appearance appearance(*m_settings);
        QVERIFY(appearance.theme() == ui::Theme::Dark);
        QCOMPARE(appearance.fontSize(), 11);
        QVERIFY(ui::Appearance::zone() == ui::ClockZone::Utc);
        QVERIFY(QApplication::palette().color(QPalette::Window).lightness() < 100);
        const ui::TimelineOptions timeline = ui::TimelineOptions::load(*m_settings);
        QCOMPARE(timeline.laneHeight, ui::TimelineOptions::LaneHeight::High);
        QCOMPARE(timeline.order, ui::PresentLanes::Order::Lasting);
        QCOMPARE(timeline.count, 40);
        QCOMPARE(timeline.span, 120s);
    }

    void aliasesFiltersAndRulesAreThere() {
        const ui::HolderAliases aliases = ui::HolderAliases::load(*m_settings);
        QCOMPARE(aliases.clients(), (QList<ClientId>{clientA, clientB}));
        QCOMPARE(aliases.of(clientA), QStringLiteral("orders-a"));
        QCOMPARE(aliases.of(clientB), QStringLiteral("Rechnungen München"));
        QCOMPARE(ui::savedFilters(*m_settings),
                 (QList<ui::SavedFilter>{{QStringLiteral("my orders"), QStringLiteral("order: held")},
                                         {QStringLiteral("waited for"), QStringLiteral("waiters:>0")}}));
        const ui::NoticeSettings notices = ui::NoticeSettings::load(*m_settings);
        QCOMPARE(notices.rules.heldLonger, 90s);
        QCOMPARE(notices.rules.ttlUnder, 2500ms);
        QCOMPARE(notices.rules.names, (QList<QByteArray>{"order:*", "payment:customer:[0-9]*"}));
        QStringList diagnoses;
        for (const monitor::DiagnosisKind kind : notices.rules.diagnoses)
            diagnoses << wordFor(kind);
        diagnoses.sort();
        QCOMPARE(diagnoses, (QStringList{QStringLiteral("deadlock"), QStringLiteral("possible_double_holder"),
                                         QStringLiteral("watchdog_stopped")}));
        QVERIFY(notices.withSound);
        QVERIFY(!notices.onDesktop);
    }

    void limitsAreThere() {
        const history::Retention retention = ui::retentionFrom(*m_settings);
        QCOMPARE(retention.age, 24h * 30);
        QCOMPARE(retention.rows, 250'000);
        const profile::DiscoverySettings discovery = ui::discoveryDefaults(*m_settings);
        QCOMPARE(discovery.serverShare, 12);
        QCOMPARE(discovery.matches, QByteArrayList{"order:*"});
        QCOMPARE(discovery.prefixes, QByteArrayList{"payment:"});
    }

    // ---- profiles ----

    void profilesAreWhole() {
        using namespace profile;
        ProfileStore store(copyOf(QStringLiteral("profiles.json")));
        const Result<QList<StoredProfile>> loaded = store.load();
        QVERIFY2(loaded, loaded ? "" : qPrintable(loaded.error().text));
        QMap<QString, StoredProfile> byName;
        for (const StoredProfile& stored : *loaded)
            byName.insert(stored.label.name, stored);
        QCOMPARE(byName.keys(), (QStringList{QString(), QStringLiteral("Cluster"), QStringLiteral("Here"),
                                             QStringLiteral("Orders"), QStringLiteral("Staging by Sentinel")}));
        const StoredProfile production = byName.value(QStringLiteral("Orders"));
        QCOMPARE(production.profile.id, ProfileId(QStringLiteral("aaaaaaaa-0000-4000-8000-000000000001")));
        QCOMPARE(production.label.environment, Environment::Production);
        QCOMPARE(production.label.color, LabelColor::OfEnvironment);
        QCOMPARE(production.group, QStringLiteral("Shop"));
        QCOMPARE(production.note, QStringLiteral("Call the on-duty phone first.\nZweite Zeile: überprüfen"));
        QCOMPARE(production.secrets, StoredProfile::Secrets::AskedEachTime);
        QCOMPARE(production.profile.writing.user, QByteArray("breaker"));
        QCOMPARE(production.profile.discovery.serverShare, 10);
        QCOMPARE(production.profile.discovery.matches, QByteArrayList{"order:*"});
        QCOMPARE(production.lastUsed, WallTime(1'780'000'000'123ms));
        QCOMPARE(production.profile.urlWithoutPassword(),
                 ConnectionProfile::fromUrl(
                     QStringLiteral("rediss://reader@redis.example:6380/2?tls-min=1.3&share=10&match=order:*"))
                     ->urlWithoutPassword());
        const StoredProfile staging = byName.value(QStringLiteral("Staging by Sentinel"));
        QCOMPARE(staging.label.environment, Environment::Staging);
        QCOMPARE(staging.label.color, LabelColor::Purple);
        QCOMPARE(staging.profile.access, redis::AccessMode::ReadOnly);
        QCOMPARE(byName.value(QStringLiteral("Cluster")).label.color, LabelColor::Teal);
        QVERIFY(byName.value(QStringLiteral("Cluster")).isSaved());
        QVERIFY(!byName.value(QString()).isSaved());
    }

    // ---- history ----

    void theHistoryIsWhole() {
        history::EventStore store(copyOf(QStringLiteral("history.sqlite")));
        QVERIFY(store.open());
        QCOMPARE(store.setAside(), QString());
        const Result<std::vector<monitor::LockEvent>> events = store.newest(here, 1000);
        QVERIFY(events);
        const QMap<QString, int> expected{{"acquired", 18}, {"deleted", 4},   {"diagnosis", 3},     {"expired", 1},
                                          {"found", 2},     {"gone", 1},      {"handed_over", 1},   {"not_watched", 1},
                                          {"reentered", 1}, {"released", 10}, {"released_once", 1}, {"renewed", 6},
                                          {"waiters", 6}};
        QCOMPARE(countsOf(*events), expected);
        const monitor::LockEvent& first = events->front();
        QCOMPARE(first.lock.name, LockName("order:never"));
        QCOMPARE(first.holder->id, HolderId(clientB, ThreadId{7}));
        QVERIFY(first.lock.neverExpires());
        const Result<history::HistoryExcerpt> about = store.read({here, LockName("order:1")});
        QVERIFY(about);
        const QMap<QString, int> ofOne = countsOf(about->events);
        QCOMPARE(ofOne.value(QStringLiteral("reentered")), 1);
        QCOMPARE(ofOne.value(QStringLiteral("released_once")), 1);
    }

    // ---- audit ----

    void theAuditIsWhole() {
        using namespace control;
        const QDir folder(m_directory->filePath(QStringLiteral("audit")));
        QVERIFY(folder.mkpath(QStringLiteral(".")));
        QVERIFY(QFile::copy(fileOf01(QStringLiteral("audit/2026-11.jsonl")),
                            folder.filePath(QStringLiteral("2026-11.jsonl"))));
        const Result<AuditReading> reading = readAudit(folder.path());
        QVERIFY(reading);
        QCOMPARE(reading->lineCount, 12);
        QVERIFY(reading->faults.empty());
        QStringList lines;
        for (const AuditLine& line : reading->lines)
            lines << wordForAction(*line.record) + u' ' + line.record->lock.display();
        const QStringList expected{"force_release force:1",      "force_release force:1",      "set_expiry force:3",
                                   "set_expiry force:3",         "wake_waiters wake:1",        "wake_waiters wake:1",
                                   "release_reader kind:reader", "release_reader kind:reader", "acquire own:lock",
                                   "acquire own:lock",           "release own:lock",           "lost own:lock"};
        QCOMPARE(lines, expected);
        const AuditRecord& intent = *reading->lines.at(2).record;
        QCOMPARE(intent.step, AuditStep::Intent);
        QCOMPARE(intent.reason, QStringLiteral("never ends; überprüft"));
        QCOMPARE(intent.change.time, 40s);
        QVERIFY(intent.state->isHeldBy(HolderId(clientB, ThreadId{1})));
        const AuditRecord& failed = *reading->lines.at(10).record;
        QCOMPARE(failed.outcome, AuditOutcome::Failed);
        QCOMPARE(failed.error, QStringLiteral("NOPERM no permission"));
        QCOMPARE(failed.place.environment, QStringLiteral("production"));
    }

    // ---- recordings ----

    void theRecordingEndsWithItsLocks() {
        using namespace recording;
        const RecordingFile::Opened opened = RecordingFile::open(fileOf01(QStringLiteral("locks.lkrec")));
        QVERIFY(opened.file);
        QCOMPARE(opened.file->info().server, QStringLiteral("127.0.0.1:7399"));
        Replay replay(*opened.file, Replay::Batches::Together);
        while (replay.nextAt())
            (void)replay.feed();
        const monitor::SharedBatch batch = replay.take();
        QCOMPARE(opened.file->end().kind, FileEnd::Kind::Whole);
        QVERIFY(!opened.file->end().hasSkipped);
        const QMap<QString, int> expected{{"acquired", 16},   {"deleted", 1},   {"expired", 1},   {"found", 2},
                                          {"handed_over", 3}, {"reentered", 1}, {"released", 12}, {"released_once", 1},
                                          {"renewed", 6},     {"swept", 14},    {"waiters", 6}};
        QCOMPARE(countsOf(batch->events), expected);
        QMap<QByteArray, QByteArrayList> held;
        for (const monitor::SharedRow& row : batch->changed) {
            for (const monitor::Holder& holder : row->lock.holders)
                held[row->lock.name.bytes()] << holder.id.bytes() + " x" + QByteArray::number(holder.count);
        }
        const QMap<QByteArray, QByteArrayList> expectedHolders{
            {"Z\\xc3\\xbcge", {"33333333-3333-4333-8333-333333333333:9 x1"}},
            {"force:2", {clientA.bytes() + ":34 x2"}},
            {"force:3", {clientB.bytes() + ":1 x1"}},
            {"order:never", {clientB.bytes() + ":7 x1"}}};
        QCOMPARE(held, expectedHolders);
    }

    void theRecordedLabHasItsOutcome() {
        using namespace recording;
        const RecordingFile::Opened opened = RecordingFile::open(fileOf01(QStringLiteral("lab.lkrec")));
        QVERIFY(opened.file);
        QCOMPARE(opened.file->info().experiment->id, QByteArray("short-lease"));
        const std::vector<LabReport> reports = labReportsIn(*opened.file);
        QCOMPARE(opened.file->end().kind, FileEnd::Kind::Whole);
        QVERIFY(!reports.empty());
        std::optional<lab::Outcome> outcome;
        QByteArrayList moments;
        for (const LabReport& report : reports) {
            outcome = report.update->outcome ? report.update->outcome : outcome;
            for (const lab::LabFrame& frame : report.update->frames)
                moments << frame.moment.what;
        }
        QVERIFY(outcome);
        QCOMPARE(outcome->facts.value("L.most"), lab::Fact(qint64{2}));
        QCOMPARE(outcome->facts.value("a.lost"), lab::Fact(QByteArray("lease-expired")));
        QVERIFY(moments.contains("acquired") && moments.contains("lost"));
    }
};

LOCKKEEPER_TEST(TestFilesOf01, Gui)

}  // namespace tst_filesof01

#include "tst_filesof01.moc"
