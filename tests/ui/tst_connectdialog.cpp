// SPDX-License-Identifier: Apache-2.0
#include "support/dialogchecks.h"
#include "support/emptysettings.h"
#include "support/fakesecretstore.h"
#include "support/guitestprogram.h"
#include "support/manualclock.h"
#include "support/places.h"
#include "support/samplelocks.h"
#include "support/widgettest.h"
#include "ui/base/inlinemessage.h"
#include "ui/connections/connectdialog.h"
#include "ui/connections/knownconnections.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QGroupBox>
#include <QLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tst_connectdialog {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;

class TestConnectDialog : public WidgetTest {
    Q_OBJECT

private:
    const QWidget& top() const override { return *m_dialog; }
    QComboBox& url() const { return find<QComboBox>(QStringLiteral("connectUrl")); }
    QLineEdit& password() const { return find<QLineEdit>(QStringLiteral("connectPassword")); }
    QLineEdit& passphrase() const { return find<QLineEdit>(QStringLiteral("connectKeyPassphrase")); }
    QLineEdit& sentinelPassword() const { return find<QLineEdit>(QStringLiteral("connectSentinelPassword")); }
    QString written(const QByteArray& content) const {
        QFile file(m_directory.filePath(QStringLiteral("redisson.yaml")));
        [&] { QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size()); }();
        return file.fileName();
    }
    // Waits for what the thread for files does: first it opens the file, then it reads it.
    void awaitReading() {
        for (int step = 0; step < 2; ++step) {
            m_files.run<bool>([] { return true; }).waitForFinished();
            QCoreApplication::processEvents();
        }
    }
    void openFile(const QString& path) {
        m_dialog->openRedissonFile(path);
        awaitReading();
    }
    QLineEdit& user() const { return find<QLineEdit>(QStringLiteral("connectUser")); }
    QPushButton& connectButton() const { return find<QPushButton>(QStringLiteral("connectButton")); }
    QCheckBox& keep() const { return find<QCheckBox>(QStringLiteral("connectKeepPassword")); }
    InlineMessage& message() const { return find<InlineMessage>(QStringLiteral("connectMessage")); }
    QPushButton& saveButton() const { return find<QPushButton>(QStringLiteral("connectSave")); }
    // Types the name as the user does.
    void typeName(const char* name) const {
        auto& field = find<QLineEdit>(QStringLiteral("connectName"));
        field.clear();
        QTest::keyClicks(&field, QString::fromUtf8(name));
    }
    static profile::StoredProfile saved(const char* name) {
        profile::StoredProfile stored;
        stored.profile = *profile::ConnectionProfile::fromUrl(QStringLiteral("redis://saved"));
        stored.profile.id = profile::ProfileId(QStringLiteral("an id of its own"));
        stored.keeping = profile::StoredProfile::Keeping::Saved;
        stored.label.name = QString::fromUtf8(name);
        return stored;
    }
    void makeDialog() {
        m_dialog = std::make_unique<ConnectDialog>(*m_known, m_secrets, m_files);
        m_dialog->show();
        m_requests = std::make_unique<QSignalSpy>(m_dialog.get(), &ConnectDialog::connectRequested);
    }
    profile::ConnectionProfile requested() const { return m_requests->back()[0].value<profile::ConnectionProfile>(); }
    static profile::ProfileId idOf(const QVariant& secretKey) { return secretKey.value<profile::SecretKey>().profile; }
    static profile::ProfileId idOf(const char* url) {
        return profile::ConnectionProfile::fromUrl(QString::fromLatin1(url))->id;
    }
    // Connects in the dialog, and lets the engine begin.
    void startConnecting() {
        connectButton().click();
        m_dialog->follow(connecting());
    }
    static ConnectionStatus failed(ErrorCode code) {
        ConnectionStatus status = connected();
        status.phase = ConnectionPhase::Failed;
        status.error = Error(code, QStringLiteral("said the system"));
        return status;
    }

    QTemporaryDir m_directory;
    QString m_profilesPath = m_directory.filePath(QStringLiteral("profiles.json"));
    profile::ProfileStore m_profiles{m_profilesPath};
    ManualClock m_clock;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<KnownConnections> m_known;
    FakeSecretStore m_secrets;
    FileThread m_files;
    std::unique_ptr<ConnectDialog> m_dialog;
    std::unique_ptr<QSignalSpy> m_requests;

private Q_SLOTS:
    void init() {
        QVERIFY(m_directory.isValid());
        m_settings = emptySettings(m_directory);
        QFile::remove(m_profilesPath);
        m_known = std::make_unique<KnownConnections>(*m_settings, m_profiles, m_clock);
        m_secrets.isThere = true;
        m_secrets.kept.clear();
        m_secrets.keptPassphrases.clear();
        makeDialog();
    }
    void cleanup() { m_dialog.reset(); }

    void asksForWhatWasEntered() {
        url().setEditText(QStringLiteral("redis://cache.example.com:6380/3"));
        user().setText(QStringLiteral("operator"));
        password().setText(QStringLiteral("s3cret"));
        find<QCheckBox>(QStringLiteral("connectReadOnly")).setChecked(true);
        connectButton().click();
        QCOMPARE(m_requests->size(), 1);
        QCOMPARE(requested().endpoint.host, QStringLiteral("cache.example.com"));
        QCOMPARE(requested().endpoint.port, quint16{6380});
        QCOMPARE(requested().database, 3);
        QCOMPARE(requested().credentials.user, QByteArrayLiteral("operator"));
        QCOMPARE(requested().credentials.password, QByteArrayLiteral("s3cret"));
        QCOMPARE(requested().access, redis::AccessMode::ReadOnly);
        QCOMPARE(requested().id, idOf("redis://operator@cache.example.com:6380/3"));
    }

    void tabVisitsTheFieldsFromTopToBottom() {
        m_dialog->activateWindow();
        url().setFocus();
        QStringList visited;
        for (int i = 0; i < 5; ++i) {
            QTest::keyClick(m_dialog->focusWidget(), Qt::Key_Tab);
            visited << m_dialog->focusWidget()->objectName();
        }
        QCOMPARE(visited, (QStringList{"connectUser", "connectPassword", "connectWriter", "connectKeepPassword",
                                       "connectReadOnly"}));
    }

    void saysWhatIsWrongWithAnAddressAndAsksForNothing() {
        url().setEditText(QStringLiteral("http://example.com"));
        connectButton().click();
        QCOMPARE(m_requests->size(), 0);
        QVERIFY(message().isVisible());
        QVERIFY(!message().text().isEmpty());
        QVERIFY(connectButton().isEnabled());
    }

    void takesThePasswordOutOfTheAddress() {
        url().setFocus();
        url().setEditText(QStringLiteral("redis://operator:s3cret@cache.example.com"));
        Q_EMIT url().lineEdit()->editingFinished();
        QVERIFY2(!url().currentText().contains(QStringLiteral("s3cret")), qPrintable(url().currentText()));
        QCOMPARE(password().text(), QStringLiteral("s3cret"));
        QCOMPARE(password().echoMode(), QLineEdit::Password);
    }

    void remembersTheServerOnceConnectedButNeverThePassword() {
        url().setEditText(QStringLiteral("redis://operator:s3cret@cache.example.com:6380/3"));
        startConnecting();
        QVERIFY(!QFile::exists(m_profilesPath));
        m_dialog->follow(connected());
        QCOMPARE(m_dialog->result(), int{QDialog::Accepted});
        QFile file(m_profilesPath);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray stored = file.readAll();
        QVERIFY2(stored.contains("cache.example.com"), stored);
        QVERIFY2(!stored.contains("s3cret"), stored);
        makeDialog();
        QVERIFY(url().itemText(0).contains(QStringLiteral("cache.example.com:6380")));
    }

    void explainsAFailureInWords_data() {
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("todo");
        QTest::newRow("refused") << ErrorCode::ConnectionRefused << QStringLiteral("refused the connection")
                                 << QStringLiteral("Check the port");
        QTest::newRow("unknown host") << ErrorCode::HostNotFound << QStringLiteral("was not found")
                                      << QStringLiteral("spelling");
        QTest::newRow("wrong password") << ErrorCode::Auth << QStringLiteral("did not accept")
                                        << QStringLiteral("password");
        QTest::newRow("not Redis") << ErrorCode::Protocol << QStringLiteral("does not speak Redis's protocol")
                                   << QStringLiteral("rediss://");
        QTest::newRow("silence") << ErrorCode::Timeout << QStringLiteral("did not answer in time")
                                 << QStringLiteral("firewall");
        QTest::newRow("certificate") << ErrorCode::Tls << QStringLiteral("no trusted TLS connection")
                                     << QStringLiteral("certificates");
        QTest::newRow("rights") << ErrorCode::NotPermitted << QStringLiteral("does not permit")
                                << QStringLiteral("rights");
    }
    void explainsAFailureInWords() {
        QFETCH(ErrorCode, code);
        QFETCH(QString, what);
        QFETCH(QString, todo);
        startConnecting();
        m_dialog->follow(failed(code));
        QVERIFY(m_dialog->isVisible());
        QVERIFY2(message().text().contains(what), qPrintable(message().text()));
        QVERIFY2(message().text().contains(todo), qPrintable(message().text()));
        QVERIFY2(message().text().contains(QStringLiteral("said the system")), qPrintable(message().text()));
        QVERIFY(connectButton().isEnabled());
    }

    void isAsHighAsItsMessageNeeds() {
        startConnecting();
        m_dialog->follow(failed(ErrorCode::Tls));
        QTRY_VERIFY(m_dialog->height() >= m_dialog->layout()->totalHeightForWidth(m_dialog->width()));
    }

    void noKeyIsTakenTwice_data() {
        QTest::addColumn<QString>("address");
        QTest::addColumn<QString>("writer");
        QTest::addColumn<bool>("isReadOnly");
        QTest::addColumn<int>("keys");
        const QString all = QStringLiteral("rediss-sentinel://s1.example/mymaster?cert=/c.pem&key=/k.pem");
        QTest::newRow("at first") << QString() << QString() << false << 16;
        QTest::newRow("with every field") << all << QStringLiteral("operator") << false << 19;
        QTest::newRow("of one who only reads") << all << QStringLiteral("operator") << true << 17;
    }
    void noKeyIsTakenTwice() {
        QFETCH(const QString, address);
        QFETCH(const QString, writer);
        QFETCH(const bool, isReadOnly);
        url().setEditText(address);
        find<QLineEdit>(QStringLiteral("connectWriter")).setText(writer);
        find<QCheckBox>(QStringLiteral("connectReadOnly")).setChecked(isReadOnly);
        const QList<QKeySequence> keys = keysOfVisibleControls(*m_dialog);
        QTEST(int(keys.size()), "keys");
        for (const QKeySequence& key : keys)
            QVERIFY2(keys.count(key) == 1, qPrintable(key.toString()));
    }

    void keepsTheWayToAThreadDump() {
        profile::StoredProfile stored = saved("production");
        stored.profile.dumps.way = profile::DumpWay::Actuator;
        stored.profile.dumps.url = QStringLiteral("https://{host}:8081/actuator/threaddump");
        stored.profile.dumps.credentials.user = "admin";
        stored.profile.dumps.hosts = {QStringLiteral("10.0.0.7"), QStringLiteral("app.example")};
        m_dialog->setStored(stored);
        QVERIFY(find<QLineEdit>(QStringLiteral("connectDumpUrl")).isVisible());
        QVERIFY(!find<QLineEdit>(QStringLiteral("connectDumpPod")).isVisible());
        auto& actuatorPassword = find<QLineEdit>(QStringLiteral("connectDumpPassword"));
        QVERIFY(actuatorPassword.isVisible());
        actuatorPassword.setText(QStringLiteral("s3cret"));
        std::optional<profile::ConnectionProfile> requested;
        connect(m_dialog.get(), &ConnectDialog::connectRequested, this,
                [&requested](const profile::ConnectionProfile& profile) { requested = profile; });
        connectButton().click();
        QVERIFY(requested.has_value());
        stored.profile.dumps.credentials.password = "s3cret";
        QCOMPARE(requested->dumps, stored.profile.dumps);
    }

    void refusesAWayToAThreadDumpThatCannotBeUsed() {
        find<QGroupBox>(QStringLiteral("connectDumps")).setChecked(true);
        auto& way = find<QComboBox>(QStringLiteral("connectDumpWay"));
        way.setCurrentIndex(way.count() - 1);
        find<QLineEdit>(QStringLiteral("connectDumpPod")).setText(QStringLiteral("--kubeconfig=x"));
        const QSignalSpy requested(m_dialog.get(), &ConnectDialog::connectRequested);
        connectButton().click();
        QCOMPARE(requested.size(), 0);
        QVERIFY2(message().text().contains(QStringLiteral("no name of Kubernetes")), qPrintable(message().text()));
    }

    void locksItsFieldsWhileConnecting() {
        connectButton().click();
        QVERIFY(!url().isEnabled());
        QVERIFY(!connectButton().isEnabled());
        QVERIFY(message().text().contains(QStringLiteral("Connecting to 127.0.0.1:6379")));
    }

    void cancellingGivesUpTheAttempt() {
        const QSignalSpy cancelled(m_dialog.get(), &ConnectDialog::connectCancelled);
        connectButton().click();
        find<QPushButton>(QStringLiteral("connectCancel")).click();
        QCOMPARE(cancelled.size(), 1);
        QVERIFY(!m_dialog->isVisible());
    }

    void closingWithoutAnAttemptCancelsNothing() {
        const QSignalSpy cancelled(m_dialog.get(), &ConnectDialog::connectCancelled);
        m_dialog->reject();
        QCOMPARE(cancelled.size(), 0);
    }

    void ignoresTheStatusOfAnOlderConnection() {
        m_dialog->follow(connected());
        QVERIFY(m_dialog->isVisible());
        connectButton().click();
        m_dialog->follow(connected());
        QVERIFY2(m_dialog->isVisible(), "this attempt has not begun");
        m_dialog->follow(failed(ErrorCode::Auth));
        QVERIFY(message().text().contains(QStringLiteral("Connecting to")));
        m_dialog->follow(connecting());
        m_dialog->follow(connected());
        QVERIFY(!m_dialog->isVisible());
    }

    void aNewPasswordTakesTheOldFailureAway() {
        startConnecting();
        m_dialog->follow(failed(ErrorCode::Auth));
        QVERIFY(message().isVisible());
        QTest::keyClicks(&password(), QStringLiteral("x"));
        QVERIFY(!message().isVisible());
    }

    void fillsInWhatTheKeychainHas() {
        m_secrets.keep(QStringLiteral("redis://operator@cache.example.com"), QByteArrayLiteral("s3cret"));
        url().setEditText(QStringLiteral("redis://operator@cache.example.com?share=50"));
        Q_EMIT url().lineEdit()->editingFinished();
        QCOMPARE(password().text(), QStringLiteral("s3cret"));
        QCOMPARE(password().echoMode(), QLineEdit::Password);
        QVERIFY(keep().isChecked());
    }

    void theOptionsOfARecentConnectionChangeAndItsPasswordStays() {
        m_secrets.keep(QStringLiteral("redis://operator@cache.example.com?share=50"), QByteArrayLiteral("s3cret"));
        for (const char* options : {"?share=9", "?share=9&match=orders:*", ""}) {
            profile::StoredProfile recent;
            recent.profile =
                *profile::ConnectionProfile::fromUrl(QStringLiteral("redis://operator@cache.example.com?share=50"));
            m_dialog->setStored(recent);
            url().setEditText(QStringLiteral("redis://operator@cache.example.com") + QLatin1String(options));
            Q_EMIT url().lineEdit()->editingFinished();
            QCOMPARE(password().text(), QStringLiteral("s3cret"));
            connectButton().click();
            QCOMPARE(requested().credentials.password, QByteArrayLiteral("s3cret"));
            QCOMPARE(requested().id, recent.profile.id);
            m_dialog->follow(connecting());
            m_dialog->follow(failed(ErrorCode::ConnectionRefused));
        }
    }

    void eachUserHasAPassword() {
        m_secrets.keep(QStringLiteral("redis://operator@cache.example.com"), QByteArrayLiteral("s3cret"));
        url().setEditText(QStringLiteral("redis://cache.example.com"));
        Q_EMIT url().lineEdit()->editingFinished();
        QVERIFY(password().text().isEmpty());
        user().setText(QStringLiteral("operator"));
        Q_EMIT url().lineEdit()->editingFinished();
        QCOMPARE(password().text(), QStringLiteral("s3cret"));
    }

    void whatTheKeychainHasForOneServerIsNotGivenToAnother_data() {
        QTest::addColumn<bool>("hasLeftTheField");
        QTest::newRow("another address is entered") << true;
        QTest::newRow("and connected to at once") << false;
    }
    void whatTheKeychainHasForOneServerIsNotGivenToAnother() {
        QFETCH(bool, hasLeftTheField);
        m_secrets.keep(QStringLiteral("redis://cache.example.com"), QByteArrayLiteral("s3cret"));
        url().setEditText(QStringLiteral("redis://cache.example.com"));
        Q_EMIT url().lineEdit()->editingFinished();
        QCOMPARE(password().text(), QStringLiteral("s3cret"));
        url().setEditText(QStringLiteral("redis://other.example.com"));
        if (hasLeftTheField) {
            Q_EMIT url().lineEdit()->editingFinished();
            QCOMPARE(password().text(), QString());
        }
        connectButton().click();
        QCOMPARE(requested().credentials.password, QByteArray());
    }

    void aTypedPasswordStaysWithAnotherAddress() {
        QTest::keyClicks(&password(), QStringLiteral("typed"));
        url().setEditText(QStringLiteral("redis://other.example.com"));
        Q_EMIT url().lineEdit()->editingFinished();
        connectButton().click();
        QCOMPARE(requested().credentials.password, QByteArrayLiteral("typed"));
    }

    void whatWasTypedCountsMoreThanTheKeychain() {
        m_secrets.keep(QStringLiteral("redis://cache.example.com"), QByteArrayLiteral("old"));
        password().setText(QStringLiteral("new"));
        url().setEditText(QStringLiteral("redis://cache.example.com"));
        Q_EMIT url().lineEdit()->editingFinished();
        QCOMPARE(password().text(), QStringLiteral("new"));
    }

    void withoutAKeychainThePasswordIsTyped() {
        m_secrets.isThere = false;
        url().setEditText(QStringLiteral("redis://cache.example.com"));
        Q_EMIT url().lineEdit()->editingFinished();
        QVERIFY(password().text().isEmpty());
        QVERIFY2(!message().isVisible(), "nothing is wrong yet");
    }

    void keepsThePasswordOnlyIfAskedAndOnlyOnceConnected() {
        const QSignalSpy kept(m_dialog.get(), &ConnectDialog::keepPasswordWanted);
        QVERIFY2(!keep().isChecked(), "kept only when asked");
        keep().setChecked(true);
        url().setEditText(QStringLiteral("redis://cache.example.com"));
        password().setText(QStringLiteral("s3cret"));
        startConnecting();
        QCOMPARE(kept.size(), 0);
        m_dialog->follow(connected());
        QCOMPARE(kept.size(), 1);
        QCOMPARE(idOf(kept[0][0]), idOf("redis://cache.example.com"));
        QCOMPARE(kept[0][1].toByteArray(), QByteArrayLiteral("s3cret"));
    }

    void forgetsThePasswordWhenTheUserNoLongerWantsItKept() {
        const QSignalSpy forgotten(m_dialog.get(), &ConnectDialog::forgetPasswordWanted);
        m_secrets.keep(QStringLiteral("redis://cache.example.com"), QByteArrayLiteral("s3cret"));
        url().setEditText(QStringLiteral("redis://cache.example.com"));
        Q_EMIT url().lineEdit()->editingFinished();
        keep().setChecked(false);
        startConnecting();
        m_dialog->follow(connected());
        QCOMPARE(forgotten.size(), 1);
        QCOMPARE(idOf(forgotten[0][0]), idOf("redis://cache.example.com"));
    }

    void asksForThePassphraseOfAKey() {
        url().setEditText(QStringLiteral("rediss://cache.example.com?cert=/me.pem"));
        QVERIFY(!passphrase().isVisible());
        url().setEditText(QStringLiteral("rediss://cache.example.com?cert=/me.pem&key=/me.key"));
        QVERIFY(passphrase().isVisible());
        QCOMPARE(passphrase().echoMode(), QLineEdit::Password);
        passphrase().setText(QStringLiteral("open sesame"));
        const QSignalSpy kept(m_dialog.get(), &ConnectDialog::keepPasswordWanted);
        keep().setChecked(true);
        startConnecting();
        QCOMPARE(requested().endpoint.keyPassphrase, QByteArrayLiteral("open sesame"));
        m_dialog->follow(connected());
        QCOMPARE(kept.size(), 1);
        QCOMPARE(kept[0][0].value<profile::SecretKey>().kind, profile::SecretKind::KeyPassphrase);
        QCOMPARE(kept[0][1].toByteArray(), QByteArrayLiteral("open sesame"));
    }

    void asksForThePasswordOfTheSentinels() {
        url().setEditText(QStringLiteral("redis://cache.example.com"));
        QVERIFY(!sentinelPassword().isVisible());
        url().setEditText(QStringLiteral("redis-sentinel://s1,s2/mymaster"));
        QVERIFY(sentinelPassword().isVisible());
        QCOMPARE(sentinelPassword().echoMode(), QLineEdit::Password);
        password().setText(QStringLiteral("ours"));
        sentinelPassword().setText(QStringLiteral("theirs"));
        keep().setChecked(true);
        const QSignalSpy kept(m_dialog.get(), &ConnectDialog::keepPasswordWanted);
        startConnecting();
        QCOMPARE(requested().credentials.password, QByteArrayLiteral("ours"));
        QCOMPARE(requested().deployment.sentinels->credentials.password, QByteArrayLiteral("theirs"));
        m_dialog->follow(connected());
        QCOMPARE(kept.size(), 2);
        QCOMPARE(kept[1][0].value<profile::SecretKey>().kind, profile::SecretKind::SentinelPassword);
        QCOMPARE(idOf(kept[1][0]), idOf("redis-sentinel://s1,s2/mymaster"));
        QCOMPARE(kept[1][1].toByteArray(), QByteArrayLiteral("theirs"));
    }

    void fillsInAndForgetsThePasswordOfTheSentinels() {
        const QString address = QStringLiteral("redis-sentinel://s1,s2/mymaster");
        m_secrets.keptSentinelPasswords.insert(idOf(qPrintable(address)), QByteArrayLiteral("theirs"));
        url().setEditText(address);
        Q_EMIT url().lineEdit()->editingFinished();
        QCOMPARE(sentinelPassword().text(), QStringLiteral("theirs"));
        QVERIFY(password().text().isEmpty());
        QVERIFY(keep().isChecked());
        keep().setChecked(false);
        const QSignalSpy forgotten(m_dialog.get(), &ConnectDialog::forgetPasswordWanted);
        startConnecting();
        m_dialog->follow(connected());
        QCOMPARE(forgotten.size(), 1);
        QCOMPARE(forgotten[0][0].value<profile::SecretKey>().kind, profile::SecretKind::SentinelPassword);
    }

    void aPassphraseIsNoPassphraseWithoutAKey() {
        url().setEditText(QStringLiteral("rediss://cache.example.com?cert=/me.pem&key=/me.key"));
        passphrase().setText(QStringLiteral("open sesame"));
        url().setEditText(QStringLiteral("rediss://cache.example.com"));
        connectButton().click();
        QCOMPARE(requested().endpoint.keyPassphrase, QByteArray());
    }

    void fillsInThePassphraseThatTheKeychainHas() {
        const QString address = QStringLiteral("rediss://cache.example.com?cert=/me.pem&key=/me.key");
        m_secrets.keepPassphrase(address, QByteArrayLiteral("open sesame"));
        url().setEditText(address);
        Q_EMIT url().lineEdit()->editingFinished();
        QCOMPARE(passphrase().text(), QStringLiteral("open sesame"));
        QVERIFY(password().text().isEmpty());
        QVERIFY(keep().isChecked());
    }

    void aRedissonFileFillsTheFields() {
        openFile(
            written("sentinelServersConfig:\n"
                    "  sentinelAddresses: ['redis://s2:1', 'redis://s1:1']\n  masterName: m\n"
                    "  username: eve\n  password: s3cret\n  sentinelPassword: theirs\n  sslEngine: x\n"));
        QCOMPARE(url().currentText(), QStringLiteral("redis-sentinel://eve@s1:1,s2:1/m"));
        QCOMPARE(user().text(), QStringLiteral("eve"));
        QCOMPARE(password().text(), QStringLiteral("s3cret"));
        QCOMPARE(sentinelPassword().text(), QStringLiteral("theirs"));
        QVERIFY2(!keep().isChecked(), "kept only when asked");
        QVERIFY2(message().text().contains(QStringLiteral("sslEngine")), qPrintable(message().text()));
        connectButton().click();
        QCOMPARE(requested().deployment.sentinels->credentials.password, QByteArrayLiteral("theirs"));
    }

    void aFileChangesNothingThatWasKept() {
        m_secrets.keep(QStringLiteral("redis://h:1"), QByteArrayLiteral("kept"));
        url().setEditText(QStringLiteral("redis://h:1"));
        Q_EMIT url().lineEdit()->editingFinished();
        QCOMPARE(password().text(), QStringLiteral("kept"));
        const QSignalSpy forgotten(m_dialog.get(), &ConnectDialog::forgetPasswordWanted);
        openFile(written("singleServerConfig:\n  address: redis://h:1\n  password: s3cret\n"));
        startConnecting();
        m_dialog->follow(connected());
        QCOMPARE(forgotten.size(), 0);
    }

    void aFileIsChosenInADialog() {
        find<QPushButton>(QStringLiteral("connectRedisson")).click();
        auto* choosing = m_dialog->findChild<QFileDialog*>(QStringLiteral("redissonFileDialog"));
        QVERIFY(choosing);
        Q_EMIT choosing->fileSelected(written("singleServerConfig:\n  address: redis://h:1\n"));
        awaitReading();
        QCOMPARE(url().currentText(), QStringLiteral("redis://h:1"));
        choosing->close();
    }

    void thePasswordOfAFileIsNotWritten() {
        const QSignalSpy kept(m_dialog.get(), &ConnectDialog::keepPasswordWanted);
        openFile(written("singleServerConfig:\n  address: redis://h:1\n  password: s3cret\n"));
        startConnecting();
        QCOMPARE(requested().credentials.password, QByteArrayLiteral("s3cret"));
        m_dialog->follow(connected());
        QCOMPARE(kept.size(), 0);
        QFile file(m_profilesPath);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(!file.readAll().contains("s3cret"));
    }

    void asksForTheVariablesOfAFile() {
        openFile(
            written("singleServerConfig:\n  address: redis://${LOCKKEEPER_TEST_HOST}:1\n"
                    "  password: ${LOCKKEEPER_TEST_SECRET}\n"));
        auto* asking = m_dialog->findChild<QDialog*>(QStringLiteral("variablesDialog"));
        QVERIFY(asking);
        asking->findChild<QLineEdit*>(QStringLiteral("variable-LOCKKEEPER_TEST_HOST"))
            ->setText(QStringLiteral("cache"));
        asking->findChild<QLineEdit*>(QStringLiteral("variable-LOCKKEEPER_TEST_SECRET"))
            ->setText(QStringLiteral("s3cret"));
        asking->findChild<QPushButton*>(QStringLiteral("variablesUse"))->click();
        awaitReading();
        QCOMPARE(url().currentText(), QStringLiteral("redis://cache:1"));
        QCOMPARE(password().text(), QStringLiteral("s3cret"));
    }

    void theEnvironmentIsAskedIfTheUserSaysSo_data() {
        QTest::addColumn<bool>("isAsked");
        QTest::addColumn<QString>("secret");
        QTest::newRow("asked") << true << QStringLiteral("from-env");
        QTest::newRow("not asked") << false << QString();
    }
    void theEnvironmentIsAskedIfTheUserSaysSo() {
        QFETCH(const bool, isAsked);
        qputenv("LOCKKEEPER_TEST_SECRET", "from-env");
        const auto restore = qScopeGuard([] { qunsetenv("LOCKKEEPER_TEST_SECRET"); });
        openFile(written("singleServerConfig:\n  address: redis://h:1\n  password: ${LOCKKEEPER_TEST_SECRET}\n"));
        auto* asking = m_dialog->findChild<QDialog*>(QStringLiteral("variablesDialog"));
        QVERIFY2(asking, "a file does not get what the environment has");
        asking->findChild<QCheckBox*>(QStringLiteral("variablesEnvironment"))->setChecked(isAsked);
        asking->findChild<QPushButton*>(QStringLiteral("variablesUse"))->click();
        awaitReading();
        QTEST(password().text(), "secret");
    }

    void asksForTheProfileOfAFile() {
        openFile(
            written("spring.redis.host: base\n---\nspring.profiles: dev\nspring.redis.host: dev\n"
                    "---\nspring.profiles: live\nspring.redis.host: live\n"));
        auto* asking = m_dialog->findChild<QDialog*>(QStringLiteral("springProfileDialog"));
        QVERIFY(asking);
        auto* profiles = asking->findChild<QComboBox*>(QStringLiteral("springProfiles"));
        QCOMPARE(profiles->count(), 3);
        profiles->setCurrentIndex(2);
        asking->findChild<QPushButton*>(QStringLiteral("springProfileUse"))->click();
        awaitReading();
        QCOMPARE(url().currentText(), QStringLiteral("redis://live:6379"));
    }

    void opensAnArchive() {
        openFile(test::places::data() + QStringLiteral("/configurations/boot.jar"));
        QTRY_COMPARE(url().currentText(), QStringLiteral("redis://jar.example:6379"));
        QCOMPARE(find<QDoubleSpinBox>(QStringLiteral("connectWatchdog")).value(), 11.0);
    }

    void whatTheJavaClientsHaveSetHasFields() {
        m_dialog->setProfile(
            profile::ConnectionProfile::fromUrl(
                QStringLiteral("redis://h:1?watchdog=12.5&fair-wait=60&name-prefix=p:&await-replicas=no"))
                .value());
        QCOMPARE(url().currentText(), QStringLiteral("redis://h:1?await-replicas=no"));
        auto& watchdog = find<QDoubleSpinBox>(QStringLiteral("connectWatchdog"));
        QCOMPARE(watchdog.value(), 12.5);
        QCOMPARE(find<QLineEdit>(QStringLiteral("connectPrefix")).text(), QStringLiteral("p:"));
        find<QLineEdit>(QStringLiteral("connectSuffix")).setText(QStringLiteral(":s"));
        watchdog.setValue(0);
        connectButton().click();
        const profile::LockSettings locks = requested().locks;
        QVERIFY(!locks.watchdogTimeout);
        QVERIFY(locks.fairWait == std::chrono::seconds(60));
        QVERIFY(locks.awaitsReplicas == false);
        QCOMPARE(locks.names.prefix, QByteArrayLiteral("p:"));
        QCOMPARE(locks.names.suffix, QByteArrayLiteral(":s"));
    }

    void whatTheJavaClientsHaveSetIsFolded() {
        auto& box = find<QGroupBox>(QStringLiteral("connectLocks"));
        auto& prefix = find<QLineEdit>(QStringLiteral("connectPrefix"));
        QVERIFY(!box.isChecked() && !prefix.isVisible());
        box.setChecked(true);
        QVERIFY(prefix.isVisible());
        prefix.setText(QStringLiteral("p:"));
        box.setChecked(false);
        url().setEditText(QStringLiteral("redis://h:1"));
        connectButton().click();
        QCOMPARE(requested().locks, profile::LockSettings());
    }

    void withoutItsVariablesAFileIsNotUsed() {
        openFile(written("singleServerConfig:\n  address: redis://${LOCKKEEPER_TEST_HOST}:1\n"));
        auto* asking = m_dialog->findChild<QDialog*>(QStringLiteral("variablesDialog"));
        QVERIFY(asking);
        asking->findChild<QPushButton*>(QStringLiteral("variablesCancel"))->click();
        QCOMPARE(url().currentText(), QString());
    }

    void saysWhatIsWrongWithAFile() {
        openFile(written("threads: 1\nsingleServerConfig:\n  database: 1\n"));
        QVERIFY2(message().text().contains(QStringLiteral("redisson.yaml")), qPrintable(message().text()));
        QVERIFY2(message().text().contains(QStringLiteral("line 2: 'address' is missing")),
                 qPrintable(message().text()));
        QCOMPARE(m_requests->size(), 0);
    }

    void editsWithoutThePassword() {
        profile::ConnectionProfile profile;
        profile.endpoint.host = QStringLiteral("cache.example.com");
        profile.credentials = {QByteArrayLiteral("operator"), QByteArrayLiteral("s3cret")};
        profile.access = redis::AccessMode::ReadOnly;
        m_dialog->setProfile(profile);
        QVERIFY(url().currentText().contains(QStringLiteral("cache.example.com")));
        QVERIFY(!url().currentText().contains(QStringLiteral("s3cret")));
        QVERIFY(password().text().isEmpty());
        QVERIFY(find<QCheckBox>(QStringLiteral("connectReadOnly")).isChecked());
    }

    // ---- saved connections ----

    void aConnectionWithoutANameIsNotSaved() {
        url().setEditText(QStringLiteral("redis://cache"));
        startConnecting();
        m_dialog->follow(connected());
        QVERIFY(m_known->saved().isEmpty());
        QCOMPARE(m_known->recentUrls(), QStringList("redis://cache:6379"));
        QCOMPARE(m_dialog->label(), profile::ProfileLabel());
    }

    void aConnectionWithANameIsSavedWhenItConnects() {
        url().setEditText(QStringLiteral("redis://cache"));
        typeName("Orders");
        find<QComboBox>(QStringLiteral("connectEnvironment")).setCurrentIndex(3);
        find<QComboBox>(QStringLiteral("connectGroup")).setEditText(QStringLiteral("Shop"));
        find<QLineEdit>(QStringLiteral("connectNote")).setText(QStringLiteral("ask Ann"));
        startConnecting();
        QVERIFY(m_known->saved().isEmpty());
        m_dialog->follow(connected());
        QCOMPARE(m_known->saved().size(), 1);
        const profile::StoredProfile saved = m_known->saved().front();
        QCOMPARE(saved.label, (profile::ProfileLabel{QStringLiteral("Orders"), profile::Environment::Production,
                                                     profile::LabelColor::OfEnvironment}));
        QCOMPARE(m_dialog->label(), saved.label);
        QCOMPARE(saved.group, QStringLiteral("Shop"));
        QCOMPARE(saved.note, QStringLiteral("ask Ann"));
        QVERIFY(saved.lastUsed.has_value());
        QCOMPARE(saved.profile.id, requested().id);
        QVERIFY2(saved.profile.id != idOf("redis://cache"), "the id of a saved connection is its own");
        QVERIFY(m_known->recentUrls().isEmpty());
    }

    void aConnectionThatNowAsksEachTimeLeavesNothingInTheKeychain() {
        const QSignalSpy forgotten(m_dialog.get(), &ConnectDialog::forgetPasswordWanted);
        m_dialog->setStored(saved("Orders"));  // of a keychain that has not answered yet, or has no entry
        find<QCheckBox>(QStringLiteral("connectAsk")).setChecked(true);
        saveButton().click();
        QSet<profile::SecretKind> kinds;
        for (const QList<QVariant>& call : forgotten) {
            QCOMPARE(idOf(call[0]), saved("Orders").profile.id);
            kinds << call[0].value<profile::SecretKey>().kind;
        }
        QCOMPARE(kinds,
                 (QSet<profile::SecretKind>{profile::SecretKind::Password, profile::SecretKind::KeyPassphrase,
                                            profile::SecretKind::SentinelPassword, profile::SecretKind::WritingPassword,
                                            profile::SecretKind::SshAnswer, profile::SecretKind::DumpPassword}));
    }

    void aConnectionThatAsksEachTimeReadsNoKeychain() {
        profile::StoredProfile stored = saved("Orders");
        stored.secrets = profile::StoredProfile::Secrets::AskedEachTime;
        m_secrets.kept.insert(stored.profile.id, QByteArrayLiteral("s3cret"));
        m_dialog->setStored(stored);
        QCOMPARE(password().text(), QString());
    }

    // The connection is read-only until it is armed, as every connection is.
    void aNewSavedConnectionMayBeArmedUnlessTheUserForbidsIt() {
        url().setEditText(QStringLiteral("redis://cache"));
        typeName("Orders");
        QVERIFY(!find<QCheckBox>(QStringLiteral("connectReadOnly")).isChecked());
        find<QCheckBox>(QStringLiteral("connectReadOnly")).click();
        QVERIFY(!find<QLineEdit>(QStringLiteral("connectWriter")).isVisible());
        saveButton().click();
        QCOMPARE(m_known->saved().front().profile.access, redis::AccessMode::ReadOnly);
    }

    void anotherUserMayWrite() {
        url().setEditText(QStringLiteral("redis://cache"));
        typeName("Orders");
        QLineEdit& writerPassword = find<QLineEdit>(QStringLiteral("connectWriterPassword"));
        QVERIFY(!writerPassword.isVisible());
        find<QLineEdit>(QStringLiteral("connectWriter")).setText(QStringLiteral("operator"));
        QVERIFY(writerPassword.isVisible());
        writerPassword.setText(QStringLiteral("s3cret"));
        keep().setChecked(true);
        QSignalSpy kept(m_dialog.get(), &ConnectDialog::keepPasswordWanted);
        saveButton().click();
        QCOMPARE(m_known->saved().front().profile.writing, (redis::Credentials{"operator", {}}));
        QCOMPARE(kept.size(), 1);
        QCOMPARE(kept[0][0].value<profile::SecretKey>().kind, profile::SecretKind::WritingPassword);
        QCOMPARE(kept[0][1].toByteArray(), QByteArray("s3cret"));
    }

    void savingDoesNotConnect() {
        url().setEditText(QStringLiteral("redis://eve:s3cret@cache"));
        typeName("Orders");
        keep().setChecked(true);
        QSignalSpy kept(m_dialog.get(), &ConnectDialog::keepPasswordWanted);
        saveButton().click();
        QCOMPARE(m_requests->size(), 0);
        QVERIFY(!m_dialog->isVisible());
        const profile::StoredProfile saved = m_known->saved().front();
        QCOMPARE(saved.profile.access, redis::AccessMode::ReadWrite);
        QCOMPARE(saved.profile.credentials.password, QByteArray());
        QCOMPARE(kept.size(), 1);
        QCOMPARE(idOf(kept[0][0]), saved.profile.id);
        QCOMPARE(kept[0][1].toByteArray(), QByteArray("s3cret"));
    }

    void whatCannotBeSavedIsSaid_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("words");
        QTest::newRow("no name") << " "
                                 << "redis://cache"
                                 << "needs a name";
        QTest::newRow("a name twice") << "Taken"
                                      << "redis://cache"
                                      << "Another saved connection";
        QTest::newRow("a wrong address") << "Orders"
                                         << "http://cache"
                                         << "redis://host:6379/0";
    }
    void whatCannotBeSavedIsSaid() {
        QFETCH(const QString, name);
        QFETCH(const QString, url);
        QFETCH(const QString, words);
        QVERIFY(m_known->save(saved("Taken")));
        this->url().setEditText(url);
        typeName(qPrintable(name));
        saveButton().click();
        QVERIFY(m_dialog->isVisible());
        QVERIFY2(message().text().contains(words), qPrintable(message().text()));
        QCOMPARE(m_known->saved().size(), 1);
    }

    void aTakenNameIsRefusedBeforeConnecting() {
        QVERIFY(m_known->save(saved("Taken")));
        typeName("Taken");
        connectButton().click();
        QCOMPARE(m_requests->size(), 0);
    }

    void aSavedConnectionKeepsItsIdWhenItsAddressChanges() {
        const profile::StoredProfile before = saved("Orders");
        QVERIFY(m_known->save(before));
        m_secrets.kept.insert(before.profile.id, "s3cret");
        m_dialog->setStored(before);
        QCOMPARE(password().text(), QStringLiteral("s3cret"));
        QVERIFY2(!find<QCheckBox>(QStringLiteral("connectReadOnly")).isChecked(), "as it was saved");
        url().setEditText(QStringLiteral("redis://other?share=9"));
        saveButton().click();
        QCOMPARE(m_known->saved().size(), 1);
        QCOMPARE(m_known->saved().front().profile.id, before.profile.id);
        QCOMPARE(m_known->saved().front().profile.endpoint.host, QStringLiteral("other"));
    }

    void aRecentConnectionIsSavedUnderAnIdOfItsOwn() {
        profile::StoredProfile recent;
        recent.profile = *profile::ConnectionProfile::fromUrl(QStringLiteral("redis://cache"));
        m_secrets.keep(QStringLiteral("redis://cache"), "s3cret");
        m_dialog->setStored(recent);
        QCOMPARE(password().text(), QStringLiteral("s3cret"));
        typeName("Orders");
        QSignalSpy kept(m_dialog.get(), &ConnectDialog::keepPasswordWanted);
        saveButton().click();
        QVERIFY(m_known->saved().front().profile.id != recent.profile.id);
        QCOMPARE(idOf(kept[0][0]), m_known->saved().front().profile.id);
    }

    void aPasswordThatIsAskedForEachTimeIsNotKept() {
        profile::StoredProfile stored = saved("Orders");
        QVERIFY(m_known->save(stored));
        m_secrets.kept.insert(stored.profile.id, "s3cret");
        m_dialog->setStored(stored);
        QSignalSpy kept(m_dialog.get(), &ConnectDialog::keepPasswordWanted);
        QSignalSpy forgotten(m_dialog.get(), &ConnectDialog::forgetPasswordWanted);
        find<QCheckBox>(QStringLiteral("connectAsk")).setChecked(true);
        QVERIFY(!keep().isEnabled());
        saveButton().click();
        QCOMPARE(kept.size(), 0);
        QVERIFY(!forgotten.isEmpty());
        QCOMPARE(m_known->saved().front().secrets, profile::StoredProfile::Secrets::AskedEachTime);
    }

    void aTestSaysVersionAndRole_data() {
        QTest::addColumn<ConnectionStatus>("status");
        QTest::addColumn<QString>("words");
        ConnectionStatus master = connected();
        master.serverVersion = QStringLiteral("7.0.15");
        QTest::newRow("master") << master << "is a master, version 7.0.15";
        ConnectionStatus replica = master;
        replica.isReplica = true;
        QTest::newRow("replica") << replica << "is a replica, version 7.0.15";
        QTest::newRow("failed") << failed(ErrorCode::Auth) << "did not accept the user name or password";
    }
    void aTestSaysVersionAndRole() {
        QFETCH(const ConnectionStatus, status);
        QFETCH(const QString, words);
        QSignalSpy tests(m_dialog.get(), &ConnectDialog::testRequested);
        QSignalSpy ends(m_dialog.get(), &ConnectDialog::testEnded);
        find<QPushButton>(QStringLiteral("connectTest")).click();
        QCOMPARE(tests.size(), 1);
        QVERIFY(!connectButton().isEnabled());
        m_dialog->followTest(connecting());
        QCOMPARE(ends.size(), 0);
        m_dialog->followTest(status);
        QCOMPARE(ends.size(), 1);
        QVERIFY2(message().text().contains(words), qPrintable(message().text()));
        QVERIFY(m_dialog->isVisible());
        QVERIFY(connectButton().isEnabled());
        QCOMPARE(m_requests->size(), 0);
        QVERIFY(m_known->saved().isEmpty() && m_known->recentUrls().isEmpty());
    }

    void aTestThatTakesTooLongIsGivenUpWithTheDialog() {
        QSignalSpy ends(m_dialog.get(), &ConnectDialog::testEnded);
        find<QPushButton>(QStringLiteral("connectTest")).click();
        m_dialog->reject();
        QCOMPARE(ends.size(), 1);
    }
};

LOCKKEEPER_TEST(TestConnectDialog, Gui)

}  // namespace tst_connectdialog

#include "tst_connectdialog.moc"
