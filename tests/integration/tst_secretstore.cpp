// SPDX-License-Identifier: Apache-2.0
#include "profile/connectionprofile.h"
#include "profile/profilestore.h"
#include "profile/secretstore.h"
#include "support/exitcodes.h"
#include "support/places.h"
#include "support/redisserver.h"
#include "support/sessionbus.h"
#include "support/testprogram.h"
#include "support/tool.h"

#include <qt6keychain/keychain.h>
#include <QProcess>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <sys/prctl.h>
#include <csignal>

namespace tst_secretstore {

using namespace lockkeeper;
using profile::SecretKey;
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

SecretKey passwordOf(const char* url) {
    return SecretKey::passwordOf(profile::ConnectionProfile::fromUrl(QString::fromLatin1(url)).value());
}

void finish(QKeychain::Job& job, const QString& entry) {
    job.setAutoDelete(false);
    job.setInsecureFallback(false);
    job.setKey(entry);
    QSignalSpy finished(&job, &QKeychain::Job::finished);
    job.start();
    QVERIFY(finished.size() == 1 || finished.wait(15000));
}

// Writes an entry as versions kept it before profiles had ids.
void writeFormerEntry(const QString& url, const QByteArray& password) {
    QKeychain::WritePasswordJob job(QStringLiteral("lockkeeper"));
    job.setBinaryData(password);
    finish(job, url);
    QCOMPARE(job.error(), QKeychain::NoError);
}

bool hasFormerEntry(const QString& url) {
    QKeychain::ReadPasswordJob job(QStringLiteral("lockkeeper"));
    finish(job, url);
    return job.error() == QKeychain::NoError;
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
        const Result<Done> stored = answerOf(store.store(passwordOf("redis://h"), "s3cret"));
        QVERIFY(!stored.ok());
        QCOMPARE(stored.error().code, ErrorCode::Keychain);
        QVERIFY(!stored.error().text.isEmpty());
    }

    void keepsAndForgetsAPassword() {
        startKeyring();
        SecretStore store;
        const SecretKey key = passwordOf("redis://h:1");
        const QByteArray password("p\xc3\xa4ss \0word", 11);
        QVERIFY(!answerOf(store.read(key)).value().has_value());
        const Result<Done> stored = answerOf(store.store(key, password));
        QVERIFY2(stored.ok(), stored.ok() ? "" : qPrintable(stored.error().text));
        QCOMPARE(answerOf(store.read(key)).value(), std::optional(password));
        QVERIFY2(!answerOf(store.read(passwordOf("redis://h:2"))).value().has_value(),
                 "another server has another password");
        QVERIFY(answerOf(store.forget(key)).ok());
        QVERIFY(!answerOf(store.read(key)).value().has_value());
        QVERIFY2(answerOf(store.forget(key)).ok(), "nothing to forget is fine");
    }

    void eachSecretOfAProfileIsKeptByItself() {
        SecretStore store;
        const auto profile = profile::ConnectionProfile::fromUrl(QStringLiteral("redis-sentinel://s1,s2/m")).value();
        QVERIFY(answerOf(store.store(SecretKey::passwordOf(profile), "ours")).ok());
        QVERIFY(answerOf(store.store(SecretKey::sentinelPasswordOf(profile), "theirs")).ok());
        QVERIFY(!answerOf(store.read(SecretKey::keyPassphraseOf(profile))).value().has_value());
        QVERIFY(answerOf(store.forget(SecretKey::passwordOf(profile))).ok());
        QCOMPARE(answerOf(store.read(SecretKey::sentinelPasswordOf(profile))).value(), "theirs");
    }

    void theOptionsOfTheUrlDoNotMatter() {
        SecretStore store;
        QVERIFY(answerOf(store.store(passwordOf("redis://eve@options?share=5"), "s3cret")).ok());
        QCOMPARE(answerOf(store.read(passwordOf("redis://eve@options?share=50&prefix=a"))).value(), "s3cret");
        QVERIFY2(!answerOf(store.read(passwordOf("redis://options"))).value().has_value(), "another user");
    }

    void movesAPasswordThatWasKeptUnderTheUrl() {
        const QString url = QStringLiteral("redis://eve@moved:6379?share=7");
        writeFormerEntry(url, "s3cret");
        SecretStore store;
        QVERIFY2(!answerOf(store.read(passwordOf("redis://eve@moved"))).value().has_value(), "kept under another URL");
        QCOMPARE(answerOf(store.read(passwordOf("redis://eve@moved?share=7"))).value(), "s3cret");
        QVERIFY(!hasFormerEntry(url));
        QCOMPARE(answerOf(store.read(passwordOf("redis://eve@moved"))).value(), "s3cret");
    }

    void forgetsAPasswordThatWasKeptUnderTheUrl() {
        const QString url = QStringLiteral("redis://forgotten:6379");
        writeFormerEntry(url, "s3cret");
        SecretStore store;
        QVERIFY(answerOf(store.forget(passwordOf("redis://forgotten"))).ok());
        QVERIFY(!hasFormerEntry(url));
        QVERIFY(!answerOf(store.read(passwordOf("redis://forgotten"))).value().has_value());
    }

    void aNewPasswordReplacesTheOneThatWasKeptUnderTheUrl() {
        const QString url = QStringLiteral("redis://replaced:6379");
        writeFormerEntry(url, "old");
        SecretStore store;
        QVERIFY(answerOf(store.store(passwordOf("redis://replaced"), "new")).ok());
        QVERIFY(!hasFormerEntry(url));
        QCOMPARE(answerOf(store.read(passwordOf("redis://replaced"))).value(), "new");
    }

    // `lockkeeper lock --profile NAME`: neither the command line nor the environment has the password.
    void aSavedConnectionLocksWithItsPassword() {
        test::RedisServer server({"--requirepass", "s3cret"});
        QVERIFY(server.start());
        profile::StoredProfile stored;
        stored.profile = *profile::ConnectionProfile::fromUrl(server.url());
        stored.profile.id = profile::ProfileStore::newId();
        stored.keeping = profile::StoredProfile::Keeping::Saved;
        stored.label.name = QStringLiteral("Orders");
        const QTemporaryDir settings;
        QVERIFY(profile::ProfileStore(settings.filePath("lockkeeper/lockkeeper/profiles.json")).save({stored}).ok());
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("XDG_CONFIG_HOME", settings.path());
        QProcess program;
        program.setProcessEnvironment(environment);
        const QStringList lock{"lock", "--profile", "Orders", "L", "--", "echo", "locked"};
        program.start(test::places::program(), lock);
        QVERIFY(program.waitForFinished());
        QCOMPARE(program.exitCode(), test::exitcode::denied);
        SecretStore store;
        QVERIFY(answerOf(store.store(SecretKey::passwordOf(stored.profile), "s3cret")).ok());
        program.start(test::places::program(), lock);
        QVERIFY(program.waitForFinished());
        QCOMPARE(program.readAllStandardOutput(), "locked\n");
        QCOMPARE(program.exitCode(), 0);
    }

private:
    void startKeyring() {
        m_keyring.start(test::tool("gnome-keyring-daemon", "gnome-keyring"),
                        {"--foreground", "--components=secrets", "--unlock"});
        QVERIFY2(m_keyring.waitForStarted(), "gnome-keyring-daemon does not start");
        m_keyring.write("keyring password");
        m_keyring.closeWriteChannel();
        // The keyring takes its bus name when it is ready; until then storing fails.
        SecretStore store;
        QTRY_VERIFY_WITH_TIMEOUT(answerOf(store.store(passwordOf("redis://probe"), "x")).ok(), 10000);
    }

    QTemporaryDir m_home;
    test::SessionBus m_bus;
    QProcess m_keyring;
};

LOCKKEEPER_TEST(TestSecretStore, Guiless)

}  // namespace tst_secretstore

#include "tst_secretstore.moc"
