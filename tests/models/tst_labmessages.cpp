// SPDX-License-Identifier: Apache-2.0
#include "support/testprogram.h"
#include "ui/lab/labmessages.h"

#include <QTest>

namespace tst_labmessages {

using namespace lockkeeper;
using namespace lockkeeper::lab;
using namespace lockkeeper::ui;

namespace {

WireLine published(qsizetype frame, const ActorName& actor, std::vector<ActorName> receivers) {
    WireLine line;
    line.frame = frame;
    line.sender = actor.isEmpty() ? WireLine::Sender::ByHand : WireLine::Sender::Script;
    line.actor = actor;
    line.arguments = {"PUBLISH", "redisson_lock__channel:{L}", "0"};
    line.receivers = std::move(receivers);
    return line;
}

// Frames with the actors a, b and c.
LabRecording recordingOf(int frames, std::vector<WireLine> lines) {
    LabUpdate update;
    for (int number = 0; number < frames; ++number) {
        LabFrame frame;
        for (const char* name : {"a", "b", "c"})
            frame.actors.push_back({.name = ActorName(name)});
        update.frames.push_back(frame);
    }
    update.lines = std::move(lines);
    LabRecording recording;
    recording.add(update);
    return recording;
}

}  // namespace

class TestLabMessages : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMessageLeadsFromWhoPublishedItToEachWhoWasSubscribed() {
        const LabRecording recording = recordingOf(3, {published(2, ActorName("a"), {ActorName("b"), ActorName("c")})});
        QCOMPARE(messagesOf(recording), (std::vector<LabMessage>{{2, 0, 1}, {2, 0, 2}}));
    }

    void aMessageByHandHasNoBeginning() {
        const LabRecording recording = recordingOf(1, {published(0, ActorName(), {ActorName("b")})});
        QCOMPARE(messagesOf(recording), (std::vector<LabMessage>{{0, std::nullopt, 1}}));
    }

    void theyAreInTheOrderOfTheFramesAndOfEachFrameOnce() {
        const WireLine again = published(1, ActorName("c"), {ActorName("b")});
        const LabRecording recording = recordingOf(3, {published(2, ActorName("a"), {ActorName("b")}), again, again});
        QCOMPARE(messagesOf(recording), (std::vector<LabMessage>{{1, 2, 1}, {2, 0, 1}}));
    }

    void whatNobodyHearsIsNone() { QVERIFY(messagesOf(recordingOf(1, {published(0, ActorName("a"), {})})).empty()); }
    void anActorDoesNotWakeItself() {
        QVERIFY(messagesOf(recordingOf(1, {published(0, ActorName("a"), {ActorName("a")})})).empty());
    }
    void aReceiverThatIsNotThereAnyMoreIsLeftOut() {
        QVERIFY(messagesOf(recordingOf(1, {published(0, ActorName("a"), {ActorName("d")})})).empty());
    }
    void aLineWhoseFrameIsStillToComeIsLeftOut() {
        QVERIFY(messagesOf(recordingOf(1, {published(1, ActorName("a"), {ActorName("b")})})).empty());
    }
};

LOCKKEEPER_TEST(TestLabMessages, Guiless)

}  // namespace tst_labmessages

#include "tst_labmessages.moc"
