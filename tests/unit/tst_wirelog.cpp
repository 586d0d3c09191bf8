// SPDX-License-Identifier: Apache-2.0
#include "lab/run/keyreader.h"
#include "lab/run/wirelog.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_wirelog {

using namespace lockkeeper::lab;

namespace {

constexpr ServerNumber first{0};

void ran(WireLog& log, const char* command, const char* from = "unix:/lab/redis.sock") {
    log.ran(first, QByteArray("1700000000.123456 [0 ") + from + "] " + command);
}

}  // namespace

// The commands that MONITOR shows, assigned to their senders.
class TestWireLog : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aCommandIsOfTheActorThatHasSentIt() {
        WireLog log;
        log.sent("a", {"SETNX", "L", "1"});
        log.sent("b", {"DEL", "L"});
        ran(log, R"("DEL" "L")");
        ran(log, R"("SETNX" "L" "1")");
        const std::vector<WireLine> lines = log.take();
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[0].actor, ActorName("b"));
        QCOMPARE(lines[1].actor, ActorName("a"));
        QVERIFY(!log.hasNew());
    }

    void theSameCommandOfTwoActorsIsOneOfEach() {
        WireLog log;
        log.sent("a", {"DEL", "L"});
        log.sent("b", {"DEL", "L"});
        ran(log, R"("DEL" "L")");
        ran(log, R"("DEL" "L")");
        const std::vector<WireLine> lines = log.take();
        QVERIFY(lines[0].actor != lines[1].actor);
    }

    void whatNobodyHasSentIsOfTheLaboratory() {
        WireLog log;
        ran(log, R"("GET" "L")");
        ran(log, R"("EVAL" "..." "0")");
        ran(log, R"("keys" "*")", "lua");
        QVERIFY(log.take().empty());
    }

    void theCommandsOfAScriptFollowIt() {
        WireLog log;
        log.sent("a", {"EVALSHA", "sha", "1", "L"});
        ran(log, R"("EVALSHA" "sha" "1" "L")");
        ran(log, R"("exists" "L")", "lua");
        const std::vector<WireLine> lines = log.take();
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[1].sender, WireLine::Sender::Script);
        QCOMPARE(lines[1].actor, ActorName("a"));
    }

    void aCommandByHandIsShownAsSuch() {
        WireLog log;
        log.sentByHand({"DEL", "L"});
        ran(log, R"("DEL" "L")");
        QCOMPARE(log.take().front().sender, WireLine::Sender::ByHand);
    }

    void whatKeepsAConnectionUpIsLeftOut() {
        WireLog log;
        log.sent("a", {"PING"});
        ran(log, R"("PING")");
        QVERIFY(log.take().empty());
    }

    void aMessageGoesToThoseWhoAreSubscribed() {
        WireLog log;
        for (const ActorName actor : {"b", "c", "d"}) {
            log.sent(actor, {"SUBSCRIBE", "channel"});
            ran(log, R"("SUBSCRIBE" "channel")");
        }
        log.sent("c", {"UNSUBSCRIBE", "channel"});
        ran(log, R"("UNSUBSCRIBE" "channel")");
        log.crashed("d");
        log.sent("a", {"PUBLISH", "channel", "0"});
        ran(log, R"("PUBLISH" "channel" "0")");
        QCOMPARE(log.take().back().receivers, std::vector<ActorName>{"b"});
    }

    void aReadOfTheLaboratoryEndsAFrame() {
        WireLog log;
        log.sent("a", {"DEL", "L"});
        log.sent("a", {"DEL", "M"});
        ran(log, R"("DEL" "L")");
        ran(log, QByteArray(R"("EVAL" "..." "0" ")").append(snapshotMark).append(R"(" "4")").constData());
        ran(log, R"("DEL" "M")");
        const std::vector<WireLine> lines = log.take();
        QCOMPARE(lines[0].frame, 0);
        QCOMPARE(lines[1].frame, 5);
    }

    void itIsBounded() {
        WireLog log;
        for (int number = 0; number < 5003; ++number) {
            log.sent("a", {"DEL", "L"});
            ran(log, R"("DEL" "L")");
        }
        QCOMPARE(log.take().size(), 5000);
        QCOMPARE(log.leftOut(), 3);
    }
};

LOCKKEEPER_TEST(TestWireLog, Guiless)

}  // namespace tst_wirelog

#include "tst_wirelog.moc"
