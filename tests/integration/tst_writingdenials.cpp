// SPDX-License-Identifier: Apache-2.0
#include "engine/threadedengine.h"
#include "profile/aclline.h"
#include "profile/neededcommands.h"
#include "redis/replyerrors.h"
#include "support/redisserver.h"
#include "support/sessionprobe.h"
#include "support/testprogram.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

namespace tst_writingdenials {

using namespace lockkeeper;
using namespace std::chrono_literals;
using control::RefusedRight;
using control::RightsInAdvance;
using control::WritingCost;
using control::WritingDenial;

// What a real server refuses to the user who writes is known when the session is armed, or from the first refusal on,
// with the consequences.
class TestWritingDenials : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_server = std::make_unique<test::RedisServer>();
        begin();
    }
    void cleanup() {
        m_page.reset();
        m_engine.reset();
        m_server.reset();
    }

    void eachRefusalHasItsCost_data() {
        QTest::addColumn<QStringList>("taken");
        QTest::addColumn<QList<WritingCost>>("costs");
        QTest::newRow("nothing") << QStringList() << QList<WritingCost>();
        QTest::newRow("EVAL and EVALSHA") << QStringList{"-eval", "-evalsha"} << QList{WritingCost::NothingChanged};
        QTest::newRow("a command of scripts") << QStringList{"-hincrby"} << QList{WritingCost::OperationsRefused};
        QTest::newRow("PUBLISH") << QStringList{"-publish"} << QList{WritingCost::WaitersNotWoken};
        QTest::newRow("SUBSCRIBE") << QStringList{"-subscribe"} << QList{WritingCost::WaitsRefused};
        QTest::newRow("the channels") << QStringList{"resetchannels"}
                                      << QList{WritingCost::WaitersNotWoken, WritingCost::WaitsRefused};
        QTest::newRow("CLIENT TRACKING") << QStringList{"-client|tracking"} << QList{WritingCost::LossesSeenLate};
        QTest::newRow("CLIENT CACHING") << QStringList{"-client|caching"} << QList{WritingCost::LossesSeenLate};
        QTest::newRow("INFO") << QStringList{"-info"} << QList{WritingCost::ReplicasNotAwaited};
        QTest::newRow("the keys") << QStringList{"resetkeys", "%R~*"} << QList{WritingCost::NamesRefused};
    }
    void eachRefusalHasItsCost() {
        QFETCH(const QStringList, taken);
        QFETCH(const QList<WritingCost>, costs);
        connectWithout(taken);
        QVERIFY(m_page->isConnected());
        QVERIFY(!m_page->arming.wasEverArmed());
        arm();
        writeAll();
        QCOMPARE(costsSeen(), costs);
        m_page->link.request(Disarm());
        QTRY_COMPARE(m_page->arming.state, ArmingState::ReadOnly);
        QCOMPARE(costsSeen(), costs);
    }

    void aCommandThatTheServerDoesNotHaveIsNamed_data() {
        QTest::addColumn<QString>("renamed");
        QTest::addColumn<QList<WritingDenial>>("denials");
        using enum RefusedRight;
        const auto row = [](const char* renamed, const QList<WritingDenial>& denials) {
            QTest::newRow(renamed) << QString::fromLatin1(renamed) << denials;
        };
        row("PUBLISH", {{UnknownCommand, "publish", WritingCost::WaitersNotWoken}});
        row("EVAL", {{UnknownCommand, "eval", WritingCost::NothingChanged}});
        row("HINCRBY", {{UnknownCommand, "hincrby", WritingCost::OperationsRefused}});
        row("SUBSCRIBE", {{UnknownCommand, "subscribe", WritingCost::WaitsRefused}});
        row("CLIENT", {{UnknownCommand, "client|tracking", WritingCost::LossesSeenLate},
                       {UnknownCommand, "client|list", WritingCost::FormerConnectionStays},
                       {UnknownCommand, "client|caching", WritingCost::LossesSeenLate},
                       {UnknownCommand, "client|kill", WritingCost::FormerConnectionStays}});
        row("HELLO", {{UnknownCommand, "hello", WritingCost::LossesSeenLate}});
        row("INFO", {{UnknownCommand, "info", WritingCost::ReplicasNotAwaited}});
        row("SCAN", {});  // a command of the user who watches
    }
    void aCommandThatTheServerDoesNotHaveIsNamed() {
        QFETCH(const QString, renamed);
        QFETCH(const QList<WritingDenial>, denials);
        m_server = std::make_unique<test::RedisServer>(QStringList{"--rename-command", renamed, "another-name"});
        begin();
        connectAs({});
        arm();
        writeAll();
        QCOMPARE(m_page->arming.denied, denials);
    }

    void aRefusalWithoutANameSaysNothingNewBesideOneWithIt() {
        const Error refusal =
            redis::errorOf(redis::RespValue::error("ERR Unknown Redis command called from script script: 4790605"));
        control::WritingDenials alone;
        QVERIFY(alone.note(refusal));
        QCOMPARE(alone.list(),
                 (QList<WritingDenial>{{RefusedRight::UnknownScriptCommand, {}, WritingCost::OperationsRefused}}));
        control::WritingDenials named;
        QVERIFY(named.note(*control::WritingDenials::ofCommand(RefusedRight::UnknownCommand, QStringLiteral("hdel"))));
        QVERIFY(!named.note(refusal));
    }

    // The refusals are read before anything is tried.
    void armingAsksWhatIsRefused_data() {
        QTest::addColumn<QStringList>("taken");
        QTest::addColumn<QByteArrayList>("matches");
        QTest::addColumn<QList<WritingDenial>>("denials");
        QTest::addColumn<RightsInAdvance>("inAdvance");
        const auto row = [](const char* name, const QStringList& taken, const QByteArrayList& matches,
                            const QStringList& refused, RightsInAdvance inAdvance) {
            QList<WritingDenial> denials;
            for (const QString& command : refused)
                denials << *control::WritingDenials::ofCommand(RefusedRight::Command, command);
            QTest::newRow(name) << taken << matches << denials << inAdvance;
        };
        using enum RightsInAdvance;
        row("all rights", {}, {}, {}, Known);
        row("all rights to some names", {}, {"orders:*"}, {}, Known);
        row("no PUBLISH", {"-publish"}, {}, {"publish"}, Known);
        row("no HDEL", {"-hdel"}, {}, {"hdel"}, Known);
        row("no HDEL, of some names", {"-hdel"}, {"orders:*", "jobs:*"}, {"hdel"}, Known);
        row("no WAIT, no CLIENT KILL", {"-wait", "-client|kill"}, {}, {"wait", "client|kill"}, Known);
        row("no script that reads", {"-eval_ro"}, {}, {"eval_ro"}, Unknown);
        // A refusal for one key or channel says nothing about others.
        row("the keys of other names", {"resetkeys", "%RW~orders:*"}, {}, {}, Unknown);
        row("no HDEL, and the keys of other names", {"-hdel", "resetkeys", "%RW~orders:*"}, {}, {}, Unknown);
        row("keys that may only be read", {"resetkeys", "%R~*"}, {}, {}, Unknown);
        row("keys that may only be written", {"resetkeys", "%W~*"}, {}, {}, Unknown);
        row("the channels of other names", {"resetchannels", "&redisson_lock__channel:{orders:*"}, {}, {}, Unknown);
    }
    void armingAsksWhatIsRefused() {
        QFETCH(const QStringList, taken);
        QFETCH(const QByteArrayList, matches);
        QFETCH(const QList<WritingDenial>, denials);
        QFETCH(const RightsInAdvance, inAdvance);
        connectWithout(taken, matches);
        arm();
        QTRY_VERIFY(m_server->cli({"CLIENT", "LIST"}).contains(wasAsked));
        QTRY_COMPARE(m_page->arming.denied, denials);
        QTRY_COMPARE(m_page->arming.rightsInAdvance, inAdvance);
        // The same thread receives a change after the answer, and reports it after what the answer says.
        m_server->cli({"HSET", "orders:later", "0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33", "1"});
        QTRY_VERIFY(m_page->holds("orders:later"));
        QCOMPARE(m_page->arming.denied, denials);
        QCOMPARE(m_page->arming.rightsInAdvance, inAdvance);
        if (!taken.contains(QStringLiteral("-eval_ro")))
            QVERIFY(!m_server->cli({"ACL", "LOG"}).contains(QStringLiteral("writer")));
    }

    // The question names whole commands: otherwise the server could not find their keys.
    void theServerAcceptsTheArgumentsOfEachCommand() {
        for (const profile::NeededCommand& command : profile::neededCommands()) {
            const QStringList words = QString::fromLatin1(command.name).split(u'|') +
                                      QString::fromLatin1(command.arguments).split(u' ', Qt::SkipEmptyParts);
            QVERIFY2(m_server->cli(QStringList{"ACL", "DRYRUN", "default"} + words) == u"OK", command.name);
        }
    }

    void aRightThatIsGivenMeanwhileIsNotMissingWhenItIsArmedAgain() {
        connectWithout({"-client|tracking"});
        arm();
        QTRY_COMPARE(m_page->arming.denied,
                     (QList<WritingDenial>{
                         {RefusedRight::Command, QStringLiteral("client|tracking"), WritingCost::LossesSeenLate}}));
        m_page->link.request(Disarm());
        QTRY_COMPARE(m_page->arming.state, ArmingState::ReadOnly);
        m_server->cli({"ACL", "SETUSER", "writer", "+client|tracking"});
        arm();
        writeAll();
        QCOMPARE(m_page->arming.denied, QList<WritingDenial>());
    }

private:
    void begin() {
        QVERIFY(m_server->start());
        m_server->cli({"HSET", "held", "0ae6d8e3-41d2-4a0e-9c76-0a4f3c1f6f10:33", "1"});
        m_engine = std::make_unique<ThreadedEngine>(monitor::MonitorOptions(), history::HistoryOptions(),
                                                    m_data.filePath(QStringLiteral("audit")));
        m_page = std::make_unique<test::SessionProbe>(*m_engine);
    }
    // Connects as a user with the rights that are named for this profile, but without these.
    void connectWithout(const QStringList& taken, const QByteArrayList& matches = {}) {
        const redis::Credentials writer{"writer", "PASSWORD"};
        const QString line = profile::aclLines(profileWith(writer, matches), QString()).back().line;
        QCOMPARE(m_server->cli(line.split(u' ') + taken), "OK");
        connectAs(writer, matches);
    }
    void connectAs(const redis::Credentials& writer, const QByteArrayList& matches = {}) {
        m_page->link.connectTo(profileWith(writer, matches), {});
        QTRY_VERIFY(m_page->isConnected());
    }
    [[nodiscard]] profile::ConnectionProfile profileWith(const redis::Credentials& writer,
                                                         const QByteArrayList& matches) const {
        profile::ConnectionProfile profile;
        profile.endpoint = m_server->options().endpoint;
        profile.writing = writer;
        profile.discovery.matches = matches;
        profile.id = profile.addressId();
        return profile;
    }
    void arm() {
        m_page->link.request(ArmFor{10min});
        QTRY_VERIFY(m_page->arming.isArmed());
    }
    // Takes a free lock, waits for one that is held, and releases the first.
    void writeAll() {
        control::AcquireRequest request;
        request.name = LockName("mine");
        finish(m_page->link.request(request));
        request.name = LockName("held");
        request.wait = 300ms;
        finish(m_page->link.request(request));
        control::ReleaseRequest release;
        release.name = LockName("mine");
        finish(m_page->link.request(release));
    }
    void finish(OperationId id) { QTRY_VERIFY_WITH_TIMEOUT(m_page->results.contains(id), 10000); }

    [[nodiscard]] QList<WritingCost> costsSeen() const {
        QList<WritingCost> costs;
        for (const WritingDenial& denial : m_page->arming.denied) {
            if (!costs.contains(denial.cost))
                costs << denial.cost;
        }
        std::ranges::sort(costs);
        return costs;
    }

    // The last command of the connection that writes, in the list of clients: the question, or what is sent after it.
    const QRegularExpression wasAsked{QStringLiteral("name=lockkeeper-console .*cmd=(eval_ro|client\\|caching)")};
    std::unique_ptr<test::RedisServer> m_server;
    QTemporaryDir m_data;
    std::unique_ptr<ThreadedEngine> m_engine;
    std::unique_ptr<test::SessionProbe> m_page;
};

LOCKKEEPER_TEST(TestWritingDenials, Guiless)

}  // namespace tst_writingdenials

#include "tst_writingdenials.moc"
