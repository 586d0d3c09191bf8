// SPDX-License-Identifier: Apache-2.0
#include "engine/sessionlink.h"
#include "support/emptysettings.h"
#include "support/fakeengine.h"
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "ui/base/messagebar.h"
#include "ui/locks/clients/clientnames.h"
#include "ui/locks/holders/holdercontroller.h"

#include <QDialog>
#include <QInputDialog>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tst_holdercontroller {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;
using monitor::IdentityBasis;

// MONITOR only after a confirmation; what was found out is kept; aliases are set by the user.
class TestHolderController : public QObject {
    Q_OBJECT

private:
    QDialog& dialog() const { return *m_window->findChild<QDialog*>(QStringLiteral("identifyDialog")); }
    QString label(const char* name) const {
        const auto* label = dialog().findChild<QLabel*>(QLatin1String(name));
        return label ? label->text() : QString();
    }
    void press(const char* name) const { dialog().findChild<QPushButton*>(QLatin1String(name))->click(); }
    monitor::LockRow renewed() const {
        monitor::LockRow row = heldRow(m_clock, lockName("L"), 9s);
        row.hold.renewals = 3;
        return row;
    }
    void agree() {
        m_controller->askToIdentify(ClientId(clientA), renewed());
        press("identifyListen");
        QCOMPARE(m_engine.searches.size(), size_t{1});
    }
    void find(IdentityBasis basis) {
        monitor::HolderIdentity identity;
        identity.client = ClientId(clientA);
        identity.basis = basis;
        m_engine.finishLast(identity);
    }
    IdentityBasis known() const { return m_controller->knowledge().identities.value(ClientId(clientA)).basis; }
    void enterAlias(const QString& alias) {
        m_controller->askForAlias(ClientId(clientA));
        auto* input = m_window->findChild<QInputDialog*>();
        input->setTextValue(alias);
        input->accept();
        QTRY_VERIFY(!m_window->findChild<QInputDialog*>());
    }

    QTemporaryDir m_directory;
    std::unique_ptr<QSettings> m_settings;
    ManualClock m_clock;
    FakeEngine m_engine;
    SessionLink m_link{m_engine};
    std::unique_ptr<ClientNames> m_names;
    std::unique_ptr<QWidget> m_window;
    MessageBar* m_messages = nullptr;
    HolderController* m_controller = nullptr;

private Q_SLOTS:
    void init() {
        m_settings = emptySettings(m_directory);
        m_engine.searches.clear();
        m_engine.cancelled.clear();
        m_window = std::make_unique<QWidget>();
        m_names = std::make_unique<ClientNames>(*m_settings);
        m_window->show();
        m_messages = new MessageBar(m_clock, m_window.get());
        m_controller = new HolderController(m_link, m_clock, *m_names, *m_messages, *m_window);
    }

    void saysWhatItCostsBeforeAnythingIsSent() {
        m_controller->askToIdentify(ClientId(clientA), renewed());
        QVERIFY(dialog().isVisible());
        QVERIFY2(label("identifyHeadline").contains(QStringLiteral("MONITOR for at most 3.3 s")),
                 qPrintable(label("identifyHeadline")));
        QVERIFY(label("identifyWhat").contains(QString::fromLatin1(clientA)));
        QVERIFY(label("identifyCost").contains(QStringLiteral("halve its throughput")));
        QVERIFY(label("identifyPrivacy").contains(QStringLiteral("keeps nothing")));
        QVERIFY(dialog().findChild<QPushButton*>(QStringLiteral("identifyCancel"))->isDefault());
        QVERIFY(m_engine.searches.empty());
    }

    void saysWhenThereMayBeNothingToReceive() {
        m_controller->askToIdentify(ClientId(clientA), renewed());
        QCOMPARE(label("identifyDoubt"), QString());
        press("identifyCancel");
        QTRY_VERIFY(!m_window->findChild<QDialog*>(QStringLiteral("identifyDialog")));
        m_controller->askToIdentify(ClientId(clientA), heldRow(m_clock, lockName("L"), 9s));
        QVERIFY(label("identifyDoubt").contains(QStringLiteral("not seen to be renewed")));
    }

    void cancellingSendsNothing() {
        m_controller->askToIdentify(ClientId(clientA), renewed());
        press("identifyCancel");
        QVERIFY(m_engine.searches.empty());
        QVERIFY(!m_controller->knowledge().searching);
    }

    void agreeingStartsTheSearch() {
        QSignalSpy changes(m_controller, &HolderController::knowledgeChanged);
        agree();
        QCOMPARE(m_engine.searches.front().client, ClientId(clientA));
        QCOMPARE(m_engine.searches.front().limit, Milliseconds(3300));
        QCOMPARE(m_controller->knowledge().searching, ClientId(clientA));
        QCOMPARE(m_controller->knowledge().searchEnds, m_clock.wallNow() + 3300ms);
        QCOMPARE(changes.size(), 1);
    }

    void thereIsOneSearchAtATime() {
        agree();
        QTRY_VERIFY(!m_window->findChild<QDialog*>(QStringLiteral("identifyDialog")));
        m_controller->askToIdentify(ClientId(clientB), renewed());
        QVERIFY(!m_window->findChild<QDialog*>(QStringLiteral("identifyDialog")));
    }

    void stoppingAsksTheEngineTo() {
        m_controller->stopListening();
        QVERIFY(m_engine.cancelled.empty());
        agree();
        m_controller->stopListening();
        QCOMPARE(m_engine.cancelled, std::vector<OperationId>{m_engine.lastId});
    }

    void keepsWhatWasFoundOut() {
        agree();
        find(IdentityBasis::OnlyHost);
        QVERIFY(!m_controller->knowledge().searching);
        QCOMPARE(known(), IdentityBasis::OnlyHost);
    }

    void aGuessDoesNotReplaceWhatIsCertain() {
        agree();
        find(IdentityBasis::Monitor);
        QTRY_VERIFY(!m_window->findChild<QDialog*>(QStringLiteral("identifyDialog")));
        m_engine.searches.clear();
        agree();
        find(IdentityBasis::OnlyHost);
        QCOMPARE(known(), IdentityBasis::Monitor);
    }

    void theAnswerToAnotherOperationIsNone() {
        agree();
        monitor::HolderIdentity other;
        other.client = ClientId(clientB);
        m_engine.report(HolderIdentified{OperationId(999999), other});
        QVERIFY(m_controller->knowledge().identities.isEmpty());
        QVERIFY(m_controller->knowledge().searching);
    }

    void theClientsOfThisConsoleAreNamedAsSuchAndNotKept() {
        m_controller->addOwn({ClientId(clientB)});
        QCOMPARE(m_controller->knowledge().aliases.of(ClientId(clientB)), QStringLiteral("this console"));
        enterAlias(QStringLiteral("orders-a"));
        const ClientNames later(*m_settings);
        QCOMPARE(later.aliases().of(ClientId(clientA)), QStringLiteral("orders-a"));
        QCOMPARE(later.aliases().of(ClientId(clientB)), QString());
        // Own clients stay: another session of the window may have locks on that server.
        m_controller->forgetClients();
        QCOMPARE(m_controller->knowledge().aliases.of(ClientId(clientB)), QStringLiteral("this console"));
    }

    // The answer to the search will not arrive.
    void anotherServerEndsTheSearch() {
        agree();
        QVERIFY(m_controller->knowledge().searching);
        m_controller->forgetClients();
        QVERIFY(!m_controller->knowledge().searching);
        m_engine.searches.clear();
        agree();
    }

    void anotherServerKnowsOthers() {
        agree();
        find(IdentityBasis::Monitor);
        enterAlias(QStringLiteral("orders-a"));
        m_controller->forgetClients();
        QVERIFY(m_controller->knowledge().identities.isEmpty());
        QCOMPARE(m_controller->knowledge().aliases.of(ClientId(clientA)), QStringLiteral("orders-a"));
    }

    void aliasesAreTheUsersAndStay() {
        enterAlias(QStringLiteral("orders-a"));
        QCOMPARE(m_controller->knowledge().aliases.of(ClientId(clientA)), QStringLiteral("orders-a"));
        const ClientNames later(*m_settings);
        QCOMPARE(later.aliases(), m_controller->knowledge().aliases);
        m_controller->askForAlias(ClientId(clientA));
        QCOMPARE(m_window->findChild<QInputDialog*>()->textValue(), QStringLiteral("orders-a"));
    }
};

LOCKKEEPER_TEST(TestHolderController, Gui)

}  // namespace tst_holdercontroller

#include "tst_holdercontroller.moc"
