// SPDX-License-Identifier: Apache-2.0
#include "lab/labcause.h"
#include "recording/archive.h"
#include "support/recordingsample.h"
#include "support/testprogram.h"

#include <QSet>
#include <QTest>

#include <functional>
#include <string_view>

namespace tst_enumnumbers {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::recording;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

// Whether an enumerator has this value: only then the compiler writes a name for it, and else a number with a cast.
template <auto value>
constexpr bool isEnumerator() {
    constexpr std::string_view before = "value = ";
    const std::string_view function = __PRETTY_FUNCTION__;
    return function[function.find(before) + before.size()] != '(';
}

constexpr int mostEnumerators = 256;

template <typename Enum>
QList<Enum> enumeratorsOf() {
    QList<Enum> all;
    [&]<int... numbers>(std::integer_sequence<int, numbers...>) {
        (..., (isEnumerator<static_cast<Enum>(numbers)>() ? all.append(static_cast<Enum>(numbers)) : void()));
    }
    (std::make_integer_sequence<int, mostEnumerators>());
    return all;
}

// Writes the value, and reads what was written. Nothing if it cannot be read.
template <typename Enum>
std::optional<Enum> throughAnArchive(Enum value) {
    ArchiveWriter writer;
    writer.choice(value);
    KnownNodes nodes;
    ArchiveReader reader(writer.texts() + writer.bytes(), nodes, formatVersion, 1000);
    Enum read{};
    reader.choice(read);
    return reader.isGood() && reader.atEnd() ? std::optional(read) : std::nullopt;
}

template <typename Enum>
void everyEnumeratorComesBack() {
    const QList<Enum> all = enumeratorsOf<Enum>();
    QVERIFY(all.size() > 1);
    QCOMPARE(static_cast<size_t>(all.size()), enumNumbers<Enum>.size());
    QSet<qint64> numbers;
    for (const Enum value : all) {
        QVERIFY2(throughAnArchive(value) == value, QByteArray::number(static_cast<int>(value)));
        numbers.insert(enumNumber(value));
    }
    QCOMPARE(numbers.size(), all.size());
    QVERIFY(!throughAnArchive(static_cast<Enum>(mostEnumerators)));
}

template <typename... T>
size_t countOfCauses(std::type_identity<std::tuple<T...>>) {
    return (... + enumNumbers<T>.size());
}

enum class OtherCause { Any };

const CauseTable& causeTable(OtherCause) {
    static constexpr CauseTable table{[](int, qsizetype) { return "any"; }};
    return table;
}

using Check = std::function<void()>;

Record lockReadAt(Milliseconds at, const char* name) {
    return readAt(at, snapshot(at, LockKind::Reentrant, {exclusive(alice)}, 30s, name));
}

// What a reader makes of a block: the locks that were read, those that were lost from sight, and other entries.
QByteArrayList storyOf(const QByteArray& content, bool* hasSkipped) {
    KnownNodes nodes;
    RecordReader reader(content, nodes, formatVersion, roomForValues(content.size()));
    QByteArrayList story;
    while (const std::optional<Record> record = reader.next()) {
        const auto* input = std::get_if<StoreInput>(&record->entry);
        if (const auto* read = input ? std::get_if<LockRead>(input) : nullptr)
            story += "read " + read->lock.name.bytes();
        else if (const auto* lost = input ? std::get_if<SightLost>(input) : nullptr)
            story += "lost " + lost->name.bytes();
        else
            story += "other";
    }
    *hasSkipped = reader.hasSkipped();
    return reader.fault() == ArchiveFault::None ? story : QByteArrayList{"fault"};
}

}  // namespace

class TestEnumNumbers : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyEnumeratorOfEveryEnumComesBack_data() {
        QTest::addColumn<Check>("check");
        addRows(std::type_identity<RecordedEnums>());
    }
    void everyEnumeratorOfEveryEnumComesBack() {
        QFETCH(const Check, check);
        check();
    }

    // The numbers of version 0.1.
    void aNumberKeepsItsMeaning() {
        QCOMPARE(enumNumber(ErrorCode::Storage), 19);
        QCOMPARE(enumNumber(ReplyKind::Other), 25);
        QCOMPARE(enumNumber(Cause::NotConnected), 1);
        QCOMPARE(enumNumber(lab::LabCause::SocketPathTooLong), 121);
        QCOMPARE(enumNumber(Consequence::DeadWaitersNotProven), 27);
        QCOMPARE(enumNumber(LockKind::FasterMulti), 5);
        QCOMPARE(enumNumber(lab::LabPhase::Failed), 4);
    }

    // Whatever enum it is of.
    void everyCauseHasANumberOfItsOwn() {
        QSet<qint64> numbers;
        for (qint64 number = 0; number < mostEnumerators; ++number) {
            if (const std::optional<AnyCause> cause = causeOf(number)) {
                QCOMPARE(causeNumber(*cause), number);
                numbers.insert(number);
            }
        }
        QCOMPARE(static_cast<size_t>(numbers.size()), countOfCauses(std::type_identity<RecordedCauses>()));
        QVERIFY(!causeOf(mostEnumerators));
    }
    // One that the library does not know: a program's that uses it.
    void aCauseWithoutANumberIsSkipped() {
        QCOMPARE(causeNumber(OtherCause::Any), noEnumNumber);
        QVERIFY(AnyCause(OtherCause::Any) != AnyCause(Cause::None));
    }

    // As by a later version. Of a lock that cannot be read the state is not known from then on.
    void anEntryWithAnUnknownEnumeratorIsSkippedAlone() {
        LockSnapshot unknown = held(10ms, alice);
        unknown.name = LockName("new");
        unknown.holders.front().mode = static_cast<HoldMode>(99);
        BlockBuilder block;
        block.add(lockReadAt(0ms, "before"), WallTime(0ms));
        block.add(readAt(10ms, unknown), WallTime(10ms));
        block.add(linkAt(15ms, static_cast<LinkStatus::Phase>(99)), WallTime(15ms));
        block.add(lockReadAt(20ms, "after"), WallTime(20ms));
        bool hasSkipped = false;
        QCOMPARE(storyOf(block.take().content, &hasSkipped), (QByteArrayList{"read before", "lost new", "read after"}));
        QVERIFY(hasSkipped);
    }

    // The times of what follows are right, too.
    void whatFollowsASkippedEntryIsAsItWas() {
        LockSnapshot unknown = held(10ms, alice);
        unknown.kind = static_cast<LockKind>(99);
        const LockSnapshot next = readWrite(20ms, {reader(bob, 2), writer(carol)});
        BlockBuilder block;
        block.add(readAt(10ms, unknown), WallTime(10ms));
        block.add(readAt(20ms, next), WallTime(20ms));
        KnownNodes nodes;
        const QByteArray content = block.take().content;
        RecordReader reader(content, nodes, formatVersion, roomForValues(content.size()));
        QVERIFY(reader.next());
        const std::optional<Record> record = reader.next();
        QVERIFY(record);
        const auto& read = std::get<LockRead>(std::get<StoreInput>(record->entry)).lock;
        QCOMPARE(record->at, SteadyTime(1h + 20ms));
        QCOMPARE(read.holders, next.holders);
        QCOMPARE(read.seenAt, next.seenAt);
        QCOMPARE(read.seenAtWall, next.seenAtWall);
        QCOMPARE(read.expiry, next.expiry);
    }

    void anEntryOfALaterKindIsSkippedAlone_data() {
        QTest::addColumn<quint64>("kind");
        QTest::addColumn<QByteArray>("values");
        QTest::newRow("a later kind") << quint64{1000} << QByteArray("\x01\x02\x03");
        QTest::newRow("a later kind without values") << quint64{1000} << QByteArray();
        QTest::newRow("a known kind with a later value") << quint64{12} << QByteArray("\x01");
    }
    void anEntryOfALaterKindIsSkippedAlone() {
        QFETCH(const quint64, kind);
        QFETCH(const QByteArray, values);
        BlockBuilder block;
        block.add(lockReadAt(0ms, "before"), WallTime(0ms));
        ArchiveWriter later;
        later.unsignedNumber(kind);
        later.time(SteadyTime());
        later.raw(values);
        const QByteArray whole = block.take().content;
        BlockBuilder after;
        after.add(lockReadAt(0ms, "before"), WallTime(0ms));
        after.add(deliveredAt(5ms), WallTime(5ms));
        const QByteArray delivered = after.take().content.sliced(whole.size());
        bool hasSkipped = false;
        QCOMPARE(storyOf(whole + later.bytes() + delivered, &hasSkipped), (QByteArrayList{"read before", "other"}));
        QVERIFY(hasSkipped);
    }

private:
    template <typename... Enum>
    static void addRows(std::type_identity<std::tuple<Enum...>>) {
        (..., (QTest::newRow(typeid(Enum).name()) << Check{everyEnumeratorComesBack<Enum>}));
    }
};

LOCKKEEPER_TEST(TestEnumNumbers, Guiless)

}  // namespace tst_enumnumbers

#include "tst_enumnumbers.moc"
