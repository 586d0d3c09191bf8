// SPDX-License-Identifier: Apache-2.0
#include "support/serverwindowtest.h"

#include "control/audit/readaudit.h"
#include "ui/base/messagebar.h"
#include "ui/locks/lockspage.h"
#include "ui/session/sessionpage.h"

#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTest>

namespace lockkeeper::test {

using namespace ui;

const QString ServerWindowTest::worker = QStringLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33");
const QString ServerWindowTest::second = QStringLiteral("c9f0f895-fb98-4b91-99f5-1fd02c7a1d0e:7");
const QString ServerWindowTest::channel = QStringLiteral("redisson_lock__channel:{orders}");

ServerWindowTest::ServerWindowTest() = default;

ServerWindowTest::~ServerWindowTest() {
    end();
}

bool ServerWindowTest::begin() {
    if (!m_server.start())
        return false;
    makeWindow();
    return true;
}

void ServerWindowTest::end() {
    m_listener.abort();
    endWindow();
    m_server.stop();
    QDir(auditFolder()).removeRecursively();
}

// ---- the window ----

QString ServerWindowTest::facts() const {
    return inForce<QPlainTextEdit>("forceFacts").toPlainText();
}

QString ServerWindowTest::textOf(const char* message) const {
    return child<QLabel>(inForce<QWidget>(message), "messageText").text();
}

QString ServerWindowTest::said() const {
    return page().messages().texts().join(u'\n');
}

bool ServerWindowTest::open(profile::Environment environment) {
    profile::ConnectionProfile profile;
    profile.endpoint = m_server.options().endpoint;
    profile.id = profile.addressId();
    page().connectTo(profile, {QStringLiteral("Shop"), environment, profile::LabelColor::OfEnvironment});
    const auto isShown = [this] { return page().locksPage().table().model()->rowCount() > 0; };
    if (!QTest::qWaitFor(isShown) || action("actionForceRelease").isEnabled())
        return false;
    action("actionArm").trigger();
    child<QAbstractButton>(*dialog("armDialog"), "armButton").click();
    return QTest::qWaitFor([this] { return page().arming().isArmed() && hasWritingConnection(); });
}

bool ServerWindowTest::openForce(const char* by) {
    page().locksPage().table().setCurrentLock(LockName("orders"));
    action(by).trigger();
    return dialog("forceReleaseDialog");
}

bool ServerWindowTest::choose(const char* beginning) {
    auto& choice = inForce<QComboBox>("forceChoice");
    const int index = choice.findText(QString::fromLatin1(beginning), Qt::MatchStartsWith);
    choice.setCurrentIndex(index);
    return index >= 0;
}

void ServerWindowTest::giveReason() {
    inForce<QLineEdit>("forceReason").setText(QStringLiteral("worker-7 crashed"));
}

// ---- the server ----

void ServerWindowTest::hold(const QString& holder, int milliseconds) {
    m_server.cli({"HSET", "orders", holder, "1"});
    m_server.cli({"PEXPIRE", "orders", QString::number(milliseconds)});
}

void ServerWindowTest::handOver() {
    m_server.cli(
        {"EVAL",
         "redis.call('DEL', KEYS[1]); redis.call('HSET', KEYS[1], ARGV[1], 1); redis.call('PEXPIRE', KEYS[1], 600000)",
         "1", "orders", second});
}

bool ServerWindowTest::hasWritingConnection() {
    return m_server.cli({"CLIENT", "LIST"}).contains(QStringLiteral("name=lockkeeper-console"));
}

bool ServerWindowTest::isHeldUp() {
    for (const QString& client : m_server.cli({"CLIENT", "LIST"}).split(u'\n')) {
        if (client.contains(QStringLiteral("name=lockkeeper-console")) && client.contains(QStringLiteral(" flags=b")))
            return true;
    }
    return false;
}

void ServerWindowTest::killWritingConnection() {
    for (const QString& client : m_server.cli({"CLIENT", "LIST"}).split(u'\n')) {
        if (client.contains(QStringLiteral("name=lockkeeper-console")))
            m_server.cli({"CLIENT", "KILL", "ID", client.section(u' ', 0, 0).section(u'=', 1)});
    }
}

bool ServerWindowTest::listen(const QString& to) {
    m_listener.connectToServer(m_server.socketPath());
    m_listener.write("SUBSCRIBE " + to.toLatin1() + "\r\n");
    return QTest::qWaitFor([this] { return m_listener.bytesAvailable() > 0; }) && !m_listener.readAll().isEmpty();
}

bool ServerWindowTest::isWoken() {
    return QTest::qWaitFor([this] { return m_listener.bytesAvailable() > 0; }) &&
           m_listener.readAll().contains("message");
}

// ---- the audit ----

QList<control::AuditRecord> ServerWindowTest::audit() const {
    QList<control::AuditRecord> records;
    const Result<control::AuditReading> reading = control::readAudit(auditFolder());
    for (const control::AuditLine& line : reading ? reading->lines : std::vector<control::AuditLine>()) {
        if (line.record)
            records << *line.record;
    }
    return records;
}

}  // namespace lockkeeper::test
