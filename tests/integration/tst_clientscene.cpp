// SPDX-License-Identifier: Apache-2.0
#include "support/monitorprobe.h"
#include "support/places.h"
#include "support/redisserver.h"
#include "support/testprogram.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include <csignal>

namespace tst_clientscene {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// Three processes of `lockkeeper lock`, each a client with one lock and a watchdog of 9 s, and what the monitor says of
// each while one of them after the other falls out.
class TestClientScene : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QVERIFY(m_server.start());
        for (const char* user : {"frozen", "cut", "killed"})
            m_server.cli({"ACL", "SETUSER", user, "on", ">pw", "~*", "&*", "+@all"});
    }
    void cleanup() {
        for (const auto& process : m_processes) {
            ::kill(static_cast<pid_t>(process->processId()), SIGCONT);
            process->kill();
            process->waitForFinished();
        }
        m_processes.clear();
        m_server.stop();
    }

    void eachThatFallsOutIsNamedWhileTheOthersGoOn() {
        QProcess& frozen = start(QStringLiteral("frozen"));
        start(QStringLiteral("cut"));
        QProcess& killed = start(QStringLiteral("killed"));
        MonitorProbe probe(m_server.options());
        const auto of = [&probe](const char* lock) -> ClientRow {
            const LockRow* row = probe.row(lock);
            return row && row->lock.isHeld() ? probe.clients.value(row->lock.holders.first().id.client().bytes())
                                             : ClientRow();
        };
        for (const char* lock : {"frozen", "cut", "killed"})
            QTRY_VERIFY_WITH_TIMEOUT(of(lock).renewals >= 2, 20000);
        const ClientId frozenId = of("frozen").id;
        const ClientId cutId = of("cut").id;
        const ClientId killedId = of("killed").id;
        QCOMPARE(probe.clients.size(), 3);
        QCOMPARE(of("cut").held, 1);
        QVERIFY(of("cut").watchdogTimeout > 8500ms && of("cut").watchdogTimeout <= 9000ms);
        QCOMPARE(of("cut").last.what, SignOfLife::Renewed);
        QVERIFY(of("cut").diagnoses.isEmpty());

        // Frozen: its connections stay open.
        ::kill(static_cast<pid_t>(frozen.processId()), SIGSTOP);
        QTRY_VERIFY_WITH_TIMEOUT(saysNothing(probe, frozenId), 20000);
        QVERIFY(!saysNothing(probe, cutId) && !saysNothing(probe, killedId));
        QTRY_COMPARE_WITH_TIMEOUT(probe.clients.value(frozenId.bytes()).losses, quint64{1}, 20000);
        QVERIFY(isIdle(probe, frozenId));

        // Cut off: it lives, and cannot reach the server.
        m_server.cli({"ACL", "SETUSER", "cut", "off"});
        m_server.cli({"CLIENT", "KILL", "USER", "cut"});
        QTRY_VERIFY_WITH_TIMEOUT(saysNothing(probe, cutId), 20000);
        QTRY_COMPARE_WITH_TIMEOUT(probe.clients.value(cutId.bytes()).losses, quint64{1}, 20000);
        QVERIFY(!saysNothing(probe, killedId));

        // Killed, and started again: another client with the same lock.
        killed.kill();
        killed.waitForFinished();
        start(QStringLiteral("killed"));
        QTRY_VERIFY_WITH_TIMEOUT(of("killed").id != ClientId() && of("killed").id != killedId, 20000);
        QTRY_VERIFY_WITH_TIMEOUT(of("killed").renewals >= 1, 20000);
        QCOMPARE(probe.clients.value(killedId.bytes()).losses, quint64{1});
        QVERIFY(isIdle(probe, killedId));
        QCOMPARE(probe.clients.size(), 4);
    }

    void theCommandListsThem() {
        start(QStringLiteral("killed"));
        QTRY_VERIFY(!m_server.cli({"EXISTS", "killed"}).startsWith(u'0'));
        QProcess list;
        list.start(test::places::program(), {"list", m_server.url(), "--clients", "--json", "--for", "8"});
        QVERIFY(list.waitForFinished(30000));
        QCOMPARE(list.exitCode(), 0);
        const QList<QByteArray> lines = list.readAllStandardOutput().trimmed().split('\n');
        QCOMPARE(lines.size(), 1);
        const QJsonObject client = QJsonDocument::fromJson(lines.first()).object();
        QCOMPARE(client.value(QStringLiteral("event")).toString(), QStringLiteral("client"));
        QCOMPARE(client.value(QStringLiteral("held")).toInt(), 1);
        QCOMPARE(client.value(QStringLiteral("program")).toString(), QStringLiteral("redisson"));
        QVERIFY(client.value(QStringLiteral("renewals")).toInt() >= 2);
        QCOMPARE(client.value(QStringLiteral("last_sign")).toObject().value(QStringLiteral("what")).toString(),
                 QStringLiteral("renewed"));
    }

private:
    QProcess& start(const QString& user) {
        auto process = std::make_unique<QProcess>();
        process->start(test::places::program(),
                       {"lock", QStringLiteral("redis://%1:pw@127.0.0.1:%2").arg(user).arg(m_server.port()), user,
                        "--watchdog", "9", "--", "sleep", "300"});
        m_processes.push_back(std::move(process));
        return *m_processes.back();
    }
    static bool saysNothing(const MonitorProbe& probe, const ClientId& client) {
        const QList<Diagnosis> diagnoses = probe.clients.value(client.bytes()).diagnoses;
        return !diagnoses.isEmpty() && diagnoses.first().kind() == DiagnosisKind::ClientRenewsNothing;
    }
    static bool isIdle(const MonitorProbe& probe, const ClientId& client) {
        return probe.clients.value(client.bytes()).isIdle();
    }

    RedisServer m_server;
    std::vector<std::unique_ptr<QProcess>> m_processes;
};

LOCKKEEPER_TEST(TestClientScene, Guiless)

}  // namespace tst_clientscene

#include "tst_clientscene.moc"
