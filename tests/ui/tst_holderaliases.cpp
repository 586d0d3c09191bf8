// SPDX-License-Identifier: Apache-2.0
#include "support/samplelocks.h"
#include "support/testprogram.h"
#include "ui/words/holderaliases.h"

#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

namespace tst_holderaliases {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;

namespace {

const HolderId holderA = holder(clientA, 33).id;
const HolderId holderB = holder(clientB, -7).id;

}  // namespace

class TestHolderAliases : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void standsForTheUuid() {
        HolderAliases aliases;
        aliases.set(ClientId(clientA), QStringLiteral("orders-a"));
        QCOMPARE(aliases.display(holderA), QStringLiteral("orders-a:33"));
        QCOMPARE(aliases.fullDisplay(holderA), QString::fromLatin1("orders-a (" + clientA + ":33)"));
        QCOMPARE(aliases.display(holderB), QString::fromLatin1(clientB + ":-7"));
        QCOMPARE(aliases.fullDisplay(holderB), QString::fromLatin1(clientB + ":-7"));
    }

    void aHostStandsForTheUuidOfAClientWithoutAnAlias() {
        HolderAliases aliases;
        aliases.setHosts(
            {{ClientId(clientA), QStringLiteral("10.0.0.7")}, {ClientId(clientB), QStringLiteral("10.0.0.7?")}});
        QCOMPARE(aliases.display(holderA), QStringLiteral("10.0.0.7/8f14e45f:33"));
        QCOMPARE(aliases.display(holderB), QStringLiteral("10.0.0.7?/c9f0f895:-7"));
        QCOMPARE(aliases.fullDisplay(holderA), QString::fromLatin1("10.0.0.7 (" + clientA + ":33)"));
        QVERIFY(aliases.of(ClientId(clientA)).isEmpty());
        aliases.set(ClientId(clientA), QStringLiteral("orders-a"));
        QCOMPARE(aliases.display(holderA), QStringLiteral("orders-a:33"));
    }

    void anEmptyOneTakesItAway_data() {
        QTest::addColumn<QString>("empty");
        QTest::newRow("nothing") << QString();
        QTest::newRow("blanks") << QStringLiteral(" \t\n");
    }
    void anEmptyOneTakesItAway() {
        QFETCH(QString, empty);
        HolderAliases aliases;
        aliases.set(ClientId(clientA), QStringLiteral("orders-a"));
        aliases.set(ClientId(clientA), empty);
        QCOMPARE(aliases, HolderAliases());
    }

    void isOneLineOfBoundedLength() {
        HolderAliases aliases;
        aliases.set(ClientId(clientA), QStringLiteral(" orders\n  a ") + QChar(0x202e) + QString(500, u'x'));
        const QString alias = aliases.of(ClientId(clientA));
        QVERIFY2(alias.startsWith(QStringLiteral("orders a \\u{202e}xxx")), qPrintable(alias));
        QVERIFY(alias.size() < 2 * HolderAliases::longest);
    }

    void outlivesTheProgram() {
        const QTemporaryDir directory;
        QSettings settings(directory.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
        HolderAliases aliases;
        aliases.set(ClientId(clientA), QStringLiteral("orders a, \"the\" first = 1"));
        aliases.set(ClientId(clientB), QString::fromUtf8("库存"));
        aliases.save(settings);
        settings.sync();
        QCOMPARE(HolderAliases::load(QSettings(settings.fileName(), QSettings::IniFormat)), aliases);
    }

    void whatAnotherHandWroteIntoTheFileIsPassedOver() {
        const QTemporaryDir directory;
        QSettings settings(directory.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
        settings.setValue(QStringLiteral("holders/aliases"),
                          QStringList{QString(), QStringLiteral("x"), QStringLiteral(" y")});
        QCOMPARE(HolderAliases::load(settings), HolderAliases());
    }

    void keepsTheLastOnes() {
        HolderAliases aliases;
        aliases.set(ClientId(clientA), QStringLiteral("first"));
        aliases.set(ClientId(clientB), QStringLiteral("second"));
        aliases.set(ClientId(clientA), QStringLiteral("first again"));
        for (qsizetype i = 0; i < HolderAliases::keptAtMost - 1; ++i)
            aliases.set(ClientId::random(), QStringLiteral("another"));
        QCOMPARE(aliases.count(), HolderAliases::keptAtMost);
        QCOMPARE(aliases.of(ClientId(clientA)), QStringLiteral("first again"));
        QVERIFY(aliases.of(ClientId(clientB)).isEmpty());
    }
};

LOCKKEEPER_TEST(TestHolderAliases, Guiless)

}  // namespace tst_holderaliases

#include "tst_holderaliases.moc"
