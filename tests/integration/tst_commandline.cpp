// SPDX-License-Identifier: Apache-2.0
#include "base/isotime.h"
#include "base/systemclock.h"
#include "history/eventstore.h"
#include "lab/servers/reservedport.h"
#include "profile/profilestore.h"
#include "redis/connection.h"
#include "redis/sockettransport.h"
#include "support/awkwardnames.h"
#include "support/badserver.h"
#include "support/brittleline.h"
#include "support/certificates.h"
#include "support/eventstory.h"
#include "support/exitcodes.h"
#include "support/places.h"
#include "support/programrun.h"
#include "support/redisserver.h"
#include "support/testprogram.h"
#include "ui/words/holderaliases.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QScopeGuard>
#include <QSettings>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

namespace tst_commandline {

using namespace lockkeeper;
using test::ProgramRun;
using test::runProgram;
using test::startProgram;
using test::exitcode::denied;

namespace {

const QString holder = QStringLiteral("0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33");

const test::Variables password{{"LOCKKEEPER_PASSWORD", "s3cret"}};

QList<QJsonObject> objects(const QByteArray& lines) {
    QList<QJsonObject> found;
    for (const QByteArray& line : lines.split('\n')) {
        if (!line.isEmpty())
            found += QJsonDocument::fromJson(line).object();
    }
    return found;
}

// The name as a script reads it: from lock_base64 if there is one.
QByteArray nameOf(const QJsonObject& object) {
    const QJsonValue base64 = object["lock_base64"];
    return base64.isUndefined() ? object["lock"].toString().toUtf8()
                                : QByteArray::fromBase64(base64.toString().toLatin1());
}

// Whether the output has bytes or UTF-8 characters that a terminal obeys, line ends apart.
bool commandsATerminal(const QByteArray& output) {
    const QString text = QString::fromUtf8(output);
    return std::any_of(text.begin(), text.end(), [](QChar character) {
        return character != u'\n' &&
               (character.category() == QChar::Other_Control || character.category() == QChar::Other_Format);
    });
}

// A line of `watch` with this event of this lock.
std::optional<QJsonObject> eventOf(const QByteArray& lines, const QString& event, const QString& lock) {
    for (const QJsonObject& object : objects(lines)) {
        if (object["event"].toString() == event && object["lock"].toString() == lock)
            return object;
    }
    return std::nullopt;
}

// What `watch --json` prints, until the end of the test.
class Watch {
public:
    explicit Watch(const test::RedisServer& server) : m_program(startProgram({"watch", server.url(), "--json"})) {}
    ~Watch() {
        m_program->terminate();
        m_program->waitForFinished();
    }
    // The first event of this kind of the lock, as far as it was printed.
    std::optional<QJsonObject> event(const QString& event, const QString& lock) {
        return eventOf(output(), event, lock);
    }
    const QByteArray& output() {
        m_output += m_program->readAllStandardOutput();
        return m_output;
    }

private:
    std::unique_ptr<QProcess> m_program;
    QByteArray m_output;
};

}  // namespace

// The program as a script sees it: output, exit codes, messages.
class TestCommandLine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A bus without a keychain: the password comes from the environment.
    void takesASavedConnectionByItsName() {
        test::RedisServer server({"--requirepass", "s3cret"});
        QVERIFY(server.start());
        profile::StoredProfile stored;
        stored.profile = *profile::ConnectionProfile::fromUrl(server.url());
        stored.profile.id = profile::ProfileStore::newId();
        stored.profile.access = redis::AccessMode::ReadOnly;
        stored.keeping = profile::StoredProfile::Keeping::Saved;
        stored.label.name = QStringLiteral("Orders");
        const QString path =
            qEnvironmentVariable("XDG_CONFIG_HOME") + QStringLiteral("/lockkeeper/lockkeeper/profiles.json");
        QVERIFY(profile::ProfileStore(path).save({stored}).ok());
        const auto removed = qScopeGuard([&path] { QFile::remove(path); });
        const ProgramRun list = runProgram({"list", "--profile", "Orders"}, password);
        QCOMPARE(list.err, QByteArray());
        QCOMPARE(list.exitCode, 0);
        QVERIFY(runProgram({"list", "--profile", "Orders"}).exitCode != 0);
        const ProgramRun unknown = runProgram({"list", "--profile", "Billing"});
        QCOMPARE(unknown.exitCode, 2);
        QVERIFY2(unknown.err.contains("no saved connection 'Billing', but 'Orders'"), unknown.err.constData());
        const ProgramRun lock = runProgram({"lock", "--profile", "Orders", "L", "--", "true"}, password);
        QCOMPARE(lock.exitCode, 2);
        QVERIFY2(lock.err.contains("read-only"), lock.err.constData());
    }

    void listsEachLockOnce() {
        test::RedisServer server;
        QVERIFY(server.start());
        server.cli({"HSET", "orders/{42}", holder, "2"});
        server.cli({"PEXPIRE", "orders/{42}", "30000"});
        server.cli({"HSET", "no expiry", holder, "1"});
        server.cli({"HSET", "just a hash", "colour", "blue"});
        const ProgramRun list = runProgram({"list", server.url(), "--json"});
        QCOMPARE(list.err, QByteArray());
        QCOMPARE(list.exitCode, 0);
        QCOMPARE(objects(list.out).size(), 2);
        const auto order = eventOf(list.out, "found", "orders/{42}");
        QVERIFY(order);
        QCOMPARE((*order)["kind"].toString(), "reentrant");
        QCOMPARE((*order)["holders"].toArray().at(0).toObject()["id"].toString(), holder);
        QCOMPARE((*order)["holders"].toArray().at(0).toObject()["count"].toInt(), 2);
        const int ttl = (*order)["ttl_ms"].toInt();
        QVERIFY2(ttl > 0 && ttl <= 30000, qPrintable(QString::number(ttl)));
        QCOMPARE((*eventOf(list.out, "found", "no expiry"))["ttl_ms"].toInt(), -1);
    }

    void aRedissonFileNamesTheServer() {
        test::RedisServer server({"--requirepass", "s3cret"});
        QVERIFY(server.start());
        server.cli({"-a", "s3cret", "HSET", "L", holder, "1"});
        const QTemporaryDir directory;
        QFile file(directory.filePath(QStringLiteral("redisson.yaml")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("singleServerConfig:\n  address: \"redis://${LOCKKEEPER_TEST_HOST:-127.0.0.1}:" +
                   QByteArray::number(server.port()) +
                   "\"\n  password: s3cret\n  timeout: 3000\ncodec: !<org.redisson.codec.Kryo5Codec> {}\n");
        file.close();
        const ProgramRun list = runProgram({"list", "--redisson-config", file.fileName(), "--json"});
        QCOMPARE(list.exitCode, 0);
        QVERIFY2(eventOf(list.out, "found", "L"), list.err);
        QVERIFY2(list.err.contains("LOCKKEEPER_TEST_HOST. --env takes them from the environment"), list.err);
        QVERIFY2(!list.err.contains("codec"), list.err);
        QVERIFY2(!list.err.contains("s3cret"), list.err);
        const ProgramRun held = runProgram({"lock", "--redisson-config", file.fileName(), "mine", "--", "true"});
        QVERIFY2(held.exitCode == 0, held.err);
    }

    void thePassphraseOfAKeyComesFromTheEnvironment() {
        test::Certificates certificates;
        certificates.issue(QStringLiteral("server"), QStringLiteral("IP:127.0.0.1"));
        certificates.issue(QStringLiteral("client"), QStringLiteral("DNS:client.example"));
        const lab::ReservedPort port;
        test::RedisServer server({"--tls-port", QString::number(port.number()), "--tls-cert-file",
                                  certificates.certificate(QStringLiteral("server")), "--tls-key-file",
                                  certificates.key(QStringLiteral("server")), "--tls-ca-cert-file",
                                  certificates.authority()});
        QVERIFY(server.start());
        server.cli({"HSET", "L", holder, "1"});
        const QString key = certificates.encryptedKey(QStringLiteral("client"), QStringLiteral("open sesame"),
                                                      test::Certificates::KeyForm::Pkcs8);
        const QString url = QStringLiteral("rediss://127.0.0.1:%1?ca=%2&cert=%3&key=%4")
                                .arg(QString::number(port.number()), certificates.authority(),
                                     certificates.certificate(QStringLiteral("client")), key);
        const ProgramRun without = runProgram({"list", url});
        QCOMPARE(without.exitCode, 3);
        QVERIFY2(without.err.contains("needs its pass phrase"), without.err);
        qputenv("LOCKKEEPER_KEY_PASSPHRASE", "open sesame");
        const auto unset = qScopeGuard([] { qunsetenv("LOCKKEEPER_KEY_PASSPHRASE"); });
        const ProgramRun with = runProgram({"list", url, "--json"});
        QVERIFY2(eventOf(with.out, "found", "L"), with.err);
    }

    void aRedissonFileThatIsWrongIsNamedWithTheLine() {
        const QTemporaryDir directory;
        QFile file(directory.filePath(QStringLiteral("redisson.yaml")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("singleServerConfig:\n  address: redis://${LOCKKEEPER_TEST_HOST}:1\n");
        file.close();
        const ProgramRun unset = runProgram({"list", "--redisson-config", file.fileName()});
        QCOMPARE(unset.exitCode, 2);
        QVERIFY2(unset.err.contains("LOCKKEEPER_TEST_HOST"), unset.err);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("singleServerConfig:\n  address: [\n");
        file.close();
        const ProgramRun broken = runProgram({"watch", "--redisson-config", file.fileName()});
        QCOMPARE(broken.exitCode, 2);
        QVERIFY2(broken.err.contains("line 3"), broken.err);
    }

    void namesTheClientsAsTheWindowDoes() {
        test::RedisServer server;
        QVERIFY(server.start());
        server.cli({"HSET", "L", holder, "1"});
        const QTemporaryDir home;
        const QByteArray before = qgetenv("XDG_CONFIG_HOME");
        qputenv("XDG_CONFIG_HOME", home.path().toLocal8Bit());
        const auto restored = qScopeGuard([&before] { qputenv("XDG_CONFIG_HOME", before); });
        QSettings settings(home.filePath(QStringLiteral("lockkeeper/lockkeeper.conf")), QSettings::IniFormat);
        ui::HolderAliases aliases;
        aliases.set(HolderId::parse(holder.toLatin1())->client(), QStringLiteral("orders-a"));
        aliases.save(settings);
        settings.sync();
        const ProgramRun list = runProgram({"list", server.url(), "--json"});
        const auto found = eventOf(list.out, "found", "L");
        QVERIFY(found);
        QCOMPARE((*found)["holders"].toArray().at(0).toObject()["alias"].toString(), "orders-a");
    }

    // Without them, nothing shows why nobody gets a lock that is free.
    // The history of the window, which is only read.
    void listsSinceWhenTheSameHolderWasSeen() {
        const QTemporaryDir data;
        const QString folder = data.filePath("lockkeeper/lockkeeper");
        QVERIFY(QDir().mkpath(folder));
        test::RedisServer server;
        QVERIFY(server.start());
        server.cli({"HSET", "L", holder, "1"});
        server.cli({"HSET", "M", holder, "1"});
        const WallTime then = SystemClock().wallNow() - std::chrono::minutes(10);
        const auto storyOf = [&then](const char* name, int count) {
            const monitor::Holder held{*HolderId::parse(holder.toLatin1()), monitor::HoldMode::Exclusive, count};
            return test::EventStory(name, then).event(monitor::EventType::Acquired, {}, {held}, std::nullopt).events();
        };
        {
            history::EventStore store(folder + "/history.sqlite");
            QVERIFY(store.open().ok());
            const profile::ProfileId id = profile::ConnectionProfile::fromUrl(server.url())->id;
            QVERIFY(store.append(id, storyOf("L", 1)).ok());
            QVERIFY(store.append(id, storyOf("M", 2)).ok());
        }
        const test::Variables variables{{"XDG_DATA_HOME", data.path()}};
        const ProgramRun list = runProgram({"list", server.url(), "--json"}, variables);
        QCOMPARE(list.err, QByteArray());
        const std::optional<QJsonObject> seen = eventOf(list.out, "found", "L");
        QVERIFY2(seen && seen->contains("seen_since"), list.out);
        QVERIFY(timeFromIso((*seen)["seen_since"].toString()).value() <= then);
        QVERIFY(timeFromIso((*seen)["not_watched_from"].toString()).value() <= then);
        QVERIFY(timeFromIso((*seen)["not_watched_to"].toString()).value() > then);
        const std::optional<QJsonObject> other = eventOf(list.out, "found", "M");
        QVERIFY(other && !other->contains("seen_since"));
        const ProgramRun text = runProgram({"list", server.url()}, variables);
        QVERIFY2(text.out.contains("the same since"), text.out);
    }

    void listsNamesAsTheProgramKnowsThem() {
        test::RedisServer server;
        QVERIFY(server.start());
        server.cli({"HSET", "app:orders", holder, "1"});
        server.cli({"HSET", "other", holder, "1"});
        const QString url = server.url() + "?name-prefix=app:";
        const ProgramRun list = runProgram({"list", url, "--json"});
        const std::optional<QJsonObject> mapped = eventOf(list.out, "found", "app:orders");
        QVERIFY2(mapped, list.out);
        QCOMPARE((*mapped)["program_name"].toString(), QString("orders"));
        const std::optional<QJsonObject> other = eventOf(list.out, "found", "other");
        QVERIFY(other && !other->contains("program_name"));
        const ProgramRun text = runProgram({"list", url});
        QVERIFY2(text.out.contains("  orders  ") && text.out.contains("  key app:orders"), text.out);
    }

    void listsWhatIsFreeAndWaitedFor() {
        test::RedisServer server;
        QVERIFY(server.start());
        const QString dead = QStringLiteral("c9f0f895-fb98-4b91-99f5-1fd02c7a1d0e:36");
        const QString deadline = QString::number(QDateTime::currentMSecsSinceEpoch() + 300'000);
        server.cli({"RPUSH", "redisson_lock_queue:{blocked}", dead});
        server.cli({"ZADD", "redisson_lock_timeout:{blocked}", deadline, dead});
        server.cli({"RPUSH", "redisson_lock_queue:{endless}", dead});
        server.cli({"HSET", "held", holder, "1"});
        server.cli({"SET", "pool", "0"});
        server.cli({"SET", "start", "2"});
        QTcpSocket waiters;
        waiters.connectToHost(QStringLiteral("127.0.0.1"), server.port());
        waiters.write(
            "SUBSCRIBE redisson_sc:{pool} redisson_countdownlatch__channel__{start} "
            "redisson_lock__channel:{asleep}\r\n");
        QTRY_COMPARE(waiters.peek(1000).count("subscribe"), 3);
        const ProgramRun list = runProgram({"list", server.url(), "--json"});
        QCOMPARE(list.exitCode, 0);
        QVERIFY2(eventOf(list.out, "found", "held"), list.out);
        QVERIFY(!eventOf(list.out, "diagnosis", "held"));
        const auto blocked = eventOf(list.out, "waiters", "blocked");
        QVERIFY2(blocked, list.out);
        QCOMPARE((*blocked)["waiters"].toInt(), 1);
        QCOMPARE((*blocked)["waiting"].toArray().at(0)["waiter"].toString(), dead);
        const auto why = eventOf(list.out, "diagnosis", "blocked");
        QVERIFY2(why && (*why)["diagnosis"] == "fair_queue_blocked", list.out);
        QCOMPARE((*why)["evidence"]["head"].toString(), dead);
        QVERIFY2(list.out.contains("head_without_deadline"), list.out);
        QVERIFY2(eventOf(list.out, "waiters", "asleep"), list.out);
        QCOMPARE((*eventOf(list.out, "diagnosis", "asleep"))["diagnosis"].toString(), "waiters_asleep");
        QVERIFY2(list.out.contains("\"free_permits\":0"), list.out);
        QVERIFY2(list.out.contains("\"kind\":\"count_down_latch\""), list.out);
    }

    // By plain commands, as a client of Redisson sends them in its scripts.
    void watchSaysSinceWhenAndHowLongAClientWaited() {
        test::RedisServer server;
        QVERIFY(server.start());
        server.cli({"HSET", "L", holder, "1"});
        server.cli({"PEXPIRE", "L", "30000"});
        Watch watch(server);
        QTRY_VERIFY(watch.event("found", "L"));
        const QString waiter = QStringLiteral("c9f0f895-fb98-4b91-99f5-1fd02c7a1d0e:36");
        const QString deadline = QString::number(QDateTime::currentMSecsSinceEpoch() + 300'000);
        server.cli({"ZADD", "redisson_lock_timeout:{L}", deadline, waiter});
        server.cli({"RPUSH", "redisson_lock_queue:{L}", waiter});
        QTRY_VERIFY(watch.event("waiters", "L"));
        const QJsonObject waiting = (*watch.event("waiters", "L"))["waiting"].toArray().at(0).toObject();
        QCOMPARE(waiting["waiter"].toString(), waiter);
        QVERIFY(waiting.contains("not_before"));
        server.cli({"EVAL",
                    "redis.call('del', 'L', 'redisson_lock_queue:{L}', 'redisson_lock_timeout:{L}') "
                    "redis.call('hset', 'L', ARGV[1], 1) redis.call('pexpire', 'L', 30000)",
                    "0", waiter});
        QTRY_VERIFY(watch.event("handed_over", "L"));
        const QJsonObject times = (*watch.event("handed_over", "L"))["wait_times"].toObject();
        QCOMPARE(times["waits"].toInt(), 1);
        QVERIFY(times["longest_ms"].toInt() <= times["longest_at_most_ms"].toInt());
        QCOMPARE(times["free_ms"].toInt(), 0);
    }

    void watchFindsALeaseThatWasCut() {
        test::RedisServer server;
        QVERIFY(server.start());
        server.cli({"HSET", "L", holder, "1"});
        server.cli({"PEXPIRE", "L", "60000"});
        Watch watch(server);
        QTRY_VERIFY(watch.event("found", "L"));
        server.cli({"PEXPIRE", "L", "4000"});
        QTRY_VERIFY(server.cli({"PTTL", "L"}).toInt() < 2600);
        QVERIFY(!watch.event("diagnosis", "L"));
        server.cli({"PEXPIRE", "L", "4000"});
        QTRY_VERIFY(watch.event("diagnosis", "L"));
        QCOMPARE((*watch.event("diagnosis", "L"))["diagnosis"].toString(), "lease_cut");
    }

    void watchFindsOneLockUnderTwoNames() {
        test::RedisServer server;
        QVERIFY(server.start());
        server.cli({"HSET", "app:orders", holder, "1"});
        server.cli({"PEXPIRE", "app:orders", "60000"});
        server.cli({"HSET", "web:orders", holder, "1"});
        server.cli({"PEXPIRE", "web:orders", "60000"});
        Watch watch(server);
        QTRY_VERIFY(watch.event("swept", QString()));
        server.cli({"HSET", "app:app:orders", QStringLiteral("c9f0f895-fb98-4b91-99f5-1fd02c7a1d0e:36"), "1"});
        server.cli({"PEXPIRE", "app:app:orders", "60000"});
        QTRY_VERIFY(watch.event("diagnosis", "app:orders") && watch.event("diagnosis", "app:app:orders"));
        QVERIFY2(watch.output().contains("two_names"), watch.output());
        QVERIFY(!watch.event("diagnosis", "web:orders"));
    }

    // As Redisson's fairLockWaitTimeout: it need not be five minutes.
    void aPlaceInTheQueueIsKeptAsLongAsAsked() {
        test::RedisServer server;
        QVERIFY(server.start());
        server.cli({"HSET", "L", holder, "1"});
        server.cli({"PEXPIRE", "L", "30000"});
        const auto waiter =
            startProgram({"lock", server.url(), "L", "--kind", "fair", "--fair-wait", "20", "--", "true"});
        const auto deadline = [&server] {
            const QStringList entry =
                server.cli({"ZRANGE", "redisson_lock_timeout:{L}", "0", "0", "WITHSCORES"}).split(u'\n');
            return entry.size() > 1 ? entry.at(1).toDouble() : 0;
        };
        QTRY_VERIFY(deadline() > 0);
        const double fromNow = deadline() - static_cast<double>(QDateTime::currentMSecsSinceEpoch());
        QVERIFY2(fromNow > 20'000 && fromNow < 60'000, qPrintable(QString::number(fromNow)));
        waiter->terminate();
        QTRY_COMPARE(waiter->state(), QProcess::NotRunning);
    }

    void anEmptyServerListsNothing() {
        test::RedisServer server;
        QVERIFY(server.start());
        const ProgramRun list = runProgram({"list", server.url(), "--json"});
        QCOMPARE(list.exitCode, 0);
        QCOMPARE(list.out, QByteArray());
    }

    void everyNameComesAsItIs_data() { test::addAwkwardNames(); }
    void everyNameComesAsItIs() {
        QFETCH(const QByteArray, name);
        test::RedisServer server;
        QVERIFY(server.start());
        server.cli({"-x", "EVAL", "return redis.call('hset', ARGV[2], ARGV[1], 1)", "0", holder}, name);
        const ProgramRun json = runProgram({"list", server.url(), "--json"});
        QCOMPARE(objects(json.out).size(), 1);
        QCOMPARE(nameOf(objects(json.out).first()), name);
        QVERIFY2(!commandsATerminal(json.out), json.out);
        const ProgramRun text = runProgram({"list", server.url()});
        QCOMPARE(text.out.count('\n'), 1);
        QVERIFY2(text.out.contains("  " + LockName(name).display().toUtf8() + "  " + holder.toUtf8()), text.out);
        QVERIFY2(!commandsATerminal(text.out), text.out);
    }

    void anErrorOfTheServerCommandsNoTerminal_data() {
        QTest::addColumn<QStringList>("command");
        QTest::newRow("list") << QStringList{"list"};
        QTest::newRow("list --json") << QStringList{"list", "--json"};
        QTest::newRow("watch") << QStringList{"watch"};
        QTest::newRow("lock") << QStringList{"lock", "L", "--", "true"};
    }
    void anErrorOfTheServerCommandsNoTerminal() {
        QFETCH(QStringList, command);
        const test::BadServer server(
            {{}, "-WRONGPASS \x1b[2J\x1b]0;title\x07 \xc2\x9b \xe2\x80\xae \x7f" + QByteArray(30'000, 'x') + "\r\n"});
        command.insert(1, QStringLiteral("redis://:secret@127.0.0.1:%1").arg(server.port()));
        const ProgramRun result = runProgram(command);
        QCOMPARE(result.exitCode, denied);
        QVERIFY2(result.err.contains("WRONGPASS \\x1b[2J\\x1b]0;title\\x07 \\u{9b} \\u{202e} \\x7fxxx"), result.err);
        QVERIFY2(!commandsATerminal(result.err + result.out), result.err);
        QVERIFY2(result.err.size() < 1000, "and it is bounded");
    }

    void watchPrintsWhatHappens() {
        test::RedisServer server;
        QVERIFY(server.start());
        server.cli({"HSET", "old", holder, "1"});
        const auto watch = startProgram({"watch", server.url(), "--json"});
        QByteArray out;
        const auto seen = [&](const QString& event, const QString& lock) {
            out += watch->readAllStandardOutput();
            return eventOf(out, event, lock).has_value();
        };
        QTRY_VERIFY(seen("found", "old"));
        QTRY_VERIFY(out.contains("\"event\":\"swept\"") || seen("found", "none"));
        server.cli({"HSET", "old", holder, "2"});
        QTRY_VERIFY(seen("reentered", "old"));
        server.cli({"EVAL", "redis.call('del', KEYS[1]) redis.call('publish', 'redisson_lock__channel:{old}', '0')",
                    "1", "old"});
        QTRY_VERIFY(seen("released", "old"));
        server.cli({"HSET", "new", holder, "1"});
        QTRY_VERIFY(seen("acquired", "new"));
        server.cli({"DEL", "new"});
        QTRY_VERIFY(seen("released", "new"));
        QCOMPARE((*eventOf(out, "released", "new"))["announced"], QJsonValue(false));
        watch->terminate();
        QTRY_COMPARE(watch->state(), QProcess::NotRunning);
        QCOMPARE(watch->exitStatus(), QProcess::NormalExit);
        QCOMPARE(watch->exitCode(), 0);
    }

    // The loss is not reported again with each attempt to reconnect.
    void watchTellsALossOnce() {
        test::RedisServer server;
        QVERIFY(server.start());
        test::BrittleLine line(server.port());
        const auto watch = startProgram({"watch", "redis://" + line.address(), "--json"});
        QByteArray out;
        QByteArray errors;
        const auto read = [&] {
            out += watch->readAllStandardOutput();
            errors += watch->readAllStandardError();
        };
        const auto connections = [&] { return server.cli({"CLIENT", "LIST"}).count("name=lockkeeper"); };
        QTRY_VERIFY((read(), out.contains("\"event\":\"swept\"")));
        const auto all = connections();
        for (int loss = 1; loss <= 2; ++loss) {
            errors.clear();
            const int refusedBefore = line.refused();
            line.cut();
            QTRY_VERIFY((read(), errors.contains("is lost")));
            QTRY_VERIFY(line.refused() >= refusedBefore + 6);
            read();
            const QByteArrayList lines = errors.trimmed().split('\n');
            QCOMPARE(QSet<QByteArray>(lines.begin(), lines.end()).size(), lines.size());
            line.mend();
            QTRY_VERIFY_WITH_TIMEOUT(connections() >= all, 15000);
            out.clear();
            QTRY_VERIFY_WITH_TIMEOUT((read(), out.contains("\"event\":\"swept\"")), 15000);
        }
    }

    // Attempts that fail in turn for two reasons say each of them once.
    void watchTellsEachReasonOfALossOnce() {
        test::RedisServer server;
        QVERIFY(server.start());
        const auto watch = startProgram({"watch", server.url(), "--json"});
        QByteArray out;
        QTRY_VERIFY((out += watch->readAllStandardOutput()).contains("\"event\":\"swept\""));
        server.kill();
        QTcpServer other;
        QTRY_VERIFY(other.isListening() || other.listen(QHostAddress::LocalHost, server.port()));
        int attempts = 0;
        connect(&other, &QTcpServer::newConnection, &other, [&] {
            while (QTcpSocket* const client = other.nextPendingConnection()) {
                if (++attempts % 2 == 0)
                    client->write("-LOADING Redis is loading the dataset in memory\r\n");
                client->disconnectFromHost();
            }
        });
        QTRY_VERIFY_WITH_TIMEOUT(attempts >= 8, 15000);
        watch->terminate();
        QTRY_COMPARE(watch->state(), QProcess::NotRunning);
        const QByteArrayList lines = watch->readAllStandardError().trimmed().split('\n');
        const QSet<QByteArray> different(lines.begin(), lines.end());
        QVERIFY2(different.size() > 1, lines.join('\n'));
        QCOMPARE(lines.size(), different.size());
    }

    // From the handshake to the end of the first sweep, not only with the next attempt to connect: that attempt gets
    // no answer here.
    void watchTellsALossWhileItBegins_data() {
        QTest::addColumn<QByteArray>("lastCommand");
        for (const char* command : {"NO-EVICT", "TRACKING", "PSUBSCRIBE", "SCAN"})
            QTest::newRow(command) << QByteArray(command);
    }
    void watchTellsALossWhileItBegins() {
        QFETCH(const QByteArray, lastCommand);
        test::RedisServer server;
        QVERIFY(server.start());
        test::BrittleLine line(server.port());
        line.cutBehind("\r\n" + lastCommand + "\r\n");
        line.letWaitWhileCut();
        const auto watch = startProgram({"watch", QStringLiteral("redis://") + line.address(), "--json"});
        QByteArray errors;
        QByteArray out;
        QTRY_VERIFY2_WITH_TIMEOUT(
            (errors += watch->readAllStandardError()).contains(line.address().toUtf8() + " is lost: "),
            errors.constData(), 15000);
        QVERIFY(line.isCut());
        QVERIFY2(!errors.contains("no answer"), errors.constData());
        QVERIFY(!(out += watch->readAllStandardOutput()).contains("\"event\":\"swept\""));
        line.mend();
        QTRY_VERIFY((out += watch->readAllStandardOutput()).contains("\"event\":\"swept\""));
    }

    void watchTellsOfSemaphoresAndLatches() {
        test::RedisServer server;
        QVERIFY(server.start());
        server.cli({"SET", "pool", "0"});
        SystemClock clock;
        const redis::ConnectionOptions options = server.options();
        redis::Connection waiter(
            options, [options] { return redis::makeSocketTransport(options.endpoint); }, clock);
        waiter.open();
        QTRY_VERIFY(waiter.isReady());
        waiter.send(redis::Command("SUBSCRIBE", {"redisson_sc:{pool}"}));
        QTRY_COMPARE(server.cli({"PUBSUB", "CHANNELS"}), "redisson_sc:{pool}");
        const auto watch = startProgram({"watch", server.url(), "--json"});
        QByteArray out;
        const auto seen = [&](const QString& phase) {
            out += watch->readAllStandardOutput();
            const QList<QJsonObject> all = objects(out);
            const auto found = std::find_if(all.begin(), all.end(), [&](const QJsonObject& object) {
                return object["event"].toString() == "synchronizer" && object["phase"].toString() == phase;
            });
            return found == all.end() ? QJsonObject() : *found;
        };
        QTRY_COMPARE(seen("begin")["name"].toString(), "pool");
        QCOMPARE(seen("begin")["kind"].toString(), "semaphore");
        QCOMPARE(seen("begin")["free_permits"].toInt(-1), 0);
        QCOMPARE(seen("begin")["waiters"].toInt(), 1);
        server.cli({"INCR", "pool"});
        QTRY_COMPARE(seen("change")["free_permits"].toInt(-1), 1);
        waiter.close();
        QTRY_COMPARE(seen("end")["name"].toString(), "pool");
        QVERIFY(!eventOf(out, "found", "pool"));
        watch->terminate();
        QTRY_COMPARE(watch->state(), QProcess::NotRunning);
    }

    void listsOnlyWhatMatches() {
        test::RedisServer server;
        QVERIFY(server.start());
        for (const char* name : {"orders/1", "jobs:1", "jobs:2", "other"})
            server.cli({"HSET", QString::fromLatin1(name), holder, "1"});
        const ProgramRun list =
            runProgram({"list", server.url(), "--json", "--match", "orders/*", "--match", "jobs:[1]"});
        QCOMPARE(list.exitCode, 0);
        QCOMPARE(objects(list.out).size(), 2);
        QVERIFY(eventOf(list.out, "found", "orders/1"));
        QVERIFY(eventOf(list.out, "found", "jobs:1"));
    }

    void watchTellsItsSource() {
        test::RedisServer server;
        QVERIFY(server.start());
        server.cli({"ACL", "SETUSER", "default", "-client|tracking"});
        const ProgramRun watch = runProgram({"watch", server.url(), "--json", "--for", "1", "--prefix", "jobs:"});
        const QList<QJsonObject> lines = objects(watch.out);
        const auto source = std::find_if(lines.begin(), lines.end(), [](const QJsonObject& line) {
            return line["event"].toString() == "source" && line["source"].toString() == "polling";
        });
        QVERIFY2(source != lines.end(), watch.out.constData());
        QVERIFY((*source)["reason"].toString().contains("NOPERM"));
        QCOMPARE((*source)["blind_spots"].toArray().at(0).toString(), "between_polls");
        QVERIFY(watch.out.contains("CLIENT TRACKING BCAST: "));
    }

    void watchTellsADiagnosisWithItsEvidence() {
        test::RedisServer server;
        QVERIFY(server.start());
        server.cli({"HSET", "no expiry", holder, "1"});
        const auto watch = startProgram({"watch", server.url(), "--json"});
        QByteArray out;
        const auto told = [&](const QString& phase) -> std::optional<QJsonObject> {
            out += watch->readAllStandardOutput();
            for (const QJsonObject& object : objects(out)) {
                if (object["event"].toString() == "diagnosis" && object["phase"].toString() == phase)
                    return object;
            }
            return std::nullopt;
        };
        QTRY_VERIFY(told("begin"));
        const QJsonObject begun = *told("begin");
        QCOMPARE(begun["lock"].toString(), "no expiry");
        QCOMPARE(begun["diagnosis"].toString(), "never_expires");
        QCOMPARE(begun["certainty"].toString(), "certain");
        QCOMPARE(begun["evidence"].toObject()["holder"].toString(), holder);
        server.cli({"PEXPIRE", "no expiry", "30000"});
        QTRY_VERIFY(told("end"));
        watch->terminate();
        QTRY_COMPARE(watch->state(), QProcess::NotRunning);
    }

    void watchEndsByItselfAfterItsTime() {
        test::RedisServer server;
        QVERIFY(server.start());
        QCOMPARE(runProgram({"watch", server.url(), "--for", "0.5"}).exitCode, 0);
    }

    void theDemoHasLocksAndLeavesNoServerBehind() {
        const auto watch = startProgram({"watch", "--demo", "--json"});
        QByteArray out;
        QTRY_VERIFY_WITH_TIMEOUT(
            (out += watch->readAllStandardOutput(),
             eventOf(out, "found", "import:nightly:customers") || eventOf(out, "acquired", "import:nightly:customers")),
            15000);
        const QString children = QStringLiteral("/proc/%1/task/%1/children").arg(watch->processId());
        watch->terminate();
        QTRY_COMPARE_WITH_TIMEOUT(watch->state(), QProcess::NotRunning, 10000);
        QCOMPARE(watch->exitCode(), 0);
        QVERIFY(!QFile::exists(children));
    }

    void thePasswordMayComeFromTheEnvironment() {
        test::RedisServer server({"--requirepass", "s3cret"});
        QVERIFY(server.start());
        QCOMPARE(runProgram({"list", server.url()}, password).exitCode, 0);
        const ProgramRun wrong = runProgram({"list", server.url()}, {{"LOCKKEEPER_PASSWORD", "wr0ng"}});
        QCOMPARE(wrong.exitCode, denied);
        QVERIFY2(wrong.err.contains("WRONGPASS"), wrong.err);
        QVERIFY2(!wrong.err.contains("wr0ng"), wrong.err);
        const ProgramRun none = runProgram({"list", server.url()});
        QCOMPARE(none.exitCode, denied);
        QVERIFY2(none.err.contains("NOAUTH"), none.err);
    }

    void wrongUsageIsTwo_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("no URL") << QStringList{"list"};
        QTest::newRow("unknown option") << QStringList{"--frobnicate"};
        QTest::newRow("bad URL") << QStringList{"list", "http://h"};
        QTest::newRow("control characters") << QStringList{"list", "h", "\x1b[2J"};
    }
    void wrongUsageIsTwo() {
        QFETCH(QStringList, arguments);
        const ProgramRun result = runProgram(arguments);
        QCOMPARE(result.exitCode, 2);
        QCOMPARE(result.out, QByteArray());
        QVERIFY(result.err.startsWith("lockkeeper: "));
        QVERIFY2(!commandsATerminal(result.err), result.err);
    }

    void noConnectionIsThreeAndSaysWhy_data() {
        QTest::addColumn<QByteArray>("says");  // what the fake server below sends
        QTest::addColumn<QString>("complains");
        QTest::newRow("silence") << QByteArray() << "handshake within 5 s";
        QTest::newRow("HTTP") << QByteArray("HTTP/1.1 400 Bad Request\r\n\r\n") << "not a Redis server";
        QTest::newRow("garbage") << QByteArray("\x00\xff\x13garbage", 10) << "not a Redis server";
        QTest::newRow("2 GB announced") << QByteArray("$2147483647\r\n") << "2147483647 bytes";
        QTest::newRow("malformed") << QByteArray("*x\r\n") << "malformed";
    }
    void noConnectionIsThreeAndSaysWhy() {
        QFETCH(QByteArray, says);
        QFETCH(QString, complains);
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        connect(&server, &QTcpServer::newConnection, &server, [&server, says] {
            QTcpSocket* socket = server.nextPendingConnection();
            socket->write(says);
        });
        const ProgramRun list = runProgram({"list", QStringLiteral("redis://127.0.0.1:%1").arg(server.serverPort())});
        QCOMPARE(list.exitCode, 3);
        QVERIFY2(list.err.contains(complains.toUtf8()), list.err);
    }

    void aRefusedPortAndAnUnknownHostAreThree() {
        const lab::ReservedPort closed;
        const ProgramRun refused = runProgram({"list", QStringLiteral("127.0.0.1:%1").arg(closed.number())});
        QCOMPARE(refused.exitCode, 3);
        QVERIFY2(refused.err.contains("refused"), refused.err);
        QCOMPARE(runProgram({"list", "redis://no-such-host.invalid"}).exitCode, 3);
    }

    void readOnlySendsNoWrite() {
        test::RedisServer server;
        QVERIFY(server.start());
        server.cli({"HSET", "L", holder, "1"});
        server.cli({"CONFIG", "RESETSTAT"});
        QCOMPARE(runProgram({"list", server.url(), "--read-only"}).exitCode, 0);
        const QString statistics = server.cli({"INFO", "commandstats"});
        QVERIFY(statistics.contains("cmdstat_scan"));
        for (const char* write : {"cmdstat_evalsha:", "cmdstat_eval:", "cmdstat_del:", "cmdstat_publish:",
                                  "cmdstat_hset:", "cmdstat_set:", "cmdstat_script"})
            QVERIFY2(!statistics.contains(write), write);
    }
};

LOCKKEEPER_TEST(TestCommandLine, Guiless)

}  // namespace tst_commandline

#include "tst_commandline.moc"
