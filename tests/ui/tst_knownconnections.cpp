// SPDX-License-Identifier: Apache-2.0
#include "support/emptysettings.h"
#include "support/guitestprogram.h"
#include "support/manualclock.h"
#include "ui/connections/knownconnections.h"

#include <QFile>
#include <QSignalSpy>
#include <QTest>

namespace tst_knownconnections {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using profile::ConnectionProfile;

class TestKnownConnections : public QObject {
    Q_OBJECT

private:
    static ConnectionProfile profileOf(const QString& url) { return ConnectionProfile::fromUrl(url).value(); }
    void damageFile() const {
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("damaged");
    }

    QString m_formerKey = QStringLiteral("connection/recent");
    std::unique_ptr<QTemporaryDir> m_directory;
    QString m_path;
    std::unique_ptr<QSettings> m_settings;
    ManualClock m_clock;
    std::unique_ptr<profile::ProfileStore> m_profiles;
    std::unique_ptr<KnownConnections> m_known;
    std::unique_ptr<QSignalSpy> m_failures;

private Q_SLOTS:
    void init() {
        m_directory = std::make_unique<QTemporaryDir>();
        m_path = m_directory->filePath(QStringLiteral("profiles.json"));
        m_settings = emptySettings(*m_directory);
        m_profiles = std::make_unique<profile::ProfileStore>(m_path);
        m_known = std::make_unique<KnownConnections>(*m_settings, *m_profiles, m_clock);
        m_failures = std::make_unique<QSignalSpy>(m_known.get(), &KnownConnections::failed);
    }

    void listsTheLastOneFirstAndEachOnce() {
        for (const char* url : {"redis://a", "redis://b", "redis://a?share=9"})
            m_known->add(profileOf(QString::fromLatin1(url)));
        QCOMPARE(m_known->recentUrls(), QStringList({"redis://a:6379?share=9", "redis://b:6379"}));
        QCOMPARE(m_failures->size(), 0);
    }

    void listsTheLastTen() {
        for (int i = 0; i < 12; ++i)
            m_known->add(profileOf(QStringLiteral("redis://h%1").arg(i)));
        QCOMPARE(m_known->recentUrls().size(), 10);
        QCOMPARE(m_known->recentUrls().front(), QStringLiteral("redis://h11:6379"));
    }

    void movesTheListOfTheSettingsOnce() {
        m_known->add(profileOf(QStringLiteral("redis://new")));
        m_settings->setValue(
            m_formerKey, QStringList({"redis://a:6379", "nonsense://x", "redis://new:6379?share=9", "redis://b:6379"}));
        const QStringList all{"redis://new:6379", "redis://a:6379", "redis://b:6379"};
        QCOMPARE(m_known->recentUrls(), all);
        QVERIFY(!m_settings->contains(m_formerKey));
        QCOMPARE(m_known->recentUrls(), all);
        QCOMPARE(m_profiles->load()->size(), 3);
        QCOMPARE(m_failures->size(), 0);
    }

    void theListOfTheSettingsStaysWhenItCannotBeMoved() {
        m_settings->setValue(m_formerKey, QStringList("redis://a:6379"));
        QVERIFY(QDir().mkpath(m_path));  // a folder in place of the file
        QCOMPARE(m_known->recentUrls(), QStringList("redis://a:6379"));
        QVERIFY(m_settings->contains(m_formerKey));
        QVERIFY(m_failures->size() > 0);
    }

    void reportsADamagedFileOnceAndContinues() {
        m_known->add(profileOf(QStringLiteral("redis://a")));
        m_known->add(profileOf(QStringLiteral("redis://b")));
        damageFile();
        QCOMPARE(m_known->recentUrls(), QStringList("redis://a:6379"));
        QCOMPARE(m_failures->size(), 1);
        QVERIFY(m_failures->back()[0].value<Error>().text.contains(m_path));
        QCOMPARE(m_known->recentUrls(), QStringList("redis://a:6379"));
        QCOMPARE(m_failures->size(), 1);
    }

    void remembersAServerAlsoWhenTheFileIsDamaged() {
        damageFile();
        m_known->add(profileOf(QStringLiteral("redis://a")));
        QCOMPARE(m_failures->size(), 1);
        QCOMPARE(m_known->recentUrls(), QStringList("redis://a:6379"));
    }
};

LOCKKEEPER_TEST(TestKnownConnections, Gui)

}  // namespace tst_knownconnections

#include "tst_knownconnections.moc"
