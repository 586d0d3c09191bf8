// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/synchronizerdecoder.h"
#include "redis/replyerrors.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_synchronizerdecoder {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using redis::Command;
using redis::RespValue;
using namespace std::chrono_literals;

namespace {

using Kind = SynchronizerKind;
using Answers = std::vector<Result<RespValue>>;

AwaitedName awaited(Kind kind, const QByteArray& name = "S", const QByteArray& tag = "{S}") {
    return {LockName(name), tag, kind, 2};
}

Result<RespValue> answer(const RespValue& reply) {
    return reply.isError() ? Result<RespValue>(redis::errorOf(reply)) : Result<RespValue>(reply);
}

Synchronizer decoded(const AwaitedName& of, const Answers& answers) {
    return decodeSynchronizer(of, answers, SteadyTime(1h), WallTime(2h));
}

// A pair of ZRANGE ... WITHSCORES, in its RESP3 form.
RespValue scored(const QByteArray& id, double score) {
    RespValue number;
    number.type = RespValue::Type::Double;
    number.real = score;
    return RespValue::array({RespValue::bulk(id), number});
}

Answers semaphoreWith(qint64 leased, const RespValue& leases) {
    return {RespValue::number(1), RespValue::bulk("5"), RespValue::number(leased), leases};
}

const auto wrongType = RespValue::error("WRONGTYPE Operation against a key holding the wrong kind of value");
const auto keyDenied = RespValue::error("NOPERM No permissions to access a key");

QByteArrayList wireForm(const std::vector<Command>& commands) {
    QByteArrayList lines;
    for (const Command& command : commands) {
        QByteArray bytes;
        command.appendTo(bytes);
        QByteArrayList words;
        const QByteArrayList parts = bytes.split('\n');
        for (qsizetype i = 2; i < parts.size(); i += 2)
            words << parts[i].chopped(1);
        lines << words.join(' ');
    }
    return lines;
}

}  // namespace

// What channels and keys say about a semaphore or a latch, and near misses.
class TestSynchronizerDecoder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void knowsItsChannels_data() {
        QTest::addColumn<QByteArray>("channel");
        QTest::addColumn<int>("kind");  // -1: none of ours
        QTest::addColumn<QByteArray>("tag");
        QTest::addColumn<QByteArray>("owners");
        const QByteArray latch("redisson_countdownlatch__channel__");
        QTest::newRow("semaphore") << QByteArray("redisson_sc:{S}") << int(Kind::Semaphore) << QByteArray("{S}")
                                   << QByteArray("S {S}");
        QTest::newRow("latch") << latch + "{L}" << int(Kind::CountDownLatch) << QByteArray("{L}") << QByteArray("L");
        QTest::newRow("semaphore with braces of its own") << QByteArray("redisson_sc:pool/{42}") << int(Kind::Semaphore)
                                                          << QByteArray("pool/{42}") << QByteArray("pool/{42}");
        QTest::newRow("latch with braces of its own")
            << latch + "{a{b}}" << int(Kind::CountDownLatch) << QByteArray("{a{b}}") << QByteArray("a{b}");
        QTest::newRow("latch with braces around its name")
            << latch + "{{b}}" << int(Kind::CountDownLatch) << QByteArray("{{b}}") << QByteArray("{b}");
        QTest::newRow("colons") << QByteArray("redisson_sc:{a:b:c}") << int(Kind::Semaphore) << QByteArray("{a:b:c}")
                                << QByteArray("a:b:c {a:b:c}");
        QTest::newRow("no braces") << QByteArray("redisson_sc:S") << -1 << QByteArray() << QByteArray();
        QTest::newRow("nothing behind it") << QByteArray("redisson_sc:") << -1 << QByteArray() << QByteArray();
        QTest::newRow("a longer word") << QByteArray("redisson_scheduler:{S}") << -1 << QByteArray() << QByteArray();
        QTest::newRow("a lock's") << QByteArray("redisson_lock__channel:{S}") << -1 << QByteArray() << QByteArray();
        QTest::newRow("a latch's, cut off")
            << QByteArray("redisson_countdownlatch__channel{L}") << -1 << QByteArray() << QByteArray();
        QTest::newRow("a latch's without braces around it") << latch + "a{b}" << -1 << QByteArray() << QByteArray();
        QTest::newRow("a latch's without a name") << latch + "{}" << -1 << QByteArray() << QByteArray();
        QTest::newRow("empty") << QByteArray() << -1 << QByteArray() << QByteArray();
    }
    void knowsItsChannels() {
        QFETCH(const QByteArray, channel);
        QFETCH(const int, kind);
        const std::optional<SynchronizerChannel> parsed = SynchronizerChannel::parse(channel);
        QCOMPARE(parsed ? int(parsed->kind) : -1, kind);
        if (!parsed)
            return;
        QTEST(parsed->tag, "tag");
        QCOMPARE(parsed->name(), channel);
        QByteArrayList owners;
        for (const LockName& owner : parsed->owners())
            owners << owner.bytes();
        QTEST(owners.join(' '), "owners");
    }

    void asksOnlyForAFewBytes() {
        QCOMPARE(wireForm(questionsAbout(awaited(Kind::CountDownLatch))),
                 QByteArrayList({"EXISTS S", "GETRANGE S 0 31"}));
        QCOMPARE(
            wireForm(questionsAbout(awaited(Kind::Semaphore))),
            QByteArrayList({"EXISTS S", "GETRANGE S 0 31", "ZCARD {S}:timeout", "ZRANGE {S}:timeout 0 99 WITHSCORES"}));
        QCOMPARE(wireForm(questionsAbout(awaited(Kind::Unknown, "p/{4}", "p/{4}"))),
                 QByteArrayList({"EXISTS p/{4}", "GETRANGE p/{4} 0 31", "ZCARD p/{4}:timeout",
                                 "ZRANGE p/{4}:timeout 0 99 WITHSCORES"}));
        for (const Command& question : questionsAbout(awaited(Kind::Unknown)))
            QCOMPARE(question.effect(), redis::Effect::Read);
    }

    void readsTheCounter_data() {
        QTest::addColumn<RespValue>("exists");
        QTest::addColumn<RespValue>("digits");
        QTest::addColumn<int>("state");
        QTest::addColumn<qint64>("count");  // -1: nothing
        const RespValue there = RespValue::number(1);
        const auto row = [](const char* name, const RespValue& exists, const RespValue& digits, CounterState state,
                            qint64 count = -1) { QTest::newRow(name) << exists << digits << int(state) << count; };
        const auto text = [](const char* bytes) { return RespValue::bulk(bytes); };
        row("a number", there, text("7"), CounterState::Read, 7);
        row("zero", there, text("0"), CounterState::Read, 0);
        row("the largest", there, text("9223372036854775807"), CounterState::Read, std::numeric_limits<qint64>::max());
        row("no key", RespValue::number(0), text(""), CounterState::Missing, 0);
        row("made between the questions", RespValue::number(0), text("3"), CounterState::Read, 3);
        row("an empty string", there, text(""), CounterState::NoCounter);
        row("one beyond the largest", there, text("9223372036854775808"), CounterState::NoCounter);
        row("a word", there, text("busy"), CounterState::NoCounter);
        row("digits and more", there, text("7x"), CounterState::NoCounter);
        row("a blank before", there, text(" 7"), CounterState::NoCounter);
        row("a plus sign", there, text("+7"), CounterState::NoCounter);
        row("a leading zero", there, text("07"), CounterState::NoCounter);
        row("a fraction", there, text("7.0"), CounterState::NoCounter);
        row("as many digits as are asked for", there, RespValue::bulk(QByteArray(32, '1')), CounterState::NoCounter);
        row("another type", there, wrongType, CounterState::NoCounter);
        row("a key not for us", keyDenied, keyDenied, CounterState::NotReadable);
    }
    void readsTheCounter() {
        QFETCH(const RespValue, exists);
        QFETCH(const RespValue, digits);
        QFETCH(const qint64, count);
        const Synchronizer latch = decoded(awaited(Kind::CountDownLatch), {answer(exists), answer(digits)});
        QTEST(int(latch.state), "state");
        QCOMPARE(latch.count, count == -1 ? std::nullopt : std::optional(count));
        QCOMPARE(latch.name, LockName("S"));
        QCOMPARE(latch.kind, Kind::CountDownLatch);
        QCOMPARE(latch.clients, 2);
        QVERIFY(!latch.leased);
        QCOMPARE(latch.seenAt, SteadyTime(1h));
        QCOMPARE(latch.seenAtWall, WallTime(2h));
    }

    // addPermits() accepts a negative number.
    void permitsMayBeOwed() {
        const Synchronizer found = decoded(awaited(Kind::Semaphore), {RespValue::number(1), RespValue::bulk("-2"),
                                                                      RespValue::number(0), RespValue::array({})});
        QCOMPARE(found.count, std::optional<qint64>(-2));
        QCOMPARE(found.leased, std::optional<qint64>(0));
    }

    void readsLeasesOfEitherProtocol() {
        const QByteArray id = QByteArray::fromHex("00ff0d0a20313233000102030405067f");
        const RespValue resp3 = RespValue::array({scored(id, 1700000300123.0)});
        const RespValue resp2 = RespValue::array({RespValue::bulk(id), RespValue::bulk("1700000300123")});
        for (const RespValue& leases : {resp3, resp2}) {
            const Synchronizer found = decoded(awaited(Kind::Semaphore), semaphoreWith(1, leases));
            QCOMPARE(found.leases, std::vector<PermitLease>({{id, WallTime(1700000300123ms)}}));
            QCOMPARE(found.leased, std::optional<qint64>(1));
            QCOMPARE(found.count, std::optional<qint64>(5));
        }
    }

    void aTimeBeyondAllClocksIsNoEnd_data() {
        QTest::addColumn<QByteArray>("score");
        QTest::addColumn<bool>("ends");
        QTest::newRow("a time") << QByteArray("1700000300123") << true;
        QTest::newRow("long ago") << QByteArray("0") << true;
        QTest::newRow("as Redisson writes it") << QByteArray("92233720368547758") << false;
        QTest::newRow("the same, rounded") << QByteArray("9.2233720368547758e+16") << false;
        QTest::newRow("infinity") << QByteArray("inf") << false;
        QTest::newRow("before all times") << QByteArray("-1") << false;
        QTest::newRow("no number") << QByteArray("nan") << false;
        QTest::newRow("a word") << QByteArray("soon") << false;
    }
    void aTimeBeyondAllClocksIsNoEnd() {
        QFETCH(const QByteArray, score);
        const RespValue leases = RespValue::array({RespValue::bulk("id"), RespValue::bulk(score)});
        const Synchronizer found = decoded(awaited(Kind::Semaphore), semaphoreWith(1, leases));
        QCOMPARE(found.leases.size(), size_t{1});
        QTEST(found.leases.front().ends.has_value(), "ends");
    }

    void tenThousandPermitsAreCountedAndFewKept() {
        std::vector<RespValue> pairs;
        for (int i = 0; i < 10'000; ++i)
            pairs.push_back(scored(QByteArray::number(i), i));
        const Synchronizer found =
            decoded(awaited(Kind::Semaphore), semaphoreWith(10'000, RespValue::array(std::move(pairs))));
        QCOMPARE(found.leased, std::optional<qint64>(10'000));
        QCOMPARE(found.leases.size(), Synchronizer::mostLeases);
        QCOMPARE(found.leases.front().id, QByteArray("0"));
    }

    void leasesThatCannotBeReadAreNotKnown_data() {
        QTest::addColumn<RespValue>("refusal");
        QTest::newRow("another type") << wrongType;
        QTest::newRow("a key not for us") << keyDenied;
    }
    void leasesThatCannotBeReadAreNotKnown() {
        QFETCH(const RespValue, refusal);
        const Synchronizer found = decoded(
            awaited(Kind::Semaphore), {RespValue::number(1), RespValue::bulk("5"), answer(refusal), answer(refusal)});
        QVERIFY(!found.leased);
        QCOMPARE(found.count, std::optional<qint64>(5));
    }
};

LOCKKEEPER_TEST(TestSynchronizerDecoder, Appless)

}  // namespace tst_synchronizerdecoder

#include "tst_synchronizerdecoder.moc"
