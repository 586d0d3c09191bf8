// SPDX-License-Identifier: Apache-2.0
#include "support/fakeserver.h"
#include "support/manualclock.h"
#include "support/testprogram.h"
#include "topology/sentinelsource.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_sentinelsource {

using namespace lockkeeper;
using namespace std::chrono_literals;
using topology::Address;

namespace {

QByteArray addressReply(const QByteArray& host, const QByteArray& port) {
    return "*2\r\n" + test::bulk(host) + test::bulk(port);
}

const QByteArray unknownMaster = "_\r\n";
const QByteArrayList question{"SENTINEL", "GET-MASTER-ADDR-BY-NAME", "orders"};
const QByteArrayList questionForEpoch{"SENTINEL", "MASTER", "orders"};
const QByteArray refusal = "-NOPERM no permissions to run the 'sentinel|master' command\r\n";

// The answer has many figures of the master.
QByteArray epochReply(int epoch) {
    return "*4\r\n" + test::bulk("flags") + test::bulk("master") + test::bulk("config-epoch") +
           test::bulk(QByteArray::number(epoch));
}

}  // namespace

// The answers of the Sentinels give the master's address; a single Sentinel never decides alone.
class TestSentinelSource : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_clock = std::make_unique<test::ManualClock>();
        m_server = std::make_unique<test::FakeServer>();
        m_dialled.clear();
        m_found.reset();
        m_epochReply = refusal;
        m_ofServers = {};
    }
    void cleanup() {
        m_source.reset();
        test::turnEventLoop();
    }

    void asksTheSentinelsForTheMasterUntilTwoAgree() {
        make(3);
        find();
        QCOMPARE(m_dialled, QStringList{"s1:26379"});
        answerAtReady(addressReply("10.0.0.7", "6380"));
        QVERIFY(!m_found);
        answerAtReady(addressReply("10.0.0.7", "6380"));
        QVERIFY(m_found && m_found->ok());
        QCOMPARE(m_found->value().display(), "10.0.0.7:6380");
        QCOMPARE(m_dialled, (QStringList{"s1:26379", "s2:26379"}));
        find();
        answer(addressReply("10.0.0.8", "6380"));
        QCOMPARE(m_found->value().display(), "10.0.0.8:6380");
    }

    // Must hold also without their epochs.
    void twoSentinelsThatAgreeCountMoreThanOne() {
        make(3);
        find();
        answerAtReady(addressReply("old", "1"));
        answerAtReady(addressReply("new", "1"));
        QVERIFY(!m_found);
        answerAtReady(addressReply("new", "1"));
        QCOMPARE(m_found->value().display(), "new:1");
    }

    void ofTwoSentinelsTheOneWithTheNewerEpochIsBelieved() {
        make(2);
        find();
        m_epochReply = epochReply(0);
        answerAtReady(addressReply("old", "1"));
        m_epochReply = epochReply(5);
        answerAtReady(addressReply("new", "1"));
        QVERIFY(m_found && m_found->ok());
        QCOMPARE(m_found->value().display(), "new:1");
    }

    void theMasterHasTheTlsSettingsOfTheProfile() {
        m_settings.security = redis::Security::Tls;
        m_settings.caFile = QStringLiteral("/etc/ca.pem");
        const auto restored = qScopeGuard([this] { m_settings = {}; });
        make(1);
        find();
        answerAtReady(addressReply("10.0.0.7", "6380"));
        QCOMPARE(m_found->value().security, redis::Security::Tls);
        QCOMPARE(m_found->value().caFile, "/etc/ca.pem");
        QCOMPARE(m_found->value().announcedNames, QStringList{"10.0.0.7"});
    }

    void eachCallAsksAgain() {
        make(1);
        find();
        answerAtReady(addressReply("a", "1"));
        find();
        answer(addressReply("b", "2"));
        QCOMPARE(m_found->value().display(), "b:2");
    }

    void callsAtTheSameTimeShareOneQuestion() {
        make(1);
        find();
        std::optional<Result<redis::Endpoint>> other;
        m_source->find().then([&other](const Result<redis::Endpoint>& found) { other = found; });
        answerAtReady(addressReply("a", "1"));
        QVERIFY(m_found && other);
        QCOMPARE(other->value(), m_found->value());
    }

    void triesTheNextSentinel_data() {
        QTest::addColumn<QByteArray>("reply");
        QTest::newRow("it does not know the master") << unknownMaster;
        QTest::newRow("it refuses") << QByteArray("-NOPERM no permissions to run the 'sentinel' command\r\n");
        QTest::newRow("its answer is no address") << QByteArray("*1\r\n$1\r\na\r\n");
        QTest::newRow("its port is none") << addressReply("a", "six");
    }
    void triesTheNextSentinel() {
        QFETCH(QByteArray, reply);
        make(2);
        find();
        answerAtReady(reply);
        QVERIFY(!m_found);
        QCOMPARE(m_dialled, (QStringList{"s1:26379", "s2:26379"}));
        answerAtReady(addressReply("10.0.0.7", "6379"));
        QCOMPARE(m_found->value().display(), "10.0.0.7:6379");
    }

    void aSentinelThatIsGoneIsFollowedByTheNext() {
        make(2);
        find();
        m_server->lastLink().lose(ErrorCode::ConnectionRefused);
        m_clock->advance(200ms);
        QCOMPARE(m_dialled, (QStringList{"s1:26379", "s2:26379"}));
        answerAtReady(addressReply("10.0.0.7", "6379"));
        m_server->lastLink().lose(ErrorCode::ConnectionRefused);
        m_clock->advance(200ms);
        answerAtReady(addressReply("10.0.0.7", "6379"));
        QVERIFY(m_found && m_found->ok());
    }

    void aSentinelThatIsSilentIsFollowedByTheNext() {
        make(2);
        find();
        m_clock->advance(2s);
        QCOMPARE(m_dialled, (QStringList{"s1:26379", "s2:26379"}));
    }

    void saysWhyWhenAllFail() {
        make(2);
        find();
        answerAtReady(unknownMaster);
        answerAtReady(unknownMaster);
        QVERIFY(m_found);
        QCOMPARE(m_found->error(), Error(ErrorCode::InvalidArgument, Cause::MasterNotKnown, {"orders"}));
    }

    void whenNoneAnswersTheLastReasonIsTold() {
        make(2);
        find();
        for (int i = 0; i < 60 && !m_found; ++i) {
            if (m_server->lastLink().isOpen())
                m_server->lastLink().lose(ErrorCode::ConnectionRefused);
            m_clock->advance(100ms);
        }
        QVERIFY(m_found && !m_found->ok());
        QCOMPARE(m_found->error().code, ErrorCode::ConnectionRefused);
    }

    void followsASwitchOfItsMasterOnly() {
        make(1);
        find();
        answerAtReady(addressReply("a", "1"));
        QSignalSpy changed(m_source.get(), &topology::MasterSource::masterChanged);
        report("payments a 1 c 3");
        QCOMPARE(changed.count(), 0);
        report("orders a 1 b 2");
        QCOMPARE(changed.count(), 1);
        QCOMPARE(changed.front().front().value<redis::Endpoint>().display(), "b:2");
    }

    void noticesASwitchThatItMissedWhileTheSentinelWasLost() {
        make(1);
        find();
        answerAtReady(addressReply("a", "1"));
        QSignalSpy changed(m_source.get(), &topology::MasterSource::masterChanged);
        m_server->lastLink().lose();
        m_clock->advance(200ms);
        answerAtReady(addressReply("b", "2"));
        QCOMPARE(changed.count(), 1);
    }

    // The Sentinel was cut off while the others failed over.
    void aSentinelWithAnOlderEpochIsPassedOver() {
        make(3);
        find();
        m_epochReply = epochReply(5);
        answerAtReady(addressReply("new", "1"));
        answerAtReady(addressReply("new", "1"));
        QCOMPARE(m_found->value().display(), "new:1");
        m_dialled.clear();
        QSignalSpy changed(m_source.get(), &topology::MasterSource::masterChanged);
        m_server->lastLink().lose();
        m_clock->advance(200ms);
        m_epochReply = epochReply(4);
        answerAtReady(addressReply("old", "1"));
        m_epochReply = epochReply(5);
        answerAtReady(addressReply("new", "1"));
        QCOMPARE(m_dialled, (QStringList{"s3:26379", "s1:26379"}));
        QCOMPARE(changed.count(), 0);
        find();
        answer(addressReply("new", "1"));
        QCOMPARE(m_found->value().display(), "new:1");
    }

    // All Sentinels may have been set up again: they count from 0 then.
    void anOlderEpochIsBelievedIfNoneIsNewer() {
        make(2);
        find();
        m_epochReply = epochReply(5);
        answerAtReady(addressReply("a", "1"));
        answerAtReady(addressReply("a", "1"));
        find();
        m_epochReply = epochReply(0);
        answer(addressReply("b", "1"));
        QVERIFY(!m_found);
        answerAtReady(addressReply("b", "1"));
        QCOMPARE(m_found->value().display(), "b:1");
        find();
        answer(addressReply("b", "1"));
        QVERIFY(m_found);
    }

    void aServerThatConnectionsEndAtIsNotTakenFromOneSentinelAlone_data() {
        QTest::addColumn<QByteArray>("epoch");
        QTest::newRow("the epoch is known") << epochReply(0);
        QTest::newRow("this user may not ask for it") << refusal;
    }
    void aServerThatConnectionsEndAtIsNotTakenFromOneSentinelAlone() {
        QFETCH(QByteArray, epoch);
        m_epochReply = epoch;
        make(2);
        find();
        answerAtReady(addressReply("demoted", "1"));
        answerAtReady(addressReply("demoted", "1"));
        QVERIFY(m_found && m_found->ok());
        m_source->doubt(m_found->value());
        find();
        answer(addressReply("demoted", "1"));
        QVERIFY(!m_found);
        answerAtReady(addressReply("promoted", "1"));
        QCOMPARE(m_found->value().display(), "promoted:1");
    }

    void aServerThatAllSentinelsNameIsTriedAgain() {
        make(2);
        find();
        answerAtReady(addressReply("a", "1"));
        answerAtReady(addressReply("a", "1"));
        m_source->doubt(m_found->value());
        find();
        answer(addressReply("a", "1"));
        answerAtReady(addressReply("a", "1"));
        QVERIFY(m_found && m_found->ok());
        QCOMPARE(m_found->value().display(), "a:1");
    }

    void sentinelsThatRequireAPasswordGetTheOneOfTheServers() {
        m_ofServers = {"app", "secret"};
        make(1);
        find();
        test::FakeLink& first = m_server->lastLink();
        first.transport()->becomeOpen();
        QVERIFY(!first.takeCommands().value(0).contains("AUTH"));
        first.reply("-NOAUTH HELLO must be called with the client already authenticated\r\n");
        test::turnEventLoop();
        QCOMPARE(m_dialled, (QStringList{"s1:26379", "s1:26379"}));
        test::FakeLink& second = m_server->lastLink();
        second.transport()->becomeOpen();
        QCOMPARE(second.takeCommands().value(0).mid(0, 5), (QByteArrayList{"HELLO", "3", "AUTH", "app", "secret"}));
        second.reply(test::FakeLink::helloReply());
        QCOMPARE(second.takeCommands().value(0), QByteArrayList{"PING"});
        second.reply("+PONG\r\n");
        answer(addressReply("a", "1"));
        QVERIFY(m_found && m_found->ok());
    }

    void endsWhileItIsAsked() {
        make(1);
        find();
        m_source.reset();
        QVERIFY(m_found && !m_found->ok());
        QCOMPARE(m_found->error().code, ErrorCode::Cancelled);
    }

private:
    void make(int sentinels) {
        topology::SentinelGroup group;
        for (int i = 1; i <= sentinels; ++i)
            group.sentinels += Address{QStringLiteral("s%1").arg(i), 26379};
        group.masterName = "orders";
        const topology::Dialer dialer([this, make = m_server->factory()](const redis::Endpoint& endpoint) {
            m_dialled += endpoint.display();
            return make();
        });
        m_source = std::make_unique<topology::SentinelSource>(group, m_settings, dialer, *m_clock, m_ofServers);
    }
    void find() {
        m_found.reset();
        m_source->find().then([this](const Result<redis::Endpoint>& found) { m_found = found; });
    }
    // The newest Sentinel is reached, confirms the subscription, and answers each question so.
    void answerAtReady(const QByteArray& reply) {
        m_server->lastLink().shakeHands();
        answer(reply);
    }
    void answer(const QByteArray& reply) {
        test::FakeLink& link = m_server->lastLink();
        for (QList<QByteArrayList> commands = link.takeCommands(); !commands.isEmpty() && link.isOpen();
             commands = link.takeCommands()) {
            for (const QByteArrayList& command : commands) {
                if (!link.isOpen())
                    return;
                if (command == question)
                    link.reply(reply);
                else if (command == questionForEpoch)
                    link.reply(m_epochReply);
                else if (command.value(0) == "SUBSCRIBE")
                    link.reply(">3\r\n" + test::bulk("subscribe") + test::bulk("+switch-master") + test::number(1));
                else
                    QFAIL(("unexpected: " + command.join(' ')).constData());
            }
        }
    }
    void report(const QByteArray& words) {
        m_server->lastLink().reply(test::pushOf({"message", "+switch-master", words}));
    }

    redis::Endpoint m_settings;
    redis::Credentials m_ofServers;
    QByteArray m_epochReply;
    std::unique_ptr<test::ManualClock> m_clock;
    std::unique_ptr<test::FakeServer> m_server;
    std::unique_ptr<topology::SentinelSource> m_source;
    QStringList m_dialled;
    std::optional<Result<redis::Endpoint>> m_found;
};

LOCKKEEPER_TEST(TestSentinelSource, Guiless)

}  // namespace tst_sentinelsource

#include "tst_sentinelsource.moc"
