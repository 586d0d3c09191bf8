// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/tools/lookups.h"
#include "support/testprogram.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

namespace tst_arguments {

using namespace lockkeeper;
using namespace std::chrono_literals;
using app::Arguments;

class TestArguments : public QObject {
    Q_OBJECT

private:
    static Result<profile::StoredProfile> profileNamed(const QString& name) {
        profile::StoredProfile stored;
        stored.profile = *profile::ConnectionProfile::fromUrl(QStringLiteral("redis://orders.example"));
        stored.profile.id = profile::ProfileId(QStringLiteral("an id"));
        stored.label.name = name;
        if (name == QLatin1String("Two users"))
            stored.profile.writing.user = "ops";
        if (name == QLatin1String("Asking") || name == QLatin1String("Two users"))
            stored.secrets = profile::StoredProfile::Secrets::AskedEachTime;
        if (name == QLatin1String("ReadOnly"))
            stored.profile.access = redis::AccessMode::ReadOnly;
        if (name == QLatin1String("Staging"))
            stored.label.environment = profile::Environment::Staging;
        if (name == QLatin1String("Production"))
            stored.label.environment = profile::Environment::Production;
        if (name == QLatin1String("Unknown"))
            return Error(ErrorCode::InvalidArgument, QStringLiteral("no such connection"));
        return stored;
    }
    static Result<Arguments> parsed(const QStringList& words, const app::Passwords& passwords) {
        app::Lookups lookups = app::allLookups();
        lookups.profileNamed = &profileNamed;
        return Arguments::parse(words, passwords, lookups);
    }

private Q_SLOTS:
    void choosesAFace_data() {
        QTest::addColumn<QStringList>("line");
        QTest::addColumn<Arguments::Face>("face");
        QTest::addColumn<Arguments::Source>("source");
        QTest::newRow("nothing: an empty window")
            << QStringList{} << Arguments::Face::Window << Arguments::Source::None;
        QTest::newRow("a URL") << QStringList{"redis://h"} << Arguments::Face::Window << Arguments::Source::Url;
        QTest::newRow("the demo") << QStringList{"--demo"} << Arguments::Face::Window << Arguments::Source::Demo;
        QTest::newRow("list") << QStringList{"list", "redis://h"} << Arguments::Face::List << Arguments::Source::Url;
        QTest::newRow("watch the demo") << QStringList{"watch", "--demo"} << Arguments::Face::Watch
                                        << Arguments::Source::Demo;
        QTest::newRow("options first") << QStringList{"--json", "watch", "h"} << Arguments::Face::Watch
                                       << Arguments::Source::Url;
    }
    void choosesAFace() {
        QFETCH(QStringList, line);
        const Result<Arguments> arguments = parsed(line, {});
        QVERIFY2(arguments.ok(), arguments.ok() ? "" : qPrintable(arguments.error().text));
        QTEST(arguments->face, "face");
        QTEST(arguments->source, "source");
    }

    void aForceIsConfirmedByYesOnlyWhereItIsKnownToBeHarmless_data() {
        QTest::addColumn<QStringList>("source");
        QTest::addColumn<bool>("isEnough");
        QTest::newRow("a URL") << QStringList{"redis://h"} << false;
        QTest::newRow("production") << QStringList{"--profile", "Production"} << false;
        QTest::newRow("no environment") << QStringList{"--profile", "Orders"} << false;
        QTest::newRow("staging") << QStringList{"--profile", "Staging"} << true;
    }
    void aForceIsConfirmedByYesOnlyWhereItIsKnownToBeHarmless() {
        QFETCH(const QStringList, source);
        QFETCH(const bool, isEnough);
        const QStringList words =
            QStringList{"force-release"} + source +
            QStringList{"L", "--holder", "8f14e45f-ceea-467f-a5d1-09c4ed2b1c33:1", "--reason", "why"};
        const auto parse = [&](const QStringList& more) { return parsed(words + more, {}); };
        QCOMPARE(parse({"--yes"}).ok(), isEnough);
        QVERIFY(parse({"--confirm", "L"})->force.isConfirmed);
        QVERIFY(parse({"--yes", "--confirm", "L"})->force.isConfirmed);
        QVERIFY(!parse({})->force.isConfirmed);
        QVERIFY(!parse({"--confirm", "M"}).ok());
    }

    void readsOptions() {
        const Result<Arguments> arguments = parsed({"watch", "redis://h", "--json", "--for", "2.5", "--read-only"}, {});
        QVERIFY(arguments.ok());
        QVERIFY(arguments->json);
        QVERIFY(arguments->watchFor == 2500ms);
        QCOMPARE(arguments->profile.access, redis::AccessMode::ReadOnly);
    }

    void addsToWhereTheUrlLooksForLocks() {
        const Result<Arguments> arguments = parsed({"watch", "redis://h?match=a*&share=9", "--match", "b*", "--match",
                                                    "[c]", "--prefix", "jobs:", "--share", "50"},
                                                   {});
        QVERIFY2(arguments.ok(), arguments.ok() ? "" : qPrintable(arguments.error().text));
        QCOMPARE(arguments->profile.discovery.matches, QByteArrayList({"a*", "b*", "[c]"}));
        QCOMPARE(arguments->profile.discovery.prefixes, QByteArrayList{"jobs:"});
        QCOMPARE(arguments->profile.discovery.serverShare, 50);
        QCOMPARE(parsed({"list", "h"}, {})->profile.discovery, profile::DiscoverySettings());
    }

    void takesASavedConnectionByItsName() {
        const auto watch =
            parsed({"watch", "--profile", "Orders", "--match", "a*", "--read-only"}, {"server", {}, "key"});
        QVERIFY2(watch.ok(), watch.ok() ? "" : qPrintable(watch.error().text));
        QCOMPARE(watch->source, Arguments::Source::Url);
        QCOMPARE(watch->profile.endpoint.host, QStringLiteral("orders.example"));
        QCOMPARE(watch->profile.discovery.matches, QByteArrayList{"a*"});
        QCOMPARE(watch->profile.access, redis::AccessMode::ReadOnly);
        QCOMPARE(watch->profile.credentials.password, QByteArray("server"));
        QCOMPARE(watch->profile.id, profile::ProfileId(QStringLiteral("an id")));
        QCOMPARE(watch->saved->label.name, QStringLiteral("Orders"));
        const auto lock = parsed({"lock", "--profile", "Orders", "L", "--", "true"}, {});
        QVERIFY2(lock.ok(), lock.ok() ? "" : qPrintable(lock.error().text));
        QCOMPARE(lock->lockName, LockName("L"));
    }

    void aSavedConnectionThatAsksNeedsItsPasswordInATerminal() {
        const auto with = [](const QStringList& line, const app::Passwords& passwords) {
            return parsed(line, passwords);
        };
        const auto without = with({"list", "--profile", "Asking"}, {});
        QVERIFY(!without.ok());
        QVERIFY2(without.error().text.contains(QStringLiteral("LOCKKEEPER_PASSWORD")),
                 qPrintable(without.error().text));
        QVERIFY(with({"list", "--profile", "Asking"}, {"s3cret", {}, {}}).ok());
        QVERIFY(with({"--profile", "Asking"}, {}).ok());
    }

    void aCommandThatWritesNeedsThePasswordOfTheUserWhoWrites() {
        const auto lock = [](const QString& profile, const app::Passwords& passwords) {
            return parsed({"lock", "--profile", profile, "L", "--", "true"}, passwords);
        };
        const auto without = lock("Two users", {"s3cret", {}, {}});
        QVERIFY(!without.ok());
        for (const char* word : {"'Two users'", "'ops'", "LOCKKEEPER_WRITING_PASSWORD"})
            QVERIFY2(without.error().text.contains(QLatin1String(word)), qPrintable(without.error().text));
        const app::Passwords given{{}, {}, {}, "wr1ter"};
        const auto with = lock("Two users", given);
        QVERIFY2(with.ok(), with.ok() ? "" : qPrintable(with.error().text));
        QCOMPARE(with->profile.writing.password, QByteArray("wr1ter"));
        QVERIFY(with->profile.credentials.password.isEmpty());
        QVERIFY(lock("Orders", given)->profile.writing.password.isEmpty());
        QVERIFY(parsed({"list", "--profile", "Two users"}, {"s3cret", {}, {}}).ok());
    }

    void leavesTheCommandItsOwnOptions() {
        const Result<Arguments> arguments = parsed({"lock", "redis://h", "L", "--kind", "fair", "--wait", "0",
                                                    "--lease", "2.5", "--", "tar", "--json", "--", "x"},
                                                   {});
        QVERIFY2(arguments.ok(), arguments.ok() ? "" : qPrintable(arguments.error().text));
        QCOMPARE(arguments->lockName, LockName("L"));
        QCOMPARE(arguments->lockKind, Arguments::LockKind::Fair);
        QVERIFY(arguments->wait == 0ms);
        QVERIFY(arguments->lease == 2500ms);
        QCOMPARE(arguments->command, (QStringList{"tar", "--json", "--", "x"}));
        QVERIFY(!arguments->json);
    }

    void takesThePasswordOfTheUrlBeforeThatOfTheEnvironment() {
        QCOMPARE(parsed({"redis://h"}, {"from-env", {}, {}})->profile.credentials.password, QByteArray("from-env"));
        const auto sentinels = parsed({"redis-sentinel://:from-url@h/m"}, {"from-env", "sentinels' own", {}});
        QCOMPARE(sentinels->profile.credentials.password, "from-url");
        QCOMPARE(sentinels->profile.deployment.sentinels->credentials.password, "sentinels' own");
        QCOMPARE(parsed({"redis://:from-url@h"}, {"from-env", {}, {}})->profile.credentials.password,
                 QByteArray("from-url"));
    }

    // A file is recognized by its path, as a Unix socket, and in the current folder. But a host may have the name of a
    // file.
    void aFileIsNoServer() {
        const QString file = written("singleServerConfig:\n");
        const QString folder = QDir::currentPath();
        const auto restore = qScopeGuard([&folder] { QDir::setCurrent(folder); });
        QVERIFY(QDir::setCurrent(m_directory.path()));
        for (const QString& source : {file, QStringLiteral("unix://") + file, QFileInfo(file).fileName()}) {
            const auto window = parsed({source}, {});
            QVERIFY2(!window.ok(), qPrintable(source));
            QCOMPARE(window.error().code, ErrorCode::InvalidArgument);
            QVERIFY2(window.error().text.startsWith(source + QStringLiteral(" is a file")) &&
                         window.error().text.contains(QStringLiteral("replay FILE")) &&
                         window.error().text.contains(QStringLiteral("--redisson-config FILE")),
                     qPrintable(window.error().text));
        }
        QVERIFY(QFile::copy(file, m_directory.filePath(QStringLiteral("cache.example"))));
        QCOMPARE(parsed({"cache.example"}, {})->profile.endpoint.host, QStringLiteral("cache.example"));
    }

    void takesTheServersOfARedissonFile() {
        const QString file = written(
            "sentinelServersConfig:\n  sentinelAddresses: ['redis://s:1']\n  masterName: m\n"
            "  sentinelPassword: theirs\n  timeout: 3\n");
        const auto list = parsed({"list", "--redisson-config", file, "--match", "a*"}, {"server", "unused", "key"});
        QVERIFY2(list.ok(), list.ok() ? "" : qPrintable(list.error().text));
        QCOMPARE(list->source, Arguments::Source::Url);
        QCOMPARE(list->profile.display(), "s:1/m");
        QCOMPARE(list->profile.credentials.password, "server");
        QCOMPARE(list->profile.deployment.sentinels->credentials.password, "theirs");
        QCOMPARE(list->profile.endpoint.keyPassphrase, "key");
        QCOMPARE(list->profile.discovery.matches, QByteArrayList{"a*"});
        QVERIFY2(list->notes.isEmpty(), "the timeout of a command is the Java client's own");
        const auto lock = parsed({"lock", "--redisson-config", file, "L", "--", "true"}, {});
        QVERIFY2(lock.ok(), lock.ok() ? "" : qPrintable(lock.error().text));
        QCOMPARE(lock->lockName, LockName("L"));
    }

    void optionsAddToARedissonFile() {
        const QString file = written(
            "sentinelServersConfig:\n  sentinelAddresses: [redis://s:1]\n  masterName: m\n"
            "  username: u\n  password: p\n  sentinelPassword: theirs\n");
        const auto list = parsed({"list", "--redisson-config", file, "--options", "ssh=me@jump&map=a:1=b:2"}, {});
        QVERIFY2(list.ok(), list.ok() ? "" : qPrintable(list.error().text));
        QCOMPARE(list->profile.deployment.ssh->display(), "me@jump");
        QCOMPARE(list->profile.deployment.addresses.size(), 1);
        QCOMPARE(list->profile.credentials.user, "u");
        QCOMPARE(list->profile.credentials.password, "p");
        QCOMPARE(list->profile.deployment.sentinels->credentials.password, "theirs");
        QCOMPARE(list->profile.deployment.sentinels->masterName, "m");
    }

    void onlyTheWindowAsksForVariables() {
        const QString file = written("singleServerConfig:\n  address: redis://${LOCKKEEPER_NOT_SET}:1\n");
        const auto window = parsed({"--redisson-config", file}, {});
        QVERIFY2(window.ok(), window.ok() ? "" : qPrintable(window.error().text));
        QCOMPARE(window->redissonFile, file);
        QCOMPARE(window->source, Arguments::Source::None);
        const auto list = parsed({"list", "--redisson-config", file}, {});
        QVERIFY(!list.ok());
        QVERIFY2(list.error().text.contains("LOCKKEEPER_NOT_SET"), qPrintable(list.error().text));
    }

    void theEnvironmentIsOnlyAskedIfTheLineSaysSo() {
        qputenv("LOCKKEEPER_TEST_HOST", "cache.example");
        const auto restore = qScopeGuard([] { qunsetenv("LOCKKEEPER_TEST_HOST"); });
        const QString file = written("singleServerConfig:\n  address: redis://${LOCKKEEPER_TEST_HOST}:1\n");
        const auto without = parsed({"list", "--redisson-config", file}, {});
        QVERIFY(!without.ok());
        QVERIFY2(without.error().text.contains("LOCKKEEPER_TEST_HOST") && without.error().text.contains("--env"),
                 qPrintable(without.error().text));
        QCOMPARE(parsed({"--redisson-config", file}, {})->redissonFile, file);
        QCOMPARE(parsed({"list", "--redisson-config", file, "--env"}, {})->profile.endpoint.host, "cache.example");
    }

    void printsWhatAFileSaysWithoutSecrets() {
        qputenv("LOCKKEEPER_TEST_HOST", "cache.example");
        qputenv("LOCKKEEPER_TEST_PORT", "7003");
        qputenv("LOCKKEEPER_TEST_LEASE", "12000");
        const auto restore = qScopeGuard([] {
            for (const char* name : {"LOCKKEEPER_TEST_HOST", "LOCKKEEPER_TEST_PORT", "LOCKKEEPER_TEST_LEASE"})
                qunsetenv(name);
        });
        const QString file = written(
            "singleServerConfig:\n  address: redis://${LOCKKEEPER_TEST_HOST}:${LOCKKEEPER_TEST_PORT}\n"
            "  password: s3cret\n  database: 4\nlockWatchdogTimeout: ${LOCKKEEPER_TEST_LEASE}\n"
            "fairLockWaitTimeout: 60000\n");
        for (const QStringList& more : {QStringList(), QStringList{"--json"}}) {
            const auto list = parsed(QStringList{"list", "--redisson-config", file, "--env", "--print-url"} + more, {});
            QVERIFY2(list.ok(), list.ok() ? "" : qPrintable(list.error().text));
            const QString text = list->printInstead;
            QVERIFY2(text.contains("redis://${LOCKKEEPER_TEST_HOST}:${LOCKKEEPER_TEST_PORT}/4"), qPrintable(text));
            QVERIFY2(text.contains("watchdog=${LOCKKEEPER_TEST_LEASE}&fair-wait=60"), qPrintable(text));
            for (const char* secret : {"cache.example", "7003", "12000", "=12&", "s3cret"})
                QVERIFY2(!text.contains(QString::fromLatin1(secret)), qPrintable(text));
        }
        const auto json = parsed({"list", "--redisson-config", file, "--env", "--print-url", "--json"}, {});
        const QJsonObject object = QJsonDocument::fromJson(json->printInstead.toUtf8()).object();
        QCOMPARE(object.value("watchdog_timeout_ms").toString(), "${LOCKKEEPER_TEST_LEASE}");
        QCOMPARE(object.value("fair_wait_ms").toInt(), 60'000);
        QVERIFY(!parsed({"watch", "--redisson-config", file, "--env", "--print-url"}, {}).ok());
        QVERIFY(!parsed({"list", "redis://h", "--print-url"}, {}).ok());
    }

    void variablesArePrintedInTheirPlacesOnly_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("url");
        const QByteArray single = "singleServerConfig:\n  address: ";
        const QByteArray variable = "${LOCKKEEPER_TEST_VALUE}";
        const QByteArray nodes = "clusterServersConfig:\n  nodeAddresses: " + variable + "\n";
        QTest::newRow("several nodes") << nodes << QByteArray("redis://n1:7000, redis://n2:7001")
                                       << "redis-cluster://${LOCKKEEPER_TEST_VALUE}";
        QTest::newRow("a whole address") << single + variable + "\n"
                                         << QByteArray("rediss://u:pw@n1:7000") << "rediss://${LOCKKEEPER_TEST_VALUE}";
        QTest::newRow("a number that is in the file, too")
            << single + "redis://h:61001\n  database: " + variable + "\n"
            << QByteArray("7") << "redis://h:61001/${LOCKKEEPER_TEST_VALUE}";
        QTest::newRow("a name as a stand-in may have")
            << single + "redis://lk0env:1\n  username: " + variable + "\n"
            << QByteArray("eve") << "redis://${LOCKKEEPER_TEST_VALUE}@lk0env:1";
        QTest::newRow("no scheme") << single + "redis://h:1\n  username: " + variable + "\n"
                                   << QByteArray("hunter2://x") << "redis://${LOCKKEEPER_TEST_VALUE}@h:1";
    }
    void variablesArePrintedInTheirPlacesOnly() {
        QFETCH(const QByteArray, content);
        QFETCH(const QByteArray, value);
        QFETCH(const QString, url);
        qputenv("LOCKKEEPER_TEST_VALUE", value);
        const auto restore = qScopeGuard([] { qunsetenv("LOCKKEEPER_TEST_VALUE"); });
        const auto list = parsed({"list", "--redisson-config", written(content), "--env", "--print-url", "--json"}, {});
        QVERIFY2(list.ok(), list.ok() ? "" : qPrintable(list.error().text));
        QCOMPARE(QJsonDocument::fromJson(list->printInstead.toUtf8()).object().value("url").toString(), url);
    }

    void aProfileOfSpringIsChosen() {
        const QString file = written(
            "spring.profiles: dev\nspring.redis.host: dev\n---\nspring.profiles: live\nspring.redis.host: live\n");
        const auto none = parsed({"list", "--redisson-config", file}, {});
        QVERIFY(!none.ok());
        QVERIFY2(none.error().text.contains("dev, live") && none.error().text.contains("--spring-profile"),
                 qPrintable(none.error().text));
        QCOMPARE(parsed({"--redisson-config", file}, {})->redissonFile, file);
        QCOMPARE(parsed({"list", "--redisson-config", file, "--spring-profile", "live"}, {})->profile.endpoint.host,
                 "live");
    }

    void whatTheClientsHaveSetIsTheDefault() {
        const QString url = QStringLiteral("redis://h?watchdog=12&fair-wait=60&name-prefix=p:");
        const auto lock = parsed({"lock", url, "L", "--", "true"}, {});
        QVERIFY2(lock.ok(), lock.ok() ? "" : qPrintable(lock.error().text));
        QVERIFY(lock->watchdog == 12s && lock->fairWait == 60s);
        QCOMPARE(lock->nameMapper.prefix, "p:");
        const auto other = parsed({"lock", url, "L", "--kind", "fair", "--watchdog", "5", "--fair-wait", "7",
                                   "--name-suffix", ":s", "--", "true"},
                                  {});
        QVERIFY2(other.ok(), other.ok() ? "" : qPrintable(other.error().text));
        QVERIFY(other->watchdog == 5s && other->fairWait == 7s);
        QCOMPARE(other->nameMapper.prefix, "p:");
        QCOMPARE(other->nameMapper.suffix, ":s");
    }

    void aNameToForceIsThatOfTheProgramOrOfTheServer_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("of the program") << QStringLiteral("L");
        QTest::newRow("of the server") << QStringLiteral("p:L:s");
    }
    void aNameToForceIsThatOfTheProgramOrOfTheServer() {
        QFETCH(const QString, name);
        const auto force = parsed({"force-release", "redis://h?name-prefix=p:&name-suffix=:s", name, "--holder",
                                   "0a5d4d5a-8a1c-4a2a-9a7b-1f2e3d4c5b6a:1", "--reason", "r", "--confirm", name},
                                  {});
        QVERIFY2(force.ok(), force.ok() ? "" : qPrintable(force.error().text));
        QCOMPARE(force->lockName, LockName("p:L:s"));
    }

    void anUnknownOptionForARedissonFileIsRefused() {
        const QString file = written("singleServerConfig:\n  address: redis://h:1\n");
        const auto list = parsed({"list", "--redisson-config", file, "--options", "colour=red"}, {});
        QVERIFY(!list.ok());
        QVERIFY2(list.error().text.contains("colour"), qPrintable(list.error().text));
    }

    void aRedissonFileIsRefusedWithItsNameAndLine() {
        const QString file = written("singleServerConfig:\n  address: nowhere://x\n");
        const auto list = parsed({"list", "--redisson-config", file}, {});
        QVERIFY(!list.ok());
        QVERIFY2(list.error().text.startsWith(file + ": line 2: "), qPrintable(list.error().text));
    }

    // The empty argument is that of a variable that is not set in a script.
    void labTakesAnExperiment_data() {
        using What = Arguments::Lab::What;
        QTest::addColumn<QStringList>("line");
        QTest::addColumn<What>("what");
        QTest::addColumn<QByteArray>("experiment");
        QTest::addColumn<bool>("isWithoutCause");
        QTest::newRow("list") << QStringList{"lab", "list", "--json"} << What::List << QByteArray() << false;
        QTest::newRow("show") << QStringList{"lab", "show", "reentry"} << What::Show << QByteArray("reentry") << false;
        QTest::newRow("run") << QStringList{"lab", "run", "reentry"} << What::Run << QByteArray("reentry") << false;
        QTest::newRow("all") << QStringList{"lab", "run", "all", "--without-cause"} << What::Run << QByteArray()
                             << true;
    }
    void labTakesAnExperiment() {
        QFETCH(const QStringList, line);
        const Result<Arguments> arguments = parsed(line, {});
        QVERIFY2(arguments.ok(), arguments.ok() ? "" : qPrintable(arguments.error().text));
        QCOMPARE(arguments->face, Arguments::Face::Lab);
        QTEST(arguments->lab.what, "what");
        QTEST(arguments->lab.experiment, "experiment");
        QTEST(arguments->lab.isWithoutCause, "isWithoutCause");
        QVERIFY(arguments->recording.path.isEmpty());
    }

    void theTimesOfTheLabAreStretched() {
        for (const char* what : {"show", "run"}) {
            const Result<Arguments> arguments = parsed({"lab", what, "reentry", "--stretch", "5"}, {});
            QVERIFY2(arguments.ok(), arguments.ok() ? "" : qPrintable(arguments.error().text));
            QCOMPARE(arguments->lab.stretch, 5);
        }
        QCOMPARE(parsed({"lab", "run", "reentry"}, {})->lab.stretch, 1);
    }

    void aRunOfTheLabIsRecorded() {
        const QStringList line{"lab", "run", "reentry", "--record", "lab.lkrec", "--record-limit", "5M", "--mask"};
        const Result<Arguments> arguments = parsed(line, {});
        QVERIFY2(arguments.ok(), arguments.ok() ? "" : qPrintable(arguments.error().text));
        QCOMPARE(arguments->face, Arguments::Face::Lab);
        QCOMPARE(arguments->recording.path, QStringLiteral("lab.lkrec"));
        QCOMPARE(arguments->recording.limit, 5 * 1024 * 1024);
        QCOMPARE(arguments->recording.masking, recording::Masking::On);
    }

    void anEmptyValueIsRefused_data() {
        QTest::addColumn<QStringList>("line");
        QTest::addColumn<QString>("says");
        const QStringList lock{"lock", "redis://h", "L"};
        const QStringList force{"force-release", "redis://h", "L", "--reason", "r", "--confirm", "L"};
        const auto row = [](QStringList line, const QString& option, const QString& says = {}) {
            line += {option, QString()};
            if (line.first() == "lock")
                line += {"--", "true"};
            QTest::addRow("%s %s", qPrintable(line.first()), qPrintable(option))
                << line << (says.isEmpty() ? option : says);
        };
        for (const char* option : {"--wait", "--lease", "--watchdog", "--fair-wait", "--grace", "--kind", "--on-lost",
                                   "--wait-for", "--name-prefix", "--name-suffix", "--password-file", "--password-fd"})
            row(lock, option);
        row(lock + QStringList{"--name-prefix", "a"}, "--redisson-version");
        row({"lock", "redis://h"}, "--name", "a name");
        row({"lock", "L"}, "--redisson-config");
        row({"lock", "L"}, "--profile");
        row({"list", "--redisson-config", "f"}, "--options");
        for (const char* option : {"--match", "--prefix", "--share", "--for"})
            row({"watch", "redis://h"}, option);
        row({"redis://h"}, "--screenshot");
        for (const char* option : {"--holder", "--waiter"})
            row(force, option);
        for (const char* option : {"--count", "--token"})
            row(force + QStringList{"--holder", "0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33"}, option);
        row({"audit"}, "--lock");
        row({"audit"}, "--since");
    }
    void aClientTakesThePlaceOfAName() {
        const QString client = QStringLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10");
        const Result<Arguments> arguments = parsed(
            {"force-release", "redis://h", "--client", client, "--reason", "r", "--confirm", client, "--wait", "20"},
            {});
        QVERIFY2(arguments.ok(), arguments.ok() ? "" : qPrintable(arguments.error().text));
        QCOMPARE(arguments->force.kind, control::ChangeKind::RemoveWaiter);
        QCOMPARE(arguments->force.client, std::optional(ClientId(client.toLatin1())));
        QVERIFY(arguments->force.isConfirmed);
        QCOMPARE(arguments->wait, std::optional(20000ms));
    }

    void theClientsAreListedAfterAWhile() {
        const Result<Arguments> arguments = parsed({"list", "redis://h", "--clients", "--for", "3"}, {});
        QVERIFY(arguments.ok());
        QVERIFY(arguments->areClientsListed);
        QCOMPARE(arguments->watchFor, std::optional(3000ms));
    }

    void anEmptyValueIsRefused() {
        QFETCH(QStringList, line);
        QFETCH(QString, says);
        const Result<Arguments> arguments = parsed(line, {});
        QVERIFY(!arguments.ok());
        QVERIFY2(arguments.error().text.contains(says), qPrintable(arguments.error().text));
    }

    void refusesWithASentence_data() {
        QTest::addColumn<QStringList>("line");
        QTest::addColumn<QString>("says");
        const QString client = QStringLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10");
        const QStringList force{"force-release", "redis://h", "--reason", "r"};
        QTest::newRow("the clients of watch") << QStringList{"watch", "redis://h", "--clients"} << "goes with list";
        QTest::newRow("a list of locks for a time")
            << QStringList{"list", "redis://h", "--for", "3"} << "goes with watch, or list --clients";
        QTest::newRow("a client that is no UUID")
            << force + QStringList{"--client", "x", "--confirm", "x"} << "--client takes the UUID of a client";
        QTest::newRow("a client confirmed by another")
            << force + QStringList{"--client", client, "--confirm", "x"} << "is not the UUID of the client";
        QTest::newRow("a client and a holder")
            << force + QStringList{"--client", client, "--confirm", client, "--holder", client + ":1"}
            << "--client goes with force-release";
        QTest::newRow("dead waiters with a reader")
            << QStringList{"force-release", "redis://h",   "L",        "--reason",           "r", "--confirm", "L",
                           "--holder",      client + ":1", "--reader", "--with-dead-waiters"}
            << "--with-dead-waiters goes with force-release";
        QTest::newRow("the places of a client under another name")
            << force + QStringList{"--client", client, "--name", "orders", "--confirm", "orders"} << "not with --name";
        QTest::newRow("a permit and the places of a client")
            << force + QStringList{"--client", client, "--permit", "00ff", "--confirm", client}
            << "--permit goes with force-release";
        QTest::newRow("a permit of a semaphore that is confirmed by another name")
            << force + QStringList{"pool", "--permit", "00ff", "--confirm", "other"}
            << "is not the name of the semaphore";
        QTest::newRow("a permit of a semaphore that is not confirmed by its name")
            << force + QStringList{"pool", "--permit", "00ff", "--yes"} << "repeat the name of the semaphore";
        QTest::newRow("a lock that is not confirmed by its name")
            << force + QStringList{"L", "--holder", client + ":1", "--yes"} << "repeat the name of the lock";
        QTest::newRow("a stretch of nothing")
            << QStringList{"lab", "run", "all", "--stretch", "0"} << "a number from 1 to 10";
        QTest::newRow("a stretch that is too long")
            << QStringList{"lab", "run", "all", "--stretch", "11"} << "a number from 1 to 10";
        QTest::newRow("a stretch that is no number")
            << QStringList{"lab", "show", "reentry", "--stretch", "x"} << "a number from 1 to 10";
        QTest::newRow("a stretched list")
            << QStringList{"lab", "list", "--stretch", "2"} << "--stretch goes with lab show and lab run";
        QTest::newRow("a stretched watch")
            << QStringList{"watch", "redis://h", "--stretch", "2"} << "--stretch goes with lab show and lab run";
        QTest::newRow("an option of Qt, two dashes")
            << QStringList{"--style=Fusion"} << "Options of Qt, such as -style, are not taken";
        QTest::newRow("an option of Qt") << QStringList{"-style", "Fusion"}
                                         << "Options of Qt, such as -style, are not taken";
        QTest::newRow("unknown option") << QStringList{"--frobnicate"} << "frobnicate";
        QTest::newRow("list without a server") << QStringList{"list"} << "URL or --demo";
        QTest::newRow("two URLs") << QStringList{"redis://a", "redis://b"} << "one URL";
        QTest::newRow("a URL and the demo") << QStringList{"redis://a", "--demo"} << "not both";
        QTest::newRow("json in a window") << QStringList{"redis://a", "--json"} << "--json";
        QTest::newRow("for not a number") << QStringList{"watch", "h", "--for", "soon"} << "--for";
        QTest::newRow("for nothing") << QStringList{"watch", "h", "--for", "0"} << "--for";
        QTest::newRow("for without watch") << QStringList{"list", "h", "--for", "3"} << "--for";
        QTest::newRow("screenshot of a list") << QStringList{"list", "h", "--screenshot", "x.png"} << "--screenshot";
        QTest::newRow("lock without a command") << QStringList{"lock", "redis://h", "L"} << "after --";
        QTest::newRow("lock without a name") << QStringList{"lock", "redis://h", "--", "true"} << "a name";
        QTest::newRow("lock without anything") << QStringList{"lock"} << "a URL and a name";
        QTest::newRow("a name like an option") << QStringList{"lock", "redis://h", "-x", "--", "true"} << "--name";
        QTest::newRow("two names") << QStringList{"lock", "redis://h", "L", "--name", "M", "--", "true"}
                                   << "one name: 'L'";
        QTest::newRow("a password in no file")
            << QStringList{"lock", "redis://h", "L", "--password-file", "", "--", "true"} << "--password-file takes";
        QTest::newRow("a configuration in no file")
            << QStringList{"list", "--redisson-config", ""} << "--redisson-config takes";
        for (const char* number : {"nan", "inf", "-inf", "-1", "1e300", ""}) {
            for (const char* option : {"--wait", "--lease", "--watchdog", "--fair-wait", "--grace"})
                QTest::addRow("%s '%s'", option, number)
                    << QStringList{"lock", "redis://h", "L", option, number, "--", "true"} << option;
        }
        QTest::newRow("unknown kind") << QStringList{"lock", "redis://h", "L", "--kind", "rusty", "--", "true"}
                                      << "'rusty'";
        QTest::newRow("a place in a queue of no fair lock")
            << QStringList{"lock", "redis://h", "L", "--fair-wait", "20", "--", "true"} << "--kind fair";
        QTest::newRow("wait not a number")
            << QStringList{"lock", "redis://h", "L", "--wait", "soon", "--", "true"} << "--wait";
        QTest::newRow("unknown action") << QStringList{"lock", "redis://h", "L", "--on-lost", "cry", "--", "true"}
                                        << "'cry'";
        QTest::newRow("a command without lock") << QStringList{"watch", "redis://h", "--", "true"} << "go with lock";
        QTest::newRow("wait without lock") << QStringList{"watch", "redis://h", "--wait", "3"} << "go with lock";
        QTest::newRow("a prefix without lock")
            << QStringList{"watch", "redis://h", "--name-prefix", "a"} << "go with lock";
        QTest::newRow("no version") << QStringList{"lock",          "redis://h", "L",
                                                   "--name-prefix", "a",         "--redisson-version",
                                                   "new",           "--",        "true"}
                                    << "'new'";
        QTest::newRow("a version without a prefix")
            << QStringList{"lock", "redis://h", "L", "--redisson-version", "3.45.1", "--", "true"} << "--name-prefix";
        QTest::newRow("a semaphore without a name") << QStringList{"semaphore", "redis://h", "--", "true"} << "a name";
        QTest::newRow("a semaphore for nothing") << QStringList{"semaphore", "redis://h", "S"} << "after --";
        QTest::newRow("a command and an action")
            << QStringList{"semaphore", "redis://h", "S", "drain", "--", "true"} << "after --";
        QTest::newRow("a latch for nothing") << QStringList{"latch", "redis://h", "T"} << "count-down";
        QTest::newRow("permits of a latch") << QStringList{"latch", "redis://h", "T", "permits"} << "count-down";
        QTest::newRow("no permits") << QStringList{"semaphore", "redis://h", "S", "acquire", "0"} << "'0'";
        QTest::newRow("set to nothing") << QStringList{"semaphore", "redis://h", "S", "set"} << "number";
        QTest::newRow("two numbers") << QStringList{"semaphore", "redis://h", "S", "acquire", "1", "2"} << "'2'";
        QTest::newRow("a short id") << QStringList{"semaphore", "redis://h", "S", "release", "00ff", "--expirable"}
                                    << "32 hex";
        QTest::newRow("two with ids") << QStringList{"semaphore", "redis://h", "S", "acquire", "2", "--expirable"}
                                      << "'2'";
        QTest::newRow("drain of ids") << QStringList{"semaphore", "redis://h", "S", "drain", "--expirable"} << "drain";
        QTest::newRow("a lease without ids")
            << QStringList{"semaphore", "redis://h", "S", "--lease", "3", "--", "true"} << "--expirable";
        QTest::newRow("ids of a lock") << QStringList{"lock", "redis://h", "L", "--expirable", "--", "true"}
                                       << "--expirable";
        QTest::newRow("ids of a latch") << QStringList{"latch", "redis://h", "T", "wait", "--expirable"}
                                        << "--expirable";
        QTest::newRow("kind of a semaphore")
            << QStringList{"semaphore", "redis://h", "S", "--kind", "fair", "--", "true"} << "--kind";
        QTest::newRow("match with lock") << QStringList{"lock", "redis://h", "L", "--match", "a", "--", "true"}
                                         << "not with lock";
        QTest::newRow("match in the demo") << QStringList{"watch", "--demo", "--match", "a"} << "with a URL";
        QTest::newRow("an empty prefix") << QStringList{"watch", "h", "--prefix", ""} << "not empty";
        QTest::newRow("no share") << QStringList{"watch", "h", "--share", "0"} << "--share";
        QTest::newRow("more than all") << QStringList{"watch", "h", "--share", "101"} << "--share";
        QTest::newRow("a URL and a file") << QStringList{"redis://a", "--redisson-config", "f"} << "takes the place of";
        QTest::newRow("the demo and a file") << QStringList{"--demo", "--redisson-config", "f"} << "takes the place of";
        QTest::newRow("a profile and a URL")
            << QStringList{"redis://a", "--profile", "Orders"} << "--profile takes the place of";
        QTest::newRow("a profile and the demo")
            << QStringList{"--demo", "--profile", "Orders"} << "--profile takes the place of";
        QTest::newRow("an unknown profile") << QStringList{"--profile", "Unknown"} << "no such connection";
        QTest::newRow("a lock by a read-only profile")
            << QStringList{"lock", "--profile", "ReadOnly", "L", "--", "true"} << "saved as read-only";
        QTest::newRow("options without a file")
            << QStringList{"redis://a", "--options", "ssh=b"} << "--redisson-config";
        QTest::newRow("no such file") << QStringList{"--redisson-config", "/nowhere/f.yaml"} << "/nowhere/f.yaml";
        QTest::newRow("bad URL") << QStringList{"ftp://h"} << "ftp://";
    }
    void refusesWithASentence() {
        QFETCH(QStringList, line);
        QFETCH(QString, says);
        const Result<Arguments> arguments = parsed(line, {});
        QVERIFY(!arguments.ok());
        QVERIFY2(arguments.error().text.contains(says), qPrintable(arguments.error().text));
    }

    void namesAreMappedAsTheJavaClientsDo() {
        using FairQueue = locks::NameMapper::FairQueue;
        const QStringList lock{"lock", "redis://h", "L", "--name-prefix", "app:", "--name-suffix", "!"};
        const auto mapped = parsed(lock + QStringList{"--", "true"}, {});
        QVERIFY2(mapped.ok(), mapped.ok() ? "" : qPrintable(mapped.error().text));
        QCOMPARE(mapped->nameMapper.onServer(mapped->lockName), LockName("app:L!"));
        QCOMPARE(mapped->nameMapper.fairQueue, FairQueue::Mapped);
        const auto queue = [&lock](const char* version) {
            return parsed(lock + QStringList{"--redisson-version", version, "--", "true"}, {})->nameMapper.fairQueue;
        };
        QCOMPARE(queue("3.51.9"), FairQueue::NotMapped);
        QCOMPARE(queue("3.6"), FairQueue::NotMapped);
        QCOMPARE(queue("3.52.0"), FairQueue::Mapped);
        QCOMPARE(queue("4.0.0"), FairQueue::Mapped);
        QVERIFY(parsed({"latch", "redis://h", "L", "count", "--name-prefix", "app:"}, {}).ok());
    }

    void semaphoresAndLatches() {
        using Action = app::SynchronizerRequest::Action;
        const auto held = parsed({"semaphore", "redis://h", "S", "run", "3", "--wait", "2", "--", "make", "-j"}, {});
        QVERIFY2(held.ok(), held.ok() ? "" : qPrintable(held.error().text));
        QCOMPARE(held->face, Arguments::Face::Semaphore);
        QCOMPARE(held->lockName, LockName("S"));
        QCOMPARE(held->synchronizer.action, Action::Run);
        QCOMPARE(held->synchronizer.number, 3);
        QCOMPARE(held->wait, 2s);
        QCOMPARE(held->command, (QStringList{"make", "-j"}));
        const auto added = parsed({"semaphore", "redis://h", "--name", "-S", "add", "--expirable", "7"}, {});
        QVERIFY2(added.ok(), added.ok() ? "" : qPrintable(added.error().text));
        QCOMPARE(added->lockName, LockName("-S"));
        QCOMPARE(added->synchronizer.action, Action::Add);
        QCOMPARE(added->synchronizer.number, 7);
        QVERIFY(added->synchronizer.isExpirable());
        const auto latch = parsed({"latch", "redis://h", "T", "wait", "--wait", "0.5"}, {});
        QVERIFY2(latch.ok(), latch.ok() ? "" : qPrintable(latch.error().text));
        QCOMPARE(latch->face, Arguments::Face::Latch);
        QCOMPARE(latch->synchronizer.action, Action::Wait);
        QCOMPARE(latch->wait, 500ms);
    }

    // One word alone is a server if it is written as one; otherwise a file.
    void explainTakesAServerAFileOrBoth_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<Arguments::Source>("source");
        QTest::addColumn<QString>("path");
        QTest::newRow("neither") << QStringList{} << Arguments::Source::None << QString();
        QTest::newRow("a file") << QStringList{"app.log"} << Arguments::Source::None << QStringLiteral("app.log");
        QTest::newRow("a path") << QStringList{"/a:b/app.log"} << Arguments::Source::None
                                << QStringLiteral("/a:b/app.log");
        QTest::newRow("the standard input") << QStringList{"-"} << Arguments::Source::None << QStringLiteral("-");
        QTest::newRow("a URL") << QStringList{"redis://h"} << Arguments::Source::Url << QString();
        QTest::newRow("an address") << QStringList{"h:6379"} << Arguments::Source::Url << QString();
        QTest::newRow("both") << QStringList{"h", "app.log"} << Arguments::Source::Url << QStringLiteral("app.log");
        QTest::newRow("a saved connection")
            << QStringList{"--profile", "Orders"} << Arguments::Source::Url << QString();
        QTest::newRow("with a file") << QStringList{"--profile", "Orders", "h:1"} << Arguments::Source::Url
                                     << QStringLiteral("h:1");
    }
    void explainTakesAServerAFileOrBoth() {
        QFETCH(const QStringList, words);
        const Result<Arguments> arguments = parsed(QStringList{"explain"} + words + QStringList{"--json"}, {});
        QVERIFY2(arguments.ok(), arguments.ok() ? "" : qPrintable(arguments.error().text));
        QCOMPARE(arguments->face, Arguments::Face::Explain);
        QTEST(arguments->source, "source");
        QTEST(arguments->explain.path, "path");
        QCOMPARE(arguments->zone, QTimeZone::systemTimeZone());
    }
    void checkTakesAPatternAlone() {
        const Result<Arguments> check = parsed({"check", "redis://h", "--match", "job:*"}, {});
        QVERIFY2(check.ok(), check.ok() ? "" : qPrintable(check.error().text));
        QCOMPARE(check->profile.discovery.matches, QByteArrayList{"job:*"});
        for (const char* option : {"--prefix", "--semaphores", "--share"})
            QVERIFY2(parsed({"check", "redis://h", QLatin1String(option), "9"}, {}).error().text.contains("check"),
                     option);
    }
    void aPatternFitsTheNamesOfTheProgramAndTheKeys() {
        const auto matches = [](const QString& pattern) {
            return parsed({"list", "redis://h?name-prefix=a*:&name-suffix=:x", "--match", pattern}, {})
                ->profile.discovery.matches;
        };
        QCOMPARE(matches("job:*"), (QByteArrayList{"a\\*:job:*:x", "job:*"}));
        QCOMPARE(matches("a*:job:*:x"), QByteArrayList{"a*:job:*:x"});
    }
    void eitherNameOfALockConfirmsAForce_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("confirm");
        QTest::addColumn<bool>("isConfirmed");
        QTest::newRow("the same") << "job:10"
                                  << "job:10" << true;
        QTest::newRow("the key of a name") << "job:10"
                                           << "app:job:10:x" << true;
        QTest::newRow("the name of a key") << "app:job:10:x"
                                           << "job:10" << true;
        QTest::newRow("another name") << "job:10"
                                      << "job:1" << false;
        QTest::newRow("another key") << "job:10"
                                     << "app:job:1:x" << false;
    }
    void eitherNameOfALockConfirmsAForce() {
        QFETCH(QString, name);
        QFETCH(QString, confirm);
        const Result<Arguments> force =
            parsed({"force-release", "redis://h?name-prefix=app:&name-suffix=:x", name, "--holder",
                    "0a5d4d5a-8a1c-4a2a-9a7b-1f2e3d4c5b6a:1", "--reason", "r", "--confirm", confirm},
                   {});
        QTEST(force.ok(), "isConfirmed");
    }

    void explainTakesAZone() {
        const auto zoneOf = [](const QString& zone) { return parsed({"explain", "--zone", zone}, {}); };
        QCOMPARE(zoneOf("UTC")->zone.offsetFromUtc(QDateTime::currentDateTime()), 0);
        QCOMPARE(zoneOf("+05:30")->zone.offsetFromUtc(QDateTime::currentDateTime()), 19800);
        QCOMPARE(zoneOf("-0330")->zone.offsetFromUtc(QDateTime::currentDateTime()), -12600);
        QCOMPARE(zoneOf("UTC+8")->zone.offsetFromUtc(QDateTime::currentDateTime()), 28800);
        QCOMPARE(zoneOf("Asia/Shanghai")->zone.offsetFromUtc(QDateTime::currentDateTime()), 28800);
        for (const char* none :
             {"Mars/Olympus", "CST", "IST", "JST", "CEST", "ABC", "Foo", "IST-5:30", "+25:00", "UTC+25", "+08:60", ""})
            QVERIFY2(!zoneOf(QLatin1String(none)).ok(), none);
        QVERIFY(zoneOf("CST").error().text.contains("+08:00"));
        QVERIFY(!parsed({"list", "h", "--zone", "UTC"}, {}).ok());
        QVERIFY(!parsed({"explain", "--demo"}, {}).ok());
        QVERIFY(!parsed({"explain", "h", "a", "b"}, {}).ok());
    }

    void helpAndVersionNeedNothingElse() {
        QVERIFY(parsed({"--help"}, {})->printInstead.contains("LOCKKEEPER_PASSWORD"));
        QVERIFY(parsed({"--version"}, {})->printInstead.startsWith("lockkeeper "));
    }

private:
    QString written(const QByteArray& content) {
        QFile file(m_directory.filePath(QStringLiteral("redisson.yaml")));
        [&] { QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size()); }();
        return file.fileName();
    }

    const QTemporaryDir m_directory;
};

LOCKKEEPER_TEST(TestArguments, Appless)

}  // namespace tst_arguments

#include "tst_arguments.moc"
