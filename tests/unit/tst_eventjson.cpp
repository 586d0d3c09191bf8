#include "monitor/eventjson.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

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
    return error.error == QJsonParseError::NoError && !line.contains('\n') ? document.object() : QJsonObject();
}

}  // namespace

class TestEventJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aHeldLockIsToldWhole() {
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

    void namesThatAreNotUtf8ComeAsBase64() {
        LockEvent made = held(EventType::Found);
        made.lock.name = LockName(QByteArray("\xff\x00lock", 6));
        const QJsonObject json = jsonOf(made);
        QVERIFY(!json.contains("lock"));
        QCOMPARE(QByteArray::fromBase64(json["lock_base64"].toString().toLatin1()), made.lock.name.bytes());
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

    void aSuspectHandOverSaysSo() {
        LockEvent made = held(EventType::HandedOver);
        made.suspect = true;
        QVERIFY(jsonOf(made)["suspect"].toBool());
        QVERIFY(toTextLine(made).contains("SUSPECT"));
    }
};

QTEST_APPLESS_MAIN(TestEventJson)
#include "tst_eventjson.moc"
