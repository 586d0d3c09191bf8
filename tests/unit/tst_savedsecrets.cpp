// SPDX-License-Identifier: Apache-2.0
#include "profile/savedsecrets.h"
#include "support/fakesecretstore.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_savedsecrets {

using namespace lockkeeper;
using namespace lockkeeper::test;
using profile::ConnectionProfile;

class TestSavedSecrets : public QObject {
    Q_OBJECT

private:
    ConnectionProfile completed(const QString& url) {
        ConnectionProfile complete;
        profile::withSecrets(m_secrets, *ConnectionProfile::fromUrl(url))
            .then([&complete](const Result<ConnectionProfile>& profile) { complete = *profile; });
        return complete;
    }

    FakeSecretStore m_secrets;

private Q_SLOTS:
    void init() { m_secrets.isThere = true; }

    void takesEachSecretThatTheProfileHasAUseFor() {
        const auto url = QStringLiteral("rediss-sentinel://eve@s1/orders?cert=/c&key=/k");
        m_secrets.keep(url, "password");
        m_secrets.keepPassphrase(url, "phrase");
        m_secrets.keptSentinelPasswords.insert(ConnectionProfile::fromUrl(url)->id, "sentinel");
        const ConnectionProfile complete = completed(url);
        QCOMPARE(complete.credentials.password, QByteArray("password"));
        QCOMPARE(complete.endpoint.keyPassphrase, QByteArray("phrase"));
        QCOMPARE(complete.deployment.sentinels->credentials.password, QByteArray("sentinel"));
    }

    void theUserWhoWritesHasASecretOfItsOwn() {
        ConnectionProfile profile = *ConnectionProfile::fromUrl(QStringLiteral("redis://h"));
        profile.writing.user = "operator";
        m_secrets.kept.insert(profile.id, "reads");
        m_secrets.keptWritingPasswords.insert(profile.id, "writes");
        ConnectionProfile complete;
        profile::withSecrets(m_secrets, profile).then([&complete](const Result<ConnectionProfile>& found) {
            complete = *found;
        });
        QCOMPARE(complete.credentials.password, QByteArray("reads"));
        QCOMPARE(complete.writing, (redis::Credentials{"operator", "writes"}));
    }

    void whatIsThereAlreadyStays() {
        m_secrets.keep(QStringLiteral("redis://eve@h"), "kept");
        QCOMPARE(completed(QStringLiteral("redis://eve:given@h")).credentials.password, QByteArray("given"));
    }

    void withoutAKeychainTheProfileIsAsItIs() {
        const auto url = QStringLiteral("redis://eve@h");
        m_secrets.keep(url, "kept");
        m_secrets.isThere = false;
        QCOMPARE(completed(url), *ConnectionProfile::fromUrl(url));
    }

    void whatIsNotKeptStaysEmpty() {
        QCOMPARE(completed(QStringLiteral("redis://nobody@h")).credentials.password, QByteArray());
    }
};

LOCKKEEPER_TEST(TestSavedSecrets, Guiless)

}  // namespace tst_savedsecrets

#include "tst_savedsecrets.moc"
