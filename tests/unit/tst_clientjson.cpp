// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/who/restarts.h"
#include "monitor/format/clientjson.h"
#include "support/locksnapshots.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_clientjson {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

ClientRow known() {
    ClientRow row;
    row.id = alice.client();
    row.firstSeen = WallTime(1s);
    row.last = {SignOfLife::Renewed, LockName("a"), WallTime(11s)};
    row.held = 2;
    row.waitsFor = 1;
    row.deadPlaces = 1;
    row.renewals = 4;
    row.renewalsPerSecond = 0.5;
    row.watchdogTimeout = 30s;
    row.losses = 3;
    return row;
}

QString anAlias(const ClientId&) {
    return QStringLiteral("worker-7");
}

IdentifiedClient identified(const ClientRow& row, const char* address, const char* name) {
    HolderIdentity identity;
    identity.client = row.id;
    identity.basis = IdentityBasis::Monitor;
    identity.address = address;
    identity.name = name;
    return {row, identity};
}

}  // namespace

// The fields that resources/manual/json.md promises to scripts.
class TestClientJson : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLineMayBeWithoutTheLocks() {
        QVERIFY(!toJsonLine(known(), WallTime(20s)).contains("locks"));
        QVERIFY(toJsonLine(known(), {}, WallTime(20s)).contains(R"("locks":[])"));
    }

    void aLineHasWhatIsKnown() {
        QCOMPARE(toJsonLine(known(), {LockName("a"), LockName("b")}, WallTime(20s), anAlias),
                 QByteArray(R"({"alias":"worker-7","at":"1970-01-01T00:00:20.000Z",)"
                            R"("client":"6f1d5ab8-0e8c-4d31-9d2b-0a1b2c3d4e5f","dead_places":1,"diagnoses":[],)"
                            R"("event":"client","first_seen":"1970-01-01T00:00:01.000Z","held":2,)"
                            R"("last_sign":{"at":"1970-01-01T00:00:11.000Z","lock":"a","what":"renewed"},)"
                            R"("locks":[{"lock":"a"},{"lock":"b"}],"losses":3,"program":"redisson","renewals":4,)"
                            R"("renewals_per_second":0.5,"waits_for":1,"watchdog_timeout_ms":30000})"));
    }

    void whatIsNotKnownIsLeftOut() {
        ClientRow row;
        row.id = ClientId("svc");
        const QByteArray line = toJsonLine(row, {}, WallTime(20s));
        QVERIFY(line.contains(R"("program":"other")"));
        for (const char* field : {"alias", "last_sign", "renewals_per_second", "watchdog_timeout_ms"})
            QVERIFY2(!line.contains(field), line.constData());
    }

    void theTableHasALineForEach() {
        const QStringList lines = clientTable({known()}, anAlias);
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines.first().startsWith(QStringLiteral("CLIENT ")));
        QVERIFY2(lines.last().startsWith(QStringLiteral("worker-7 (6f1d5ab8")), qPrintable(lines.last()));
        QVERIFY2(lines.last().contains(QStringLiteral("renewed")), qPrintable(lines.last()));
    }

    // ---- restarts ----

    void aRestartHasTheSameHostAndName_data() {
        QTest::addColumn<QByteArray>("address");
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<Milliseconds>("firstSeen");
        QTest::addColumn<qsizetype>("held");
        QTest::addColumn<bool>("isRestart");
        QTest::newRow("another port") << QByteArray("10.0.0.7:5001") << QByteArray("w") << 12'000ms << qsizetype{0}
                                      << true;
        QTest::newRow("another host") << QByteArray("10.0.0.8:5001") << QByteArray("w") << 12'000ms << qsizetype{0}
                                      << false;
        QTest::newRow("another name") << QByteArray("10.0.0.7:5001") << QByteArray("v") << 12'000ms << qsizetype{0}
                                      << false;
        QTest::newRow("no name") << QByteArray("10.0.0.7:5001") << QByteArray() << 12'000ms << qsizetype{0} << false;
        QTest::newRow("beside the earlier one")
            << QByteArray("10.0.0.7:5001") << QByteArray("w") << 10'000ms << qsizetype{0} << false;
        QTest::newRow("the earlier one still holds a lock")
            << QByteArray("10.0.0.7:5001") << QByteArray("w") << 12'000ms << qsizetype{1} << false;
    }
    void aRestartHasTheSameHostAndName() {
        QFETCH(const QByteArray, address);
        QFETCH(const QByteArray, name);
        QFETCH(const Milliseconds, firstSeen);
        QFETCH(const qsizetype, held);
        QFETCH(const bool, isRestart);
        ClientRow earlier = known();
        earlier.held = held;
        earlier.waitsFor = 0;
        ClientRow later;
        later.id = bob.client();
        later.firstSeen = WallTime(firstSeen);
        const QHash<ClientId, ClientId> restarts = restartsAmong(
            {identified(earlier, "10.0.0.7:5000", name.isEmpty() ? "" : "w"), identified(later, address, name)});
        QCOMPARE(restarts.value(alice.client()) == bob.client(), isRestart);
        QVERIFY(!restarts.contains(bob.client()));
    }
};

LOCKKEEPER_TEST(TestClientJson, Guiless)

}  // namespace tst_clientjson

#include "tst_clientjson.moc"
