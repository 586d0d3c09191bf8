// SPDX-License-Identifier: Apache-2.0
#include "support/sessionbus.h"
#include "support/testprogram.h"
#include "ui/window/notices/busnotifier.h"

#include <QDBusConnection>
#include <QSignalSpy>
#include <QTest>

namespace tst_busnotifier {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;

// The desktop's notification service, as far as the program uses it.
class FakeDesktop : public QObject {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")

public:
    QStringList capabilities;
    QStringList bodies;
    QList<uint> replaced;

public Q_SLOTS:
    QStringList GetCapabilities() { return capabilities; }
    uint Notify(const QString& /*application*/, uint replaces, const QString& /*icon*/, const QString& summary,
                const QString& body, const QStringList& /*actions*/, const QVariantMap& /*hints*/, int /*timeout*/) {
        replaced << replaces;
        bodies << summary + QStringLiteral("|") + body;
        return 42;
    }
};

// Runs on a real bus: with a service, and without one.
class TestBusNotifier : public QObject {
    Q_OBJECT

private:
    static std::optional<Error> problemOf(const QSignalSpy& probed) {
        return probed.front().front().value<std::optional<Error>>();
    }
    // Empty: the desktop shows notifications.
    QString probe() {
        QSignalSpy probed(&m_notifier, &Notifier::probed);
        m_notifier.probe();
        if (!probed.wait())
            return QStringLiteral("no answer");
        return problemOf(probed).value_or(Error()).text;
    }
    void appear() {
        QDBusConnection bus = QDBusConnection::connectToBus(QString::fromLocal8Bit(qgetenv("DBUS_SESSION_BUS_ADDRESS")),
                                                            QStringLiteral("desktop"));
        QVERIFY(bus.registerObject(QStringLiteral("/org/freedesktop/Notifications"), &m_desktop,
                                   QDBusConnection::ExportAllSlots));
        QVERIFY(bus.registerService(QStringLiteral("org.freedesktop.Notifications")));
    }

    SessionBus m_bus;
    FakeDesktop m_desktop;
    BusNotifier m_notifier;

private Q_SLOTS:
    void withoutABusNoneIsStarted() {
        qunsetenv("DBUS_SESSION_BUS_ADDRESS");
        qputenv("XDG_RUNTIME_DIR", "/nowhere");
        QSignalSpy probed(&m_notifier, &Notifier::probed);
        m_notifier.probe();
        QCOMPARE(probed.count(), 1);
        QCOMPARE(problemOf(probed), std::optional(Error(ErrorCode::ConnectionLost, DesktopCause::NoSessionBus)));
        QVERIFY2(m_bus.start(), "dbus-daemon does not start");
    }
    void cleanupTestCase() { QDBusConnection::disconnectFromBus(QStringLiteral("desktop")); }

    void withoutAServiceItSaysSo() {
        QVERIFY2(probe().contains(QStringLiteral("org.freedesktop.Notifications")), "the bus names what is missing");
        QSignalSpy failed(&m_notifier, &Notifier::failed);
        m_notifier.show(QStringLiteral("title"), QStringLiteral("text"));
        QVERIFY(failed.wait());
    }

    void showsPlainText() {
        appear();
        m_notifier.show(QStringLiteral("title"), QStringLiteral("a<b> & c"));
        QTRY_COMPARE(m_desktop.bodies, QStringList{QStringLiteral("title|a<b> & c")});
        QCOMPARE(probe(), QString());
    }

    void namesAreNoMarkup() {
        m_desktop.capabilities = {QStringLiteral("body"), QStringLiteral("body-markup")};
        QCOMPARE(probe(), QString());
        m_notifier.show(QStringLiteral("title"), QStringLiteral("a<b> & c"));
        QTRY_COMPARE(m_desktop.bodies.size(), 2);
        QCOMPARE(m_desktop.bodies.last(), QStringLiteral("title|a&lt;b&gt; &amp; c"));
        // The second notification replaces the first.
        QCOMPARE(m_desktop.replaced, (QList<uint>{0, 42}));
    }
};

LOCKKEEPER_TEST(TestBusNotifier, Guiless)

}  // namespace tst_busnotifier

#include "tst_busnotifier.moc"
