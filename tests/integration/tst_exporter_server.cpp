// SPDX-License-Identifier: Apache-2.0
#include "support/certificates.h"
#include "support/clustersetup.h"
#include "support/exporterprogram.h"
#include "support/sentinelsetup.h"
#include "support/serverhand.h"
#include "support/testprogram.h"
#include "support/tool.h"

#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

namespace tst_exporter_server {

using namespace lockkeeper;
using namespace lockkeeper::test;

constexpr int patience = 60000;  // milliseconds

// `lockkeeper exporter` beside real servers.
class TestExporterServer : public QObject {
    Q_OBJECT

private:
    // Whether the exporter comes to show this value.
    [[nodiscard]] static bool shows(const ExporterProgram& exporter, const QByteArray& name,
                                    const QByteArrayList& labels, std::optional<double> value) {
        return QTest::qWaitFor([&] { return exporter.scrape().value(name, labels) == value; }, patience);
    }
    [[nodiscard]] static bool isComplete(const ExporterProgram& exporter) {
        return shows(exporter, "lockkeeper_complete", {}, 1);
    }
    // What promtool has to say about the page: nothing, if all is well.
    static QByteArray complaintsOfPromtool(const QByteArray& page) {
        QProcess promtool;
        promtool.start(tool(QStringLiteral("promtool"), QStringLiteral("prometheus")),
                       {QStringLiteral("check"), QStringLiteral("metrics")});
        promtool.write(page);
        promtool.closeWriteChannel();
        if (!promtool.waitForFinished(patience))
            return "promtool does not end";
        const QByteArray output = promtool.readAllStandardError() + promtool.readAllStandardOutput();
        return promtool.exitCode() == 0 ? output : output + "exit code " + QByteArray::number(promtool.exitCode());
    }
    static QByteArray held(const char* kind = "reentrant") {
        return QByteArray("kind=\"") + kind + "\",state=\"held\"";
    }

private Q_SLOTS:
    void countersMove() {
        RedisServer server;
        QVERIFY(server.start());
        ServerHand hand(server);
        hand.take("found", alice);
        ExporterProgram exporter({"t=" + server.url()});
        QVERIFY(exporter.isServing());
        QVERIFY(isComplete(exporter));
        QVERIFY(shows(exporter, "lockkeeper_locks", {held()}, 1));
        QCOMPARE(exporter.scrape().value("lockkeeper_acquired_total"), 0.0);
        hand.take("released", alice);
        QVERIFY(shows(exporter, "lockkeeper_acquired_total", {}, 1));
        hand.release("released");
        QVERIFY(shows(exporter, "lockkeeper_released_total", {"how=\"announced\""}, 1));
        hand.take("expired", alice, 300);
        QVERIFY(shows(exporter, "lockkeeper_expired_total", {}, 1));
        hand.take("deleted", alice);
        QVERIFY(shows(exporter, "lockkeeper_acquired_total", {}, 3));
        hand.replace("found", bob, true);
        QVERIFY(shows(exporter, "lockkeeper_handed_over_total", {}, 1));
        const ScrapedPage page = exporter.scrape();
        QCOMPARE(page.value("lockkeeper_hold_seconds_count"), 2.0);
        QCOMPARE(page.value("lockkeeper_lost_total", {"how=\"expired\""}), 1.0);
        QVERIFY(page.value("lockkeeper_oldest_hold_seconds").value_or(-1) >= 0);
    }

    // Restarted, its counters begin at zero: as Prometheus understands a reset.
    void countersBeginAgain() {
        RedisServer server;
        QVERIFY(server.start());
        ServerHand hand(server);
        const QStringList arguments{"t=" + server.url()};
        {
            ExporterProgram exporter(arguments);
            QVERIFY(exporter.isServing() && isComplete(exporter));
            hand.take("a", alice);
            QVERIFY(shows(exporter, "lockkeeper_acquired_total", {}, 1));
            exporter.process().kill();
            QVERIFY(exporter.exitCode() != -1);
        }
        ExporterProgram exporter(arguments);
        QVERIFY(exporter.isServing() && isComplete(exporter));
        QVERIFY(shows(exporter, "lockkeeper_locks", {held()}, 1));
        QCOMPARE(exporter.scrape().value("lockkeeper_acquired_total"), 0.0);
    }

    void aServerThatIsAwayIsNotZero() {
        RedisServer server(RedisServer::withMemory());
        QVERIFY(server.start());
        ServerHand hand(server);
        hand.take("a", alice, 600000);
        ExporterProgram exporter({"t=" + server.url()});
        QVERIFY(exporter.isServing() && isComplete(exporter));
        QVERIFY(shows(exporter, "lockkeeper_locks", {held()}, 1));
        server.stop();
        QVERIFY(shows(exporter, "lockkeeper_up", {}, 0));
        const ScrapedPage page = exporter.scrape();
        for (const char* gauge :
             {"lockkeeper_locks", "lockkeeper_waiters", "lockkeeper_diagnoses", "lockkeeper_clients"})
            QVERIFY2(!page.value(gauge), gauge);
        QCOMPARE(page.value("lockkeeper_complete"), 0.0);
        QCOMPARE(page.value("lockkeeper_node_up"), 0.0);
        QVERIFY(page.value("lockkeeper_acquired_total"));
        QVERIFY(server.start());
        QVERIFY(isComplete(exporter));
        QVERIFY(shows(exporter, "lockkeeper_locks", {held()}, 1));
        QVERIFY(exporter.scrape().value("lockkeeper_unwatched_seconds_total").value_or(0) > 0);
    }

    // Its connections stay open, and it says nothing.
    void aSilentServerIsNotZero() {
        RedisServer server;
        QVERIFY(server.start());
        ServerHand(server).take("a", alice, 600000);
        ExporterProgram exporter({"t=" + server.url()});
        QVERIFY(exporter.isServing() && isComplete(exporter));
        server.freeze();
        QVERIFY(shows(exporter, "lockkeeper_up", {}, 0));
        QVERIFY(!exporter.scrape().value("lockkeeper_locks"));
        server.thaw();
        QVERIFY(isComplete(exporter));
        QVERIFY(shows(exporter, "lockkeeper_locks", {held()}, 1));
    }

    void aFailoverIsFollowed() {
        SentinelSetup setup;
        QVERIFY(setup.start());
        ServerHand(setup.first()).take("a", alice, 600000);
        ExporterProgram exporter({"t=" + setup.url()});
        QVERIFY(exporter.isServing() && isComplete(exporter));
        const auto isMaster = [&exporter](RedisServer& server) {
            const QByteArray node = "node=\"127.0.0.1:" + QByteArray::number(server.port()) + '"';
            return shows(exporter, "lockkeeper_node_up", {node}, 1);
        };
        QVERIFY(isMaster(setup.first()));
        QVERIFY(setup.failOver());
        QVERIFY(isMaster(setup.second()));
        QVERIFY(isComplete(exporter));
        QVERIFY(shows(exporter, "lockkeeper_locks", {held()}, 1));
        QVERIFY(exporter.scrape().value("lockkeeper_unwatched_seconds_total").value_or(0) > 0);
    }

    // There is no server at first.
    void waitsForItsServer() {
        RedisServer server;
        QVERIFY(server.start());
        const QString url = server.url();
        server.stop();
        ExporterProgram exporter({"t=" + url});
        QVERIFY(exporter.isServing());
        QVERIFY(shows(exporter, "lockkeeper_up", {}, 0));
        QVERIFY(QTest::qWaitFor([&exporter] { return exporter.errors().contains("event=not_connected target=t "); },
                                patience));
        QVERIFY(server.start());
        QVERIFY(isComplete(exporter));
    }

    void halfOfAClusterIsNotZero() {
        ClusterSetup cluster(3, 0, [](int) { return QStringList{"--cluster-require-full-coverage", "no"}; });
        QVERIFY(cluster.start());
        for (size_t master = 0; master < cluster.masterCount(); ++master)
            ServerHand(cluster.master(master)).take(QString::fromUtf8(cluster.keyOn(master, "lock")), alice, 600000);
        ExporterProgram exporter({"t=" + cluster.url()});
        QVERIFY(exporter.isServing() && isComplete(exporter));
        QVERIFY(shows(exporter, "lockkeeper_locks", {held()}, 3));
        cluster.master(1).kill();
        QVERIFY(shows(exporter, "lockkeeper_node_up", {"node=\"" + cluster.address(1).toUtf8() + '"'}, 0));
        QVERIFY(shows(exporter, "lockkeeper_locks", {held()}, 2));
        const ScrapedPage page = exporter.scrape();
        QCOMPARE(page.value("lockkeeper_up"), 1.0);
        QCOMPARE(page.value("lockkeeper_complete"), 0.0);
        QCOMPARE(page.value("lockkeeper_node_up", {"node=\"" + cluster.address(0).toUtf8() + '"'}), 1.0);
        QVERIFY2(!page.value("lockkeeper_diagnoses", {"deadlock"}), "not known to be 0");
        QVERIFY2(!page.value("lockkeeper_clients"), "not known");
    }

    void severalServers() {
        RedisServer one;
        RedisServer two;
        QVERIFY(one.start() && two.start());
        ServerHand(one).take("a", alice);
        ExporterProgram exporter({"one=" + one.url(), "two=" + two.url()});
        QVERIFY(exporter.isServing());
        QVERIFY(shows(exporter, "lockkeeper_locks", {"target=\"one\"", held()}, 1));
        QVERIFY(shows(exporter, "lockkeeper_locks", {"target=\"two\"", held()}, 0));
        two.stop();
        QVERIFY(shows(exporter, "lockkeeper_up", {"target=\"two\""}, 0));
        QCOMPARE(exporter.scrape().value("lockkeeper_up", {"target=\"one\""}), 1.0);
    }

    void promtoolAcceptsThePage() {
        RedisServer server;
        QVERIFY(server.start());
        ServerHand hand(server);
        for (const char* name : {"order:1", "say \"no\":2", "back\\slash:3", "\xe9\x94\x81:4"})
            hand.take(QString::fromUtf8(name), alice);
        // Bytes that are no UTF-8, and a line feed.
        server.cli(
            {"EVAL",
             "for _, key in ipairs({'\\255\\254:5', 'line\\nfeed:6'}) do redis.call('hset', key, ARGV[1], 1) end", "0",
             alice.display()});
        ExporterProgram exporter({"t=" + server.url(), "--group-by", ":", "--lock", "*"});
        QVERIFY(exporter.isServing() && isComplete(exporter));
        QVERIFY(QTest::qWaitFor([&exporter] { return exporter.scrape().text().count("\nlockkeeper_lock_held{") == 6; },
                                patience));
        const ScrapedPage page = exporter.scrape();
        QCOMPARE(complaintsOfPromtool(page.text().sliced(1)), QByteArray());
        QVERIFY(page.text().contains("group=\"say \\\"no\\\"\""));
        // The check itself finds what is wrong.
        QVERIFY(!complaintsOfPromtool("# TYPE x_total gauge\nx_total 1\n").isEmpty());
    }

    void writesAndAsksNothing() {
        RedisServer server;
        QVERIFY(server.start());
        ServerHand hand(server);
        hand.take("a", alice);
        ExporterProgram exporter({"t=" + server.url()});
        QVERIFY(exporter.isServing() && isComplete(exporter));
        const QStringList before = hand.state();
        for (int i = 0; i < 20; ++i)
            QVERIFY(exporter.scrape().value("lockkeeper_up"));
        QCOMPARE(hand.state(), before);
        for (const char* command : {"set", "del", "hset", "publish", "pexpire"})
            QVERIFY2(hand.calls(QString::fromLatin1(command)) <= 1, command);  // those of this test
    }

    void manyClientsAtOnce() {
        RedisServer server;
        QVERIFY(server.start());
        ExporterProgram exporter({"t=" + server.url()});
        QVERIFY(exporter.isServing() && isComplete(exporter));
        // Half requests, slow readers, and as many connections as one process may have.
        std::vector<std::unique_ptr<HttpClient>> idle;
        for (int i = 0; i < 500; ++i) {
            idle.push_back(std::make_unique<HttpClient>(exporter.port()));
            idle.back()->send("GET /met");
        }
        QVERIFY(QTest::qWaitFor(
            [&idle] { return std::ranges::none_of(idle, [](const auto& client) { return client->isOpen(); }); },
            patience));
        std::vector<std::unique_ptr<HttpClient>> scrapes;
        for (int i = 0; i < 20; ++i) {
            scrapes.push_back(std::make_unique<HttpClient>(exporter.port()));
            scrapes.back()->send(HttpClient::request("/metrics"));
        }
        for (const auto& scrape : scrapes)
            QCOMPARE(statusOf(scrape->answer()), 200);
        QVERIFY(exporter.scrape().value("lockkeeper_http_refused_connections_total").value_or(0) > 0);
    }

    void aTakenPortIsSaid() {
        QTcpServer taken;
        QVERIFY(taken.listen(QHostAddress(QHostAddress::LocalHost), 0));
        ExporterProgram exporter({"redis://127.0.0.1:1"}, QStringLiteral("127.0.0.1:%1").arg(taken.serverPort()));
        QCOMPARE(exporter.exitCode(), 13);
        QVERIFY2(exporter.errors().contains("cannot listen on 127.0.0.1") && exporter.errors().contains("--listen"),
                 exporter.errors().constData());
    }

    void aBrokenWebConfigIsSaid() {
        QTemporaryDir folder;
        QFile file(folder.filePath("web.yml"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("basic_auth_users:\n  a: open sesame\n");
        file.close();
        ExporterProgram exporter({"redis://127.0.0.1:1", "--web-config", file.fileName()});
        QCOMPARE(exporter.exitCode(), 66);
        QVERIFY(exporter.errors().contains("bcrypt") && !exporter.errors().contains("sesame"));
    }

    void warnsElsewhere() {
        ExporterProgram exporter({"redis://127.0.0.1:1"}, ":0");
        QVERIFY(exporter.isServing());
        QVERIFY2(exporter.errors().contains("everybody who reaches this address"), exporter.errors().constData());
        HttpClient client(exporter.port());
        client.send("GET /health HTTP/1.1\r\nHost: exporter.example\r\n\r\n");
        QCOMPARE(statusOf(client.answer()), 200);
    }

    void tlsAndPasswords() {
        Certificates certificates;
        certificates.issue("server", "IP:127.0.0.1");
        QTemporaryDir folder;
        QFile file(folder.filePath("web.yml"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("tls_server_config:\n  cert_file: " + certificates.certificate("server").toUtf8() +
                   "\n  key_file: " + certificates.key("server").toUtf8() +
                   "\nbasic_auth_users:\n  p: $2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW\n");
        file.close();
        ExporterProgram exporter({"redis://127.0.0.1:1", "--web-config", file.fileName()}, ":0");
        QVERIFY(exporter.isServing());
        QVERIFY2(!exporter.errors().contains("everybody"), exporter.errors().constData());
        QSslConfiguration trusting = QSslConfiguration::defaultConfiguration();
        trusting.setCaCertificates(QSslCertificate::fromPath(certificates.authority()));
        const auto statusFor = [&exporter, &trusting](const QByteArray& headers) {
            HttpClient client(exporter.port(), trusting);
            client.send(HttpClient::request("/metrics", headers));
            return statusOf(client.answer());
        };
        QCOMPARE(statusFor({}), 401);
        QCOMPARE(statusFor("Authorization: Basic " + QByteArray("p:wrong").toBase64() + "\r\n"), 401);
        QCOMPARE(statusFor("Authorization: Basic " + QByteArray("p:secret").toBase64() + "\r\n"), 200);
    }

    // ---- SIGHUP ----

    // By then the descriptor is one of the program's own.
    void aDescriptorIsNotReadAgain() {
        RedisServer server({"--requirepass", "open-sesame"});
        QVERIFY(server.start());
        ExporterProgram exporter({"t=" + server.url(), "--password-fd", "0"});
        exporter.process().write("open-sesame\n");
        exporter.process().closeWriteChannel();
        QVERIFY(exporter.isServing() && isComplete(exporter));
        QCOMPARE(exporter.reload(), QByteArray("not_reloaded"));
        QVERIFY2(exporter.errors().contains("--password-fd"), exporter.errors().constData());
        QVERIFY(exporter.scrape().value("lockkeeper_up") == 1.0);
        exporter.process().terminate();
        QCOMPARE(exporter.exitCode(), 0);
    }

    void itsFileIsReadAgain() {
        QTemporaryDir folder;
        const QString path = folder.filePath("exporter.conf");
        const auto write = [&path](const QByteArray& content) {
            QFile file(path);
            return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
        };
        QVERIFY(write("url = redis://127.0.0.1:1\nlock\nweb-config = /nonexistent\n"));
        ExporterProgram refused({"--config", path}, QString());
        QCOMPARE(refused.exitCode(), 2);
        QVERIFY2(refused.errors().contains("line 2: 'lock'"), refused.errors().constData());
        QVERIFY(write("url = t=redis://127.0.0.1:1\nlisten = 127.0.0.1:0\n"));
        ExporterProgram exporter({"--config", path}, QString());
        QVERIFY(exporter.isServing());
        QVERIFY(write("url = u=redis://127.0.0.1:1\nlisten = 127.0.0.1:0\n"));
        QCOMPARE(exporter.reload(), QByteArray("reloaded"));
        QVERIFY(exporter.scrape().value("lockkeeper_up", {"target=\"u\""}));  // the port is the same
        QVERIFY(write("url = v=redis://127.0.0.1:1\nlock\n"));
        QCOMPARE(exporter.reload(), QByteArray("not_reloaded"));
        QVERIFY(exporter.scrape().value("lockkeeper_up", {"target=\"u\""}));
        QVERIFY(write("url = v=redis://127.0.0.1:1\nlisten = :" + QByteArray::number(exporter.port()) + '\n'));
        QCOMPARE(exporter.reload(), QByteArray("reloaded"));
        QVERIFY(exporter.errors().contains("event=readable_by_others"));
        QVERIFY(exporter.scrape().value("lockkeeper_up", {"target=\"v\""}));
    }

    void aKeyOfAnotherCertificateIsRefused() {
        Certificates certificates;
        certificates.issue("one", "IP:127.0.0.1");
        certificates.issue("two", "IP:127.0.0.1");
        QTemporaryDir folder;
        const QString path = folder.filePath("web.yml");
        const auto write = [&](const QString& key) {
            QFile file(path);
            return file.open(QIODevice::WriteOnly) &&
                   file.write("tls_server_config:\n  cert_file: " + certificates.certificate("one").toUtf8() +
                              "\n  key_file: " + certificates.key(key).toUtf8() + '\n') > 0;
        };
        QVERIFY(write("two"));
        ExporterProgram refused({"redis://127.0.0.1:1", "--web-config", path});
        QCOMPARE(refused.exitCode(), 66);
        QVERIFY(write("one"));
        ExporterProgram exporter({"redis://127.0.0.1:1", "--web-config", path});
        QVERIFY(exporter.isServing());
        QVERIFY(write("two"));
        QCOMPARE(exporter.reload(), QByteArray("not_reloaded"));
        QSslConfiguration trusting = QSslConfiguration::defaultConfiguration();
        trusting.setCaCertificates(QSslCertificate::fromPath(certificates.authority()));
        HttpClient client(exporter.port(), trusting);
        client.send(HttpClient::request("/health"));
        QCOMPARE(statusOf(client.answer()), 200);
    }

    void noSecretIsShown() {
        RedisServer server({"--requirepass", "open-sesame"});
        QVERIFY(server.start());
        ExporterProgram exporter({QString(server.url()).replace("//", "//:open-sesame@")});
        QVERIFY(exporter.isServing() && isComplete(exporter));
        QVERIFY(!exporter.scrape().text().contains("sesame"));
        HttpClient client(exporter.port());
        client.send(HttpClient::request("/"));
        QVERIFY(!client.answer().contains("sesame"));
        QVERIFY(!exporter.errors().contains("sesame"));
    }
};

LOCKKEEPER_TEST(TestExporterServer, Guiless)

}  // namespace tst_exporter_server

#include "tst_exporter_server.moc"
