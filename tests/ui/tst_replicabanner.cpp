// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/statusfield.h"
#include "ui/locks/lockspage.h"
#include "ui/session/sessionpage.h"

#include <QPushButton>
#include <QTabWidget>
#include <QTest>

namespace tst_replicabanner {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

namespace {

ConnectionStatus onReplica(const QString& master) {
    ConnectionStatus status = connected();
    status.server = QStringLiteral("replica.example.com:6380");
    status.isReplica = true;
    status.master = master;
    return status;
}

}  // namespace

// A connection that leads to a replica.
class TestReplicaBanner : public WindowTest {
    Q_OBJECT

private:
    QString banner() const { return find<InlineMessage>("banner").text(); }
    QPushButton& openMaster() const { return find<QPushButton>("bannerOpenMaster"); }

private Q_SLOTS:
    void init() {
        begin();
        makeWindow();
        m_window->connectTo(*profile::ConnectionProfile::fromUrl(
            QStringLiteral("rediss://eve:s3cret@replica.example.com:6380/2?ca=/ca.pem&ssh=me@jump")));
    }
    void cleanup() { end(); }

    void saysWhatItIsAndWhoseReplica() {
        m_engine->report(onReplica(QStringLiteral("10.0.0.1:6379")));
        QCOMPARE(banner(),
                 QStringLiteral("replica.example.com:6380 is a replica of 10.0.0.1:6379: locks can only be read "
                                "here, and what it shows may be late."));
        QVERIFY(openMaster().isVisible());
        QCOMPARE(openMaster().text(), QStringLiteral("Open its &master 10.0.0.1:6379"));
        QCOMPARE(find<StatusField>("statusConnection").text(),
                 QStringLiteral("Connected to replica.example.com:6380, a replica of 10.0.0.1:6379"));
    }

    void aMasterThatIsNotNamedCannotBeOpened() {
        m_engine->report(onReplica({}));
        QVERIFY2(banner().startsWith(QStringLiteral("replica.example.com:6380 is a replica: ")), qPrintable(banner()));
        QVERIFY(!openMaster().isVisible());
    }

    void oneNodeOfAClusterOffersTheWholeCluster() {
        ConnectionStatus node = connected();
        node.server = QStringLiteral("replica.example.com:6380");
        node.isClusterNode = true;
        m_engine->report(node);
        QCOMPARE(banner(), QStringLiteral("replica.example.com:6380 is one node of a Cluster: the locks of its other "
                                          "nodes are not shown."));
        auto& open = find<QPushButton>("bannerOpenCluster");
        QVERIFY(open.isVisible());
        QVERIFY(!openMaster().isVisible());
        open.click();
        const auto& opened = std::get<profile::ConnectionProfile>(m_window->currentPage().target());
        QCOMPARE(opened.urlWithoutPassword(),
                 QStringLiteral("rediss-cluster://eve@replica.example.com:6380?ca=/ca.pem&ssh=me@jump"));
        QCOMPARE(opened.credentials.password, QByteArray("s3cret"));
    }

    void nothingCanBeTakenOrReleased() {
        m_engine->report(onReplica(QStringLiteral("10.0.0.1:6379")));
        m_engine->report(batchOf({heldRow(m_clock, lockName("L"), 20s)}));
        m_window->currentPage().locksPage().selectFirst();
        const ActionRefusals refusals = m_window->currentPage().refusals();
        const auto reason = QStringLiteral("This server is a replica of 10.0.0.1:6379: it takes no writes.");
        QCOMPARE(refusals.acquire, reason);
        QCOMPARE(refusals.release, reason);
        QCOMPARE(refusals.forceRelease, reason);
        QCOMPARE(refusals.copyName, QString());
    }

    void theMasterOpensBesideItTheSameWay() {
        m_engine->report(onReplica(QStringLiteral("[fe80::1]:6379")));
        openMaster().click();
        QCOMPARE(m_window->pages().size(), 2);
        QCOMPARE(m_engine->connects.size(), size_t{2});
        const profile::ConnectionProfile& master = m_engine->connects.back();
        QCOMPARE(master.urlWithoutPassword(), QStringLiteral("rediss://eve@[fe80::1]:6379/2?ca=/ca.pem&ssh=me@jump"));
        QCOMPARE(master.credentials.password, "s3cret");
        QCOMPARE(master.id, master.addressId());
        QVERIFY(master.id != m_engine->connects.front().id);
    }

    void aMasterThatIsOpenIsShown() {
        SessionPage& replica = m_window->currentPage();
        m_engine->report(onReplica(QStringLiteral("10.0.0.1:6379")));
        openMaster().click();
        SessionPage& master = m_window->currentPage();
        m_engine->report(connected());
        m_window->findChild<QTabWidget*>(QStringLiteral("sessionTabs"))->setCurrentWidget(&replica);
        replica.findChild<QPushButton*>(QStringLiteral("bannerOpenMaster"))->click();
        QCOMPARE(&m_window->currentPage(), &master);
        QCOMPARE(m_window->pages().size(), 2);
    }

    void aMasterHasNoBanner() {
        m_engine->report(onReplica(QStringLiteral("10.0.0.1:6379")));
        m_engine->report(connected());  // promoted
        QCOMPARE(banner(), QString());
        QVERIFY(!openMaster().isVisible());
        QCOMPARE(m_window->currentPage().refusals().acquire, QString());
    }
};

LOCKKEEPER_TEST(TestReplicaBanner, Gui)

}  // namespace tst_replicabanner

#include "tst_replicabanner.moc"
