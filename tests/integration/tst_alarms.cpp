// SPDX-License-Identifier: Apache-2.0
#include "lab/servers/reservedport.h"
#include "support/exporterprogram.h"
#include "support/files.h"
#include "support/redisserver.h"
#include "support/testprogram.h"
#include "support/tool.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

namespace tst_alarms {

using namespace lockkeeper;
using namespace lockkeeper::test;

constexpr int patience = 120000;  // milliseconds

// What is delivered for Prometheus, with the real one: the alert rules, the dashboard, and packaging/run-alarms.
class TestAlarms : public QObject {
    Q_OBJECT

private:
    static QString packaging(const QString& name) { return places::core() + QStringLiteral("/../packaging/") + name; }

    struct Run {
        int exitCode = -1;
        QByteArray output;
    };
    static Run run(const QString& program, const QStringList& arguments,
                   const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment()) {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.setProcessEnvironment(environment);
        process.start(program, arguments);
        if (!process.waitForFinished(2 * patience)) {
            process.terminate();  // it ends what it has started
            process.waitForFinished();
            return {-1, process.readAll()};
        }
        return {process.exitCode(), process.readAll()};
    }
    static Run promtool(const QStringList& arguments) {
        return run(tool(QStringLiteral("promtool"), QStringLiteral("prometheus")), arguments);
    }

    // Every query of the dashboard, for all targets and groups.
    static QStringList queriesOfDashboard() {
        const QJsonObject dashboard =
            QJsonDocument::fromJson(contentOf(packaging(QStringLiteral("prometheus/lockkeeper-dashboard.json"))))
                .object();
        QStringList queries;
        for (const QJsonValue& panel : dashboard["panels"].toArray()) {
            for (const QJsonValue& target : panel["targets"].toArray())
                queries += target["expr"].toString();
        }
        for (const QJsonValue& annotation : dashboard["annotations"].toObject()["list"].toArray())
            queries += annotation["expr"].toString();
        queries.replaceInStrings(QStringLiteral("$target"), QStringLiteral(".*"))
            .replaceInStrings(QStringLiteral("$group"), QStringLiteral(".*"))
            .replaceInStrings(QStringLiteral("$__rate_interval"), QStringLiteral("10s"));
        return queries;
    }
    static bool hasData(quint16 prometheus, const QString& query) {
        HttpClient client(prometheus);
        client.send(
            HttpClient::request("/api/v1/query?query=" + QUrl::toPercentEncoding(query), "Connection: close\r\n"));
        return client.answer().contains("\"result\":[{");
    }

private Q_SLOTS:
    void rulesAreValid() {
        const Run check = promtool({QStringLiteral("check"), QStringLiteral("rules"),
                                    packaging(QStringLiteral("prometheus/lockkeeper.rules.yml"))});
        QVERIFY2(check.exitCode == 0 && !check.output.contains("FAILED"), check.output.constData());
    }

    void rulesFireAsTheyShould() {
        const Run test = promtool({QStringLiteral("test"), QStringLiteral("rules"),
                                   places::data() + QStringLiteral("/prometheus/lockkeeper.rules.test.yml")});
        QVERIFY2(test.exitCode == 0 && test.output.contains("SUCCESS"), test.output.constData());
    }

    // Each alert says how bad it is, what to do, and where the manual has more about it.
    void alertsAreWhole() {
        const QByteArray rules = contentOf(packaging(QStringLiteral("prometheus/lockkeeper.rules.yml")));
        const qsizetype alerts = rules.count("- alert: ");
        QVERIFY(alerts >= 10);
        for (const char* part : {"\n        for: ", "\n          severity: ", "\n          summary: ",
                                 "\n          description: ", "\n          manual: "})
            QVERIFY2(rules.count(part) == alerts, part);
        static const QRegularExpression page(QStringLiteral("manual: ([a-z-]+\\.md)#([a-z-]+)"));
        qsizetype pages = 0;
        for (auto match = page.globalMatch(QString::fromUtf8(rules)); match.hasNext(); ++pages) {
            const QRegularExpressionMatch found = match.next();
            const QString text = QString::fromUtf8(contentOf(places::manual() + QLatin1Char('/') + found.captured(1)))
                                     .toLower()
                                     .remove(',');
            const QString heading = found.captured(2).replace(QLatin1Char('-'), QLatin1Char(' '));
            QVERIFY2(text.contains(QStringLiteral("# ") + heading + QLatin1Char('\n')), qPrintable(found.captured()));
        }
        QCOMPARE(pages, alerts);
    }

    void aWorkerDiesAndTheAlertArrives() {
        for (const char* program : {"prometheus", "prometheus-alertmanager"})
            (void)tool(QString::fromLatin1(program), QString::fromLatin1(program));
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("LOCKKEEPER"), places::program());
        const Run alarms = run(packaging(QStringLiteral("run-alarms")), {QStringLiteral("--once")}, environment);
        QVERIFY2(alarms.exitCode == 0, alarms.output.constData());
        const qsizetype fired = alarms.output.indexOf("received: FIRING LockWatchdogStopped target=demo group=report");
        QVERIFY2(fired >= 0, alarms.output.constData());
        QVERIFY(alarms.output.indexOf("received: RESOLVED LockWatchdogStopped target=demo group=report") > fired);
    }

    void theDashboardShowsSomethingInEachPanel() {
        RedisServer server;
        QVERIFY(server.start());
        server.cli({"SET", "pool", "5"});
        server.cli(
            {"EVAL", "redis.call('hset', 'report:never', ARGV[1], 1)", "0", "6f1d5ab8-0e8c-4d31-9d2b-0a1b2c3d4e5f:1"});
        ExporterProgram exporter(
            {"--demo", server.url(), "--semaphores", "pool", "--group-by", ":", "--lock", "report:*"});
        QVERIFY(exporter.isServing());
        QTemporaryDir folder;
        QFile configuration(folder.filePath("prometheus.yml"));
        QVERIFY(configuration.open(QIODevice::WriteOnly));
        configuration.write(
            "global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: [rules.yml]\n"
            "scrape_configs: [{job_name: lockkeeper, static_configs: [{targets: ['127.0.0.1:" +
            QByteArray::number(exporter.port()) + "']}]}]\n");
        configuration.close();
        QFile rules(folder.filePath("rules.yml"));
        QVERIFY(rules.open(QIODevice::WriteOnly));
        rules.write(contentOf(packaging("prometheus/lockkeeper.rules.yml")).replace("for: 5m", "for: 1s"));
        rules.close();
        lab::ReservedPort port;
        QProcess prometheus;
        prometheus.setProcessChannelMode(QProcess::MergedChannels);
        prometheus.start(tool("prometheus", "prometheus"),
                         {"--config.file=" + configuration.fileName(), "--storage.tsdb.path=" + folder.filePath("data"),
                          "--web.listen-address=127.0.0.1:" + QString::number(port.number())});
        QVERIFY(prometheus.waitForStarted());
        QStringList without = queriesOfDashboard();
        QVERIFY(without.size() > 30);
        QVERIFY(!hasData(port.number(), QStringLiteral("lockkeeper_nothing")));
        // Some need what the demo does only after some seconds.
        (void)QTest::qWaitFor(
            [&] {
                without.removeIf([&port](const QString& query) { return hasData(port.number(), query); });
                return without.isEmpty();
            },
            patience);
        prometheus.terminate();
        QVERIFY(prometheus.waitForFinished());
        QVERIFY2(without.isEmpty(), qPrintable(without.join('\n')));
    }
};

LOCKKEEPER_TEST(TestAlarms, Guiless)

}  // namespace tst_alarms

#include "tst_alarms.moc"
