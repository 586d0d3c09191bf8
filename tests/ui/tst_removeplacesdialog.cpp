// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/widgettest.h"
#include "ui/base/inlinemessage.h"
#include "ui/operate/removeplacesdialog.h"

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>

namespace tst_removeplacesdialog {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

// Removes the places of one client in the queues of fair locks.
class TestRemovePlacesDialog : public WidgetTest {
    Q_OBJECT

private:
    const QWidget& top() const override { return *m_dialog; }
    // The first waiter of this lock is of client A and dead, the second one is of client B.
    monitor::LockRow queue(const char* name) const {
        monitor::LockRow row = freeRow(m_clock, lockName(name));
        row.lock.kind = monitor::LockKind::Fair;
        row.lock.fairQueue = {{holder(clientA, 1).id, m_clock.wallNow() + 5min},
                              {holder(clientB, 2).id, m_clock.wallNow() + 9min}};
        row.queueFacts = deadOf(row.lock.fairQueue);
        return row;
    }
    QList<DeadPlace> places(const QList<const char*>& names) const {
        QList<DeadPlace> places;
        for (const char* name : names)
            places += deadPlacesOf(ClientId(clientA), queue(name));
        return places;
    }
    void open(const QList<const char*>& names) {
        m_requests.clear();
        m_signals = 0;
        m_dialog = std::make_unique<RemovePlacesDialog>(ClientId(clientA), places(names), HolderAliases());
        connect(m_dialog.get(), &RemovePlacesDialog::removalRequested, this,
                [this](const QList<control::ForceReleaseRequest>& requests) {
                    ++m_signals;
                    m_requests.insert(m_requests.end(), requests.begin(), requests.end());
                });
        m_dialog->show();
    }
    QPushButton& remove() const { return find<QPushButton>("placesButton"); }
    QString list() const { return find<QPlainTextEdit>("placesList").toPlainText(); }
    QString missing() const { return find<QLabel>("placesMissing").text(); }
    void giveReason() const { find<QLineEdit>("placesReason").setText(QStringLiteral(" worker-7 crashed ")); }

    ManualClock m_clock;
    std::unique_ptr<RemovePlacesDialog> m_dialog;
    std::vector<control::ForceReleaseRequest> m_requests;
    int m_signals = 0;

private Q_SLOTS:
    void cleanup() { m_dialog.reset(); }

    void eachPlaceIsARequestOfItsOwn() {
        open({"a", "b"});
        QCOMPARE(list(), QStringLiteral("a: place 1 of 2, thread 1\nb: place 1 of 2, thread 1"));
        QCOMPARE(missing(), QStringLiteral("A reason is needed."));
        QVERIFY(!remove().isEnabled());
        giveReason();
        QVERIFY(remove().isEnabled());
        QCOMPARE(remove().text(), QStringLiteral("Remove 2 places"));
        remove().click();
        QCOMPARE(m_signals, 1);  // what is computed from all rows is computed once
        QCOMPARE(m_requests.size(), size_t{2});
        QCOMPARE(m_requests[0].confirmed.name, lockName("a"));
        QCOMPARE(m_requests[1].confirmed.name, lockName("b"));
        for (const control::ForceReleaseRequest& request : m_requests) {
            QCOMPARE(request.change.kind, control::ChangeKind::RemoveWaiter);
            QCOMPARE(request.change.waiter->id, holder(clientA, 1).id);
            QCOMPARE(request.reason, QStringLiteral("worker-7 crashed"));
        }
        QVERIFY(!m_dialog->isVisible());
    }

    void whatIsNotProvenDeadAnyMoreIsLeftOut() {
        open({"a", "b"});
        giveReason();
        m_dialog->follow(places({"b", "c"}));
        QCOMPARE(list(), QStringLiteral("b: place 1 of 2, thread 1"));
        QVERIFY(!find<InlineMessage>("placesNews").text().isEmpty());
        remove().click();
        QCOMPARE(m_requests.size(), size_t{1});
        QCOMPARE(m_requests[0].confirmed.name, lockName("b"));
    }

    void withoutPlacesNothingCanBeDone() {
        open({"a"});
        giveReason();
        m_dialog->follow({});
        QVERIFY(!remove().isEnabled());
        QCOMPARE(missing(), QStringLiteral("No place is left to remove."));
    }

    void aRefusalIsShown() {
        open({"a"});
        giveReason();
        m_dialog->setRefusal(QStringLiteral("Arm it first."));
        QVERIFY(!remove().isEnabled());
        QCOMPARE(missing(), QStringLiteral("Arm it first."));
    }

    void onProductionTheClientIsTyped() {
        open({"a"});
        m_dialog->setConnection({QStringLiteral("Orders"), profile::Environment::Production, {}},
                                QStringLiteral("cache.example:6379"));
        giveReason();
        QVERIFY(!remove().isEnabled());
        find<QLineEdit>("placesName").setText(QString::fromLatin1(clientA.left(8)));
        QVERIFY(remove().isEnabled());
    }
};

LOCKKEEPER_TEST(TestRemovePlacesDialog, Gui)

}  // namespace tst_removeplacesdialog

#include "tst_removeplacesdialog.moc"
