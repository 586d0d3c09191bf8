// SPDX-License-Identifier: Apache-2.0
#include "base/systemclock.h"
#include "locks/kinds/reentrantlock.h"
#include "locks/lockclient.h"
#include "monitor/analyse/who/monitorline.h"
#include "recording/monitortrace/monitorrecorder.h"
#include "recording/recordingfile.h"
#include "recording/replay.h"
#include "redis/sockettransport.h"
#include "support/monitorprobe.h"
#include "support/places.h"
#include "support/redisserver.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QFile>
#include <QTest>

namespace tst_tracetextreader_server {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::recording;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

// Runs commands as one script does: ARGV has for each command the number of its words, and the words.
const QString runAll = QStringLiteral(
    "local i = 1 while ARGV[i] do local n = tonumber(ARGV[i]) local words = {} "
    "for k = 1, n do words[k] = ARGV[i + k] end redis.call(unpack(words)) i = i + n + 1 end");

struct Step {
    std::chrono::microseconds at{0};
    std::vector<QByteArrayList> commands;
};

// The scripts of a trace.
std::vector<Step> stepsOf(const QByteArray& text) {
    std::vector<Step> steps;
    for (const QByteArray& line : text.split('\n')) {
        const std::optional<MonitorLine> parsed = MonitorLine::parse(line);
        if (parsed && parsed->isOfScript() && !steps.empty())
            steps.back().commands.push_back(parsed->arguments);
        else if (parsed)
            steps.push_back({parsed->time, {}});
    }
    std::erase_if(steps, [](const Step& step) { return step.commands.empty(); });
    return steps;
}

// Waiters need clients that wait, and a renewal is one only if time has passed.
bool isCompared(const LockEvent& event) {
    return event.type != EventType::Waiters && event.type != EventType::Renewed && !event.diagnosis &&
           event.type != EventType::Swept;
}

QByteArray shortened(const LockEvent& event) {
    const QByteArray holder =
        event.holder ? event.holder->id.bytes() + 'x' + QByteArray::number(event.holder->count) : QByteArray("-");
    return wordFor(event.type).toLatin1() + ' ' + event.lock.name.bytes() + ' ' + holder;
}

QByteArrayList compared(const std::vector<LockEvent>& events) {
    QByteArrayList texts;
    for (const LockEvent& event : events) {
        if (isCompared(event))
            texts += shortened(event);
    }
    return texts;
}

std::vector<LockEvent> eventsOf(const RecordingSource& source) {
    const RecordingFile::Opened opened = RecordingFile::open(source);
    if (!opened.file)
        return {};
    Replay replay(*opened.file, Replay::Batches::Together);
    while (replay.nextAt())
        (void)replay.feed();
    const SharedBatch batch = replay.take();
    return batch ? batch->events : std::vector<LockEvent>();
}

}  // namespace

// Traces beside a monitor that watches a real server.
class TestTraceTextReaderServer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_server.start()); }
    void cleanup() { m_server.stop(); }

    // Each script's effects of the trace run on the server, one script after the other.
    void aTraceShowsWhatWatchingShows_data() {
        QTest::addColumn<QString>("file");
        for (const char* file : {"reentrant.txt", "fair.txt", "readwrite.txt", "fenced-and-semaphore.txt"})
            QTest::newRow(file) << QString::fromLatin1(file);
    }
    void aTraceShowsWhatWatchingShows() {
        QFETCH(QString, file);
        const QString path = test::places::data() + QStringLiteral("/monitor/") + file;
        QFile trace(path);
        QVERIFY(trace.open(QIODevice::ReadOnly));
        const std::vector<Step> steps = stepsOf(trace.readAll());
        std::vector<LockEvent> expected = eventsOf(path);
        std::erase_if(expected, [](const LockEvent& event) { return !isCompared(event); });
        QVERIFY(!expected.empty());
        MonitorProbe probe(m_server.options());
        QVERIFY(probe.waitForSweep());
        for (size_t i = 0; i < steps.size(); ++i) {
            run(steps[i]);
            const std::chrono::microseconds until = i + 1 < steps.size() ? steps[i + 1].at : 9'000'000'000s;
            const auto isBefore = [until](const LockEvent& event) {
                return event.at.time_since_epoch() < std::chrono::nanoseconds(until);
            };
            const auto count = std::ranges::count_if(expected, isBefore);
            QTRY_VERIFY2(compared(probe.events).size() >= count,
                         qPrintable(QString::fromLatin1(compared(probe.events).join("; "))));
        }
        QCOMPARE(compared(probe.events), compared(expected));
    }

    // By scripts of this library: MONITOR is recorded while they run.
    void aRecordingByMonitorShowsWhatWatchingShows() {
        MonitorProbe probe(m_server.options());
        QVERIFY(probe.waitForSweep());
        topology::OneShard shards(
            [options = m_server.tcpOptions()] { return redis::makeSocketTransport(options.endpoint); });
        MonitorRecorder recorder(m_server.tcpOptions(), shards, m_clock);
        std::optional<MonitorCapture> captured;
        connect(&recorder, &MonitorRecorder::finished, this,
                [&captured](OperationId, const MonitorCapture& made) { captured = made; });
        CaptureRequest request;
        request.limit = 60s;
        recorder.capture(OperationId(1), request);
        QTRY_VERIFY(m_server.cli({"CLIENT", "LIST"}).contains(QStringLiteral(" flags=O ")));
        m_server.cli({"SET", "session:1", "private-value"});
        locks::LockClient client(m_server.tcpOptions(), m_clock);
        client.open();
        const locks::ReentrantLock lock = client.reentrantLock(LockName("L"));
        QVERIFY(test::waitFor(lock.tryLock(ThreadId(7), Deadline::in(m_clock, 5s))));
        QTRY_COMPARE(compared(probe.events).size(), 1);
        QVERIFY(test::waitFor(lock.tryLock(ThreadId(7), Deadline::in(m_clock, 5s))));
        QTRY_COMPARE(compared(probe.events).size(), 2);
        QVERIFY(test::waitFor(lock.unlock(ThreadId(7))));
        QTRY_COMPARE(compared(probe.events).size(), 3);
        QVERIFY(test::waitFor(lock.unlock(ThreadId(7))));
        QTRY_COMPARE(compared(probe.events).size(), 4);
        m_server.cli({"PING"});
        recorder.cancel(OperationId(1));
        QTRY_VERIFY(captured);
        QVERIFY(!captured->error);
        QVERIFY(captured->recording);
        QVERIFY(!captured->recording->contains("private"));
        const RecordingSource source(*captured->recording, QStringLiteral("MONITOR"), captured->notes);
        QCOMPARE(compared(eventsOf(source)), compared(probe.events));
        QTRY_VERIFY(!m_server.cli({"CLIENT", "LIST"}).contains(QStringLiteral(" flags=O ")));
    }

    void withoutTheRightThereIsAReason() {
        m_server.cli({"ACL", "SETUSER", "watcher", "on", ">pw", "-@all", "+hello", "+ping", "+client|setname"});
        redis::ConnectionOptions options = m_server.tcpOptions();
        options.credentials = {"watcher", "pw"};
        topology::OneShard shards([options] { return redis::makeSocketTransport(options.endpoint); });
        MonitorRecorder recorder(options, shards, m_clock);
        std::optional<MonitorCapture> captured;
        connect(&recorder, &MonitorRecorder::finished, this,
                [&captured](OperationId, const MonitorCapture& made) { captured = made; });
        recorder.capture(OperationId(1), CaptureRequest());
        QTRY_VERIFY(captured);
        QVERIFY(!captured->recording);
        QCOMPARE(captured->error->code, ErrorCode::NotPermitted);
    }

private:
    void run(const Step& step) {
        QStringList arguments{QStringLiteral("EVAL"), runAll, QStringLiteral("0")};
        for (const QByteArrayList& command : step.commands) {
            arguments += QString::number(command.size());
            for (const QByteArray& word : command)
                arguments += QString::fromUtf8(word);
        }
        m_server.cli(arguments);
    }

    RedisServer m_server;
    SystemClock m_clock;
};

LOCKKEEPER_TEST(TestTraceTextReaderServer, Guiless)

}  // namespace tst_tracetextreader_server

#include "tst_tracetextreader_server.moc"
