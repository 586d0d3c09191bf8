// SPDX-License-Identifier: Apache-2.0
#include "profile/profilestore.h"
#include "support/awkwardnames.h"
#include "support/filesizelimit.h"
#include "support/testprogram.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

using namespace lockkeeper;
using namespace std::chrono_literals;
using profile::ConnectionProfile;
using profile::ProfileId;
using profile::ProfileStore;
using profile::StoredProfile;

namespace {

const WallTime noon = WallTime(1'800'000'000'123ms);

ConnectionProfile profileOf(const QString& url) {
    return ConnectionProfile::fromUrl(url).value();
}

QByteArray json(const char* withSingleQuotes) {
    return QByteArray(withSingleQuotes).replace('\'', '"');
}

}  // namespace

class TestProfileStore : public QObject {
    Q_OBJECT

private:
    QString path() const { return m_directory->filePath(QStringLiteral("config/profiles.json")); }
    QString backupPath() const { return path() + QStringLiteral(".bak"); }
    ProfileStore store() const { return ProfileStore(path()); }
    static QByteArray contentOf(const QString& file) {
        QFile opened(file);
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }
    void write(const QByteArray& content) const {
        QDir().mkpath(QFileInfo(path()).path());
        QFile file(path());
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(content), content.size());
    }
    // The names of the files beside it.
    QStringList files() const { return QFileInfo(path()).dir().entryList(QDir::Files | QDir::Hidden, QDir::Name); }
    QString setAside(const QString& reason) const {
        const QStringList found = files().filter(QStringLiteral("profiles.json.") + reason + QLatin1Char('-'));
        return found.size() == 1 ? QFileInfo(path()).dir().filePath(found.front()) : QString();
    }
    QStringList hosts() const {
        QStringList hosts;
        const Result<QList<StoredProfile>> loaded = store().load();
        for (const StoredProfile& stored : *loaded)
            hosts << stored.profile.endpoint.host;
        return hosts;
    }

    std::unique_ptr<QTemporaryDir> m_directory;

private Q_SLOTS:
    void init() { m_directory = std::make_unique<QTemporaryDir>(); }

    void withoutAFileThereAreNoProfiles() {
        QCOMPARE(store().load().value(), QList<StoredProfile>());
        QVERIFY(store().forget(ProfileId(QStringLiteral("x"))).ok());
        QVERIFY2(!QFile::exists(path()), "reading makes no file");
    }

    void keepsEverythingButThePassword() {
        ConnectionProfile profile =
            profileOf(QStringLiteral("rediss://eve:s3cret@h:6390/3?ca=/ca.pem&match=a*&prefix=b:&share=20"));
        profile.id = ProfileId(QStringLiteral("an id of its own"));
        profile.access = redis::AccessMode::ReadOnly;
        const QList<StoredProfile> stored{
            {profile, QStringLiteral("Production"), noon},
            {profileOf(QStringLiteral("unix:///run/redis.sock?db=2")), QString(), std::nullopt}};
        QVERIFY(store().save(stored).ok());
        QList<StoredProfile> expected = stored;
        expected[0].profile.credentials.password.clear();
        QCOMPARE(store().load().value(), expected);
        QVERIFY(store().save(stored).ok());
        for (const QString& file : {path(), backupPath()}) {
            QVERIFY(contentOf(file).contains("h:6390"));
            QVERIFY2(!contentOf(file).contains("s3cret"), contentOf(file));
        }
    }

    void remembersANewProfileInFront() {
        QVERIFY(store().remember(profileOf(QStringLiteral("redis://a")), noon).ok());
        QVERIFY(store().remember(profileOf(QStringLiteral("redis://eve:s3cret@b")), noon + 1s).ok());
        QCOMPARE(hosts(), QStringList({"b", "a"}));
        QCOMPARE(store().load()->front().lastUsed, std::optional(noon + 1s));
        QVERIFY(!contentOf(path()).contains("s3cret"));
    }

    void updatesAProfileOfTheSameIdAndKeepsItsName() {
        const ConnectionProfile a = profileOf(QStringLiteral("redis://a"));
        QVERIFY(
            store().save({{profileOf(QStringLiteral("redis://b")), {}, noon}, {a, QStringLiteral("A"), noon}}).ok());
        ConnectionProfile changed = profileOf(QStringLiteral("redis://a?share=9"));
        changed.access = redis::AccessMode::ReadOnly;
        QVERIFY(store().remember(changed, noon + 1s).ok());
        QCOMPARE(hosts(), QStringList({"a", "b"}));
        QCOMPARE(store().load()->front(), (StoredProfile{changed, QStringLiteral("A"), noon + 1s}));
    }

    void remembersTheNewestOnes() {
        for (int i = 0; i < ProfileStore::mostRemembered + 2; ++i)
            QVERIFY(store().remember(profileOf(QStringLiteral("redis://h%1").arg(i)), noon).ok());
        QCOMPARE(hosts().size(), ProfileStore::mostRemembered);
        QCOMPARE(hosts().front(), QStringLiteral("h51"));
        QCOMPARE(hosts().back(), QStringLiteral("h2"));
    }

    void forgetsAProfile() {
        const ConnectionProfile a = profileOf(QStringLiteral("redis://a"));
        QVERIFY(store().save({{a, {}, {}}, {profileOf(QStringLiteral("redis://b")), {}, {}}}).ok());
        QVERIFY(store().forget(a.id).ok());
        QCOMPARE(hosts(), QStringList("b"));
    }

    void anyTextOfAUrlSurvives_data() { test::addAwkwardNames(); }
    void anyTextOfAUrlSurvives() {
        QFETCH(const QByteArray, name);
        ConnectionProfile profile = profileOf(QStringLiteral("redis://h"));
        profile.discovery.prefixes = {name};
        QVERIFY(store().remember(profile, noon).ok());
        QCOMPARE(store().load()->front().profile, profile);
    }

    void aUserMayHaveAByteOrderMark() {
        const ConnectionProfile profile = profileOf(QStringLiteral("redis://%EF%BB%BFeve@h"));
        QVERIFY(store().remember(profile, noon).ok());
        QCOMPARE(store().load()->front().profile, profile);
        QVERIFY(store().forget(profile.id).ok());
        QCOMPARE(hosts(), QStringList());
    }

    void onlyTheUserMayReadIt() {
        QVERIFY(store().remember(profileOf(QStringLiteral("redis://a")), noon).ok());
        QFile::setPermissions(path(), QFile::permissions(path()) | QFile::ReadGroup | QFile::ReadOther);
        QVERIFY(store().remember(profileOf(QStringLiteral("redis://b")), noon).ok());
        for (const QString& file : {path(), backupPath()})
            QCOMPARE(QFile::permissions(file) & ~(QFile::ReadUser | QFile::WriteUser),
                     QFile::ReadOwner | QFile::WriteOwner);
    }

    void theFileBeforeAChangeIsItsBackup() {
        QVERIFY(store().remember(profileOf(QStringLiteral("redis://a")), noon).ok());
        QVERIFY(!QFile::exists(backupPath()));
        const QByteArray before = contentOf(path());
        QVERIFY(store().remember(profileOf(QStringLiteral("redis://b")), noon).ok());
        QCOMPARE(contentOf(backupPath()), before);
    }

    void aWriteThatFailsChangesNothing() {
        QVERIFY(store().remember(profileOf(QStringLiteral("redis://a")), noon).ok());
        QVERIFY(store().remember(profileOf(QStringLiteral("redis://b")), noon).ok());
        const QByteArray before = contentOf(path());
        const QStringList filesBefore = files();
        {
            const test::FileSizeLimit limit(rlim_t(before.size()) + 10);
            const Result<Done> remembered = store().remember(profileOf(QStringLiteral("redis://c")), noon);
            QVERIFY(!remembered.ok());
            QCOMPARE(remembered.error().code, ErrorCode::Storage);
            QVERIFY(remembered.error().cause == Cause::FileNotWritten);
            QCOMPARE(remembered.error().arguments.value(0), path());
        }
        QCOMPARE(contentOf(path()), before);
        QCOMPARE(files(), filesBefore);
        QCOMPARE(hosts(), QStringList({"b", "a"}));
    }

    void whatIsNoFileIsLeftAlone() {
        QVERIFY(QDir().mkpath(path()));
        QCOMPARE(store().load().error(), Error(ErrorCode::Storage, Cause::NotAFile, {path()}));
        QCOMPARE(store().remember(profileOf(QStringLiteral("redis://a")), noon).error().code, ErrorCode::Storage);
        QVERIFY(QFileInfo(path()).isDir());
    }

    void aDamagedFileIsRenamedAndTheBackupTakesItsPlace_data() {
        QTest::addColumn<QByteArray>("content");
        const auto file = [](const char* entries) {
            return json("{'version': 1, 'profiles': ") + json(entries) + json("}");
        };
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("no JSON") << QByteArray("[General]\nrecent=redis://h\n");
        QTest::newRow("cut short") << json("{'version': 1, 'profiles': [{'id': 'a'");
        QTest::newRow("another value") << QByteArray("[]");
        QTest::newRow("no version") << json("{'profiles': []}");
        QTest::newRow("version before the first") << json("{'version': 0, 'profiles': []}");
        QTest::newRow("version as text") << json("{'version': '1', 'profiles': []}");
        QTest::newRow("no profiles") << json("{'version': 1}");
        QTest::newRow("profile is no object") << file("[1]");
        QTest::newRow("no id") << file("[{'url': 'redis://h', 'readOnly': false}]");
        QTest::newRow("no URL") << file("[{'id': 'a', 'readOnly': false}]");
        QTest::newRow("wrong URL") << file("[{'id': 'a', 'url': 'http://h', 'readOnly': false}]");
        QTest::newRow("read-only unclear") << file("[{'id': 'a', 'url': 'redis://h'}]");
        QTest::newRow("wrong time") << file(
            "[{'id': 'a', 'url': 'redis://h', 'readOnly': false, 'lastUsed': 'noon'}]");
        QTest::newRow("too large") << file("[]") + QByteArray(ProfileStore::largestFile, ' ');
    }
    void aDamagedFileIsRenamedAndTheBackupTakesItsPlace() {
        QFETCH(const QByteArray, content);
        QVERIFY(store().remember(profileOf(QStringLiteral("redis://a")), noon).ok());
        QVERIFY(store().remember(profileOf(QStringLiteral("redis://b")), noon).ok());
        write(content);
        const Result<QList<StoredProfile>> loaded = store().load();
        QVERIFY(!loaded.ok());
        const QString aside = setAside(QStringLiteral("damaged"));
        QVERIFY2(!aside.isEmpty(), qPrintable(files().join(QLatin1Char(' '))));
        QCOMPARE(contentOf(aside), content);
        QCOMPARE(loaded.error(), Error(ErrorCode::Storage, Cause::BackupRestored, {path(), aside}));
        QCOMPARE(hosts(), QStringList("a"));
    }

    void aFileOfTheFirstVersionIsRead() {
        QVERIFY(store().save({{profileOf(QStringLiteral("redis://h")), QString(), noon}}).ok());
        QByteArray content = contentOf(path());
        QVERIFY(content.contains("\"version\": 2"));
        write(content.replace("\"version\": 2", "\"version\": 1"));
        QCOMPARE(hosts(), QStringList{QStringLiteral("h")});
    }

    void aFileOfALaterVersionIsRenamed() {
        const QByteArray content = json("{'version': 3, 'profiles': {'a': {'password': 'elsewhere'}}}");
        write(content);
        const Result<Done> remembered = store().remember(profileOf(QStringLiteral("redis://a")), noon);
        QVERIFY2(!remembered.ok(), "what was not read is reported before anything is written");
        const QString aside = setAside(QStringLiteral("later-version"));
        QCOMPARE(remembered.error(), Error(ErrorCode::Storage, Cause::FileRenamed, {path(), aside}));
        QCOMPARE(contentOf(aside), content);
        QCOMPARE(hosts(), QStringList());
        QVERIFY(store().remember(profileOf(QStringLiteral("redis://a")), noon).ok());
        QCOMPARE(hosts(), QStringList("a"));
    }

    void aDamagedBackupDoesNotReturn() {
        QVERIFY(store().remember(profileOf(QStringLiteral("redis://a")), noon).ok());
        write("damaged");
        QVERIFY(QFile::copy(path(), backupPath()));
        QVERIFY(!store().load().ok());
        QCOMPARE(hosts(), QStringList());
    }

    void refusesWhatItCouldNotReadAgain() {
        QVERIFY(store().remember(profileOf(QStringLiteral("redis://a")), noon).ok());
        ConnectionProfile withoutId = profileOf(QStringLiteral("redis://b"));
        withoutId.id = {};
        QCOMPARE(store().remember(withoutId, noon).error(),
                 Error(ErrorCode::InvalidArgument, Cause::ProfilesNotReadable));
        ConnectionProfile large = profileOf(QStringLiteral("redis://b"));
        large.discovery.prefixes = {QByteArray(ProfileStore::largestFile, 'x')};
        QCOMPARE(store().remember(large, noon).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(hosts(), QStringList("a"));
    }
};

LOCKKEEPER_TEST(TestProfileStore, Appless)
#include "tst_profilestore.moc"
