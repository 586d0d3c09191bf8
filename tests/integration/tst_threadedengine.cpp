// SPDX-License-Identifier: Apache-2.0
#include "engine/sessionlink.h"
#include "engine/threadedengine.h"
#include "history/eventstore.h"
#include "history/recorder.h"
#include "jvm/dumpreader.h"
#include "jvm/holderthread.h"
#include "lab/demostory.h"
#include "lab/servers/reservedport.h"
#include "support/certificates.h"
#include "support/eventstory.h"
#include "support/places.h"
#include "support/redisserver.h"
#include "support/serverhand.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace tst_threadedengine {

using namespace lockkeeper;
using namespace std::chrono_literals;

namespace {

const QString holder = QStringLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33");

profile::ConnectionProfile profileOf(const test::RedisServer& server) {
    profile::ConnectionProfile profile;
    profile.endpoint = server.options().endpoint;
    profile.id = profile.addressId();
    return profile;
}

history::HistoryOptions keptIn(const QTemporaryDir& directory) {
    history::HistoryOptions recorder;
    recorder.path = directory.filePath(QStringLiteral("history.sqlite"));
    return recorder;
}

// What a GUI would receive: everything that the engine emits.
class Watcher : public QObject {
public:
    Watcher(Engine& engine, SessionLink& link) {
        link.onReport<ConnectionStatus>(this, [this](const ConnectionStatus& now) {
            status = now;
            phases += now.phase;
        });
        link.onReport<BatchReady>(this, [this](const BatchReady& ready) {
            const monitor::MonitorBatch& batch = *ready.batch;
            batchesBeforeHistory += history.empty() && !batch.changed.empty() ? 1 : 0;
            if (batch.reset)
                rows.clear();
            for (const monitor::SharedRow& row : batch.changed)
                rows.insert(row->lock.name, *row);
            for (const LockName& name : batch.removed)
                rows.remove(name);
            for (const monitor::LockEvent& event : batch.events)
                swept = swept || event.type == monitor::EventType::Swept;
            events.insert(events.end(), batch.events.begin(), batch.events.end());
        });
        link.onReport<OperationFinished>(
            this, [this](const OperationFinished& one) { results.insert(one.operation, one.result); });
        link.onReport<HolderIdentified>(
            this, [this](const HolderIdentified& one) { identities.insert(one.operation, one.identity); });
        link.onReport<OwnLocksChanged>(this, [this](const OwnLocksChanged& now) { own = now.locks; });
        link.onReport<OwnLockLost>(this, [this](const OwnLockLost& loss) { lost += loss.name; });
        link.onReport<HistoryLoaded>(this, [this](const HistoryLoaded& loaded) { history = loaded.events; });
        connect(&engine, &Engine::shutDownFinished, this, [this] { shutDown = true; });
    }

    [[nodiscard]] bool holds(const char* name) const { return rows.value(LockName(name)).lock.isHeld(); }
    [[nodiscard]] qsizetype count(monitor::EventType type) const {
        return std::count_if(events.begin(), events.end(),
                             [type](const monitor::LockEvent& event) { return event.type == type; });
    }

    ConnectionStatus status;
    QList<ConnectionPhase> phases;
    QHash<LockName, monitor::LockRow> rows;
    QMultiHash<OperationId, control::OperationResult> results;
    QMultiHash<OperationId, monitor::HolderIdentity> identities;
    QList<control::OwnLock> own;
    QList<LockName> lost;
    std::vector<monitor::LockEvent> events;
    std::vector<monitor::LockEvent> history;
    int batchesBeforeHistory = 0;  // batches that contain locks
    bool swept = false;
    bool shutDown = false;
};

// An engine that connects to a server, and what it emits.
struct OneSession {
    // auditFolder: if none is given, the engine has one of its own.
    explicit OneSession(const test::RedisServer& server, const history::HistoryOptions& recorder = {},
                        const std::optional<QString>& auditFolder = {})
        : engine(monitor::MonitorOptions(), recorder, auditFolder.value_or(ownFolder.path())) {
        link.connectTo(profileOf(server), {});
    }
    [[nodiscard]] bool isConnected() const {
        return QTest::qWaitFor([this] { return seen.status.phase == ConnectionPhase::Connected; });
    }
    [[nodiscard]] bool isArmed() {
        const bool connected = isConnected();
        link.request(ArmFor{10min});
        return connected;
    }

    QTemporaryDir ownFolder;
    ThreadedEngine engine;
    SessionLink link{engine};
    Watcher seen{engine, link};
};

// What the history has about a lock, gaps included.
QList<monitor::EventType> keptTypes(OneSession& session, const char* lock) {
    QSignalSpy read(&session.engine, &Engine::historyRead);
    (void)session.engine.readHistory({session.seen.status.profile, LockName(lock)});
    QList<monitor::EventType> types;
    if (!read.wait())
        return types;
    for (const monitor::LockEvent& event : read.front().at(1).value<history::HistoryExcerpt>().events)
        types += event.type;
    return types;
}

control::AcquireRequest acquireRequest(const char* name) {
    control::AcquireRequest request;
    request.name = LockName(name);
    return request;
}

}  // namespace

// The whole engine with its thread, on a real server, as the window and the terminal use it.
class TestThreadedEngine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_server.start()); }
    void cleanup() { m_server.stop(); }

    void connectsAndShowsWhatIsThere() {
        m_server.cli({"HSET", "L", holder, "2"});
        ThreadedEngine engine;
        SessionLink link(engine);
        Watcher seen(engine, link);
        link.connectTo(profileOf(m_server), {});
        QTRY_VERIFY(seen.holds("L"));
        QCOMPARE(seen.phases, (QList<ConnectionPhase>{ConnectionPhase::Connecting, ConnectionPhase::Connected}));
        QVERIFY(seen.status.serverVersion.startsWith('7') || !seen.status.serverVersion.isEmpty());
        QCOMPARE(seen.rows.value(LockName("L")).lock.holders.first().count, 2);
    }

    void takesShowsAndGivesBackALock() {
        OneSession session(m_server);
        QVERIFY(session.isArmed());
        const OperationId taken = session.link.request(acquireRequest("mine"));
        QTRY_COMPARE(session.seen.results.count(taken), 1);
        QCOMPARE(session.seen.results.value(taken).outcome, control::Outcome::Acquired);
        QTRY_COMPARE(session.seen.own.size(), 1);
        QTRY_VERIFY(session.seen.holds("mine"));
        control::ReleaseRequest back;
        back.name = LockName("mine");
        const OperationId released = session.link.request(back);
        QTRY_COMPARE(session.seen.results.value(released).outcome, control::Outcome::Released);
        QTRY_VERIFY(!session.seen.holds("mine"));
        QVERIFY(session.seen.own.isEmpty());
    }

    // Read by the window, kept by the session: every later state of a lock has its verdict.
    void aThreadDumpIsKeptForTheSession() {
        const QTemporaryDir directory;
        const ClientId client("97b87f0b-0c5d-4043-bd00-c2b44039227f");
        test::ServerHand hand(m_server);
        hand.take("payment", {client, ThreadId{20}}, 600000);
        hand.take("order", {client, ThreadId{25}}, 600000);
        OneSession session(m_server, keptIn(directory));
        QTRY_VERIFY(session.seen.holds("payment") && session.seen.holds("order"));
        QFile file(test::places::data() + QStringLiteral("/threads/jstack-17.txt"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const Result<std::vector<jvm::ThreadDump>> dumps = jvm::threadDumpsIn(file.readAll(), QTimeZone::utc());
        QVERIFY(dumps);
        std::vector<monitor::SharedRow> rows;
        for (const monitor::LockRow& row : std::as_const(session.seen.rows))
            rows.push_back(std::make_shared<monitor::LockRow>(row));
        const jvm::DumpReading reading = jvm::readDumps(*dumps, rows, client, {});
        session.link.request(KeepDumps{reading.kept});
        const auto verdictOf = [&session](const char* name) {
            return session.seen.rows.value(LockName(name)).threads->value(0);
        };
        QTRY_COMPARE(verdictOf("payment").fate, monitor::Fate::Lives);
        QCOMPARE(verdictOf("payment").thread()->activity.code->place, QStringLiteral("Jobs.java:8"));
        QCOMPARE(verdictOf("order").fate, monitor::Fate::Ended);
        QCOMPARE(session.seen.rows.value(LockName("order")).diagnoses.value(0).kind(),
                 monitor::DiagnosisKind::HolderThreadEnded);
        hand.take("later", {client, ThreadId{17}}, 600000);
        QTRY_VERIFY(session.seen.holds("later"));
        QCOMPARE(verdictOf("later").thread()->name, QStringLiteral("report-scheduler-1"));
        QVERIFY(verdictOf("later").taken != monitor::TakenWhen::DuringHold);
        QTRY_VERIFY(keptTypes(session, "payment").contains(monitor::EventType::ThreadSeen));
    }

    void aLostConnectionIsSaidWithTheTimeOfTheLastWord() {
        const WallTime begun = std::chrono::system_clock::now();
        ThreadedEngine engine;
        SessionLink link(engine);
        Watcher seen(engine, link);
        link.connectTo(profileOf(m_server), {});
        QTRY_VERIFY(seen.swept);
        m_server.stop();
        QTRY_COMPARE(seen.status.phase, ConnectionPhase::Reconnecting);
        QVERIFY(seen.status.error);
        QVERIFY(seen.status.lastHeard >= begun && seen.status.lastHeard <= std::chrono::system_clock::now());
        QVERIFY(m_server.start());
        QTRY_COMPARE_WITH_TIMEOUT(seen.status.phase, ConnectionPhase::Connected, 15000);
    }

    void whatWasSeenSurvivesARestart() {
        const QTemporaryDir directory;
        const history::HistoryOptions recorder = keptIn(directory);
        {
            ThreadedEngine engine(monitor::MonitorOptions(), recorder);
            SessionLink link(engine);
            Watcher seen(engine, link);
            link.connectTo(profileOf(m_server), {});
            QTRY_VERIFY(seen.swept);
            m_server.cli({"HSET", "L", holder, "2"});
            QTRY_VERIFY(seen.holds("L"));
            QVERIFY(seen.history.empty());
        }
        ThreadedEngine engine(monitor::MonitorOptions(), recorder);
        SessionLink link(engine);
        Watcher seen(engine, link);
        link.connectTo(profileOf(m_server), {});
        QTRY_VERIFY(seen.holds("L"));
        QVERIFY(seen.history.size() >= 2);
        QCOMPARE(seen.history[0].type, monitor::EventType::Acquired);
        QCOMPARE(seen.history[0].lock.name, LockName("L"));
        QCOMPARE(seen.history[0].lock.holders.first().count, 2);
        QCOMPARE(seen.history.back().type, monitor::EventType::NotWatched);
        QVERIFY(seen.history.back().lock.name.isEmpty());
        QCOMPARE(seen.batchesBeforeHistory, 0);
        const monitor::Hold hold = seen.rows.value(LockName("L")).hold;
        QVERIFY(!hold.isBeginSeen());
        QCOMPARE(hold.seenBefore->since, seen.history[0].at);
        QCOMPARE(hold.seenBefore->unwatchedTo, hold.sinceWall);
    }

    // Its last event is older than those that are loaded at the beginning.
    void aHoldOfLongAgoIsRecalled() {
        const QTemporaryDir directory;
        const history::HistoryOptions recorder = keptIn(directory);
        const WallTime begin = std::chrono::system_clock::now() - std::chrono::hours(2);
        {
            const monitor::Holder held{*HolderId::parse(holder.toLatin1()), monitor::HoldMode::Exclusive, 2};
            std::vector<monitor::LockEvent> events =
                test::EventStory("L", begin).event(monitor::EventType::Acquired, 0ms, {held}, std::nullopt).events();
            test::EventStory others("M", begin);
            for (int i = 1; i <= history::Recorder::mostLoaded; ++i)
                others.event(monitor::EventType::Found, 100ms * i, {held});
            events.insert(events.end(), others.events().begin(), others.events().end());
            history::EventStore store(recorder.path);
            QVERIFY(store.open());
            QVERIFY(store.append(profileOf(m_server).id, events));
        }
        m_server.cli({"HSET", "L", holder, "2"});
        OneSession session(m_server, recorder);
        QTRY_VERIFY(session.seen.rows.value(LockName("L")).hold.seenBefore);
        const auto isL = [](const monitor::LockEvent& event) { return event.lock.name == LockName("L"); };
        QVERIFY(std::ranges::none_of(session.seen.history, isL));
        const monitor::SeenBefore before = *session.seen.rows.value(LockName("L")).hold.seenBefore;
        QVERIFY(before.since <= begin && before.since > begin - 1s);  // as precise as the file
        QCOMPARE(before.gaps, 1U);
    }

    // Two windows of one user: the second one shows what the first one has seen, and each event is kept once.
    void twoProgramsShareAHistory() {
        const QTemporaryDir directory;
        OneSession first(m_server, keptIn(directory));
        QTRY_VERIFY(first.seen.swept);
        test::ServerHand hand(m_server);
        hand.take("L", *HolderId::parse(holder.toLatin1()));
        QTRY_VERIFY(first.seen.holds("L"));
        QCOMPARE(keptTypes(first, "L"), QList{monitor::EventType::Acquired});  // reading also writes what waits
        {
            OneSession second(m_server, keptIn(directory));
            QTRY_VERIFY(second.seen.holds("L"));
            QVERIFY(!second.seen.history.empty());
            QCOMPARE(second.seen.history.front().lock.name, LockName("L"));
            QCOMPARE(second.seen.history.back().type, monitor::EventType::NotWatched);
            hand.take("M", *HolderId::parse(holder.toLatin1()));
            QTRY_VERIFY(first.seen.holds("M"));
            QTRY_VERIFY(second.seen.holds("M"));
        }
        QCOMPARE(keptTypes(first, "M"), QList{monitor::EventType::Acquired});  // and no gap
    }

    void whatAClientHeldCanBeLookedUpAndDeleted() {
        const QTemporaryDir directory;
        OneSession session(m_server, keptIn(directory), directory.filePath(QStringLiteral("audit")));
        QSignalSpy read(&session.engine, &Engine::historyRead);
        QTRY_VERIFY(session.seen.swept);
        m_server.cli({"HSET", "L", holder, "1"});
        QTRY_VERIFY(session.seen.holds("L"));
        const history::HistoryQuery query{session.seen.status.profile, HolderId::parse(holder.toLatin1())->client()};
        const OperationId asked = session.engine.readHistory(query);
        QTRY_COMPARE(read.count(), 1);
        QCOMPARE(read.front().at(0).value<OperationId>(), asked);
        const auto excerpt = read.front().at(1).value<history::HistoryExcerpt>();
        QVERIFY(excerpt.reachesNow);
        QVERIFY(!excerpt.error);
        QVERIFY(std::any_of(excerpt.events.begin(), excerpt.events.end(), [](const monitor::LockEvent& event) {
            return event.lock.name == LockName("L") && event.type == monitor::EventType::Acquired;
        }));

        QSignalSpy forgotten(&session.engine, &Engine::historyForgotten);
        session.engine.forgetHistory(session.seen.status.profile);
        QTRY_COMPARE(forgotten.count(), 1);
        (void)session.engine.readHistory(query);
        QTRY_COMPARE(read.count(), 2);
        QVERIFY(read.back().at(1).value<history::HistoryExcerpt>().events.empty());
    }

    void whatIsNotToBeKeptIsNotOnDisk() {
        const QTemporaryDir directory;
        history::HistoryOptions recorder = keptIn(directory);
        recorder.retention.age = std::chrono::hours(0);
        OneSession session(m_server, recorder);
        QSignalSpy read(&session.engine, &Engine::historyRead);
        QTRY_VERIFY(session.seen.swept);
        m_server.cli({"HSET", "L", holder, "1"});
        QTRY_VERIFY(session.seen.holds("L"));
        QVERIFY(!QFile::exists(recorder.path));
        session.engine.setRetention(history::Retention());
        m_server.cli({"HSET", "M", holder, "1"});
        QTRY_VERIFY(session.seen.holds("M"));
        (void)session.engine.readHistory({session.seen.status.profile, HolderId::parse(holder.toLatin1())->client()});
        QTRY_COMPARE(read.count(), 1);
        for (const monitor::LockEvent& event : read.front().at(1).value<history::HistoryExcerpt>().events)
            QVERIFY(event.lock.name != LockName("L"));
        QVERIFY(!read.front().at(1).value<history::HistoryExcerpt>().events.empty());
    }

    void watchesOnWithoutADisk() {
        const QTemporaryDir directory;
        history::HistoryOptions recorder;
        recorder.path = directory.path();  // a folder where the file should be
        ThreadedEngine engine(monitor::MonitorOptions(), recorder);
        QSignalSpy failed(&engine, &Engine::historyFailed);
        SessionLink link(engine);
        Watcher seen(engine, link);
        m_server.cli({"HSET", "L", holder, "2"});
        link.connectTo(profileOf(m_server), {});
        QTRY_VERIFY(seen.holds("L"));
        QCOMPARE(failed.count(), 1);
    }

    void aLockThatItForcedShowsItBesideWhatWasSeen() {
        const QTemporaryDir directory;
        OneSession session(m_server, keptIn(directory), directory.filePath(QStringLiteral("audit")));
        QSignalSpy read(&session.engine, &Engine::historyRead);
        QTRY_VERIFY(session.seen.swept);
        m_server.cli({"HSET", "L", holder, "1"});
        m_server.cli({"PEXPIRE", "L", "60000"});
        QTRY_VERIFY(session.seen.holds("L"));
        QVERIFY(session.isArmed());
        control::ForceReleaseRequest request{session.seen.rows.value(LockName("L")).lock, QStringLiteral("it hangs")};
        request.confirmed.holders.first().count = 2;
        const OperationId refused = session.link.request(request);
        QTRY_COMPARE(session.seen.results.value(refused).outcome, control::Outcome::HolderChanged);
        request.confirmed.holders.first().count = 1;
        QSignalSpy audited(&session.engine, &Engine::auditWritten);
        const OperationId forced = session.link.request(request);
        QTRY_COMPARE(session.seen.results.value(forced).outcome, control::Outcome::ForceReleased);
        QCOMPARE(audited.count(), 2);  // with the result: nobody has to read the files
        const auto recorded = audited.last().at(0).value<control::WrittenAuditLine>().record;
        QCOMPARE(recorded.outcome, control::AuditOutcome::Done);
        QCOMPARE(recorded.lock, LockName("L"));
        QTRY_COMPARE(session.seen.count(monitor::EventType::Released), 1);
        QTRY_COMPARE(session.seen.count(monitor::EventType::Forced), 1);
        (void)session.engine.readHistory({session.seen.status.profile, LockName("L")});
        QTRY_COMPARE(read.count(), 1);
        const auto kept = read.front().at(1).value<history::HistoryExcerpt>().events;
        const auto onDisk = std::find_if(kept.begin(), kept.end(), [](const monitor::LockEvent& event) {
            return event.type == monitor::EventType::Forced;
        });
        QVERIFY(onDisk != kept.end());
        QCOMPARE(onDisk->holder->id.display(), holder);
    }

    // No operation waits for the end of a quarantine.
    void aReleaseThatTheServerRefusesLaterIsReported() {
        const QTemporaryDir directory;
        OneSession session(m_server, {}, directory.filePath(QStringLiteral("audit")));
        std::vector<ReleaseRefused> refused;
        session.link.onReport<ReleaseRefused>(&session.link,
                                              [&refused](const ReleaseRefused& one) { refused.push_back(one); });
        m_server.cli({"HSET", "L", holder, "1"});
        m_server.cli({"PEXPIRE", "L", "60000"});
        QTRY_VERIFY(session.seen.holds("L"));
        QVERIFY(session.isArmed());
        control::ForceReleaseRequest request{session.seen.rows.value(LockName("L")).lock, QStringLiteral("it hangs")};
        request.change.kind = control::ChangeKind::Quarantine;
        request.change.time = 2s;
        const OperationId taken = session.link.request(request);
        QTRY_COMPARE(session.seen.results.value(taken).outcome, control::Outcome::ForceReleased);
        m_server.cli({"ACL", "SETUSER", "default", "-eval", "-evalsha"});
        QTRY_COMPARE_WITH_TIMEOUT(refused.size(), size_t{1}, 20000);
        QCOMPARE(refused[0].name, LockName("L"));
        QCOMPARE(refused[0].why.code, ErrorCode::NotPermitted);
        QTRY_COMPARE_WITH_TIMEOUT(session.seen.lost, QList<LockName>{LockName("L")}, 20000);
    }

    void aLockIsForcedOnlyWithAPlaceForTheAudit() {
        m_server.cli({"HSET", "L", holder, "1"});
        OneSession session(m_server, {}, QString());
        QTRY_VERIFY(session.seen.holds("L"));
        QVERIFY(session.isArmed());
        const OperationId forced = session.link.request(
            control::ForceReleaseRequest{session.seen.rows.value(LockName("L")).lock, QStringLiteral("it hangs")});
        QTRY_COMPARE(session.seen.results.count(forced), 1);
        QCOMPARE(session.seen.results.value(forced).error->code, ErrorCode::Storage);
        QCOMPARE(m_server.cli({"EXISTS", "L"}), "1");
    }

    void theDemoNeedsNoAudit() {
        ThreadedEngine engine;
        SessionLink link(engine);
        Watcher seen(engine, link);
        link.connectToDemo(redis::AccessMode::ReadWrite);
        control::ForceReleaseRequest request;
        QTRY_VERIFY_WITH_TIMEOUT(std::any_of(seen.rows.cbegin(), seen.rows.cend(),
                                             [&request](const monitor::LockRow& row) {
                                                 request.confirmed = row.lock;
                                                 return row.lock.isHeld() &&
                                                        row.lock.kind == monitor::LockKind::Reentrant;
                                             }),
                                 15000);
        const OperationId forced = link.request(request);
        QTRY_COMPARE(seen.results.count(forced), 1);
        // The server's clients may have changed the lock in between.
        QVERIFY(seen.results.value(forced).outcome != control::Outcome::Failed);
    }

    // The window's guide of the demo points at this.
    void aWorkerOfTheDemoDiesAndItIsSeen() {
        ThreadedEngine engine;
        SessionLink link(engine);
        Watcher seen(engine, link);
        link.connectToDemo(redis::AccessMode::ReadOnly);
        QTRY_VERIFY_WITH_TIMEOUT(std::ranges::any_of(seen.rows.value(lab::demo::lockOfTheDyingWorker()).diagnoses,
                                                     [](const monitor::Diagnosis& diagnosis) {
                                                         return diagnosis.kind() ==
                                                                monitor::DiagnosisKind::WatchdogStopped;
                                                     }),
                                 60000);
    }

    void aPinnedServerIsWatchedAndItsStatusSaysSo() {
        test::Certificates certificates;
        certificates.issue(QStringLiteral("elsewhere"), QStringLiteral("DNS:redis.example"));
        const lab::ReservedPort port;
        test::RedisServer server({"--tls-port", QString::number(port.number()), "--tls-cert-file",
                                  certificates.certificate(QStringLiteral("elsewhere")), "--tls-key-file",
                                  certificates.key(QStringLiteral("elsewhere")), "--tls-auth-clients", "no",
                                  "--tls-ca-cert-file", certificates.authority()});
        QVERIFY(server.start());
        server.cli({"HSET", "L", holder, "2"});
        ThreadedEngine engine;
        SessionLink link(engine);
        Watcher seen(engine, link);
        const QByteArray pin = certificates.fingerprint(QStringLiteral("elsewhere")).toHex();
        const QString url =
            QStringLiteral("rediss://127.0.0.1:%1?pin=%2").arg(port.number()).arg(QString::fromLatin1(pin));
        link.connectTo(*profile::ConnectionProfile::fromUrl(url), {});
        QTRY_VERIFY(seen.holds("L"));
        QVERIFY(seen.status.pinned);
        link.connectTo(profileOf(m_server), {});
        QTRY_VERIFY(!seen.status.pinned && seen.status.phase == ConnectionPhase::Connected);
    }

    void aFirstFailureIsFinal() {
        ThreadedEngine engine;
        SessionLink link(engine);
        Watcher seen(engine, link);
        profile::ConnectionProfile profile = profileOf(m_server);
        profile.endpoint.unixPath += ".not-there";
        link.connectTo(profile, {});
        QTRY_COMPARE(seen.status.phase, ConnectionPhase::Failed);
        QCOMPARE(seen.status.error->code, ErrorCode::ConnectionRefused);
        link.connectTo(profileOf(m_server), {});
        QTRY_COMPARE(seen.status.phase, ConnectionPhase::Connected);
    }

    void goingElsewhereGivesOwnLocksBackAndForgetsTheRows() {
        test::RedisServer other;
        QVERIFY(other.start());
        OneSession session(m_server);
        QVERIFY(session.isArmed());
        session.link.request(acquireRequest("mine"));
        QTRY_VERIFY(session.seen.holds("mine"));
        session.link.connectTo(profileOf(other), {});
        QTRY_VERIFY(session.seen.rows.isEmpty());
        QTRY_COMPARE(m_server.cli({"EXISTS", "mine"}), "0");
        QTRY_COMPARE(session.seen.status.phase, ConnectionPhase::Connected);
    }

    void withoutAConnectionEveryOperationIsAnsweredAllTheSame() {
        ThreadedEngine engine;
        SessionLink link(engine);
        Watcher seen(engine, link);
        const OperationId id = link.request(acquireRequest("L"));
        QTRY_COMPARE(seen.results.count(id), 1);
        QCOMPARE(seen.results.value(id).error->code, ErrorCode::ConnectionLost);
        const OperationId search =
            link.request(monitor::HolderSearch{LockName("L"), HolderId::parse(holder.toLatin1())->client(), 1s});
        QTRY_COMPARE(seen.identities.count(search), 1);
        QCOMPARE(seen.identities.value(search).error->code, ErrorCode::ConnectionLost);
    }

    void aLockTakenAwayIsSaid() {
        OneSession session(m_server);
        QVERIFY(session.isArmed());
        control::AcquireRequest request = acquireRequest("mine");
        request.lease = 300ms;
        session.link.request(request);
        QTRY_COMPARE(session.seen.own.size(), 1);
        QTRY_COMPARE(session.seen.lost, QList<LockName>{LockName("mine")});
        QVERIFY(session.seen.own.isEmpty());
    }

    void findsOutWhoAHolderIs() {
        const HolderId someone = *HolderId::parse(holder.toLatin1());
        OneSession session(m_server);
        QVERIFY(session.isConnected());
        const OperationId search = session.link.request(monitor::HolderSearch{LockName("L"), someone.client(), 10s});
        QTRY_VERIFY(isSearching(QStringLiteral(" cmd=monitor ")));
        test::ServerHand(m_server).take("L", someone);  // a script of that client, as its renewals are
        QTRY_COMPARE(session.seen.identities.count(search), 1);
        QCOMPARE(session.seen.identities.value(search).basis, monitor::IdentityBasis::Monitor);
        QVERIFY(session.seen.identities.value(search).address.startsWith("unix:"));
        QTRY_VERIFY(!isSearching());
    }

    void aSearchEndsWhenItIsCancelledAndWithTheConnection_data() {
        QTest::addColumn<bool>("cancelled");
        QTest::newRow("cancelled") << true;
        QTest::newRow("disconnected") << false;
    }
    void aSearchEndsWhenItIsCancelledAndWithTheConnection() {
        QFETCH(bool, cancelled);
        OneSession session(m_server);
        QVERIFY(session.isConnected());
        const OperationId search = session.link.request(
            monitor::HolderSearch{LockName("L"), HolderId::parse(holder.toLatin1())->client(), 30s});
        QTRY_VERIFY(isSearching());
        if (cancelled)
            session.link.request(CancelOperation{search});
        else
            session.link.disconnectFromServer();
        QTRY_COMPARE(session.seen.identities.count(search), 1);
        QCOMPARE(session.seen.identities.value(search).error->code, ErrorCode::Cancelled);
    }

    void shuttingDownDoesWithOwnLocksAsAsked_data() {
        QTest::addColumn<control::OwnLocksAtExit>("ownLocks");
        QTest::addColumn<QString>("left");
        QTest::newRow("release") << control::OwnLocksAtExit::Release << "0";
        QTest::newRow("leave to their lease") << control::OwnLocksAtExit::LeaveToLease << "1";
    }
    void shuttingDownDoesWithOwnLocksAsAsked() {
        QFETCH(control::OwnLocksAtExit, ownLocks);
        QFETCH(QString, left);
        OneSession session(m_server);
        QVERIFY(session.isArmed());
        session.link.request(acquireRequest("mine"));
        QTRY_COMPARE(session.seen.own.size(), 1);
        session.engine.shutDown(ownLocks);
        QTRY_VERIFY(session.seen.shutDown);
        QCOMPARE(m_server.cli({"EXISTS", "mine"}), left);
    }

    void aGuiThatIsBusyFindsItsLocksRenewed() {
        OneSession session(m_server);
        QVERIFY(session.isArmed());
        session.link.request(acquireRequest("mine"));
        QTRY_COMPARE(session.seen.own.size(), 1);
        test::ServerHand hand(m_server);
        const qint64 end = hand.leaseEnd("mine");
        m_server.cli({"PEXPIRE", "mine", "20000"});  // as if a third of the lease had passed
        // This is the GUI's thread.
        QVERIFY(test::becomesTrueWithoutLoop([&] { return hand.leaseEnd("mine") > end; }));
    }

private:
    // A connection of a search for a client: its line in CLIENT LIST contains `part`.
    [[nodiscard]] bool isSearching(const QString& part = {}) {
        return std::ranges::any_of(m_server.cli({"CLIENT", "LIST"}).split(u'\n'), [&part](const QString& client) {
            return client.contains(QStringLiteral("name=lockkeeper-who")) && client.contains(part);
        });
    }

    test::RedisServer m_server;
};

LOCKKEEPER_TEST(TestThreadedEngine, Guiless)

}  // namespace tst_threadedengine

#include "tst_threadedengine.moc"
