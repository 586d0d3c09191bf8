// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/evidencejson.h"
#include "support/awkwardnames.h"
#include "support/locksnapshots.h"
#include "support/testprogram.h"

#include <QJsonDocument>
#include <QSet>
#include <QTest>

namespace tst_evidencejson {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

QByteArray compact(const Evidence& evidence) {
    QByteArray text = QJsonDocument(toJson(evidence)).toJson(QJsonDocument::Compact);
    return text.replace(alice.bytes(), "alice").replace("1970-01-01T00:00:", "").replace('"', "");
}

}  // namespace

// The fields that resources/manual/diagnoses.md promises to scripts.
class TestEvidenceJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachKindHasItsFields_data() {
        QTest::addColumn<Evidence>("evidence");
        QTest::addColumn<QByteArray>("json");
        const auto row = [](const Evidence& evidence, const char* json) {
            const DiagnosisKind kind = Diagnosis{Certainty::Certain, evidence}.kind();
            QTest::newRow(qPrintable(wordFor(kind))) << evidence << QByteArray(json);
        };
        const WallTime early(1s);
        const WallTime late(31s);
        row(PossibleDoubleHolder{alice, late, 500ms, "master", "10.0.0.7:6379"},
            "{earlier_holder:alice,earlier_lease_ends:31.000Z,gap_ms:500,new_master:10.0.0.7:6379,server_role:master}");
        row(PossibleDoubleHolder{alice, late, 500ms, "replica"},
            "{earlier_holder:alice,earlier_lease_ends:31.000Z,gap_ms:500,server_role:replica}");
        row(Deadlock{alice, LockName("orders"), alice, 2, early},
            "{held_by:alice,holder:alice,holders:2,proven_at:01.000Z,waits_for:orders}");
        row(Deadlock{alice, LockName("orders"), alice, 2, early, true},
            "{by_threads:true,held_by:alice,holder:alice,holders:2,proven_at:01.000Z,waits_for:orders}");
        row(HolderThreadEnded{alice, early, 41, true, true, false},
            "{all_threads:true,client_sure:false,dump_at:01.000Z,during_hold:true,holder:alice,newest_thread:41}");
        const StoppedLocks stopped{alice.client(), 3, {LockName("a"), LockName("b")}, early, 30s, late};
        row(RenewalBroken{stopped, {SignOfLife::Queued, LockName("c"), late}},
            "{client:6f1d5ab8-0e8c-4d31-9d2b-0a1b2c3d4e5f,first_ends_at:31.000Z,last_renewal:01.000Z,lease_ms:30000,"
            "locks:[{lock:a},{lock:b}],locks_stopped:3,sign:queued,sign_at:31.000Z,sign_lock:c}");
        row(ClientRenewsNothing{stopped, late},
            "{client:6f1d5ab8-0e8c-4d31-9d2b-0a1b2c3d4e5f,first_ends_at:31.000Z,last_renewal:01.000Z,lease_ms:30000,"
            "locks:[{lock:a},{lock:b}],locks_stopped:3,others_renewed_at:31.000Z}");
        row(WatchdogStopped{alice, 7, early, 30s, late},
            "{ends_at:31.000Z,holder:alice,last_renewal:01.000Z,lease_ms:30000,renewals:7}");
        row(NeverRenewed{alice, 30s, early, late},
            "{ends_at:31.000Z,held_since:01.000Z,holder:alice,lease_ms:30000,since_acquired:true}");
        row(NeverRenewed{alice, 30s, early, late, false, true},
            "{ends_at:31.000Z,held_since:01.000Z,holder:alice,lease_ms:30000,since_acquired:false,without_replica:true}");
        row(NeverExpires{alice, early}, "{held_since:01.000Z,holder:alice}");
        row(FairQueueStorm{alice, late, early, 2, 6000},
            "{awake:2,commands_per_second:6000,deadline:31.000Z,free_since:01.000Z,head:alice}");
        row(FairQueueBlocked{alice, late, early, 3}, "{deadline:31.000Z,free_since:01.000Z,head:alice,queued:3}");
        row(HeadWithoutDeadline{alice, early, 3}, "{head:alice,queued:3,since:01.000Z}");
        row(TwoNames{LockName("app:app:orders"), "app:", true}, "{other:app:app:orders,prefix:app:,together:true}");
        row(LeaseCut{alice, 60s, 30s, early, 4, late},
            "{cut_at:01.000Z,cut_to_ms:30000,holder:alice,last_renewal:31.000Z,lease_ms:60000,renewals:4}");
        row(WaitersAsleep{2, early, true}, "{clients:2,free_since:01.000Z,hold_seen:true}");
        row(WaitersAsleep{2, early, true, late}, "{clients:2,free_since:01.000Z,hold_seen:true,wake_by:31.000Z}");
        row(WaitersAsleep{2, early, true, std::nullopt, true},
            "{clients:2,free_since:01.000Z,hold_seen:true,no_end:true}");
        row(WaitersAsleep{2, early, false}, "{clients:2,free_since:01.000Z,hold_seen:false}");
        row(DeafWaiters{2, "10.0.0.7:6379", "10.0.0.8:6379", early},
            "{clients:2,earlier_node:10.0.0.7:6379,moved_at:01.000Z,node:10.0.0.8:6379}");
        row(AcquireTakenBack{alice, 2, early, late, 0, 1},
            "{earlier_replicas:1,first:01.000Z,holder:alice,last:31.000Z,replicas:0,times:2}");
        row(AcquireTakenBack{alice, 2, early, late, 1, 1, 1},
            "{earlier_replicas:1,first:01.000Z,holder:alice,last:31.000Z,replicas:1,silent_replicas:1,times:2}");
        row(PermitsUnclaimed{2, 3, early}, "{clients:3,free_permits:2,since:01.000Z}");
        row(PermitLeaseOver{"00ff", early, 1, 2}, "{clients:2,ended_at:01.000Z,permit:00ff,permits:1}");
        row(FairWaiterDropped{alice, early}, "{since:01.000Z,waiter:alice}");
        row(ReaderCutShort{alice, late, early, alice},
            "{lease_ends:31.000Z,lock_ends:01.000Z,reader:alice,shortened_by:alice}");
        row(ReaderCutShort{alice, late, early}, "{lease_ends:31.000Z,lock_ends:01.000Z,reader:alice}");
        row(ZombieReader{alice, 2, 0, early}, "{holds:2,reader:alice,since:01.000Z,timeout_keys:0}");
        row(LeaseRanOut{alice, 30s, early, late}, "{ended_at:31.000Z,held_since:01.000Z,holder:alice,lease_ms:30000}");
        row(UnlockFromOtherThread{alice, alice, early, late, late},
            "{caller:alice,failed_at:31.000Z,held_since:01.000Z,held_until:31.000Z,holder:alice}");
        row(SuspectedOrphan{alice, early, 9, 100ms, 8},
            "{held_since:01.000Z,holder:alice,holds_seen:8,renewals:9,usual_hold_ms:100}");
        row(ReentryLeak{alice, 12, 5, early}, "{count:12,held_since:01.000Z,holder:alice,steps_up:5}");
        row(ChannelLeftOver{2, early, 30s}, "{clients:2,free_since:01.000Z,longest_sleep_ms:30000}");
        row(FixedLease{alice, 30s, early, late}, "{ends_at:31.000Z,held_since:01.000Z,holder:alice,lease_ms:30000}");
    }
    void eachKindHasItsFields() {
        QFETCH(Evidence, evidence);
        QTEST(compact(evidence), "json");
        const DiagnosisKind kind = Diagnosis{Certainty::Certain, evidence}.kind();
        QVERIFY(evidenceFromJson(kind, toJson(evidence)) == evidence);
        // A missing field is an error; only a few may be missing, as a fair waiter's deadline.
        QJsonObject incomplete = toJson(evidence);
        for (const char* optional : {"all_threads", "by_threads", "client_sure", "dump_at", "during_hold"})
            incomplete.remove(QLatin1String(optional));
        const QList<QString> required{QStringLiteral("head"), incomplete.keys().first()};
        incomplete.erase(incomplete.find(required[incomplete.contains(required[0]) ? 0 : 1]));
        QVERIFY(!evidenceFromJson(kind, incomplete));
    }

    void besideEachIdStandsTheNameOfItsClient() {
        const auto aliasOf = [](const ClientId& client) {
            return client == alice.client() ? QStringLiteral("orders-a") : QString();
        };
        const Evidence evidence = UnlockFromOtherThread{alice, bob, WallTime(1s), std::nullopt, std::nullopt};
        const QJsonObject json = toJson(evidence, aliasOf);
        QCOMPARE(json["caller_alias"].toString(), "orders-a");
        QVERIFY(!json.contains("holder_alias"));
        QVERIFY(evidenceFromJson(DiagnosisKind::UnlockFromOtherThread, json) == evidence);
    }

    void theRoleOfAServerComesBackAsItWas_data() { addAwkwardNames(); }
    void theRoleOfAServerComesBackAsItWas() {
        QFETCH(const QByteArray, name);
        const Evidence evidence = PossibleDoubleHolder{alice, WallTime(1s), 500ms, name};
        const QByteArray line = QJsonDocument(toJson(evidence)).toJson();
        const QJsonObject read = QJsonDocument::fromJson(line).object();
        QVERIFY(evidenceFromJson(DiagnosisKind::PossibleDoubleHolder, read) == evidence);
    }

    void anUnknownDeadlineIsLeftOut() {
        QCOMPARE(compact(FairQueueBlocked{alice, std::nullopt, WallTime(1s), 3}),
                 "{free_since:01.000Z,head:alice,queued:3}");
        QCOMPARE(compact(FairQueueStorm{alice, std::nullopt, WallTime(1s), 2, std::nullopt}),
                 "{awake:2,free_since:01.000Z,head:alice}");
    }
};

LOCKKEEPER_TEST(TestEvidenceJson, Appless)

}  // namespace tst_evidencejson

#include "tst_evidencejson.moc"
