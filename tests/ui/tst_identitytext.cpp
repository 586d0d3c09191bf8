// SPDX-License-Identifier: Apache-2.0
#include "support/samplelocks.h"
#include "support/testprogram.h"
#include "ui/words/identitytext.h"

#include <QTest>

namespace tst_identitytext {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using monitor::HolderIdentity;
using monitor::IdentityBasis;

class TestIdentityText : public QObject {
    Q_OBJECT

private:
    HolderIdentity identity(IdentityBasis basis, std::optional<Error> error = {}) const {
        return {ClientId(clientA), basis, "10.0.0.7:53422", "orders-a", "app", m_clock.wallNow(), error};
    }

    ManualClock m_clock;

private Q_SLOTS:
    void itsHostIsTheAddressWithoutThePort_data() {
        QTest::addColumn<IdentityBasis>("basis");
        QTest::addColumn<QByteArray>("address");
        QTest::addColumn<QString>("host");
        const auto row = [](const char* name) -> QTestData& { return QTest::newRow(name); };
        row("IPv4") << IdentityBasis::Monitor << QByteArray("10.0.0.7:53422") << QStringLiteral("10.0.0.7");
        row("IPv6") << IdentityBasis::Monitor << QByteArray("[::1]:53422") << QStringLiteral("[::1]");
        row("Unix socket") << IdentityBasis::Monitor << QByteArray("/run/redis.sock:0")
                           << QStringLiteral("/run/redis.sock");
        row("a guess") << IdentityBasis::ClientName << QByteArray("10.0.0.7:53422") << QStringLiteral("10.0.0.7?");
        row("only a host") << IdentityBasis::OnlyHost << QByteArray("10.0.0.7") << QStringLiteral("10.0.0.7?");
        row("only a host, IPv6") << IdentityBasis::OnlyHost << QByteArray("fe80::1") << QStringLiteral("fe80::1?");
        row("not known") << IdentityBasis::None << QByteArray() << QString();
    }
    void itsHostIsTheAddressWithoutThePort() {
        QFETCH(const IdentityBasis, basis);
        QFETCH(const QByteArray, address);
        HolderIdentity who = identity(basis);
        who.address = address;
        QTEST(hostText(who), "host");
    }

    void saysHowItIsKnown_data() {
        QTest::addColumn<HolderIdentity>("who");
        QTest::addColumn<QStringList>("says");
        QTest::addColumn<QString>("address");
        const Error denied(ErrorCode::NotPermitted, QStringLiteral("NOPERM monitor"));
        const QString address = QStringLiteral("10.0.0.7:53422");
        const QString perhaps = QStringLiteral("perhaps 10.0.0.7:53422");
        QTest::newRow("confirmed") << identity(IdentityBasis::Monitor)
                                   << QStringList{address, QStringLiteral("name orders-a, user app"),
                                                  QStringLiteral("Confirmed by MONITOR at ")}
                                   << address;
        QTest::newRow("by its name") << identity(IdentityBasis::ClientName)
                                     << QStringList{perhaps, QStringLiteral("A guess"),
                                                    QStringLiteral("contains the client's UUID"),
                                                    QStringLiteral("showed no command")}
                                     << perhaps;
        QTest::newRow("only one host") << identity(IdentityBasis::OnlyHost, denied)
                                       << QStringList{perhaps, QStringLiteral("A guess"),
                                                      QStringLiteral("no other host"), QStringLiteral("not permitted"),
                                                      QStringLiteral("NOPERM monitor")}
                                       << perhaps;
        QTest::newRow("not known")
            << HolderIdentity{ClientId(clientA), IdentityBasis::None, {}, {}, {}, m_clock.wallNow(), {}}
            << QStringList{QStringLiteral("Not known"), QStringLiteral("showed no command")} << QString();
        QTest::newRow("stopped") << HolderIdentity{ClientId(clientA),
                                                   IdentityBasis::None,
                                                   {},
                                                   {},
                                                   {},
                                                   m_clock.wallNow(),
                                                   Error(ErrorCode::Cancelled, QString())}
                                 << QStringList{QStringLiteral("Stopped")} << QString();
    }
    void saysHowItIsKnown() {
        QFETCH(HolderIdentity, who);
        QFETCH(QStringList, says);
        const QString text = identityText(who, m_clock.wallNow());
        for (const QString& part : says)
            QVERIFY2(text.contains(part), qPrintable(text));
        QTEST(addressText(who), "address");
    }

    void onlyWhatIsCertainIsCalledConfirmed() {
        for (const IdentityBasis basis : {IdentityBasis::ClientName, IdentityBasis::OnlyHost, IdentityBasis::None})
            QVERIFY(!identityText(identity(basis), m_clock.wallNow()).contains(QStringLiteral("Confirmed")));
    }

    void aNameCannotPretendToBeAnotherLine() {
        HolderIdentity sly = identity(IdentityBasis::OnlyHost);
        sly.name = "a\nConfirmed by MONITOR";
        QVERIFY(identityText(sly, m_clock.wallNow()).contains(QStringLiteral("a\\nConfirmed")));
    }
};

LOCKKEEPER_TEST(TestIdentityText, Guiless)

}  // namespace tst_identitytext

#include "tst_identitytext.moc"
