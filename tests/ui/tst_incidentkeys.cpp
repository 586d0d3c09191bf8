// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/locks/lockspage.h"
#include "ui/session/sessionpage.h"

#include <QApplication>
#include <QDialog>
#include <QLineEdit>
#include <QTest>

namespace tst_incidentkeys {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

namespace {

// An operator without a mouse. An action is a key with its modifiers, or a text that is typed in one go.
class Operator {
public:
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        ++m_actions;
        QTest::keyClick(target(), key, modifiers);
    }
    void type(const QString& text) {
        ++m_actions;
        for (const QChar letter : text)
            QTest::keyClick(target(), letter.toLatin1());
    }
    [[nodiscard]] int actions() const { return m_actions; }

private:
    static QWidget* target() {
        QWidget* focus = QApplication::focusWidget();
        return focus ? focus : QApplication::activeWindow();
    }

    int m_actions = 0;
};

}  // namespace

// The page "An incident" of the manual: from a call to a force with its reason, in an armed session for staging.
class TestIncidentKeys : public WindowTest {
    Q_OBJECT

private:
    LocksPage& page() const { return *m_window->findChild<LocksPage*>(); }
    QString selected() const { return m_window->currentPage().lockForActions(); }
    QDialog* forceDialog() const { return m_window->findChild<QDialog*>(QStringLiteral("forceReleaseDialog")); }

private Q_SLOTS:
    void init() {
        begin();
        makeWindow();
        activate();
        profile::ConnectionProfile staging =
            profile::ConnectionProfile::fromUrl(QStringLiteral("redis://cache.example")).value();
        m_window->connectTo(staging);
        m_engine->report(connected());
        std::vector<monitor::LockRow> rows;
        for (int i = 0; i < 200; ++i)
            rows.push_back(heldRow(
                m_clock, lockName(("orders:{customer-" + QByteArray::number(i) + "}:payment").constData()), 12s));
        rows[17].diagnoses = {watchdogStopped(m_clock)};
        m_engine->report(batchOf(rows));
    }
    void cleanup() { end(); }

    void fiveActionsForceALockThatIsKnownByAPartOfItsName() {
        Operator hands;
        hands.type(QStringLiteral("{customer-17}"));
        hands.press(Qt::Key_Return);
        QCOMPARE(selected(), QStringLiteral("orders:{customer-17}:payment"));
        hands.press(Qt::Key_Delete);
        QVERIFY(forceDialog());
        QTRY_COMPARE(QApplication::activeWindow(), forceDialog());
        hands.type(QStringLiteral("worker-7 hangs, ticket 1234"));
        hands.press(Qt::Key_F, Qt::AltModifier);
        QCOMPARE(hands.actions(), 5);
        QTRY_COMPARE(m_engine->forceReleases.size(), size_t{1});  // the button is seen to be pressed
        QCOMPARE(m_engine->forceReleases.front().confirmed.name, lockName("orders:{customer-17}:payment"));
        QCOMPARE(m_engine->forceReleases.front().reason, QStringLiteral("worker-7 hangs, ticket 1234"));
    }

    // The most urgent lock is the first one, so its name need not be known.
    void fourActionsForceTheMostUrgentLock() {
        Operator hands;
        hands.press(Qt::Key_Down);
        hands.press(Qt::Key_Delete);
        QVERIFY(forceDialog());
        QTRY_COMPARE(QApplication::activeWindow(), forceDialog());
        hands.type(QStringLiteral("worker-7 hangs"));
        hands.press(Qt::Key_F, Qt::AltModifier);
        QCOMPARE(hands.actions(), 4);
        QTRY_COMPARE(m_engine->forceReleases.size(), size_t{1});  // the button is seen to be pressed
        QCOMPARE(m_engine->forceReleases.front().confirmed.name, lockName("orders:{customer-17}:payment"));
    }

    // ---- typing in the table ----

    void typingInTheTableBeginsAFilter() {
        Operator hands;
        hands.type(QStringLiteral("er-17"));
        auto* filter = page().findChild<QLineEdit*>(QStringLiteral("lockFilter"));
        QCOMPARE(filter->text(), QStringLiteral("er-17"));
        QCOMPARE(page().shownLocks().size(), size_t{11});
        page().table().setFocus();
        hands.type(QStringLiteral("x"));
        QCOMPARE(filter->text(), QStringLiteral("x"));
    }

    void aKeyWithoutALetterStaysInTheTable_data() {
        QTest::addColumn<Qt::Key>("key");
        QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
        QTest::newRow("down") << Qt::Key_Down << Qt::KeyboardModifiers();
        QTest::newRow("space") << Qt::Key_Space << Qt::KeyboardModifiers();
        QTest::newRow("a chord") << Qt::Key_J << Qt::KeyboardModifiers(Qt::ControlModifier);
    }
    void aKeyWithoutALetterStaysInTheTable() {
        QFETCH(Qt::Key, key);
        QFETCH(Qt::KeyboardModifiers, modifiers);
        page().table().setFocus();
        QTest::keyClick(&page().table(), key, modifiers);
        QVERIFY(page().table().hasFocus());
        QVERIFY(page().findChild<QLineEdit*>(QStringLiteral("lockFilter"))->text().isEmpty());
    }
};

LOCKKEEPER_TEST(TestIncidentKeys, Gui)

}  // namespace tst_incidentkeys

#include "tst_incidentkeys.moc"
