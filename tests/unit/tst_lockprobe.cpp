// SPDX-License-Identifier: Apache-2.0
#include "monitor/discover/lockprobe.h"
#include "support/keyrefusals.h"
#include "support/lockreplies.h"
#include "support/playedconnection.h"
#include "support/taskwait.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_lockprobe {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::test;

namespace {

QByteArray verdicts(const QList<int>& numbers) {
    QByteArray text = '*' + QByteArray::number(numbers.size()) + "\r\n";
    for (const int verdict : numbers)
        text += number(verdict);
    return text;
}

QByteArrayList bytesOf(const QList<LockName>& names) {
    QByteArrayList bytes;
    for (const LockName& name : names)
        bytes += name.bytes();
    return bytes;
}

}  // namespace

class TestLockProbe : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_played = std::make_unique<PlayedConnection>();
        m_probe = std::make_unique<LockProbe>(m_played->connection);
        m_played->open();
    }
    void cleanup() {
        m_asked.reset();
        m_probe.reset();
        m_played.reset();
    }

    void oneCommandAsksOfAll() {
        ask({"a", "b", "c", "d"});
        const QByteArrayList command = m_played->link().takeCommand();
        QCOMPARE(command.value(0), QByteArray("EVALSHA_RO"));
        QCOMPARE(command.mid(2, 5), QByteArrayList({"4", "a", "b", "c", "d"}));
        m_played->link().reply(verdicts({1, 0, 2, 1}));
        QCOMPARE(of(&LockProbe::Answer::maybeLocks), QByteArrayList({"a", "d"}));
        QCOMPARE(of(&LockProbe::Answer::others), QByteArrayList{"b"});  // c is gone
    }

    void inAClusterEachCommandKeepsToOneSlot() {
        struct InCluster final : NodeScope {
            [[nodiscard]] bool isInCluster() const override { return true; }
            [[nodiscard]] bool keeps(const LockName& name) const override { return !name.isEmpty(); }
            void noteMovedKeys() const override {}
        };
        const InCluster cluster;
        m_probe = std::make_unique<LockProbe>(m_played->connection, cluster);
        ask({"{x}1", "{y}1", "{x}2"});
        const QList<QByteArrayList> commands = m_played->link().takeCommands();
        QCOMPARE(commands.size(), 2);
        for (const QByteArrayList& command : commands) {
            const bool areTwo = command.value(2) == "2";
            QCOMPARE(command.mid(3, areTwo ? 2 : 1),
                     areTwo ? QByteArrayList({"{x}1", "{x}2"}) : QByteArrayList{"{y}1"});
            m_played->link().reply(areTwo ? verdicts({1, 0}) : QByteArray("-MOVED 1 other:1\r\n"));
        }
        QCOMPARE(of(&LockProbe::Answer::maybeLocks), QByteArrayList{"{x}1"});
        QCOMPARE(of(&LockProbe::Answer::others), QByteArrayList{"{x}2"});
        QCOMPARE(of(&LockProbe::Answer::unknown), QByteArrayList{"{y}1"});
        m_probe.reset();
    }

    void saysWhatItDidNotComeTo() {
        ask({"a", "b", "c"});
        (void)m_played->link().takeCommand();
        m_played->link().reply(verdicts({1, 3, 4}));
        QCOMPARE(of(&LockProbe::Answer::maybeLocks), QByteArrayList{"a"});
        QCOMPARE(of(&LockProbe::Answer::notProbed), QByteArrayList{"b"});
        QCOMPARE(of(&LockProbe::Answer::unknown), QByteArrayList{"c"});
    }

    // The command contains each name.
    void ofLongNamesItAsksForOneAtATime() {
        const QByteArray first(1'000'000, 'a');
        const QByteArray second(1'000'000, 'b');
        ask({first, second, "c"});
        QCOMPARE(m_played->link().takeCommand().mid(2, 2), QByteArrayList({"1", first}));
        m_played->link().reply(verdicts({1}));
        QCOMPARE(of(&LockProbe::Answer::maybeLocks), QByteArrayList{first});
        QCOMPARE(of(&LockProbe::Answer::notProbed), QByteArrayList({second, "c"}));
    }

    void aServerThatNeverProbesIsNotAskedForEver() {
        ask({"a", "b"});
        (void)m_played->link().takeCommand();
        m_played->link().reply(verdicts({3, 3}));
        QCOMPARE(of(&LockProbe::Answer::unknown), QByteArrayList({"a", "b"}));
        QCOMPARE(of(&LockProbe::Answer::notProbed), QByteArrayList());
    }

    void nothingIsKnownOfWhatCannotBeProbed_data() {
        QTest::addColumn<QByteArrayList>("answers");
        QTest::addColumn<bool>("allowed");
        QTest::newRow("scripts are not known")
            << QByteArrayList{"-ERR unknown command 'EVALSHA_RO'\r\n", "-ERR unknown command 'EVAL_RO'\r\n"} << false;
        QTest::newRow("scripts are not allowed")
            << QByteArrayList{noPermission("evalsha_ro"), noPermission("eval_ro")} << false;
        QTest::newRow("one of the keys is not allowed") << QByteArrayList{keyDenied} << true;
        QTest::newRow("keys of several slots") << QByteArrayList{"-CROSSSLOT Keys in request don't hash\r\n"} << true;
        QTest::newRow("nonsense") << QByteArrayList{verdicts({1})} << true;
    }
    void nothingIsKnownOfWhatCannotBeProbed() {
        QFETCH(const QByteArrayList, answers);
        QFETCH(const bool, allowed);
        ask({"a", "b"});
        for (const QByteArray& answer : answers) {
            QCOMPARE(m_played->link().takeCommands().size(), 1);
            m_played->link().reply(answer);
        }
        QCOMPARE(of(&LockProbe::Answer::unknown), QByteArrayList({"a", "b"}));
        QCOMPARE(m_probe->isAllowed(), allowed);
        m_probe->startOver();
        QVERIFY(m_probe->isAllowed());
    }

    void aLostConnectionAnswersNothing() {
        ask({"a"});
        (void)m_played->link().takeCommand();
        m_played->link().lose();
        QVERIFY(m_asked->has_value());
        QCOMPARE((*m_asked)->error().code, ErrorCode::ConnectionLost);
    }

private:
    void ask(const QByteArrayList& names) {
        QList<LockName> asked;
        for (const QByteArray& name : names)
            asked += LockName(name);
        m_asked = start(m_probe->ask(asked, {}));
    }
    QByteArrayList of(QList<LockName> LockProbe::Answer::*names) const {
        return m_asked->has_value() ? bytesOf((*m_asked)->value().*names) : QByteArrayList{"no answer"};
    }

    std::unique_ptr<PlayedConnection> m_played;
    std::unique_ptr<LockProbe> m_probe;
    Running<Result<LockProbe::Answer>> m_asked;
};

LOCKKEEPER_TEST(TestLockProbe, Guiless)

}  // namespace tst_lockprobe

#include "tst_lockprobe.moc"
