// SPDX-License-Identifier: Apache-2.0
#include "serve/exporter.h"
#include "support/fakeengine.h"
#include "support/httpclient.h"
#include "support/samplelocks.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_exporter {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace std::chrono_literals;
using serve::Exporter;
using serve::ExporterSettings;

class TestExporter : public QObject {
    Q_OBJECT

private:
    static ExporterSettings settingsFor(const QStringList& names) {
        ExporterSettings settings;
        for (const QString& name : names)
            settings.targets.push_back(
                {name, *profile::ConnectionProfile::fromUrl(QStringLiteral("redis://u:secret@") + name)});
        return settings;
    }
    [[nodiscard]] QByteArray answerTo(const QByteArray& request) const {
        HttpClient client(m_exporter->server().port());
        client.send(request);
        return client.answer();
    }

private Q_SLOTS:
    void init() {
        m_engine = std::make_unique<FakeEngine>();
        m_exporter = std::make_unique<Exporter>(
            *m_engine, m_clock, "1.2.3",
            [](const std::vector<serve::TargetState>& targets) { return targets.front().name.toUtf8(); });
    }
    void cleanup() { m_exporter.reset(); }

    void servesItsPages() {
        QVERIFY(m_exporter->apply(settingsFor({"one"})).ok());
        const QByteArray metrics = answerTo(HttpClient::request("/metrics"));
        QCOMPARE(statusOf(metrics), 200);
        QVERIFY(metrics.contains("Content-Type: text/plain; version=0.0.4"));
        QVERIFY(metrics.contains("lockkeeper_up{target=\"one\"} 0\n"));
        QVERIFY(metrics.contains("lockkeeper_build_info{version=\"1.2.3\""));
        QVERIFY(metrics.contains("process_cpu_seconds_total"));
        const QByteArray open = answerTo(HttpClient::request("/metrics", "Accept: application/openmetrics-text\r\n"));
        QVERIFY(open.contains("Content-Type: application/openmetrics-text; version=1.0.0") && open.endsWith("# EOF\n"));
        QCOMPARE(statusOf(answerTo(HttpClient::request("/health"))), 200);
        QCOMPARE(bodyOf(answerTo(HttpClient::request("/"))), QByteArray("one"));
        QCOMPARE(statusOf(answerTo(HttpClient::request("/other"))), 404);
        QVERIFY(answerTo(HttpClient::request("/metrics")).contains("lockkeeper_http_requests_total{code=\"404\"} 1\n"));
    }

    void refusesAForeignHost() {
        QVERIFY(m_exporter->apply(settingsFor({"one"})).ok());
        QCOMPARE(statusOf(answerTo("GET /metrics HTTP/1.1\r\nHost: evil.example\r\n\r\n")), 421);
        QCOMPARE(statusOf(answerTo("GET /metrics HTTP/1.1\r\nHost: localhost:1\r\n\r\n")), 200);
        QCOMPARE(statusOf(answerTo("GET /metrics HTTP/1.0\r\n\r\n")), 200);
    }

    // Whatever its profile allows.
    void onlyReads() {
        QVERIFY(m_exporter->apply(settingsFor({"one", "two"})).ok());
        QCOMPARE(m_engine->connects.size(), size_t{2});
        for (const profile::ConnectionProfile& profile : m_engine->connects)
            QCOMPARE(profile.access, redis::AccessMode::ReadOnly);
        QVERIFY(m_engine->armings.empty());
    }

    void aScrapeAsksNothing() {
        QVERIFY(m_exporter->apply(settingsFor({"one"})).ok());
        const OperationId before = m_engine->lastId;
        (void)answerTo(HttpClient::request("/metrics"));
        QCOMPARE(m_engine->lastId, before);
        QCOMPARE(m_engine->connects.size(), size_t{1});
    }

    void triesAgainWithGrowingPauses() {
        QVERIFY(m_exporter->apply(settingsFor({"one"})).ok());
        ConnectionStatus failed = connecting();
        failed.phase = ConnectionPhase::Failed;
        failed.error = Error(ErrorCode::ConnectionRefused, QStringLiteral("refused"));
        size_t attempts = 1;
        for (Milliseconds pause = Exporter::firstPause; pause <= 8s; pause *= 2) {
            m_engine->report(failed);
            QCOMPARE(m_engine->closes.size(), attempts);
            m_clock.advance(pause - 1ms);
            QCOMPARE(m_engine->connects.size(), attempts);
            m_clock.advance(1ms);
            QCOMPARE(m_engine->connects.size(), ++attempts);
        }
        m_engine->report(connected());
        QVERIFY(m_exporter->metricsText(metrics::TextForm::Prometheus).contains("lockkeeper_up{target=\"one\"} 1\n"));
    }

    void takesOtherSettings() {
        ExporterSettings settings = settingsFor({"one", "two"});
        QVERIFY(m_exporter->apply(settings).ok());
        settings = settingsFor({"two", "three"});
        settings.port = m_exporter->server().port();
        QVERIFY(m_exporter->apply(settings).ok());
        QCOMPARE(m_exporter->server().port(), settings.port);
        QCOMPARE(m_engine->connects.size(), size_t{3});
        QCOMPARE(m_engine->closes.size(), size_t{1});
        const QByteArray text = m_exporter->metricsText(metrics::TextForm::Prometheus);
        QVERIFY(!text.contains("target=\"one\"") && text.contains("target=\"three\""));
        // Other figures need all locks once more.
        settings.figures.groupBy = ":";
        QVERIFY(m_exporter->apply(settings).ok());
        QCOMPARE(m_engine->connects.size(), size_t{5});
    }

    // From one address of a port to all of them and back, and the same free port again.
    void listensElsewhere() {
        ExporterSettings settings = settingsFor({"one"});
        QVERIFY(m_exporter->apply(settings).ok());
        const quint16 port = m_exporter->server().port();
        QVERIFY(m_exporter->apply(settings).ok());
        QCOMPARE(m_exporter->server().port(), port);
        settings.port = port;
        settings.address = QHostAddress(QHostAddress::Any);
        const Result<Done> everywhere = m_exporter->apply(settings);
        QVERIFY2(everywhere.ok(), everywhere.ok() ? "" : qPrintable(everywhere.error().text));
        QCOMPARE(m_exporter->server().address(), QHostAddress(QHostAddress::Any));
        QCOMPARE(statusOf(answerTo(HttpClient::request("/health"))), 200);
        settings.address = QHostAddress(QStringLiteral("192.0.2.1"));  // of no machine
        QVERIFY(!m_exporter->apply(settings).ok());
        QCOMPARE(statusOf(answerTo(HttpClient::request("/health"))), 200);
        settings.address = QHostAddress(QHostAddress::LocalHost);
        QVERIFY(m_exporter->apply(settings).ok());
        QCOMPARE(m_exporter->server().address(), settings.address);
        QCOMPARE(statusOf(answerTo(HttpClient::request("/health"))), 200);
    }

    void settingsThatCannotBeUsedChangeNothing() {
        ExporterSettings settings = settingsFor({"one"});
        QVERIFY(m_exporter->apply(settings).ok());
        const quint16 before = m_exporter->server().port();
        settings = settingsFor({"two"});
        settings.address = QHostAddress(QStringLiteral("192.0.2.1"));  // of no machine
        settings.port = 1;
        QVERIFY(!m_exporter->apply(settings).ok());
        QCOMPARE(m_exporter->server().port(), before);
        QVERIFY(m_exporter->metricsText(metrics::TextForm::Prometheus).contains("target=\"one\""));
    }

    void wantsAPassword() {
        ExporterSettings settings = settingsFor({"one"});
        settings.web.users = {{"p", "$2b$04$abcdefghijklmnopqrstuu2r9OfJnfCsdneAXAGHnS4UpFFP8WIrW"}};
        QVERIFY(m_exporter->apply(settings).ok());
        const QByteArray refused = answerTo(HttpClient::request("/health"));
        QCOMPARE(statusOf(refused), 401);
        QVERIFY(refused.contains("\r\nWWW-Authenticate: Basic "));
        const QByteArray pair = "Authorization: Basic " + QByteArray("p:secret").toBase64() + "\r\n";
        QCOMPARE(statusOf(answerTo(HttpClient::request("/metrics", pair))), 200);
    }

    void noSecretIsServed() {
        QVERIFY(m_exporter->apply(settingsFor({"one"})).ok());
        QVERIFY(!m_exporter->metricsText(metrics::TextForm::Prometheus).contains("secret"));
    }

private:
    ManualClock m_clock;
    std::unique_ptr<FakeEngine> m_engine;
    std::unique_ptr<Exporter> m_exporter;
};

LOCKKEEPER_TEST(TestExporter, Guiless)

}  // namespace tst_exporter

#include "tst_exporter.moc"
