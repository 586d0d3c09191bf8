// SPDX-License-Identifier: Apache-2.0
#include "app/tools/savedprofile.h"
#include "support/testprogram.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_savedprofile {

using namespace lockkeeper;

class TestSavedProfile : public QObject {
    Q_OBJECT

private:
    static profile::StoredProfile stored(const char* name, const char* url, profile::StoredProfile::Keeping keeping) {
        profile::StoredProfile one;
        one.profile = *profile::ConnectionProfile::fromUrl(QString::fromLatin1(url));
        one.label.name = QString::fromLatin1(name);
        one.keeping = keeping;
        return one;
    }
    Result<profile::StoredProfile> named(const char* name) {
        return app::savedProfile(*m_profiles, QString::fromLatin1(name));
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    std::unique_ptr<profile::ProfileStore> m_profiles;

private Q_SLOTS:
    void init() {
        m_directory = std::make_unique<QTemporaryDir>();
        m_profiles = std::make_unique<profile::ProfileStore>(m_directory->filePath(QStringLiteral("profiles.json")));
    }

    void findsASavedConnectionByItsWholeName() {
        using Keeping = profile::StoredProfile::Keeping;
        QVERIFY(m_profiles
                    ->save({stored("Orders", "redis://a", Keeping::Saved),
                            stored("Orders 2", "redis://b", Keeping::Saved), stored("", "redis://c", Keeping::Recent)})
                    .ok());
        QCOMPARE(named("Orders 2")->profile.endpoint.host, QStringLiteral("b"));
        const Result<profile::StoredProfile> unknown = named("orders");
        QVERIFY(!unknown.ok());
        QCOMPARE(unknown.error().text,
                 QStringLiteral("there is no saved connection 'orders', but 'Orders', 'Orders 2'"));
        QVERIFY2(!named("").ok(), "a recent one has no name");
    }

    void saysWhenNothingWasSaved() {
        QCOMPARE(named("Orders").error().text,
                 QStringLiteral("there is no saved connection 'Orders': save it in the window first"));
    }

    void saysWhenTheFileIsDamaged() {
        QFile file(m_directory->filePath(QStringLiteral("profiles.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("damaged");
        file.close();
        const Result<profile::StoredProfile> found = named("Orders");
        QCOMPARE(found.error().code, ErrorCode::InvalidArgument);
        QVERIFY2(found.error().text.contains(file.fileName()), qPrintable(found.error().text));
    }
};

LOCKKEEPER_TEST(TestSavedProfile, Appless)

}  // namespace tst_savedprofile

#include "tst_savedprofile.moc"
