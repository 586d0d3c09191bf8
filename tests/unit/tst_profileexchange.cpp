// SPDX-License-Identifier: Apache-2.0
#include "profile/profileexchange.h"
#include "support/singlequotes.h"
#include "support/testprogram.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace tst_profileexchange {

using namespace lockkeeper;
using namespace std::chrono_literals;
using profile::ProfileFileFault;
using profile::ProfileMerge;
using profile::SameId;
using profile::StoredProfile;
using test::json;

namespace {

StoredProfile savedAt(const char* id, const char* name, const QString& url = QStringLiteral("redis://a.example")) {
    StoredProfile stored;
    stored.profile = profile::ConnectionProfile::fromUrl(url).value();
    stored.profile.id = profile::ProfileId(QLatin1String(id));
    stored.keeping = StoredProfile::Keeping::Saved;
    stored.label.name = QLatin1String(name);
    return stored;
}

QStringList namesOf(const QList<StoredProfile>& profiles) {
    QStringList names;
    for (const StoredProfile& stored : profiles)
        names << stored.label.name;
    return names;
}

}  // namespace

class TestProfileExchange : public QObject {
    Q_OBJECT

private:
    QString path() const { return m_directory.filePath(QStringLiteral("connections.json")); }
    QByteArray content() const {
        QFile file(path());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void write(const QByteArray& content) const {
        QFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }

    QTemporaryDir m_directory;

private Q_SLOTS:
    void init() { QFile::remove(path()); }

    void whatIsExportedIsImportedAgain() {
        StoredProfile stored = savedAt("1", "Orders", QStringLiteral("rediss://user@a.example:7000/2?share=5"));
        stored.label.environment = profile::Environment::Production;
        stored.label.color = profile::LabelColor::Red;
        stored.group = QStringLiteral("Shop");
        stored.note = QStringLiteral("ask Ann");
        stored.profile.access = redis::AccessMode::ReadOnly;
        stored.secrets = StoredProfile::Secrets::AskedEachTime;
        QVERIFY(profile::exportProfiles(path(), {stored}).ok());
        QCOMPARE(std::get<QList<StoredProfile>>(profile::importProfiles(path())), QList<StoredProfile>{stored});
    }

    void noSecretAndNoUseIsExported() {
        StoredProfile stored = savedAt("1", "Orders", QStringLiteral("rediss://user:hidden1@a.example"));
        stored.profile.writing.user = "writer";
        stored.profile.writing.password = "hidden2";
        stored.lastUsed = WallTime(1h);
        QVERIFY(profile::exportProfiles(path(), {stored}).ok());
        QVERIFY(content().contains("writer"));
        QVERIFY2(!content().contains("hidden"), content().constData());
        QVERIFY2(!content().contains("lastUsed"), content().constData());
    }

    void onlySavedOnesAreImported() {
        write(json("{'version': 4, 'profiles': [{'id': '1', 'url': 'redis://a', 'readOnly': false, 'saved': false}]}"));
        QVERIFY(std::get<QList<StoredProfile>>(profile::importProfiles(path())).isEmpty());
    }

    void aFileThatCannotBeUsedIsRefused_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<ProfileFileFault>("fault");
        QTest::newRow("no JSON") << QByteArray("{") << ProfileFileFault::Damaged;
        QTest::newRow("other JSON") << QByteArray("{}") << ProfileFileFault::Damaged;
        QTest::newRow("a profile without a URL")
            << json("{'version': 4, 'profiles': [{'id': '1'}]}") << ProfileFileFault::Damaged;
        QTest::newRow("too large") << QByteArray(profile::largestProfileFile + 1, ' ') << ProfileFileFault::Damaged;
        QTest::newRow("later") << json("{'version': 99, 'profiles': []}") << ProfileFileFault::LaterVersion;
    }
    void aFileThatCannotBeUsedIsRefused() {
        QFETCH(const QByteArray, content);
        write(content);
        QTEST(std::get<ProfileFileFault>(profile::importProfiles(path())), "fault");
    }

    void aMissingFileIsAnError() {
        QCOMPARE(std::get<Error>(profile::importProfiles(path())).code, ErrorCode::Storage);
        QCOMPARE(std::get<Error>(profile::importProfiles(m_directory.path())).code, ErrorCode::Storage);
    }

    void aFileThatCannotBeWrittenIsAnError() {
        QVERIFY(!profile::exportProfiles(m_directory.path(), {savedAt("1", "A")}).ok());
    }

    void whatIsTheSameIsNoConflict() {
        StoredProfile used = savedAt("1", "A");
        used.lastUsed = WallTime(1h);
        const QList<StoredProfile> known{used, savedAt("2", "B")};
        const QList<StoredProfile> imported{savedAt("1", "A"), savedAt("2", "Other"), savedAt("3", "C")};
        QCOMPARE(namesOf(profile::conflicting(known, imported)), QStringList("Other"));
    }

    void isMerged_data() {
        QTest::addColumn<SameId>("sameId");
        QTest::addColumn<QStringList>("names");
        QTest::addColumn<int>("added");
        QTest::addColumn<int>("replaced");
        QTest::newRow("mine stay") << SameId::KeepKnown << QStringList{"A", "B", "C"} << 1 << 0;
        QTest::newRow("mine are replaced") << SameId::Replace << QStringList{"A", "Other", "C"} << 1 << 1;
        QTest::newRow("both stay") << SameId::KeepBoth << QStringList{"A", "B", "Other", "C"} << 2 << 0;
    }
    void isMerged() {
        QFETCH(const SameId, sameId);
        const QList<StoredProfile> known{savedAt("1", "A"), savedAt("2", "B")};
        const ProfileMerge merge =
            profile::mergedProfiles(known, {savedAt("1", "A"), savedAt("2", "Other"), savedAt("3", "C")}, sameId);
        QTEST(namesOf(merge.profiles), "names");
        QTEST(merge.added, "added");
        QTEST(merge.replaced, "replaced");
        QSet<QString> ids;
        for (const StoredProfile& stored : merge.profiles)
            ids.insert(stored.profile.id.text());
        QCOMPARE(ids.size(), merge.profiles.size());
    }

    // The password in the keychain belongs to the id: it must not be sent to another server.
    void aReplacedOneAsksForItsSecretsIfItsAddressChanges_data() {
        QTest::addColumn<QString>("url");
        QTest::addColumn<StoredProfile::Secrets>("secrets");
        QTest::newRow("another name alone")
            << QStringLiteral("rediss://a.example") << StoredProfile::Secrets::InKeychain;
        QTest::newRow("another server") << QStringLiteral("rediss://b.example")
                                        << StoredProfile::Secrets::AskedEachTime;
        QTest::newRow("without TLS") << QStringLiteral("redis://a.example") << StoredProfile::Secrets::AskedEachTime;
        QTest::newRow("through another machine")
            << QStringLiteral("rediss://a.example?ssh=c.example") << StoredProfile::Secrets::AskedEachTime;
    }
    void aReplacedOneAsksForItsSecretsIfItsAddressChanges() {
        QFETCH(const QString, url);
        const ProfileMerge merge = profile::mergedProfiles({savedAt("1", "A", QStringLiteral("rediss://a.example"))},
                                                           {savedAt("1", "B", url)}, SameId::Replace);
        QTEST(merge.profiles.first().secrets, "secrets");
    }

    // The password of an unsaved connection is kept under its address.
    void aNewOneGetsNoIdUnderWhichSecretsMayBeKept_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<bool>("isKept");
        QTest::newRow("of a saved connection elsewhere")
            << QStringLiteral("3a6fbc0e-5d8f-4a6c-8f4e-0c9b1d2e3f40") << true;
        QTest::newRow("an address") << QStringLiteral("@prod.example:6379/0") << false;
        QTest::newRow("of a connection that was not saved")
            << QStringLiteral("5b7fbc0e-5d8f-4a6c-8f4e-0c9b1d2e3f41") << false;
    }
    void aNewOneGetsNoIdUnderWhichSecretsMayBeKept() {
        QFETCH(const QString, id);
        StoredProfile recent = savedAt("5b7fbc0e-5d8f-4a6c-8f4e-0c9b1d2e3f41", "");
        recent.keeping = StoredProfile::Keeping::Recent;
        const ProfileMerge merge = profile::mergedProfiles(
            {recent}, {savedAt(qPrintable(id), "A", QStringLiteral("redis://foreign.example"))}, SameId::KeepBoth);
        QCOMPARE(merge.profiles.size(), 2);
        QTEST(merge.profiles.last().profile.id.text() == id, "isKept");
    }

    void aNameThatIsTakenGetsANumber() {
        const ProfileMerge merge =
            profile::mergedProfiles({savedAt("1", "A"), savedAt("2", "A (2)")}, {savedAt("3", "A")}, SameId::KeepKnown);
        QCOMPARE(namesOf(merge.profiles), QStringList({"A", "A (2)", "A (3)"}));
    }

    void theTimeOfUseStays() {
        StoredProfile used = savedAt("1", "A");
        used.lastUsed = WallTime(1h);
        const ProfileMerge merge = profile::mergedProfiles({used}, {savedAt("1", "B")}, SameId::Replace);
        QCOMPARE(merge.profiles.first().lastUsed, used.lastUsed);
    }
};

LOCKKEEPER_TEST(TestProfileExchange, Guiless)

}  // namespace tst_profileexchange

#include "tst_profileexchange.moc"
