// SPDX-License-Identifier: Apache-2.0
#include "monitor/model/synchronizer.h"
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/widgettest.h"
#include "ui/operate/givebackdialog.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

namespace tst_givebackdialog {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// Returns a permit of a semaphore whose lease is over.
class TestGiveBackDialog : public WidgetTest {
    Q_OBJECT

private:
    const QWidget& top() const override { return *m_dialog; }
    monitor::PermitLease lease(const char* id, Milliseconds endsIn) const {
        return {id, m_clock.wallNow() + endsIn, std::nullopt};
    }
    monitor::Synchronizer semaphore(const std::vector<monitor::PermitLease>& leases, qint64 more = 0) const {
        monitor::Synchronizer semaphore;
        semaphore.name = lockName("licences");
        semaphore.kind = monitor::SynchronizerKind::Semaphore;
        semaphore.leases = leases;
        semaphore.leased = static_cast<qint64>(leases.size()) + more;
        return semaphore;
    }
    void open() {
        m_requests.clear();
        m_dialog = std::make_unique<GiveBackDialog>(semaphore({lease("one", -20s), lease("two", -10s)}), m_time);
        connect(m_dialog.get(), &GiveBackDialog::giveBackRequested, this,
                [this](const control::ForceReleaseRequest& request) { m_requests.push_back(request); });
        find<QLineEdit>("giveBackReason").setText(QStringLiteral("worker-7 crashed"));
        m_dialog->show();
    }
    QPushButton& button() const { return find<QPushButton>("giveBackButton"); }
    QString missing() const { return find<QLabel>("giveBackMissing").text(); }

    ManualClock m_clock;
    ViewTime m_time{m_clock};
    std::unique_ptr<GiveBackDialog> m_dialog;
    std::vector<control::ForceReleaseRequest> m_requests;

private Q_SLOTS:
    void initTestCase() { m_time.follow(connected()); }
    void cleanup() { m_dialog.reset(); }

    void thePermitThatIsChosenIsReturned() {
        open();
        QVERIFY(button().isEnabled());
        find<QComboBox>("giveBackPermit").setCurrentIndex(1);
        button().click();
        QCOMPARE(m_requests.size(), size_t{1});
        QCOMPARE(m_requests.front().change.permit->id, QByteArray("two"));
    }

    void itFollowsWhatBecomesOfThePermit_data() {
        QTest::addColumn<std::vector<monitor::PermitLease>>("leases");
        QTest::addColumn<qint64>("more");
        QTest::addColumn<QString>("missing");
        using Leases = std::vector<monitor::PermitLease>;
        const auto row = [](const char* name, const Leases& leases, qint64 more, const char* missing) {
            QTest::newRow(name) << leases << more << QString::fromLatin1(missing);
        };
        const Leases both{lease("one", -20s), lease("two", -10s)};
        row("nothing has changed", both, 0, "");
        row("another one was acquired", {both[0], both[1], lease("three", 30s)}, 0, "");
        row("the other one was returned", {both[0]}, 0, "");
        row("it was returned", {both[1]}, 0, "This permit has been returned meanwhile.");
        row("its lease was extended", {both[1], lease("one", 30s)}, 0,
            "This permit has another lease meanwhile: choose again.");
        row("it is not among those that end first", {both[1], lease("three", 30s)}, 5,
            "This permit has been returned, or its lease extended meanwhile.");
        row("not all that are over are read", {lease("older", -30s)}, 5, "");
    }
    void itFollowsWhatBecomesOfThePermit() {
        QFETCH(const std::vector<monitor::PermitLease>, leases);
        QFETCH(const qint64, more);
        QFETCH(const QString, missing);
        open();
        const monitor::Synchronizer now = semaphore(leases, more);
        m_dialog->follow(&now);
        QCOMPARE(this->missing(), missing);
        QCOMPARE(button().isEnabled(), missing.isEmpty());
    }

    // What was wrong with one permit is not wrong with the other.
    void anotherPermitCanBeChosen() {
        open();
        const monitor::Synchronizer now = semaphore({lease("two", -10s)});
        m_dialog->follow(&now);
        QVERIFY(!button().isEnabled());
        find<QComboBox>("giveBackPermit").setCurrentIndex(1);
        QVERIFY(button().isEnabled());
        m_dialog->follow(nullptr);
        QVERIFY(!button().isEnabled());
    }
};

LOCKKEEPER_TEST(TestGiveBackDialog, Gui)

}  // namespace tst_givebackdialog

#include "tst_givebackdialog.moc"
