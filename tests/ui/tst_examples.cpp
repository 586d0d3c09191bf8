// SPDX-License-Identifier: Apache-2.0
#include "recording/replay.h"
#include "support/guitestprogram.h"

#include <QHash>
#include <QSet>
#include <QTest>

#include <algorithm>

namespace tst_examples {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::recording;

namespace {

struct Story {
    QSet<DiagnosisKind> diagnoses;
    qsizetype mostQueued = 0;
    std::vector<EventType> events;  // of the lock
};

Story storyOf(RecordingFile& file, const LockName& lock) {
    Replay replay(file, Replay::Batches::Together);
    Story story;
    while (replay.nextAt()) {
        if (!replay.feed().endsBatch)
            continue;
        const SharedBatch batch = replay.take();
        for (const SharedRow& row : batch ? batch->changed : std::vector<SharedRow>()) {
            if (row->lock.name != lock)
                continue;
            story.mostQueued = std::max(story.mostQueued, row->lock.fairQueue.size());
            for (const Diagnosis& diagnosis : row->diagnoses)
                story.diagnoses.insert(diagnosis.kind());
        }
        for (const LockEvent& event : batch ? batch->events : std::vector<LockEvent>()) {
            if (event.lock.name == lock)
                story.events.push_back(event.type);
        }
    }
    return story;
}

}  // namespace

// The recordings that come with the program show what their buttons on the start page promise.
class TestExamples : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // True at any moment: a live session reports its figures a little later than its rows.
    void theirFiguresAreThoseOfTheirRows_data() {
        QTest::addColumn<QString>("example");
        for (const char* example :
             {"dead-worker", "short-lease"})  // the third was saved from a scenario, without figures
            QTest::newRow(example) << QString::fromLatin1(example);
    }
    void theirFiguresAreThoseOfTheirRows() {
        QFETCH(const QString, example);
        const RecordingFile::Opened opened =
            RecordingFile::open(QStringLiteral(":/lockkeeper/examples/%1.lkrec").arg(example));
        QVERIFY(opened.file);
        Replay replay(*opened.file, Replay::Batches::Together);
        QHash<LockName, SharedRow> rows;
        std::optional<MonitorStats> figures;
        while (replay.nextAt()) {
            if (!replay.feed().endsBatch)
                continue;
            const SharedBatch batch = replay.take();
            if (!batch)
                continue;
            if (batch->reset)
                rows.clear();
            for (const LockName& name : batch->removed)
                rows.remove(name);
            for (const SharedRow& row : batch->changed)
                rows.insert(row->lock.name, row);
            if (batch->stats)
                figures = batch->stats;
            if (!figures)
                continue;
            QCOMPARE(figures->knownLocks, rows.size());
            QCOMPARE(figures->heldLocks,
                     std::ranges::count_if(rows, [](const SharedRow& row) { return row->lock.isHeld(); }));
        }
        QVERIFY(figures);
    }

    void showTheirStory_data() {
        QTest::addColumn<QString>("example");
        QTest::addColumn<LockName>("lock");
        QTest::addColumn<DiagnosisKind>("diagnosis");
        QTest::addColumn<EventType>("event");
        QTest::addColumn<int>("queued");
        QTest::newRow("a worker dies") << "dead-worker" << LockName("report:weekly") << DiagnosisKind::WatchdogStopped
                                       << EventType::HandedOver << 0;
        QTest::newRow("a short lease") << "short-lease" << LockName("report:monthly") << DiagnosisKind::LeaseRanOut
                                       << EventType::Expired << 0;
        QTest::newRow("a dead waiter") << "dead-waiter" << LockName("F") << DiagnosisKind::FairQueueBlocked
                                       << EventType::Released << 3;
    }
    void showTheirStory() {
        QFETCH(QString, example);
        QFETCH(LockName, lock);
        QFETCH(DiagnosisKind, diagnosis);
        QFETCH(EventType, event);
        QFETCH(int, queued);
        const RecordingFile::Opened opened =
            RecordingFile::open(QStringLiteral(":/lockkeeper/examples/%1.lkrec").arg(example));
        QVERIFY(opened.file);
        QCOMPARE(opened.file->end().kind, FileEnd::Kind::Whole);
        const Story story = storyOf(*opened.file, lock);
        QVERIFY(story.diagnoses.contains(diagnosis));
        QVERIFY(std::ranges::find(story.events, event) != story.events.end());
        QVERIFY(story.mostQueued >= queued);
    }
};

LOCKKEEPER_TEST(TestExamples, Gui)

}  // namespace tst_examples

#include "tst_examples.moc"
