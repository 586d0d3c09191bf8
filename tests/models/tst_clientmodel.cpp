// SPDX-License-Identifier: Apache-2.0
#include "monitor/store/storelimits.h"
#include "support/guitestprogram.h"
#include "support/sampledump.h"
#include "support/samplelocks.h"
#include "support/widgettest.h"
#include "ui/base/inlinemessage.h"
#include "ui/locks/clients/clientcolors.h"
#include "ui/locks/clienttable/clientpanel.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

namespace tst_clientmodel {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

namespace {

ClientId numbered(int number) {
    return ClientId(QByteArray("00000000-0000-4000-8000-") + QByteArray::number(number).rightJustified(12, '0'));
}

monitor::ClientRow clientRow(const ClientId& id, qsizetype held = 1) {
    monitor::ClientRow row;
    row.id = id;
    row.held = held;
    row.firstSeen = WallTime(1s);
    return row;
}

monitor::MonitorBatch batchOf(const QList<monitor::ClientRow>& clients, const std::vector<ClientId>& removed = {}) {
    monitor::MonitorBatch batch;
    for (const monitor::ClientRow& client : clients)
        batch.clients.push_back(std::make_shared<const monitor::ClientRow>(client));
    batch.removedClients = removed;
    return batch;
}

monitor::ClientRow silent(const ClientId& id) {
    monitor::ClientRow row = clientRow(id, 5);
    monitor::StoppedLocks stopped{id, 5, {LockName("a"), LockName("b")}, WallTime(1s), 30s, WallTime(31s)};
    row.diagnoses = {{monitor::Certainty::Likely, monitor::ClientRenewsNothing{stopped, WallTime(20s)}}};
    return row;
}

}  // namespace

// The table of the clients.
class TestClientModel : public WidgetTest {
    Q_OBJECT

private:
    const QWidget& top() const override { return *m_panel; }
    QTableView& table() const { return find<QTableView>("clientTable"); }
    QStringList shown(ClientModel::Column column = ClientModel::Client) const {
        QStringList texts;
        for (int row = 0; row < table().model()->rowCount(); ++row)
            texts << table().model()->index(row, column).data().toString();
        return texts;
    }
    static QString text(const ClientId& client) { return QString::fromLatin1(client.bytes()); }

    ManualClock m_clock;
    ClientColors m_colors;
    std::unique_ptr<ViewTime> m_time;
    std::unique_ptr<ClientPanel> m_panel;
    std::unique_ptr<QAbstractItemModelTester> m_tester;

private Q_SLOTS:
    void init() {
        m_time = std::make_unique<ViewTime>(m_clock);
        m_time->follow(connected());
        m_panel = std::make_unique<ClientPanel>(*m_time, m_colors);
        m_panel->follow(connected());
        m_panel->resize(1000, 300);
        m_panel->show();
        m_tester = std::make_unique<QAbstractItemModelTester>(table().model(),
                                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
    }
    void cleanup() {
        m_tester.reset();
        m_panel.reset();
    }

    void aClientWithADiagnosisComesFirstAndAnIdleOneLast() {
        m_panel->apply(batchOf({clientRow(numbered(1), 0), clientRow(numbered(2)), silent(numbered(3))}));
        QCOMPARE(shown(), QStringList({text(numbered(3)), text(numbered(2)), text(numbered(1))}));
        QCOMPARE(shown(ClientModel::DiagnosisColumn), QStringList({"Client renews nothing", "", "Holds nothing now"}));
        QCOMPARE(shown(ClientModel::Held), QStringList({"5", "1", "0"}));
        const QString tip = table().model()->index(0, ClientModel::DiagnosisColumn).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains(QStringLiteral("has renewed none of its 5 locks")), qPrintable(tip));
    }

    void whatIsSelectedStaysSelectedWhileRowsComeAndGo() {
        m_panel->apply(batchOf({clientRow(numbered(1)), clientRow(numbered(2)), clientRow(numbered(3))}));
        m_panel->reveal(numbered(2));
        QCOMPARE(m_panel->current()->id, numbered(2));
        m_panel->apply(
            batchOf({silent(numbered(3)), clientRow(numbered(4)), clientRow(numbered(2), 7)}, {numbered(1)}));
        QCOMPARE(m_panel->current()->id, numbered(2));
        QCOMPARE(m_panel->current()->held, 7);
        QCOMPARE(shown().size(), 3);
    }

    // More are not watched, and what is left out must not seem not to exist.
    void itSaysThatThereMayBeMore() {
        const int most = static_cast<int>(monitor::StoreLimits().clients);
        QList<monitor::ClientRow> clients;
        for (int i = 1; i < most; ++i)
            clients += clientRow(numbered(i));
        m_panel->apply(batchOf(clients));
        const auto& note = find<InlineMessage>("clientNote");
        QVERIFY(note.text().isEmpty());
        m_panel->apply(batchOf({clientRow(numbered(most))}));
        QCOMPARE(note.text(),
                 QStringLiteral("No more than 20,000 clients are watched: those of some locks may be missing here"));
    }

    void theFilterSearchesEveryCell() {
        m_panel->apply(batchOf({clientRow(numbered(1)), silent(numbered(2))}));
        find<QLineEdit>("clientFilter").setText(QStringLiteral("renews NOTHING"));
        QCOMPARE(shown(), QStringList(text(numbered(2))));
        m_panel->reveal(numbered(1));
        QCOMPARE(m_panel->current()->id, numbered(1));
        QCOMPARE(shown().size(), 2);
    }

    void itsLocksAreAskedForByEnter() {
        m_panel->apply(batchOf({clientRow(numbered(1))}));
        m_panel->reveal(numbered(1));
        QSignalSpy wanted(m_panel.get(), &ClientPanel::locksWanted);
        QTest::keyClick(&table(), Qt::Key_Return);
        QCOMPARE(wanted.size(), 1);
        QCOMPARE(wanted.first().first().value<ClientId>(), numbered(1));
    }

    void onlyDeadPlacesCanBeRemoved() {
        monitor::ClientRow client = clientRow(numbered(1));
        m_panel->apply(batchOf({client}));
        m_panel->reveal(numbered(1));
        QVERIFY(!action("clientRemove").isEnabled());
        client.deadPlaces = 3;
        m_panel->apply(batchOf({client}));
        QVERIFY(action("clientRemove").isEnabled());
        QCOMPARE(shown(ClientModel::DiagnosisColumn), QStringList(QStringLiteral("Dead places in queues: 3")));
        ConnectionStatus lost = connected();
        lost.phase = ConnectionPhase::Reconnecting;
        m_time->follow(lost);
        m_panel->follow(lost);
        QVERIFY(!action("clientRemove").isEnabled());
    }

    // Both were found out before; a guess all the same.
    void aRestartIsAGuessByHostAndName() {
        monitor::ClientRow earlier = clientRow(numbered(1), 0);
        earlier.last = {monitor::SignOfLife::Renewed, LockName("a"), WallTime(10s)};
        monitor::ClientRow later = clientRow(numbered(2));
        later.firstSeen = WallTime(12s);
        m_panel->apply(batchOf({earlier, later}));
        HolderKnowledge knowledge;
        for (const ClientId& client : {numbered(1), numbered(2)}) {
            monitor::HolderIdentity identity;
            identity.client = client;
            identity.basis = monitor::IdentityBasis::Monitor;
            identity.address = client == numbered(1) ? "10.0.0.7:5000" : "10.0.0.7:5001";
            identity.name = "worker-7";
            knowledge.identities.insert(client, identity);
        }
        m_panel->setKnowledge(knowledge);
        QCOMPARE(shown(ClientModel::DiagnosisColumn), QStringList({"", "Restarted, it seems"}));
        knowledge.identities[numbered(2)].name = "worker-8";
        m_panel->setKnowledge(knowledge);
        QCOMPARE(shown(ClientModel::DiagnosisColumn), QStringList({"", "Holds nothing now"}));
    }

    void showsWhichClientsHaveADump() {
        monitor::ClientRow known = clientRow(numbered(1));
        auto dump = std::make_shared<monitor::ClientDump>(
            *verdictOf(HolderId(numbered(1), ThreadId{7}), m_clock.wallNow()).dump);
        known.dump = dump;
        monitor::ClientRow doubtful = clientRow(numbered(2));
        auto weak = std::make_shared<monitor::ClientDump>(*dump);
        weak->fit = monitor::Fit::Weak;
        doubtful.dump = weak;
        m_panel->apply(batchOf({known, doubtful, clientRow(numbered(3))}));
        const QStringList dumps = shown(ClientModel::Dump);
        QVERIFY(!dumps.at(0).isEmpty());
        QCOMPARE(dumps.at(1), dumps.at(0) + QStringLiteral(", perhaps"));
        QCOMPARE(dumps.at(2), QString());
    }

    void tenThousandComeAndGo() {
        QList<monitor::ClientRow> many;
        for (int i = 0; i < 10'000; ++i)
            many += clientRow(numbered(i));
        m_panel->apply(batchOf(many));
        QCOMPARE(shown().size(), 10'000);
        std::vector<ClientId> gone;
        for (int i = 0; i < 10'000; i += 2)
            gone.push_back(numbered(i));
        m_panel->apply(batchOf({}, gone));
        QCOMPARE(shown().size(), 5'000);
        m_panel->reveal(numbered(9'999));
        QCOMPARE(m_panel->current()->id, numbered(9'999));
    }

    void itSaysWhyItIsEmpty() {
        QVERIFY(!table().isVisible());
        m_panel->apply(batchOf({clientRow(numbered(1))}));
        QVERIFY(table().isVisible());
        m_panel->clear();
        QVERIFY(!table().isVisible());
    }
};

LOCKKEEPER_TEST(TestClientModel, Gui)

}  // namespace tst_clientmodel

#include "tst_clientmodel.moc"
