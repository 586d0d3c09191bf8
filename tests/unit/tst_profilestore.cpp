// SPDX-License-Identifier: Apache-2.0
#include "profile/profilecause.h"
#include "profile/profilefile.h"
#include "profile/profilestore.h"
#include "support/awkwardnames.h"
#include "support/filesizelimit.h"
#include "support/singlequotes.h"
#include "support/testprogram.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

namespace tst_profilestore {

using namespace lockkeeper;
using namespace std::chrono_literals;
using profile::ConnectionProfile;
using profile::Environment;
using profile::LabelColor;
using profile::ProfileId;
using profile::ProfileStore;
using profile::StoredProfile;
using test::json;

namespace {

const WallTime noon = WallTime(1'800'000'000'123ms);

ConnectionProfile profileOf(const QString& url) {
    return ConnectionProfile::fromUrl(url).value();
}

StoredProfile storedOf(const ConnectionProfile& profile, std::optional<WallTime> lastUsed = {}) {
    StoredProfile stored;
    stored.profile = profile;
    stored.lastUsed = lastUsed;
    return stored;
}

StoredProfile savedOf(const ConnectionProfile& profile, const QString& name) {
    StoredProfile stored = storedOf(profile);
    stored.keeping = StoredProfile::Keeping::Saved;
    stored.label.name = name;
    return stored;
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
    // The names of the files in the store's folder.
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
        StoredProfile saved = storedOf(profile, noon);
        saved.label = {QStringLiteral("Orders"), Environment::Production, LabelColor::Purple};
        saved.keeping = StoredProfile::Keeping::Saved;
        saved.secrets = StoredProfile::Secrets::AskedEachTime;
        saved.group = QStringLiteral("Shop");
        saved.note = QStringLiteral("two lines\nof text");
        const QList<StoredProfile> stored{saved, storedOf(profileOf(QStringLiteral("unix:///run/redis.sock?db=2")))};
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

    void updatesARecentProfileOfTheSameId() {
        const ConnectionProfile a = profileOf(QStringLiteral("redis://a"));
        QVERIFY(store().save({storedOf(profileOf(QStringLiteral("redis://b")), noon), storedOf(a, noon)}).ok());
        ConnectionProfile changed = profileOf(QStringLiteral("redis://a?share=9"));
        changed.access = redis::AccessMode::ReadOnly;
        QVERIFY(store().remember(changed, noon + 1s).ok());
        QCOMPARE(hosts(), QStringList({"a", "b"}));
        QCOMPARE(store().load()->front(), storedOf(changed, noon + 1s));
    }

    // Connecting once without read-only must not change the saved connection.
    void ofASavedProfileOnlyTheTimeChanges() {
        ConnectionProfile a = profileOf(QStringLiteral("redis://a"));
        a.access = redis::AccessMode::ReadOnly;
        StoredProfile saved = savedOf(a, QStringLiteral("A"));
        QVERIFY(store().save({storedOf(profileOf(QStringLiteral("redis://b")), noon), saved}).ok());
        a.access = redis::AccessMode::ReadWrite;
        QVERIFY(store().remember(a, noon + 1s).ok());
        saved.lastUsed = noon + 1s;
        QCOMPARE(hosts(), QStringList({"b", "a"}));
        QCOMPARE(store().load()->back(), saved);
    }

    void savesAProfileInItsPlace() {
        const StoredProfile a = savedOf(profileOf(QStringLiteral("redis://a")), QStringLiteral("A"));
        QVERIFY(store().keep(a).ok());
        QVERIFY(store().keep(savedOf(profileOf(QStringLiteral("redis://b")), QStringLiteral("B"))).ok());
        StoredProfile moved = savedOf(profileOf(QStringLiteral("redis://c")), QStringLiteral("C"));
        moved.profile.id = a.profile.id;
        QVERIFY(store().keep(moved).ok());
        QCOMPARE(hosts(), QStringList({"c", "b"}));
        QCOMPARE(store().load()->front(), moved);
    }

    void newIdsDiffer() {
        QVERIFY(!ProfileStore::newId().isEmpty());
        QVERIFY(ProfileStore::newId() != ProfileStore::newId());
    }

    void savedProfilesAreNeverDropped() {
        QVERIFY(store().keep(savedOf(profileOf(QStringLiteral("redis://saved")), QStringLiteral("S"))).ok());
        for (int i = 0; i < ProfileStore::mostRemembered + 2; ++i)
            QVERIFY(store().remember(profileOf(QStringLiteral("redis://h%1").arg(i)), noon).ok());
        QCOMPARE(hosts().size(), ProfileStore::mostRemembered + 1);
        QVERIFY(hosts().contains(QStringLiteral("saved")));
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
        QVERIFY(store().save({storedOf(a), storedOf(profileOf(QStringLiteral("redis://b")))}).ok());
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
        QTest::newRow("wrong time") << file("[{'id': 'a', 'url': 'redis://h', 'readOnly': false, 'lastUsed': 'noon'}]");
        const auto newer = [](const char* entry) {
            return json("{'version': 3, 'profiles': [{'id': 'a', 'url': 'redis://h', 'readOnly': false") + json(entry) +
                   json("}]}");
        };
        QTest::newRow("saved unclear") << newer("");
        QTest::newRow("unknown environment") << newer(", 'saved': true, 'environment': 'moon'");
        QTest::newRow("unknown color") << newer(", 'saved': true, 'color': 'infrared'");
        QTest::newRow("secrets unclear") << newer(", 'saved': true, 'askForSecrets': 'perhaps'");
        QTest::newRow("too large") << file("[]") + QByteArray(profile::largestProfileFile, ' ');
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
        QCOMPARE(loaded.error(), Error(ErrorCode::Storage, profile::ProfileCause::BackupRestored, {path(), aside}));
        QCOMPARE(hosts(), QStringList("a"));
    }

    // Files as earlier versions wrote them: only what had a name is saved.
    void aFileOfAnEarlierVersionIsRead_data() {
        QTest::addColumn<QByteArray>("version");
        QTest::newRow("first") << QByteArray("1");
        QTest::newRow("second") << QByteArray("2");
    }
    void aFileOfAnEarlierVersionIsRead() {
        QFETCH(const QByteArray, version);
        write(json("{'version': ") + version + json(R"(, 'profiles': [
            {'id': 'a', 'url': 'redis://eve@a:6379', 'readOnly': true, 'name': 'A', 'lastUsed': '2026-11-20T10:00:00.000Z'},
            {'id': 'b', 'url': 'redis://b:6379', 'readOnly': false}]})"));
        const Result<QList<StoredProfile>> loaded = store().load();
        QVERIFY(loaded.ok());
        QCOMPARE(loaded->size(), 2);
        const StoredProfile& named = loaded->front();
        QVERIFY(named.isSaved());
        QCOMPARE(named.label,
                 (profile::ProfileLabel{QStringLiteral("A"), Environment::None, LabelColor::OfEnvironment}));
        QCOMPARE(named.profile.id, ProfileId(QStringLiteral("a")));
        QCOMPARE(named.profile.credentials.user, QByteArray("eve"));
        QCOMPARE(named.profile.access, redis::AccessMode::ReadOnly);
        QVERIFY(named.lastUsed.has_value());
        QVERIFY(!loaded->back().isSaved());
    }

    void theUserWhoWritesIsKeptWithoutTheSecret() {
        write(json(
            "{'version': 3, 'profiles': [{'id': 'b', 'url': 'redis://b:6379', 'readOnly': false, 'saved': true, 'name': 'B'}]}"));
        StoredProfile stored = store().load()->front();
        QVERIFY(stored.profile.writing.user.isEmpty());
        stored.profile.writing = {"operator", "secret"};
        QVERIFY(store().keep(stored).ok());
        QCOMPARE(store().load()->front().profile.writing, (redis::Credentials{"operator", {}}));
        QVERIFY(!contentOf(path()).contains("secret"));
    }

    void theWayToAThreadDumpIsKeptWithoutTheSecret() {
        write(json(
            "{'version': 5, 'profiles': [{'id': 'b', 'url': 'redis://b:6379', 'readOnly': false, 'saved': true, 'name': 'B'}]}"));
        StoredProfile stored = store().load()->front();
        QCOMPARE(stored.profile.dumps, profile::DumpSettings());
        profile::DumpSettings& dumps = stored.profile.dumps;
        dumps.way = profile::DumpWay::Actuator;
        dumps.url = QStringLiteral("https://{host}:8081/actuator/threaddump");
        dumps.credentials = {"admin", "secret"};
        dumps.hosts = {"10.0.0.7", "app.example"};
        dumps.login = QStringLiteral("deploy@{host}");
        dumps.usesSudo = true;
        dumps.pod = QStringLiteral("orders-0");
        dumps.kubeNamespace = QStringLiteral("shop");
        dumps.container = QStringLiteral("app");
        QVERIFY(store().keep(stored).ok());
        QCOMPARE(store().load()->front().profile, stored.profile.withoutSecrets());
        QVERIFY(!contentOf(path()).contains("secret"));
    }

    void whatTheJavaClientsHaveSetIsKept() {
        const profile::ConnectionProfile profile =
            profileOf(QStringLiteral("redis://a?watchdog=12&fair-wait=60&name-prefix=p:&await-replicas=no"));
        QVERIFY(store().remember(profile, noon).ok());
        QCOMPARE(store().load()->first().profile.locks, profile.locks);
        QVERIFY(profile.locks.watchdogTimeout == 12s);
    }

    void aFileOfAnEarlierVersionBecomesOneOfThePresent() {
        const QByteArray before =
            json("{'version': 2, 'profiles': [{'id': 'b', 'url': 'redis://b:6379', 'readOnly': false}]}");
        write(before);
        QVERIFY(store().remember(profileOf(QStringLiteral("redis://a")), noon).ok());
        QVERIFY(contentOf(path()).contains("\"version\": 6"));
        QCOMPARE(hosts(), QStringList({"a", "b"}));
        QCOMPARE(contentOf(backupPath()), before);
    }

    void aFileOfALaterVersionIsRenamed() {
        const QByteArray content = json("{'version': 7, 'profiles': {'a': {'password': 'elsewhere'}}}");
        write(content);
        const Result<Done> remembered = store().remember(profileOf(QStringLiteral("redis://a")), noon);
        QVERIFY2(!remembered.ok(), "what was not read is reported before anything is written");
        const QString aside = setAside(QStringLiteral("later-version"));
        QCOMPARE(remembered.error(), Error(ErrorCode::Storage, profile::ProfileCause::FileRenamed, {path(), aside}));
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
                 Error(ErrorCode::InvalidArgument, profile::ProfileCause::ProfilesNotReadable));
        ConnectionProfile large = profileOf(QStringLiteral("redis://b"));
        large.discovery.prefixes = {QByteArray(profile::largestProfileFile, 'x')};
        QCOMPARE(store().remember(large, noon).error().code, ErrorCode::InvalidArgument);
        QCOMPARE(hosts(), QStringList("a"));
    }
};

LOCKKEEPER_TEST(TestProfileStore, Appless)

}  // namespace tst_profilestore

#include "tst_profilestore.moc"
