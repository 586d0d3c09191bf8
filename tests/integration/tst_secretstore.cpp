#include "profile/secretstore.h"
#include "support/sessionbus.h"
#include "support/testprogram.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/prctl.h>

using namespace lockkeeper;
using profile::SecretStore;

namespace {

template <typename T>
Result<T> answerOf(const Completion<T>& completion) {
    auto answer = std::make_shared<std::optional<Result<T>>>();
    completion.then([answer](Result<T> result) { answer->emplace(std::move(result)); });
    if (!QTest::qWaitFor([answer] { return answer->has_value(); }, 15000))
        qFatal("the keychain does not answer");
    return **answer;
}

}  // namespace

// With a real keychain: a session bus and a gnome-keyring of the test.
class TestSecretStore : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_keyring.setChildProcessModifier([] { prctl(PR_SET_PDEATHSIG, SIGKILL); });
        qputenv("XDG_DATA_HOME", m_home.path().toLocal8Bit());
        qputenv("XDG_RUNTIME_DIR", m_home.path().toLocal8Bit());
        QVERIFY2(m_bus.start(), "dbus-daemon does not start");
    }
    void cleanupTestCase() {
        m_keyring.kill();
        m_keyring.waitForFinished();
        m_bus.stop();
    }

    void withoutAKeychainItSaysSoAndStoresNothing() {
        SecretStore store;
        const Result<Done> stored = answerOf(store.store("redis://h", "s3cret"));
        QVERIFY(!stored.ok());
        QCOMPARE(stored.error().code, ErrorCode::Keychain);
        QVERIFY(!stored.error().text.isEmpty());
    }

    void keepsAndForgetsAPassword() {
        startKeyring();
        SecretStore store;
        const QByteArray password("p\xc3\xa4ss \0word", 11);
        QVERIFY(!answerOf(store.password("redis://h:1")).value().has_value());
        const Result<Done> stored = answerOf(store.store("redis://h:1", password));
        QVERIFY2(stored.ok(), stored.ok() ? "" : qPrintable(stored.error().text));
        QCOMPARE(answerOf(store.password("redis://h:1")).value(), std::optional(password));
        QVERIFY2(!answerOf(store.password("redis://h:2")).value().has_value(), "another server has another password");
        QVERIFY(answerOf(store.forget("redis://h:1")).ok());
        QVERIFY(!answerOf(store.password("redis://h:1")).value().has_value());
        QVERIFY2(answerOf(store.forget("redis://h:1")).ok(), "nothing to forget is fine");
    }

private:
    void startKeyring() {
        m_keyring.start("gnome-keyring-daemon", {"--foreground", "--components=secrets", "--unlock"});
        QVERIFY2(m_keyring.waitForStarted(), "gnome-keyring-daemon does not start");
        m_keyring.write("keyring password");
        m_keyring.closeWriteChannel();
        // The keyring takes its bus name when it is ready; until then storing fails.
        SecretStore store;
        QTRY_VERIFY_WITH_TIMEOUT(answerOf(store.store("probe", "x")).ok(), 10000);
    }

    QTemporaryDir m_home;
    test::SessionBus m_bus;
    QProcess m_keyring;
};

LOCKKEEPER_TEST(TestSecretStore, Guiless)
#include "tst_secretstore.moc"
