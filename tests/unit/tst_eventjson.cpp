// SPDX-License-Identifier: Apache-2.0
#include "base/safetext.h"
#include "monitor/format/eventjson.h"
#include "support/awkwardnames.h"
#include "support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

namespace tst_eventjson {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace std::chrono_literals;

namespace {

const QByteArray uuid = "0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10";

LockEvent eventOf(EventType type) {
    LockEvent made;
    made.at = WallTime(std::chrono::milliseconds(1769861520123));  // 2026-01-31T12:12:00.123Z
    made.type = type;
    made.lock.name = LockName("orders/{42}");
    made.lock.kind = LockKind::Reentrant;
    return made;
}

LockEvent held(EventType type) {
    LockEvent made = eventOf(type);
    made.lock.holders = {Holder{HolderId(ClientId(uuid), ThreadId{33}), HoldMode::Exclusive, 2}};
    made.lock.ttl = 29950ms;
    made.lock.waiters = 2;
    return made;
}

QJsonObject jsonOf(const LockEvent& made) {
    QJsonParseError error;
    const QByteArray line = toJsonLine(made);
    const QJsonDocument document = QJsonDocument::fromJson(line, &error);
    // Equal to what Qt writes, so the names are in order.
    const bool isAsByQt = document.toJson(QJsonDocument::Compact) == line;
    return error.error == QJsonParseError::NoError && isAsByQt ? document.object() : QJsonObject();
}

// The bytes as a script reads them: from FIELD_base64 if there is one.
QByteArray bytesOf(const QJsonObject& object, const QString& field) {
    const QJsonValue base64 = object.value(field + QStringLiteral("_base64"));
    return base64.isUndefined() ? object.value(field).toString().toUtf8()
                                : QByteArray::fromBase64(base64.toString().toLatin1());
}

}  // namespace

class TestEventJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aHeldLockIsPrintedWhole() {
        const QJsonObject json = jsonOf(held(EventType::Acquired));
        QCOMPARE(json["at"].toString(), "2026-01-31T12:12:00.123Z");
        QCOMPARE(json["event"].toString(), "acquired");
        QCOMPARE(json["lock"].toString(), "orders/{42}");
        QCOMPARE(json["kind"].toString(), "reentrant");
        const QJsonObject holder = json["holders"].toArray().at(0).toObject();
        QCOMPARE(holder["id"].toString(), QString::fromLatin1(uuid) + ":33");
        QCOMPARE(holder["mode"].toString(), "exclusive");
        QCOMPARE(holder["count"].toInt(), 2);
        QCOMPARE(json["ttl_ms"].toInt(), 29950);
        QCOMPARE(json["waiters"].toInt(), 2);
    }

    void inAClusterTheNodeIsPrinted() {
        LockEvent made = held(EventType::Acquired);
        QVERIFY(!jsonOf(made).contains("node"));
        made.lock.node = NodePointer(new Node(topology::ShardId(1), QStringLiteral("10.0.0.1:6379")));
        QCOMPARE(jsonOf(made)["node"].toString(), "10.0.0.1:6379");
        QVERIFY(toTextLine(made).contains("on 10.0.0.1:6379"));
        QCOMPARE(eventFromJsonLine(toJsonLine(made))->lock.node->address, "10.0.0.1:6379");
    }

    void theNameOfTheProgramIsBesideTheKey() {
        const LockEvent made = held(EventType::Acquired);
        const locks::NameMapper mapper{QByteArrayLiteral("ord"), {}};
        const QJsonObject json = QJsonDocument::fromJson(toJsonLine(made, noAlias, mapper)).object();
        QCOMPARE(json["lock"].toString(), "orders/{42}");
        QCOMPARE(json["program_name"].toString(), "ers/{42}");
        QVERIFY(!jsonOf(made).contains("program_name"));
        const QString text = toTextLine(made, mapper);
        QVERIFY2(text.contains("  ers/{42}  ") && text.contains("  key orders/{42}"), qPrintable(text));
        const locks::NameMapper all{QByteArrayLiteral("orders/"), QByteArrayLiteral("{42}")};  // nothing would be left
        QVERIFY(!toJsonLine(made, noAlias, all).contains("program_name"));
        QVERIFY(toTextLine(made, all).contains("  orders/{42}  "));
        const locks::NameMapper other{QByteArrayLiteral("x"), {}};
        QVERIFY(!toJsonLine(made, noAlias, other).contains("program_name"));
    }

    void theAliasOfAClientIsPrinted() {
        const auto aliasOf = [](const ClientId& client) {
            return client.bytes() == uuid ? QStringLiteral("orders-a") : QString();
        };
        LockEvent made = held(EventType::Acquired);
        made.lock.holders += Holder{HolderId(ClientId::random(), ThreadId{1}), HoldMode::Exclusive, 1};
        made.holder = made.lock.holders.first();
        LockParts parts;
        parts.values = {{"v", made.holder->id, 1, {}}};
        made.lock.parts = std::make_shared<const LockParts>(parts);
        const QJsonObject json = QJsonDocument::fromJson(toJsonLine(made, aliasOf)).object();
        QCOMPARE(json["holders"].toArray().at(0).toObject()["alias"].toString(), "orders-a");
        QVERIFY(!json["holders"].toArray().at(1).toObject().contains("alias"));
        QCOMPARE(json["holder"].toObject()["alias"].toString(), "orders-a");
        QCOMPARE(json["values"].toArray().at(0).toObject()["owner_alias"].toString(), "orders-a");
        // The id is as on the wire, not the alias.
        QCOMPARE(eventFromJsonLine(toJsonLine(made, aliasOf))->holder, made.holder);
        QVERIFY(!toJsonLine(made).contains("alias"));
    }

    // The reader that released is not the reader that still holds.
    void aLineSaysWhomItIsAboutAndWhoHoldsTheLockThen_data() {
        QTest::addColumn<LockEvent>("made");
        QTest::addColumn<QString>("who");
        const Holder first{HolderId(ClientId("A"), ThreadId{1}), HoldMode::Read, 1};
        const Holder second{HolderId(ClientId("B"), ThreadId{2}), HoldMode::Read, 2};
        LockEvent event = eventOf(EventType::Released);
        event.holder = first;
        QTest::newRow("nobody is left") << event << "A:1 read";
        event.lock.holders = {second};
        QTest::newRow("another is left") << event << "A:1 read  held by B:2 read x2";
        event.type = EventType::Acquired;
        event.lock.holders = {first};
        QTest::newRow("it is alone") << event << "A:1 read";
        event.lock.holders = {second, first};
        QTest::newRow("it is one of two") << event << "A:1 read  held by B:2 read x2, A:1 read";
        event.type = EventType::Renewed;
        event.holder.reset();
        QTest::newRow("about the lock") << event << "B:2 read x2, A:1 read";
    }
    void aLineSaysWhomItIsAboutAndWhoHoldsTheLockThen() {
        QFETCH(LockEvent, made);
        QFETCH(QString, who);
        made.lock.ttl = 9s;
        const QString line = toTextLine(made);
        QVERIFY2(line.contains("  orders/{42}  " + who + (made.lock.isHeld() ? "  ttl" : "")), qPrintable(line));
        QVERIFY2(made.lock.isHeld() || line.endsWith(who), qPrintable(line));
    }

    void withoutExpiryTheTtlIsMinusOne() {
        LockEvent made = held(EventType::Found);
        made.lock.ttl.reset();
        QCOMPARE(jsonOf(made)["ttl_ms"].toInt(), -1);
    }

    void whatIsGoneHasNoTtlAndNoHolders() {
        const QJsonObject json = jsonOf(eventOf(EventType::Released));
        QVERIFY(!json.contains("ttl_ms"));
        QVERIFY(json["holders"].toArray().isEmpty());
    }

    void unknownWaitersAreLeftOut() {
        LockEvent made = held(EventType::Found);
        made.lock.waiters.reset();
        QVERIFY(!jsonOf(made).contains("waiters"));
    }

    void aCountThatMayContainMonitorsIsAnUpperBound() {
        LockEvent made = held(EventType::Waiters);
        QVERIFY(!jsonOf(made).contains("monitors_among_waiters"));
        QVERIFY2(toTextLine(made).contains("waiters 2"), qPrintable(toTextLine(made)));
        made.lock.monitorsAmongWaiters = 1;
        QCOMPARE(jsonOf(made)["waiters"].toInt(), 2);
        QCOMPARE(jsonOf(made)["monitors_among_waiters"].toInt(), 1);
        QVERIFY2(toTextLine(made).contains("waiters up to 2"), qPrintable(toTextLine(made)));
        QCOMPARE(eventFromJsonLine(toJsonLine(made))->lock.monitorsAmongWaiters, 1);
    }

    void namesThatAreNotUtf8ComeAsBase64() {
        LockEvent made = held(EventType::Found);
        made.lock.name = LockName(QByteArray("\xff\x00lock", 6));
        const QJsonObject json = jsonOf(made);
        QVERIFY(!json.contains("lock"));
        QCOMPARE(QByteArray::fromBase64(json["lock_base64"].toString().toLatin1()), made.lock.name.bytes());
    }

    void everyNameComesBackAsItWas_data() { test::addAwkwardNames(); }
    void everyNameComesBackAsItWas() {
        QFETCH(const QByteArray, name);
        LockEvent made = held(EventType::Found);
        made.lock.name = LockName(name);
        auto parts = std::make_shared<LockParts>();
        parts->values = {{name, made.lock.holders.first().id, 1, {}}};
        made.lock.parts = parts;
        const QJsonObject json = jsonOf(made);
        QCOMPARE(bytesOf(json, QStringLiteral("lock")), name);
        QCOMPARE(bytesOf(json["values"].toArray().at(0).toObject(), QStringLiteral("value")), name);
        const std::optional<LockEvent> back = eventFromJsonLine(toJsonLine(made));
        QVERIFY(back);
        QCOMPARE(back->lock.name.bytes(), name);
    }

    void aLineOfTextIsBoundedAndOneOfJsonIsNot() {
        LockEvent made = held(EventType::Found);
        made.lock.name = LockName(QByteArray(1'000'000, 'x'));
        const QString line = toTextLine(made);
        QVERIFY2(line.size() < longestBoundedName + 200, qPrintable(QString::number(line.size())));
        QVERIFY(line.contains(QStringLiteral("x (1000000 bytes)")));
        QCOMPARE(jsonOf(made)["lock"].toString().size(), 1'000'000);
    }

    void awkwardNamesStayOneLine() {
        LockEvent made = held(EventType::Found);
        made.lock.name = LockName("a\n\"b\" \xe9\x94\x81");
        QCOMPARE(jsonOf(made)["lock"].toString(), QString::fromUtf8("a\n\"b\" 锁"));
        QVERIFY(!toTextLine(made).contains('\n'));
    }

    void theEndOfASweepIsCounted() {
        LockEvent made = eventOf(EventType::Swept);
        made.sweptKeys = 1234;
        made.sweptLocks = 5;
        const QJsonObject json = jsonOf(made);
        QCOMPARE(json["event"].toString(), "swept");
        QCOMPARE(json["keys"].toInt(), 1234);
        QCOMPARE(json["locks"].toInt(), 5);
        QVERIFY(!json.contains("lock"));
    }

    void aServerWithoutDataIsCounted() {
        LockEvent made = eventOf(EventType::Emptied);
        made.sweptLocks = 296;
        const QJsonObject json = jsonOf(made);
        QCOMPARE(json["event"].toString(), "emptied");
        QCOMPARE(json["locks"].toInt(), 296);
        QVERIFY(!json.contains("lock"));
        QVERIFY2(toTextLine(made).endsWith("the server has no data any more: held locks that ended: 296"),
                 qPrintable(toTextLine(made)));
        const std::optional<LockEvent> read = eventFromJsonLine(toJsonLine(made));
        QVERIFY(read);
        QCOMPARE(read->type, EventType::Emptied);
        QCOMPARE(read->sweptLocks, quint64{296});
    }

    void aReaderComesWithItsLeases() {
        LockEvent made = held(EventType::Acquired);
        made.lock.kind = LockKind::ReadWrite;
        made.lock.seenAt = SteadyTime(1h);
        const HolderId reader = made.lock.holders.first().id;
        made.lock.holders = {Holder{reader, HoldMode::Read, 2}, Holder{reader, HoldMode::Write, 1}};
        auto parts = std::make_shared<LockParts>();
        const SteadyTime end = made.lock.seenAt + 5s;
        // The third key is beyond the reader's count: a leftover.
        parts->readLeases = {
            {reader, 1, Expiry{end - 3ms, end + 1ms}}, {reader, 2, std::nullopt}, {reader, 3, std::nullopt}};
        made.lock.parts = parts;
        const QJsonArray holders = jsonOf(made)["holders"].toArray();
        QCOMPARE(holders.at(0)["leases_ms"].toArray(), QJsonArray({5000, -1}));
        QVERIFY(!holders.at(1).toObject().contains("leases_ms"));
    }

    void ofVeryManyReadersSomeAreNamedAndAllCounted() {
        LockEvent made = held(EventType::Found);
        made.lock.kind = LockKind::ReadWrite;
        made.lock.holders.first().mode = HoldMode::Read;
        LockParts parts;
        parts.moreHolders = 1499;
        made.lock.parts = std::make_shared<const LockParts>(parts);
        const QJsonObject json = jsonOf(made);
        QCOMPARE(json["readers"].toInt(), 1500);
        QVERIFY(json["holders_cut"].toBool());
        QCOMPARE(json["holders"].toArray().size(), 1);
        QVERIFY2(toTextLine(made).contains(":33 read x2 and 1499 more"), qPrintable(toTextLine(made)));
        QCOMPARE(eventFromJsonLine(toJsonLine(made))->lock.holderCount(), 1500);
        QVERIFY(!jsonOf(held(EventType::Found)).contains("holders_cut"));
    }

    void aLockOfAnotherProgramComesWithItsFields() {
        LockEvent made = held(EventType::Found);
        made.lock.kind = LockKind::Unknown;
        made.lock.holders = {Holder{*HolderId::parseAny("svc:1"), HoldMode::Read, 2}};
        auto parts = std::make_shared<LockParts>();
        parts->otherProgram = {{"mode", "read"}, {"svc:1", "2"}};
        made.lock.parts = parts;
        const QJsonObject json = jsonOf(made);
        QCOMPARE(json["kind"].toString(), "unknown");
        QCOMPARE(json["holders"].toArray().at(0).toObject()["id"].toString(), "svc:1");
        QCOMPARE(json["other_program"].toArray().at(1).toObject(), QJsonObject({{"field", "svc:1"}, {"value", "2"}}));
        const std::optional<LockEvent> read = eventFromJsonLine(toJsonLine(made));
        QVERIFY(read);
        QCOMPARE(read->lock.holders, made.lock.holders);
        QCOMPARE(read->lock.otherProgram(), parts->otherProgram);
        QVERIFY(!jsonOf(held(EventType::Found)).contains("other_program"));
    }

    void aLockOfRedissonsOwnNamesItsObject() {
        LockEvent made = held(EventType::Found);
        QVERIFY(!jsonOf(made).contains("internal"));
        made.lock.name = LockName("redisson_sortedset_lock:{INBOUND}");
        QCOMPARE(jsonOf(made)["internal"].toString(), "sorted_set");
        QCOMPARE(jsonOf(made)["internal_of"].toString(), "INBOUND");
    }

    void aFasterMultiLockComesWithItsValues() {
        LockEvent made = held(EventType::Found);
        made.lock.kind = LockKind::FasterMulti;
        made.lock.ttl.reset();
        auto parts = std::make_shared<LockParts>();
        const HolderId owner = made.lock.holders.first().id;
        parts->values = {{"h1", owner, 2, made.at}, {"\xff", owner, 1, std::nullopt}};
        made.lock.parts = parts;
        const QJsonObject json = jsonOf(made);
        QCOMPARE(json["kind"].toString(), "faster_multi");
        QVERIFY(!json.contains("ttl_ms"));
        QCOMPARE(
            json["values"].toArray().at(0).toObject(),
            QJsonObject(
                {{"value", "h1"}, {"owner", owner.display()}, {"count", 2}, {"expires", "2026-01-31T12:12:00.123Z"}}));
        QCOMPARE(json["values"].toArray().at(1)["value_base64"].toString(), "/w==");
        QVERIFY(!toTextLine(made).contains("expiry"));
    }

    void aReleaseWithoutAMessageSaysSo_data() {
        QTest::addColumn<ReleaseSign>("sign");
        QTest::addColumn<QJsonValue>("announced");
        QTest::addColumn<QJsonValue>("inferred");
        const QJsonValue absent(QJsonValue::Undefined);
        QTest::newRow("message") << ReleaseSign::Message << absent << absent;
        QTest::newRow("no message") << ReleaseSign::NoMessage << QJsonValue(false) << absent;
        QTest::newRow("inferred") << ReleaseSign::Inferred << absent << QJsonValue(true);
    }
    void aReleaseWithoutAMessageSaysSo() {
        QFETCH(ReleaseSign, sign);
        LockEvent made = eventOf(EventType::Released);
        made.releaseSign = sign;
        const QJsonObject json = jsonOf(made);
        QTEST(json["announced"], "announced");
        QTEST(json["inferred"], "inferred");
        QCOMPARE(eventFromJsonLine(toJsonLine(made))->releaseSign, sign);
        QCOMPARE(toTextLine(made).contains("it may have been deleted, too"), sign == ReleaseSign::NoMessage);
    }

    void theThroughputOfABusyLockIsPrinted() {
        LockEvent made = eventOf(EventType::Released);
        QVERIFY(!jsonOf(made).contains("throughput"));
        Throughput busy;
        busy.until = made.at;
        busy.window = 10s;
        busy.releases = 49'800;
        busy.acquisitions = 49'801;
        busy.reads = 150;
        busy.heldShare = Throughput::Share{0.40251, 0.5601};
        busy.holds = 77;
        busy.median = 0ms;
        made.throughput = busy;
        QCOMPARE(toTextLine(made).section("  ", -1),
                 "4980.0 releases/s, held 40-56 % by 150 reads, p50 0 ms of 77 holds");
        const QJsonObject json = jsonOf(made)["throughput"].toObject();
        QCOMPARE(QJsonDocument(json).toJson(QJsonDocument::Compact),
                 QByteArray(R"({"acquisitions_at_least":49801,"held_share_at_least":0.403,"held_share_at_most":0.56,)"
                            R"("hold_p50_ms":0,"releases":49800,)"
                            R"("releases_counted":true,"sampled_holds":77,"sampled_looks":150,)"
                            R"("until":"2026-01-31T12:12:00.123Z","window_ms":10000})"));
    }

    void theThroughputComesBack_data() {
        QTest::addColumn<Throughput>("busy");
        QTest::addColumn<QString>("text");
        Throughput counted;
        counted.until = WallTime(1769861520123ms);
        counted.window = 2500ms;
        counted.releases = 10;
        counted.acquisitions = 11;
        counted.reads = 40;
        QTest::newRow("too few reads and holds") << counted << "4.0 releases/s";
        counted.heldShare = Throughput::Share{0.5, 0.5};
        QTest::newRow("too few holds") << counted << "4.0 releases/s, held 50 % by 40 reads";
        Throughput silent = counted;
        silent.counting = Throughput::Releases::AtLeast;
        silent.holds = 128;
        silent.median = 3ms;
        silent.ninetyNinth = 41ms;
        QTest::newRow("some releases are silent")
            << silent << "at least 4.4 acquisitions/s, held 50 % by 40 reads, p50 3 ms, p99 41 ms of 128 holds";
    }
    void theThroughputComesBack() {
        QFETCH(Throughput, busy);
        LockEvent made = eventOf(EventType::Released);
        made.throughput = busy;
        QTEST(toTextLine(made).section("  ", -1), "text");
        const std::optional<LockEvent> back = eventFromJsonLine(toJsonLine(made));
        QVERIFY(back && back->throughput);
        QVERIFY(*back->throughput == busy);
    }

    // A history of 0.1 has one share; it says as much about the whole as so many reads can.
    void aShareWithoutBoundsOfAnEarlierVersionIsRead() {
        LockEvent made = eventOf(EventType::Released);
        Throughput busy;
        busy.window = 10s;
        busy.reads = 10;
        made.throughput = busy;
        QJsonObject json = jsonOf(made);
        QJsonObject old = json["throughput"].toObject();
        old["held_share"] = 1;
        json["throughput"] = old;
        const std::optional<LockEvent> back = eventFromJsonLine(QJsonDocument(json).toJson());
        QVERIFY(back && back->throughput->heldShare);
        QCOMPARE(qRound(back->throughput->heldShare->atLeast * 100), 72);
        QCOMPARE(back->throughput->heldShare->atMost, 1.0);
    }

    void whoWaitsSinceWhenIsPrinted() {
        LockEvent made = eventOf(EventType::Waiters);
        QVERIFY(!jsonOf(made).contains("waiting"));
        QVERIFY(!jsonOf(made).contains("wait_times"));
        const HolderId alice(ClientId(uuid), ThreadId{33});
        Waits waits;
        waits.present += WaitingSince{1, std::nullopt, made.at - 20s, alice};
        waits.present += WaitingSince{2, made.at - 8s, made.at - 3s, std::nullopt};
        WaitTimes times;
        times.waits = 12;
        times.longest = {4s, 5s};
        times.median = WaitTimes::Length{1s, 2s};
        times.waited = 30s;
        times.free = 7s;
        waits.past = times;
        made.waits = waits;
        QCOMPARE(QJsonDocument(jsonOf(made)["waiting"].toArray()).toJson(QJsonDocument::Compact),
                 QByteArray(R"([{"clients":1,"since":"2026-01-31T12:11:40.123Z","waiter":")" + alice.bytes() +
                            R"("},{"clients":2,"not_before":"2026-01-31T12:11:52.123Z",)"
                            R"("since":"2026-01-31T12:11:57.123Z"}])"));
        QCOMPARE(QJsonDocument(jsonOf(made)["wait_times"].toObject()).toJson(QJsonDocument::Compact),
                 QByteArray(R"({"free_ms":7000,"longest_at_most_ms":5000,"longest_ms":4000,"p50_at_most_ms":2000,)"
                            R"("p50_ms":1000,"waited_ms":30000,"waits":12})"));
        const std::optional<LockEvent> back = eventFromJsonLine(toJsonLine(made));
        QVERIFY(back && *back->waits == waits);
        QVERIFY(toTextLine(made).contains("waiting 1 since before "));
        QVERIFY(toTextLine(made).endsWith("longest wait of 12: 4000 ms, free of all 7000 ms"));
    }

    // The event must still be readable if a field beside it is not.
    void aThroughputThatIsNotWholeIsLeftOut_data() {
        QTest::addColumn<QString>("field");
        QTest::addColumn<QJsonValue>("value");
        for (const char* field : {"until", "window_ms", "releases", "releases_counted", "acquisitions_at_least",
                                  "sampled_looks", "sampled_holds", "hold_p50_ms", "hold_p99_ms"})
            QTest::newRow(field) << field << QJsonValue("no such thing");
        QTest::newRow("no time at all") << "window_ms" << QJsonValue(0);
    }
    void aThroughputThatIsNotWholeIsLeftOut() {
        QFETCH(QString, field);
        QFETCH(QJsonValue, value);
        LockEvent made = eventOf(EventType::Released);
        Throughput busy;
        busy.window = 10s;
        made.throughput = busy;
        QJsonObject json = jsonOf(made);
        QVERIFY(eventFromJsonLine(QJsonDocument(json).toJson())->throughput);
        QJsonObject spoilt = json["throughput"].toObject();
        spoilt[field] = value;
        json["throughput"] = spoilt;
        const std::optional<LockEvent> back = eventFromJsonLine(QJsonDocument(json).toJson());
        QVERIFY(back);
        QVERIFY(!back->throughput);
    }

    // A count of waiters comes between two reads: the TTL is that of the earlier read.
    void saysWhenTheKeysWereRead() {
        LockEvent made = held(EventType::Waiters);
        made.lock.seenAtWall = made.at;
        QVERIFY(!jsonOf(made).contains("read_at"));
        made.lock.seenAtWall = made.at - 7s;
        QCOMPARE(jsonOf(made)["read_at"].toString(), "2026-01-31T12:11:53.123Z");
        QCOMPARE(jsonOf(made)["ttl_ms"].toInt(), 29950);
        QCOMPARE(eventFromJsonLine(toJsonLine(made))->lock.seenAtWall, made.lock.seenAtWall);
    }

    void aDiagnosisComesWithItsEvidence() {
        LockEvent made = held(EventType::Diagnosed);
        made.diagnosis =
            Diagnosis{Certainty::Likely, LeaseRanOut{made.lock.holders.first().id, 12s, made.at - 12s, made.at}};
        const QJsonObject json = jsonOf(made);
        QCOMPARE(json["event"].toString(), "diagnosis");
        QCOMPARE(json["diagnosis"].toString(), "lease_ran_out");
        QCOMPARE(json["phase"].toString(), "begin");
        QCOMPARE(json["certainty"].toString(), "likely");
        QCOMPARE(json["issues"].toArray(), (QJsonArray{2665, 2807, 5000}));
        QCOMPARE(json["evidence"].toObject(), (QJsonObject{{"holder", QString::fromLatin1(uuid) + ":33"},
                                                           {"lease_ms", 12000},
                                                           {"held_since", "2026-01-31T12:11:48.123Z"},
                                                           {"ended_at", "2026-01-31T12:12:00.123Z"}}));
        QVERIFY(toTextLine(made).contains("begin lease_ran_out: likely"));
        made.phase = DiagnosisPhase::Ended;
        QCOMPARE(jsonOf(made)["phase"].toString(), "end");
    }

    void otherEventsHaveNoDiagnosis() {
        const QJsonObject json = jsonOf(held(EventType::Acquired));
        for (const char* field : {"diagnosis", "phase", "certainty", "evidence", "issues"})
            QVERIFY2(!json.contains(QLatin1String(field)), field);
    }

    void whatWasNotWrittenSaysSo() {
        LockEvent made = eventOf(EventType::NotWatched);
        made.gap = 4s;
        QVERIFY(!jsonOf(made).contains("not_written"));
        QVERIFY(!eventFromJsonLine(toJsonLine(made))->notWritten);
        made.notWritten = true;
        QVERIFY(jsonOf(made)["not_written"].toBool());
        QVERIFY(eventFromJsonLine(toJsonLine(made))->notWritten);
        QVERIFY(toTextLine(made).contains("for 4.0 s  not written"));
    }

    void whyNothingWasWatchedIsPrintedAndReadBack() {
        LockEvent made = eventOf(EventType::NotWatched);
        made.gap = 4s;
        QVERIFY(!jsonOf(made).contains("reason"));
        QVERIFY(!eventFromJsonLine(toJsonLine(made))->reason);
        made.reason = Error(ErrorCode::ConnectionLost, Cause::MasterLinkLost, {"db:6379"});
        const QString text = "the replica is not connected to its master db:6379, so what it shows is old";
        QCOMPARE(jsonOf(made)["reason"].toString(), text);
        QCOMPARE(eventFromJsonLine(toJsonLine(made))->reason->text, text);
        QVERIFY(toTextLine(made).contains("for 4.0 s  " + text));
    }

    void theForcedOutHolderIsPrintedAndReadBack() {
        const LockEvent lock = held(EventType::Acquired);
        const LockEvent made = forcedOut(lock.lock, lock.at).front();
        const QJsonObject json = jsonOf(made);
        QCOMPARE(json["event"].toString(), "forced");
        QCOMPARE(json["holder"].toObject()["id"].toString(), QString::fromLatin1(uuid) + ":33");
        QVERIFY(json["holders"].toArray().isEmpty());
        const std::optional<LockEvent> back = eventFromJsonLine(toJsonLine(made));
        QCOMPARE(back->type, EventType::Forced);
        QCOMPARE(back->holder, made.holder);
    }

    void aSuspectHandOverSaysSo() {
        LockEvent made = held(EventType::HandedOver);
        made.suspect = true;
        QVERIFY(jsonOf(made)["suspect"].toBool());
        QVERIFY(toTextLine(made).contains("SUSPECT"));
    }
};

LOCKKEEPER_TEST(TestEventJson, Appless)

}  // namespace tst_eventjson

#include "tst_eventjson.moc"
