// SPDX-License-Identifier: Apache-2.0
#include "support/datagramsocket.h"
#include "support/places.h"
#include "support/programend.h"
#include "support/redisserver.h"
#include "support/testprogram.h"
#include "support/webreceiver.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

namespace tst_notifycommand {

using namespace lockkeeper;
using namespace lockkeeper::test;
using Behaviour = WebReceiver::Behaviour;

namespace {

constexpr int patience = 60'000;  // milliseconds

// `lockkeeper notify`, and the lines of its log.
class Notify {
public:
    Notify(const QStringList& arguments, const QProcessEnvironment& environment) {
        QProcessEnvironment quiet = environment;
        quiet.remove(QStringLiteral("JOURNAL_STREAM"));
        m_process.setProcessEnvironment(quiet);
        m_process.setProcessChannelMode(QProcess::MergedChannels);
        m_process.start(places::program(), QStringList(QStringLiteral("notify")) + arguments);
    }
    ~Notify() {
        m_process.kill();
        m_process.waitForFinished();
    }
    Notify(const Notify&) = delete;
    Notify& operator=(const Notify&) = delete;

    [[nodiscard]] const QByteArray& log() {
        m_log += m_process.readAll();
        return m_log;
    }
    [[nodiscard]] qsizetype count(const QByteArray& word) { return log().count(word); }
    void signal(int number) const { ::kill(static_cast<pid_t>(m_process.processId()), number); }
    void kill() {
        m_process.kill();
        m_process.waitForFinished();
    }
    [[nodiscard]] int end() {
        signal(SIGTERM);
        return exitCodeOf(m_process, patience);
    }
    [[nodiscard]] const QProcess& process() const noexcept { return m_process; }

private:
    QProcess m_process;
    QByteArray m_log;
};

}  // namespace

// The program itself, a real server, and a receiver that may be away or behave badly.
class TestNotifyCommand : public QObject {
    Q_OBJECT

private:
    static constexpr const char* holder = "8f14e45f-ceea-467f-a5d1-09c4ed2b1c33:33";

    QStringList usual(const QStringList& more = {}) const {
        return QStringList{m_server->url(),
                           QStringLiteral("--webhook"),
                           m_web->url(),
                           QStringLiteral("--insecure"),
                           QStringLiteral("--state"),
                           m_folder->filePath(QStringLiteral("state"))} +
               more;
    }
    std::unique_ptr<Notify> start(const QStringList& arguments) const {
        return std::make_unique<Notify>(arguments, QProcessEnvironment::systemEnvironment());
    }
    void hold(const QString& name) const {
        m_server->cli({QStringLiteral("HSET"), name, QString::fromLatin1(holder), QStringLiteral("1")});
    }
    void free(const QString& name) const { m_server->cli({QStringLiteral("DEL"), name}); }
    QString writeConfig(const QByteArray& content) const {
        QFile file(m_folder->filePath(QStringLiteral("notify.conf")));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("no file");
        file.write(content);
        return file.fileName();
    }
    // The events of all messages, as "begun held_longer L".
    QStringList events() const {
        QStringList all;
        for (const WebReceiver::Received& received : m_web->received()) {
            const QJsonArray events =
                QJsonDocument::fromJson(received.body).object().value(QStringLiteral("events")).toArray();
            for (const QJsonValue& value : events) {
                const QJsonObject event = value.toObject();
                all << QStringList{event.value(QStringLiteral("phase")).toString(),
                                   event.value(QStringLiteral("what")).toString(),
                                   event.value(QStringLiteral("lock")).toString()}
                           .join(u' ')
                           .trimmed();
            }
        }
        return all;
    }
    QJsonObject message(qsizetype number) const {
        return QJsonDocument::fromJson(m_web->received().at(number).body).object();
    }
    QList<int> attempts() const {
        QList<int> all;
        for (qsizetype i = 0; i < m_web->received().size(); ++i)
            all << message(i).value(QStringLiteral("attempt")).toInt();
        return all;
    }

    std::unique_ptr<RedisServer> m_server;
    std::unique_ptr<WebReceiver> m_web;
    std::unique_ptr<QTemporaryDir> m_folder;

private Q_SLOTS:
    void init() {
        m_server = std::make_unique<RedisServer>();
        QVERIFY(m_server->start());
        m_web = std::make_unique<WebReceiver>();
        QVERIFY(m_web->start());
        m_folder = std::make_unique<QTemporaryDir>();
    }

    void eachBeginAndEachEndOnce() {
        hold(QStringLiteral("L"));
        const auto notify = start(usual({QStringLiteral("--rule"), QStringLiteral("held=1")}));
        QTRY_COMPARE_WITH_TIMEOUT(events(), QStringList{QStringLiteral("begun held_longer L")}, patience);
        m_server->cli({QStringLiteral("CONFIG"), QStringLiteral("RESETSTAT")});
        free(QStringLiteral("L"));
        QTRY_COMPARE_WITH_TIMEOUT(events().size(), 2, patience);
        QCOMPARE(events().last(), QStringLiteral("ended held_longer L"));
        QCOMPARE(attempts(), (QList<int>{1, 1}));
        // It has sent no command that writes; the test has sent one DEL.
        const QString commands = m_server->cli({QStringLiteral("INFO"), QStringLiteral("commandstats")});
        for (const char* word : {"hset:", "hdel:", "set:", "publish:", "spublish:", "pexpire:", "expire:", "eval:",
                                 "zadd:", "rpush:", "flushall:"})
            QVERIFY2(!commands.contains(QStringLiteral("cmdstat_") + QString::fromLatin1(word)), qPrintable(commands));
        QVERIFY(commands.contains(QStringLiteral("cmdstat_del:calls=1,")));
        QCOMPARE(notify->end(), 0);
        QVERIFY2(!notify->log().contains("secret-path"), notify->log().constData());
        QVERIFY2(notify->count("event=message_sent") == 2, notify->log().constData());
    }

    // The server is away: no begin, no end, and one message that it is not watched.
    void theServerIsAway() {
        m_server = std::make_unique<RedisServer>(RedisServer::withMemory());
        QVERIFY(m_server->start());
        hold(QStringLiteral("L"));
        const auto notify = start(usual({QStringLiteral("--rule"), QStringLiteral("held=1")}));
        QTRY_COMPARE_WITH_TIMEOUT(events(), QStringList{QStringLiteral("begun held_longer L")}, patience);
        m_server->kill();
        QTRY_COMPARE_WITH_TIMEOUT(events().size(), 2, patience);
        QCOMPARE(events().last(), QStringLiteral("begun not_watched"));
        m_server = nullptr;
        QCOMPARE(notify->end(), 0);
        QCOMPARE(events().size(), 2);
    }

    // Before it could ever connect: it goes on trying.
    void theServerIsNotThereYet() {
        m_server->stop();
        const auto notify = start(usual({QStringLiteral("--rule"), QStringLiteral("held=1")}));
        QTRY_VERIFY_WITH_TIMEOUT(notify->count("event=not_connected") == 1, patience);
        QVERIFY(m_server->start());
        QTRY_VERIFY_WITH_TIMEOUT(notify->count("event=connected") == 1, patience);
        QCOMPARE(notify->end(), 0);
    }

    // Each message arrives once, or is marked; also over a new start of the program.
    void theReceiverIsAwayAndBack() {
        m_web->stop();
        hold(QStringLiteral("L"));
        const QStringList arguments = usual({QStringLiteral("--rule"), QStringLiteral("held=1")});
        auto notify = start(arguments);
        QTRY_VERIFY_WITH_TIMEOUT(notify->count("event=message_not_sent") > 1, patience);
        notify->kill();  // as in a crash
        notify = start(arguments);
        QTRY_VERIFY_WITH_TIMEOUT(notify->count("event=message_not_sent") > 0, patience);
        QVERIFY2(notify->log().contains("open_cases=1"), notify->log().constData());
        QVERIFY(m_web->start());
        QTRY_COMPARE_WITH_TIMEOUT(events(), QStringList{QStringLiteral("begun held_longer L")}, patience);
        QVERIFY(attempts().first() > 2);
        QCOMPARE(notify->end(), 0);
        // It ends while nobody watches. The next start says so, and does not begin again what goes on.
        hold(QStringLiteral("M"));
        free(QStringLiteral("L"));
        notify = start(arguments);
        QTRY_COMPARE_WITH_TIMEOUT(events().size(), 3, patience);
        QVERIFY(events().contains(QStringLiteral("ended held_longer L")));
        QVERIFY(events().contains(QStringLiteral("begun held_longer M")));
        QCOMPARE(notify->end(), 0);
        notify = start(arguments);
        QTRY_VERIFY_WITH_TIMEOUT(notify->count("event=connected") == 1, patience);
        hold(QStringLiteral("N"));
        QTRY_VERIFY_WITH_TIMEOUT(events().contains(QStringLiteral("begun held_longer N")), patience);
        QCOMPARE(events().count(QStringLiteral("begun held_longer M")), 1);
        QCOMPARE(notify->end(), 0);
    }

    // It has the message, and does not say so: the same message comes again, marked.
    void aMessageThatComesTwiceIsMarked_data() {
        QTest::addColumn<Behaviour>("behaviour");
        QTest::newRow("closes") << Behaviour::CloseAfterRead;
        QTest::newRow("500") << Behaviour::ServerError;
        QTest::newRow("redirect") << Behaviour::Redirect;
    }
    void aMessageThatComesTwiceIsMarked() {
        QFETCH(const Behaviour, behaviour);
        m_web->behave(behaviour);
        hold(QStringLiteral("L"));
        const auto notify = start(usual({QStringLiteral("--rule"), QStringLiteral("held=1")}));
        QTRY_COMPARE_WITH_TIMEOUT(m_web->received().size(), 1, patience);
        m_web->behave(Behaviour::Takes);
        QTRY_COMPARE_WITH_TIMEOUT(m_web->received().size(), 2, patience);
        QCOMPARE(attempts(), (QList<int>{1, 2}));
        QCOMPARE(message(0).value(QStringLiteral("id")), message(1).value(QStringLiteral("id")));
        QCOMPARE(notify->end(), 0);
    }

    void tenThousandAreFewMessages() {
        m_server->cli({QStringLiteral("EVAL"),
                       QStringLiteral("for i = 1, 10000 do redis.call('HSET', 'L' .. i, '%1', 1) end")
                           .arg(QString::fromLatin1(holder)),
                       QStringLiteral("0")});
        const auto notify = start(usual({QStringLiteral("--rule"), QStringLiteral("diagnosis=never_expires")}));
        const auto begun = [this] {
            qint64 count = events().size();
            for (qsizetype i = 0; i < m_web->received().size(); ++i)
                count += message(i).value(QStringLiteral("more")).toObject().value(QStringLiteral("begun")).toInteger();
            return count;
        };
        QTRY_COMPARE_WITH_TIMEOUT(begun(), 10'000, 3 * patience);
        // One in ten seconds, for as long as the locks are found.
        QVERIFY2(m_web->received().size() <= 40, qPrintable(QString::number(m_web->received().size())));
        for (const WebReceiver::Received& received : m_web->received())
            QVERIFY(received.body.size() <= 4096);
        QCOMPARE(notify->end(), 0);
    }

    // A receiver drops the second one of two messages by the case and its phase.
    void twoNotifiersOfOneServer() {
        hold(QStringLiteral("L"));
        const QStringList rule{QStringLiteral("--rule"), QStringLiteral("held=1")};
        const auto one = start(usual(rule));
        QTRY_COMPARE_WITH_TIMEOUT(m_web->received().size(), 1, patience);  // it has its folder
        QStringList other = usual(rule);
        const auto refused = start(other);  // the same folder
        QCOMPARE(exitCodeOf(refused->process(), patience), 74);
        other[other.indexOf(QStringLiteral("--state")) + 1] = m_folder->filePath(QStringLiteral("other"));
        const auto two = start(other);
        QTRY_COMPARE_WITH_TIMEOUT(m_web->received().size(), 2, patience);
        const auto caseOf = [this](qsizetype number) {
            const QJsonObject event = message(number).value(QStringLiteral("events")).toArray().first().toObject();
            return event.value(QStringLiteral("case")).toString() + event.value(QStringLiteral("phase")).toString();
        };
        QCOMPARE(caseOf(0), caseOf(1));
        QCOMPARE(one->end(), 0);
        QCOMPARE(two->end(), 0);
    }

    void itsFileIsReadAgain() {
        const QByteArray head =
            "url = " + m_server->url().toLatin1() + "\nwebhook = " + m_web->url().toLatin1() +
            "\ninsecure\nstate = " + QFile::encodeName(m_folder->filePath(QStringLiteral("state"))) + '\n';
        hold(QStringLiteral("L"));
        const QString path = writeConfig(head + "rule = held=1 match=M\n");
        const auto notify = start({QStringLiteral("--config"), path});
        QTRY_VERIFY_WITH_TIMEOUT(notify->count("event=connected") == 1, patience);
        writeConfig(head + "rule = hold=1\n");
        notify->signal(SIGHUP);
        QTRY_VERIFY_WITH_TIMEOUT(notify->count("event=not_reloaded") == 1, patience);
        writeConfig("no option\n");
        notify->signal(SIGHUP);
        QTRY_VERIFY_WITH_TIMEOUT(notify->count("event=not_reloaded") == 2, patience);
        QVERIFY(notify->log().contains("line 1"));
        // The earlier rule still counts.
        hold(QStringLiteral("M"));
        QTRY_COMPARE_WITH_TIMEOUT(events(), QStringList{QStringLiteral("begun held_longer M")}, patience);
        writeConfig(head + "rule = held=1 match=L\nlog-format = json\n");
        notify->signal(SIGHUP);
        QTRY_VERIFY_WITH_TIMEOUT(notify->count("\"event\":\"reloaded\"") == 1, patience);
        QTRY_COMPARE_WITH_TIMEOUT(events().size(), 3, patience);
        QVERIFY(events().contains(QStringLiteral("ended held_longer M")));
        QVERIFY(events().contains(QStringLiteral("begun held_longer L")));
        QCOMPARE(notify->count("event=connected") + notify->count("\"event\":\"connected\""), 1);  // not again
        QCOMPARE(notify->end(), 0);
    }

    void itReportsToTheServiceManager() {
        const QByteArray name = QFile::encodeName(m_folder->filePath(QStringLiteral("notify.socket")));
        const DatagramSocket manager(name);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("NOTIFY_SOCKET"), QString::fromUtf8(name));
        environment.insert(QStringLiteral("WATCHDOG_USEC"), QStringLiteral("500000"));
        Notify notify(usual(), environment);
        QByteArray states;
        const auto has = [&](const QByteArray& state) {
            states += manager.takeAll();
            return states.contains(state);
        };
        QTRY_VERIFY_WITH_TIMEOUT(has("READY=1\n"), patience);
        QTRY_VERIFY_WITH_TIMEOUT(has("STATUS=1 of 1 targets watched"), patience);
        QTRY_VERIFY_WITH_TIMEOUT(has("WATCHDOG=1\nWATCHDOG=1\n"), patience);
        notify.signal(SIGHUP);
        QTRY_VERIFY_WITH_TIMEOUT(has("RELOADING=1\n"), patience);
        QCOMPARE(notify.end(), 0);
        QVERIFY(has("STOPPING=1\n"));
    }

    void aTestMessage() {
        const auto sent = start({QStringLiteral("--test"), QStringLiteral("--webhook"), m_web->url(),
                                 QStringLiteral("--insecure"), QStringLiteral("--template"), QStringLiteral("slack")});
        QTRY_COMPARE_WITH_TIMEOUT(exitCodeOf(sent->process()), 0, patience);
        QCOMPARE(m_web->received().size(), 1);
        m_web->behave(Behaviour::ServerError);
        const auto failed =
            start({QStringLiteral("--test"), QStringLiteral("--webhook"), m_web->url(), QStringLiteral("--insecure")});
        QTRY_COMPARE_WITH_TIMEOUT(exitCodeOf(failed->process()), 74, patience);
        QVERIFY2(failed->log().contains("HTTP 500"), failed->log().constData());
        QVERIFY(!failed->log().contains("secret-path"));
    }

    void aCommandInPlaceOfAWebhook() {
        hold(QStringLiteral("L"));
        const QString file = m_folder->filePath(QStringLiteral("out"));
        const auto notify = start({m_server->url(), QStringLiteral("--exec"), QStringLiteral("tee -a \"%1\"").arg(file),
                                   QStringLiteral("--state"), m_folder->filePath(QStringLiteral("state")),
                                   QStringLiteral("--rule"), QStringLiteral("held=1")});
        QTRY_VERIFY_WITH_TIMEOUT(notify->count("event=message_sent") == 1, patience);
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QVERIFY(written.readAll().contains("\"what\":\"held_longer\""));
        QCOMPARE(notify->end(), 0);
    }
};

LOCKKEEPER_TEST(TestNotifyCommand, Guiless)

}  // namespace tst_notifycommand

#include "tst_notifycommand.moc"
