// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "recording/labreports.h"
#include "session/recordedlab.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

#include <set>

namespace tst_recordedlab {

using namespace lockkeeper;
using namespace lockkeeper::lab;
using namespace lockkeeper::recording;
using namespace std::chrono_literals;

namespace {

constexpr int patience = 60000;

// A lab session on real servers, and what it has reported.
struct Watched {
    explicit Watched(const char* experiment)
        : session({experiment, Trigger::Present, 0ms, qEnvironmentVariable("LOCKKEEPER_TEST_SERVER")}, clock) {
        session.onReport<SharedLabUpdate>(&session,
                                          [this](const SharedLabUpdate& update) { updates.push_back(update); });
        session.onReport<RecordingStatus>(&session, [this](const RecordingStatus& changed) { status = changed; });
        QObject::connect(&session, &RecordedLab::closed, &session, [this] {
            isClosed = true;
            phaseAtClose = status.phase;
        });
    }
    [[nodiscard]] bool comesTo(LabPhase wanted) const {
        return test::becomesTrue([&] { return !updates.empty() && updates.back()->phase == wanted; }, patience);
    }
    [[nodiscard]] bool hasSteps(size_t least) const {
        return test::becomesTrue([&] { return updates.size() >= least; }, patience);
    }
    [[nodiscard]] bool closes() {
        session.close(control::OwnLocksAtExit::Release);
        return test::becomesTrue([&] { return isClosed; }, patience);
    }

    SystemClock clock;
    RecordedLab session;
    std::vector<SharedLabUpdate> updates;
    RecordingStatus status;
    bool isClosed = false;
    RecordingPhase phaseAtClose = RecordingPhase::Off;
};

}  // namespace

// The recording of an experiment on real servers.
class TestRecordedLab : public QObject {
    Q_OBJECT

private:
    enum class Begun { BeforeTheRun, InTheRun, AfterTheRun };

    // The file has what the session has reported.
    void verifyFile(const Watched& watched) const {
        const RecordingFile::Opened opened = RecordingFile::open(m_request.path);
        QVERIFY(opened.file);
        QCOMPARE(opened.file->end().kind, FileEnd::Kind::Whole);
        const std::vector<LabReport> reports = labReportsIn(*opened.file);
        QCOMPARE(reports.size(), watched.updates.size());
        SteadyTime before = opened.file->info().begunSteady;
        for (size_t at = 0; at < reports.size(); ++at) {
            QVERIFY2(*reports.at(at).update == *watched.updates.at(at), QByteArray::number(qulonglong(at)));
            QVERIFY(reports.at(at).at >= before);
            before = reports.at(at).at;
        }
        QVERIFY(reports.back().at > reports.front().at);
    }

    const QTemporaryDir m_directory;
    RecordingRequest m_request;
    int m_files = 0;

private Q_SLOTS:
    // Other tests run laboratories, too.
    void initTestCase() { qputenv("TMPDIR", m_directory.path().toUtf8()); }
    void cleanupTestCase() { qunsetenv("TMPDIR"); }
    void init() { m_request = {m_directory.filePath(QStringLiteral("%1.lkrec").arg(++m_files))}; }

    void theFileHasTheWholeRun_data() {
        QTest::addColumn<int>("begun");
        QTest::newRow("begun before it") << int(Begun::BeforeTheRun);
        QTest::newRow("begun in the middle") << int(Begun::InTheRun);
        QTest::newRow("begun at its end") << int(Begun::AfterTheRun);
    }
    void theFileHasTheWholeRun() {
        QFETCH(const int, begun);
        Watched watched("wake-by-channel");
        if (begun == int(Begun::BeforeTheRun))
            watched.session.request({}, m_request);
        watched.session.open();
        if (begun == int(Begun::InTheRun)) {
            QVERIFY(watched.hasSteps(4));
            watched.session.request({}, m_request);
        }
        QVERIFY(watched.comesTo(LabPhase::Free));
        if (begun == int(Begun::AfterTheRun))
            watched.session.request({}, m_request);
        watched.session.request({}, StopRecording());
        const size_t recorded = watched.updates.size();
        QTRY_COMPARE(watched.status.phase, RecordingPhase::Stopped);
        watched.updates.resize(recorded);
        verifyFile(watched);
    }

    void whatTheUserDoesAfterTheRunIsInItToo() {
        Watched watched("reentry");
        watched.session.open();
        QVERIFY(watched.comesTo(LabPhase::Free));
        watched.session.request({}, m_request);
        watched.session.request({}, Step{{}, {}, Fault(KillServer{ServerNumber(0)})});
        QTRY_VERIFY(!watched.updates.back()->frames.empty() &&
                    watched.updates.back()->frames.back().servers.front().condition == ServerCondition::Killed);
        QVERIFY(watched.closes());
        verifyFile(watched);
    }

    // closed() follows when the file is complete.
    void theEndOfTheSessionEndsTheRecording() {
        Watched watched("reentry");
        watched.session.request({}, m_request);
        watched.session.open();
        QVERIFY(watched.hasSteps(3));
        QCOMPARE(watched.status.phase, RecordingPhase::Running);
        QVERIFY(watched.closes());
        QCOMPARE(watched.phaseAtClose, RecordingPhase::Stopped);
        verifyFile(watched);
    }

    void atItsLimitTheRecordingEndsAndTheSessionContinues() {
        m_request.limit = 2000;
        Watched watched("wake-by-channel");
        watched.session.request({}, m_request);
        watched.session.open();
        QVERIFY(watched.comesTo(LabPhase::Free));
        QTRY_COMPARE(watched.status.phase, RecordingPhase::LimitReached);
        QVERIFY(QFile(m_request.path).size() <= m_request.limit);
        QCOMPARE(RecordingFile::open(m_request.path).file->end().kind, FileEnd::Kind::Whole);
    }

    void aMaskedRecordingHasNoIdsOfClients() {
        m_request.masking = Masking::On;
        Watched watched("wake-by-channel");
        watched.session.open();
        QVERIFY(watched.comesTo(LabPhase::Free));
        watched.session.request({}, m_request);
        QVERIFY(watched.closes());
        const RecordingFile::Opened opened = RecordingFile::open(m_request.path);
        QVERIFY(opened.file->info().isMasked);
        std::set<QByteArray> originals;
        for (const SharedLabUpdate& update : watched.updates)
            for (const LabFrame& frame : update->frames)
                for (const LabActor& actor : frame.actors)
                    for (const ClientId& client : actor.clients)
                        originals.insert(client.bytes());
        QVERIFY(!originals.empty());
        // Written again as they were read, without a mask, so that no field is left out.
        BlockBuilder plain;
        for (const LabReport& report : labReportsIn(*opened.file))
            plain.add(report.at, WallTime(), LabReported{report.update});
        const QByteArray all = plain.take().content;
        for (const QByteArray& original : originals)
            QVERIFY(!all.contains(original));
        QVERIFY(all.contains("redisson_lock__channel:{L}"));
    }
};

LOCKKEEPER_TEST(TestRecordedLab, Guiless)

}  // namespace tst_recordedlab

#include "tst_recordedlab.moc"
