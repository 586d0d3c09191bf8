// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"
#include "app/tools/lookups.h"
#include "support/testprogram.h"

#include <QHash>
#include <QTest>

namespace tst_exporteroptions {

using namespace lockkeeper;
using app::Arguments;
using app::ExporterRequest;

class TestExporterOptions : public QObject {
    Q_OBJECT

private:
    static Result<Arguments> parsed(const QStringList& words, const QHash<QString, QString>& variables = {}) {
        app::Lookups lookups = app::allLookups();
        lookups.profileNamed = [](const QString& name) -> Result<profile::StoredProfile> {
            profile::StoredProfile stored;
            stored.profile = *profile::ConnectionProfile::fromUrl(QStringLiteral("redis://orders.example"));
            stored.label.name = name;
            return stored;
        };
        lookups.variable = [variables](const QString& name) { return variables.value(name); };
        return Arguments::parse(QStringList(QStringLiteral("exporter")) + words, {}, lookups);
    }

private Q_SLOTS:
    void worksWithoutAnOption() {
        const Result<Arguments> arguments = parsed({"redis://user:secret@cache.example:6380/2"});
        QVERIFY(arguments.ok());
        QCOMPARE(arguments->face, Arguments::Face::Exporter);
        const ExporterRequest& request = arguments->exporter;
        QCOMPARE(request.address, QHostAddress(QHostAddress::LocalHost));
        QCOMPARE(request.port, quint16{19121});
        QCOMPARE(request.targets.size(), 1);
        QCOMPARE(request.targets.front().name, QStringLiteral("cache.example:6380/2"));
        QCOMPARE(request.targets.front().profile.credentials.password, QByteArray("secret"));
    }

    void takesSeveralServers() {
        const Result<Arguments> arguments =
            parsed({"cache=redis://u:p@one.example", "two.example:7000", "--profile", "Orders", "--match", "job:*"});
        QVERIFY(arguments.ok());
        QStringList names;
        for (const app::WatchedTarget& target : arguments->exporter.targets) {
            names += target.name;
            QCOMPARE(target.profile.discovery.matches, QByteArrayList{"job:*"});
        }
        QCOMPARE(names, (QStringList{"cache", "two.example:7000", "Orders"}));
        QVERIFY(arguments->exporter.targets.back().saved);
    }

    void namesHaveNoUser() {
        const Result<Arguments> arguments = parsed({"redis://ops:secret@h.example:1?ssh=admin@jump.example"});
        QVERIFY(arguments.ok());
        QCOMPARE(arguments->exporter.targets.front().name, QStringLiteral("h.example:1"));
        QVERIFY(arguments->exporter.targets.front().profile.deployment.ssh);
    }

    void listensElsewhere_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("address");
        QTest::addColumn<int>("port");
        QTest::addRow("address and port") << "10.0.0.1:9000"
                                          << "10.0.0.1" << 9000;
        QTest::addRow("address") << "10.0.0.1"
                                 << "10.0.0.1" << 19121;
        QTest::addRow("port") << ":9000" << QHostAddress(QHostAddress::Any).toString() << 9000;
        QTest::addRow("IPv6") << "[::1]:9000"
                              << "::1" << 9000;
        QTest::addRow("localhost") << "localhost:9000"
                                   << "127.0.0.1" << 9000;
        QTest::addRow("a free port") << "127.0.0.1:0"
                                     << "127.0.0.1" << 0;
    }
    void listensElsewhere() {
        QFETCH(QString, text);
        const Result<Arguments> arguments = parsed({"h", "--listen", text});
        QVERIFY(arguments.ok());
        QTEST(arguments->exporter.address.toString(), "address");
        QTEST(int{arguments->exporter.port}, "port");
    }

    void readsVariables() {
        const QHash<QString, QString> variables{{"LOCKKEEPER_EXPORTER_URL", "a=redis://a.example b=redis://b.example"},
                                                {"LOCKKEEPER_EXPORTER_LISTEN", ":9000"},
                                                {"LOCKKEEPER_EXPORTER_GROUP_BY", ":"},
                                                {"LOCKKEEPER_EXPORTER_MAX_GROUPS", "7"},
                                                {"LOCKKEEPER_EXPORTER_LOCK", "a b*"},
                                                {"LOCKKEEPER_EXPORTER_HOLD_BUCKETS", "1,2.5"}};
        const Result<Arguments> arguments = parsed({}, variables);
        QVERIFY2(arguments.ok(), arguments.ok() ? "" : qPrintable(arguments.error().text));
        const ExporterRequest& request = arguments->exporter;
        QCOMPARE(request.targets.size(), 2);
        QCOMPARE(request.port, quint16{9000});
        QCOMPARE(request.figures.groupBy, QByteArray(":"));
        QCOMPARE(request.figures.mostGroups, 7);
        QCOMPARE(request.figures.lockPatterns, (QByteArrayList{"a", "b*"}));
        QCOMPARE(request.figures.holdBuckets, (metrics::Buckets{1, 2.5}));
        // What the command line says counts more.
        QCOMPARE(parsed({"h", "--max-groups", "9"}, variables)->exporter.figures.mostGroups, 9);
        QCOMPARE(parsed({"h"}, variables)->exporter.targets.size(), 1);
    }

    void refuses_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* name, const QStringList& words, const char* reason) {
            QTest::addRow("%s", name) << words << QString::fromLatin1(reason);
        };
        row("no server", {}, "exporter needs");
        row("one name twice", {"a=redis://x", "a=redis://y"}, "two servers");
        row("one URL twice", {"redis://x", "redis://x"}, "two servers");
        row("two demos", {"demo=h", "--demo"}, "two servers");
        row("a bad URL", {"ftp://h"}, "ftp");
        row("a host to listen on", {"h", "--listen", "example.com:1"}, "--listen");
        row("nothing to listen on", {"h", "--listen", ""}, "--listen");
        row("a large port", {"h", "--listen", ":70000"}, "--listen");
        row("groups without a separator", {"h", "--max-groups", "5"}, "--group-by");
        row("no groups", {"h", "--group-by", ":", "--max-groups", "0"}, "--max-groups");
        row("too many groups", {"h", "--group-by", ":", "--max-groups", "1001"}, "--max-groups");
        row("an empty pattern", {"h", "--lock", ""}, "--lock");
        row("falling buckets", {"h", "--hold-buckets", "2,1"}, "--hold-buckets");
        row("no number", {"h", "--wait-buckets", "1,x"}, "--wait-buckets");
        row("a bucket of zero", {"h", "--wait-buckets", "0,1"}, "--wait-buckets");
        row("a bucket without an end", {"h", "--wait-buckets", "1,inf"}, "--wait-buckets");
        row("lines", {"h", "--json"}, "--json");
    }
    void refuses() {
        QFETCH(QStringList, words);
        QFETCH(QString, reason);
        const Result<Arguments> arguments = parsed(words);
        QVERIFY(!arguments.ok());
        QVERIFY2(arguments.error().text.contains(reason), qPrintable(arguments.error().text));
    }

    // A variable can be read by other programs of the user.
    void noPasswordInAVariable() {
        for (const char* url : {"redis://u:secret@h", "redis://:secret@h", "u:secret@h:1", "h redis://u:secret@h"}) {
            const Result<Arguments> arguments = parsed({}, {{"LOCKKEEPER_EXPORTER_URL", QString::fromLatin1(url)}});
            QVERIFY2(!arguments.ok(), url);
            QVERIFY(!arguments.error().text.contains(QLatin1String("secret")));
        }
        QVERIFY(parsed({}, {{"LOCKKEEPER_EXPORTER_URL", "redis://u@h:1 h:2"}}).ok());
    }

    void theLogIsChosen() {
        const Result<Arguments> arguments = parsed({"h", "--log-format", "json", "--log-level=debug"});
        QVERIFY(arguments.ok());
        QCOMPARE(arguments->exporter.logFormat, QStringLiteral("json"));
        QCOMPARE(arguments->exporter.logLevel, QStringLiteral("debug"));
        QVERIFY(!parsed({"h"}, {{"LOCKKEEPER_EXPORTER_LOG_LEVEL", "x"}})->exporter.logLevel.isEmpty());
    }

    void otherCommandsDoNotTakeItsOptions() {
        app::Lookups lookups = app::allLookups();
        for (const char* option : {"--listen", "--web-config", "--group-by", "--hold-buckets"})
            QVERIFY(!Arguments::parse({"watch", "h", QString::fromLatin1(option), "1"}, {}, lookups).ok());
        QVERIFY(!Arguments::parse({"watch", "h", "--lock", "a"}, {}, lookups).ok());
    }
};

LOCKKEEPER_TEST(TestExporterOptions, Appless)

}  // namespace tst_exporteroptions

#include "tst_exporteroptions.moc"
