// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/who/holderidentity.h"
#include "support/samplelocks.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_holderidentity {

using namespace lockkeeper;
using namespace lockkeeper::monitor;

using Clients = QList<ClientListEntry>;

namespace {

ClientListEntry client(const QByteArray& address, const QByteArray& name, const QByteArray& user = "app",
                       const QByteArray& flags = "N") {
    return {1, address, name, user, flags, 0};
}

// The client that sends CLIENT LIST is in every list.
const ClientListEntry ourselves = client("10.0.0.99:1", "lockkeeper-who", "ops");

HolderIdentity unknown() {
    HolderIdentity identity;
    identity.client = ClientId(test::clientA);
    return identity;
}

}  // namespace

class TestHolderIdentity : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void guessesOnlyWithGround_data() {
        QTest::addColumn<Clients>("clients");
        QTest::addColumn<IdentityBasis>("basis");
        QTest::addColumn<QByteArrayList>("told");  // address, name, user
        using Told = QByteArrayList;
        const QByteArray named = "app-" + test::clientA;
        QTest::newRow("nobody else") << Clients{ourselves} << IdentityBasis::None << Told{"", "", ""};
        QTest::newRow("one is named so") << Clients{client("10.0.0.7:1", named), client("10.0.0.8:1", "b"), ourselves}
                                         << IdentityBasis::ClientName << Told{"10.0.0.7:1", named, "app"};
        QTest::newRow("a pool is named so")
            << Clients{client("10.0.0.7:1", named), client("10.0.0.7:2", named), client("10.0.0.8:1", "b")}
            << IdentityBasis::ClientName << Told{"10.0.0.7", named, "app"};
        QTest::newRow("two hosts are named so") << Clients{client("10.0.0.7:1", named), client("10.0.0.8:1", named)}
                                                << IdentityBasis::None << Told{"", "", ""};
        QTest::newRow("one host") << Clients{client("10.0.0.7:1", "a"), client("10.0.0.7:2", "b", "app"), ourselves}
                                  << IdentityBasis::OnlyHost << Told{"10.0.0.7", "", "app"};
        QTest::newRow("one host, and a replica")
            << Clients{client("10.0.0.7:1", "a"), client("10.0.0.5:1", "", "default", "S"), ourselves}
            << IdentityBasis::OnlyHost << Told{"10.0.0.7:1", "a", "app"};
        QTest::newRow("two hosts") << Clients{client("10.0.0.7:1", "a"), client("10.0.0.8:1", "a"), ourselves}
                                   << IdentityBasis::None << Told{"", "", ""};
    }
    void guessesOnlyWithGround() {
        QFETCH(Clients, clients);
        HolderIdentity identity = unknown();
        guess(identity, clients);
        QTEST(identity.basis, "basis");
        QTEST((QByteArrayList{identity.address, identity.name, identity.user}), "told");
    }

    void namesTheAddressThatMonitorShowed_data() {
        QTest::addColumn<QByteArray>("address");
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("one of a pool") << QByteArray("10.0.0.7:2") << QByteArray("b");
        QTest::newRow("gone meanwhile") << QByteArray("10.0.0.7:3") << QByteArray();
        QTest::newRow("the only one on a socket") << QByteArray("unix:/run/a.sock") << QByteArray("c");
        QTest::newRow("one of several on a socket") << QByteArray("unix:/run/b.sock") << QByteArray();
    }
    void namesTheAddressThatMonitorShowed() {
        QFETCH(QByteArray, address);
        HolderIdentity identity = unknown();
        identity.basis = IdentityBasis::Monitor;
        identity.address = address;
        addNameAndUser(identity, {client("10.0.0.7:1", "a"), client("10.0.0.7:2", "b"), client("/run/a.sock:0", "c"),
                                  client("/run/b.sock:0", "d"), client("/run/b.sock:0", "e")});
        QTEST(identity.name, "name");
        QCOMPARE(identity.user, identity.name.isEmpty() ? QByteArray() : QByteArray("app"));
        QCOMPARE(identity.address, address);
        QCOMPARE(identity.basis, IdentityBasis::Monitor);
    }
};

LOCKKEEPER_TEST(TestHolderIdentity, Guiless)

}  // namespace tst_holderidentity

#include "tst_holderidentity.moc"
