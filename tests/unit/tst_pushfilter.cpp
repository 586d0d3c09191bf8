// SPDX-License-Identifier: Apache-2.0
#include "redis/pushfilter.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_pushfilter {

using namespace lockkeeper::redis;

namespace {

RespValue messageOf(const QByteArray& kind) {
    return RespValue::array({RespValue::bulk(kind), RespValue::bulk("c"), RespValue::bulk("0")});
}

RespValue confirmation(const QByteArray& kind, int count) {
    return RespValue::array({RespValue::bulk(kind), RespValue::bulk("c"), RespValue::number(count)});
}

RespValue marked(RespValue message) {
    message.type = RespValue::Type::Push;
    return message;
}

}  // namespace

class TestPushFilter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pushesAreExpectedOnlyAfterACommandThatAsksForThem_data() {
        QTest::addColumn<QByteArrayList>("parts");
        QTest::addColumn<bool>("expects");
        using Parts = QByteArrayList;
        QTest::newRow("GET") << Parts{"GET", "k"} << false;
        QTest::newRow("PUBLISH") << Parts{"PUBLISH", "c", "0"} << false;
        QTest::newRow("SUBSCRIBE") << Parts{"SUBSCRIBE", "c"} << true;
        QTest::newRow("SSUBSCRIBE") << Parts{"SSUBSCRIBE", "c"} << true;
        QTest::newRow("MONITOR") << Parts{"MONITOR"} << true;
        QTest::newRow("CLIENT TRACKING") << Parts{"CLIENT", "TRACKING", "ON"} << true;
        QTest::newRow("CLIENT ID") << Parts{"CLIENT", "ID"} << false;
    }
    void pushesAreExpectedOnlyAfterACommandThatAsksForThem() {
        QFETCH(QByteArrayList, parts);
        QFETCH(bool, expects);
        PushFilter filter;
        send(filter, parts);
        QCOMPARE(filter.expectsPushes(), expects);
        send(filter, {"GET", "k"});
        QCOMPARE(filter.expectsPushes(), expects);
    }

    // The server counts subscriptions to channels of shards separately.
    void overResp2MessagesComeAsLongAsASubscriptionOfEitherSortStays_data() {
        QTest::addColumn<QByteArrayList>("kinds");
        QTest::addColumn<QList<int>>("counts");
        QTest::addColumn<bool>("isPush");
        using Kinds = QByteArrayList;
        using Counts = QList<int>;
        QTest::newRow("none") << Kinds{} << Counts{} << false;
        QTest::newRow("one") << Kinds{"subscribe"} << Counts{1} << true;
        QTest::newRow("one that ended") << Kinds{"subscribe", "unsubscribe"} << Counts{1, 0} << false;
        QTest::newRow("one of two stays") << Kinds{"subscribe", "psubscribe", "unsubscribe"} << Counts{1, 2, 1} << true;
        QTest::newRow("a shard's") << Kinds{"ssubscribe"} << Counts{1} << true;
        QTest::newRow("a shard's that ended") << Kinds{"ssubscribe", "sunsubscribe"} << Counts{1, 0} << false;
        QTest::newRow("the shard's ended, the other stays")
            << Kinds{"subscribe", "ssubscribe", "sunsubscribe"} << Counts{1, 1, 0} << true;
        QTest::newRow("the other ended, the shard's stays")
            << Kinds{"subscribe", "ssubscribe", "unsubscribe"} << Counts{1, 1, 0} << true;
    }
    void overResp2MessagesComeAsLongAsASubscriptionOfEitherSortStays() {
        QFETCH(QByteArrayList, kinds);
        QFETCH(QList<int>, counts);
        QFETCH(bool, isPush);
        PushFilter filter;
        for (qsizetype i = 0; i < kinds.size(); ++i)
            filter.noteAnswered(Effect::Subscribe, confirmation(kinds.at(i), counts.at(i)), 2);
        QCOMPARE(filter.isPush(messageOf("message"), {}), isPush);
        QCOMPARE(filter.isPush(messageOf("smessage"), {}), isPush);
        QVERIFY(!filter.isPush(messageOf("an ordinary array"), {}));
    }

    void overResp3OnlyWhatIsMarkedIsAPush() {
        PushFilter filter;
        filter.noteAnswered(Effect::Subscribe, marked(confirmation("subscribe", 1)), 3);
        QVERIFY(!filter.isPush(messageOf("message"), {}));
        QVERIFY(filter.isPush(marked(messageOf("message")), {}));
        QVERIFY(filter.isPush(marked(messageOf("invalidate")), {}));
    }

    void aConfirmationIsAReplyToTheCommandThatWaitsForItAndElseAPush() {
        const PushFilter filter;
        const RespValue confirmed = marked(confirmation("ssubscribe", 1));
        const auto awaitedBy = [](const Command& command) {
            return PushFilter::confirmationOf(command, command.effect());
        };
        QVERIFY(!filter.isPush(confirmed, awaitedBy(Command("SSUBSCRIBE", {"c"}))));
        QVERIFY(filter.isPush(confirmed, awaitedBy(Command("SSUBSCRIBE", {"d"}))));
        QVERIFY(filter.isPush(confirmed, awaitedBy(Command("GET", {"c"}))));
    }

    void aLineOfMonitorIsAPushOnceMonitorWasAnswered() {
        PushFilter filter;
        const RespValue line = RespValue::simple("1700000000.000001 [0 unix:/r] \"get\" \"k\"");
        QVERIFY(!filter.isPush(line, {}));
        filter.noteAnswered(Effect::Monitor, RespValue::simple("OK"), 2);
        QVERIFY(filter.isPush(line, {}));
        QVERIFY(!filter.isPush(RespValue::simple("OK"), {}));
    }

private:
    static void send(PushFilter& filter, const QByteArrayList& parts) {
        const Command command(parts.first(), parts.mid(1));
        filter.noteSent(command, command.effect());
    }
};

LOCKKEEPER_TEST(TestPushFilter, Guiless)

}  // namespace tst_pushfilter

#include "tst_pushfilter.moc"
