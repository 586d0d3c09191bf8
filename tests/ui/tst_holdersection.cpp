// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/widgettest.h"
#include "ui/base/helptip.h"
#include "ui/locks/holders/holdersection.h"

#include <QComboBox>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

namespace tst_holdersection {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

class TestHolderSection : public WidgetTest {
    Q_OBJECT

private:
    const QWidget& top() const override { return *m_section; }
    QToolButton& button(const char* name) const { return find<QToolButton>(name); }
    QComboBox& choice() const { return *m_section->findChild<QComboBox*>(); }
    QString identity() const {
        const auto* text = m_section->findChild<QPlainTextEdit*>(QStringLiteral("holderIdentity"));
        return text->isVisible() ? text->toPlainText() : QString();
    }
    monitor::LockRow row(const QList<monitor::Holder>& holders) const {
        monitor::LockRow row = heldRow(m_clock, lockName("L"), 20s);
        row.lock.holders = holders;
        return row;
    }
    static HolderKnowledge confirmed() {
        HolderKnowledge knowledge;
        monitor::HolderIdentity known;
        known.client = ClientId(clientA);
        known.basis = monitor::IdentityBasis::Monitor;
        known.address = "10.0.0.7:53422";
        knowledge.identities.insert(known.client, known);
        return knowledge;
    }

    ManualClock m_clock;
    std::unique_ptr<ViewTime> m_time;
    std::unique_ptr<HolderSection> m_section;

private Q_SLOTS:
    void init() {
        m_time = std::make_unique<ViewTime>(m_clock);
        m_time->follow(connected());
        m_section = std::make_unique<HolderSection>(*m_time);
        m_section->setLock(row({holder(clientA, 33)}));
        m_section->show();
    }
    void cleanup() { m_section.reset(); }

    void keepsItsPlaceWhileALockIsShown() {
        QVERIFY(m_section->isVisible());
        m_section->setLock(freeRow(m_clock, lockName("L")));
        QVERIFY(m_section->isVisible());
        for (const char* name : {"holderFind", "holderDump", "holderAlias", "holderLocks"})
            QVERIFY2(!button(name).isEnabled(), name);
        m_section->setLock({});
        QVERIFY(m_section->isHidden());
    }

    void everyButtonIsAboutTheClient_data() {
        QTest::addColumn<QByteArray>("button");
        QTest::addColumn<QByteArray>("wish");
        QTest::newRow("find out") << QByteArray("holderFind")
                                  << QByteArray(
                                         SIGNAL(identityWanted(lockkeeper::ClientId, lockkeeper::monitor::LockRow)));
        QTest::newRow("name") << QByteArray("holderAlias") << QByteArray(SIGNAL(aliasWanted(lockkeeper::ClientId)));
        QTest::newRow("get a dump") << QByteArray("holderDump") << QByteArray(SIGNAL(dumpWanted(lockkeeper::ClientId)));
        QTest::newRow("its locks") << QByteArray("holderLocks")
                                   << QByteArray(SIGNAL(locksWanted(lockkeeper::ClientId)));
    }
    void everyButtonIsAboutTheClient() {
        QFETCH(QByteArray, button);
        QFETCH(QByteArray, wish);
        QSignalSpy wishes(m_section.get(), wish.constData());
        this->button(button.constData()).click();
        QCOMPARE(wishes.size(), 1);
        QCOMPARE(wishes.first().first().value<ClientId>(), ClientId(clientA));
    }

    void amongManyHoldersOneIsChosen() {
        QVERIFY(!choice().isVisible());
        m_section->setLock(row({holder(clientA, 1), holder(clientA, 2), holder(clientB, 1)}));
        QVERIFY(choice().isVisible());
        QCOMPARE(choice().count(), 2);
        choice().setCurrentIndex(1);
        // The first holder releases: the selection stays with its client.
        m_section->setLock(row({holder(clientB, 1), holder("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10", 1)}));
        QCOMPARE(choice().currentText(), QString::fromLatin1(clientB));
        QSignalSpy wishes(m_section.get(), &HolderSection::aliasWanted);
        button("holderAlias").click();
        QCOMPARE(wishes.first().first().value<ClientId>(), ClientId(clientB));
    }

    void showsWhatIsKnownOfTheChosenOne() {
        m_section->setLock(row({holder(clientA, 1), holder(clientB, 1)}));
        m_section->setKnowledge(confirmed());
        QVERIFY2(identity().startsWith(QStringLiteral("10.0.0.7:53422\nConfirmed by MONITOR")), qPrintable(identity()));
        choice().setCurrentIndex(1);
        QCOMPARE(identity(), QString());
    }

    void anAliasStandsBeforeTheUuid() {
        m_section->setLock(row({holder(clientA, 1), holder(clientB, 1)}));
        HolderKnowledge knowledge;
        knowledge.aliases.set(ClientId(clientB), QStringLiteral("orders-b"));
        m_section->setKnowledge(knowledge);
        QCOMPARE(choice().itemText(1), QString::fromLatin1("orders-b (" + clientB + ")"));
    }

    void whileItListensItCanBeStopped() {
        QVERIFY(!button("holderStop").isVisible());
        HolderKnowledge knowledge;
        knowledge.searching = ClientId(clientA);
        m_section->setKnowledge(knowledge);
        QVERIFY(button("holderStop").isVisible());
        QVERIFY(!button("holderFind").isVisible());
        QVERIFY2(identity().startsWith(QStringLiteral("Listening with MONITOR")), qPrintable(identity()));
        QSignalSpy stops(m_section.get(), &HolderSection::stopWanted);
        button("holderStop").click();
        QCOMPARE(stops.size(), 1);
    }

    void oneMonitorAtATime() {
        HolderKnowledge knowledge;
        knowledge.searching = ClientId(clientB);
        m_section->setKnowledge(knowledge);
        QVERIFY(!button("holderStop").isVisible());
        QVERIFY(!button("holderFind").isEnabled());
    }

    void withoutAConnectionNothingIsFoundOut() {
        m_time->follow(reconnecting(m_clock.wallNow()));
        m_section->refresh();
        QVERIFY(!button("holderFind").isEnabled());
        QCOMPARE(button("holderFind").toolTip(), helpTip(QStringLiteral("Not connected.")));
        QVERIFY(button("holderAlias").isEnabled());
    }
};

LOCKKEEPER_TEST(TestHolderSection, Gui)

}  // namespace tst_holdersection

#include "tst_holdersection.moc"
