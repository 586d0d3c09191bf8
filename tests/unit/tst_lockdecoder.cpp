// SPDX-License-Identifier: Apache-2.0
#include "locks/lockkeys.h"
#include "monitor/model/holderfield.h"
#include "monitor/model/lockevent.h"
#include "monitor/observe/read/lockdecoder.h"
#include "support/places.h"
#include "support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTest>

namespace tst_lockdecoder {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace std::chrono_literals;

namespace {

const QByteArray uuidA = "6f1d5ab8-0e8c-4d31-9d2b-0a1b2c3d4e5f";
const QByteArray uuidB = "0c9b8a7d-1f2e-4c3d-8b4a-5f6e7d8c9b0a";
const QByteArray uuidC = "a1a2a3a4-b1b2-c1c2-d1d2-e1e2e3e4e5e6";

ReadTimes someTimes() {
    return {SteadyTime(10s), SteadyTime(10s + 4ms), WallTime(1000s)};
}

RawLock hashOf(RawLock::Pairs fields, qint64 pttl = 30000) {
    RawLock raw;
    raw.name = LockName("L");
    raw.fields = std::move(fields);
    raw.pttl = pttl;
    return raw;
}

QByteArray withUuids(QString text) {
    return text.replace(QLatin1String("<A>"), QString::fromLatin1(uuidA))
        .replace(QLatin1String("<B>"), QString::fromLatin1(uuidB))
        .replace(QLatin1String("<C>"), QString::fromLatin1(uuidC))
        .replace(QLatin1String("<D>"), QLatin1String("d1d2d3d4-b1b2-c1c2-d1d2-e1e2e3e4e5e6"))
        .replace(QLatin1String("<E>"), QLatin1String("e1e2e3e4-b1b2-c1c2-d1d2-e1e2e3e4e5e6"))
        .toUtf8();
}

// "<deadline>", or "<now+285100>".
RawLock::Pairs pairsOf(const QJsonValue& object) {
    static const QRegularExpression deadline(QStringLiteral("<deadline>|<now\\+\\d+>"));
    RawLock::Pairs pairs;
    const QJsonObject fields = object.toObject();
    for (auto it = fields.begin(); it != fields.end(); ++it)
        pairs.emplace_back(withUuids(it.key()),
                           withUuids(it.value().toString().replace(deadline, QStringLiteral("1700000300123"))));
    return pairs;
}

QByteArrayList listOf(const QJsonValue& array) {
    QByteArrayList list;
    for (const QJsonValue& item : array.toArray())
        list.append(withUuids(item.toString()));
    return list;
}

// The result of a read of `name` on the keys that a recorded step left.
RawLock recorded(const QJsonObject& keys, const LockName& name) {
    const locks::LockKeys names(name);
    const auto key = [&](const QByteArray& bytes) {
        for (auto it = keys.begin(); it != keys.end(); ++it) {
            if (withUuids(it.key()) == bytes)
                return it.value().toObject();
        }
        return QJsonObject();
    };
    RawLock raw;
    raw.name = name;
    raw.fields = pairsOf(key(names.hash()).value("value"));
    raw.pttl = key(names.hash()).value("pttl").toInteger(-2);
    raw.queue = listOf(key(names.fairQueue()).value("value"));
    raw.queueLength = raw.queue.size();
    raw.deadlines = pairsOf(key(names.fairTimeouts()).value("value"));
    if (const QJsonObject token = key(names.token()); !token.isEmpty())
        raw.token = token.value("value").toString().toUtf8();
    return raw;
}

QByteArray initial(const HolderId& id) {
    return id.bytes().replace(uuidA, "A").replace(uuidB, "B").replace(uuidC, "C");
}

// All fields in one line: "reentrant A:33 exclusive 1".
QByteArray described(const LockReading& reading) {
    if (std::holds_alternative<NotALock>(reading))
        return "not a lock";
    const LockSnapshot& lock = std::get<LockSnapshot>(reading);
    QByteArray text = wordFor(lock.kind).toLatin1();
    QByteArrayList holders;
    for (const Holder& holder : lock.holders)
        holders << initial(holder.id) + ' ' + wordFor(holder.mode).toLatin1() + ' ' + QByteArray::number(holder.count) +
                       (holder.transaction ? " in " + *holder.transaction : QByteArray());
    std::sort(holders.begin(), holders.end());
    text += holders.isEmpty() ? " free" : " " + holders.join(", ");
    for (const FairWaiter& waiter : lock.fairQueue)
        text += " <" + initial(waiter.id);
    if (lock.token)
        text += " token " + QByteArray::number(*lock.token);
    return text;
}

QByteArray described(const RawLock& raw) {
    return described(decodeLock(raw, someTimes()));
}

}  // namespace

class TestLockDecoder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void decodesWhatTheRealClientWrote_data();
    void decodesWhatTheRealClientWrote();
    void everyRecordedHashIsALock_data();
    void everyRecordedHashIsALock();
    void refusesWhatMerelyLooksLikeALock_data();
    void refusesWhatMerelyLooksLikeALock();
    void ofAPartOfTheReadersItSaysHowManyThereAre();
    void showsLocksOfOtherPrograms_data();
    void showsLocksOfOtherPrograms();
    void takesNoOtherHashForOne_data();
    void takesNoOtherHashForOne();
    void callsUnknownWhatItDoesNotTakeApart_data();
    void callsUnknownWhatItDoesNotTakeApart();
    void readsTheLocksOfTransactions_data();
    void readsTheLocksOfTransactions();
    void takesAFasterMultiLockApart();
    void takesAFasterMultiLockApartThatWasTakenOver();
    void readsTheLeasesOfReaders();
    void boundsTheEndOfTheLease();
    void survivesAnyTtl_data();
    void survivesAnyTtl();
    void readsTheFairQueue();
    void aForeignListIsNoQueue();
    void aForeignTokenIsNoToken();
    void anOldTokenDoesNotHideAFairLock();
    void aKeyThatVanishedWhileBeingReadIsFree();
};

void TestLockDecoder::decodesWhatTheRealClientWrote_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArrayList>("steps");

    QTest::newRow("reentrant") << "reentrant" << QByteArray("L")
                               << QByteArrayList{"reentrant A:33 exclusive 1", "reentrant A:33 exclusive 2",
                                                 "reentrant A:33 exclusive 2", "reentrant A:33 exclusive 2",
                                                 "reentrant A:33 exclusive 2", "reentrant A:33 exclusive 1"};
    QTest::newRow("watchdog") << "watchdog" << QByteArray("L")
                              << QByteArrayList{"reentrant A:33 exclusive 1",
                                                "reentrant A:33 exclusive 1",
                                                "unknown free",
                                                "reentrant A:33 exclusive 1",
                                                "unknown free",
                                                "unknown free"};
    QTest::newRow("spin") << "spin" << QByteArray("P")
                          << QByteArrayList{"reentrant A:33 exclusive 1", "reentrant A:33 exclusive 2",
                                            "reentrant A:33 exclusive 1", "unknown free",
                                            "reentrant A:33 exclusive 1", "unknown free"};
    QTest::newRow("fair") << "fair" << QByteArray("F")
                          << QByteArrayList{"reentrant A:33 exclusive 1",        "fair A:33 exclusive 1 <B:36",
                                            "fair A:33 exclusive 1 <B:36 <A:34", "fair A:33 exclusive 1 <B:36 <A:34",
                                            "fair A:33 exclusive 1 <B:36 <A:34", "fair B:36 exclusive 1 <A:34",
                                            "reentrant A:34 exclusive 1",        "unknown free"};
    QTest::newRow("fenced") << "fenced" << QByteArray("N")
                            << QByteArrayList{"fenced A:33 exclusive 1 token 1", "fenced A:33 exclusive 2 token 2",
                                              "fenced A:33 exclusive 1 token 2", "fenced free token 2",
                                              "fenced B:36 exclusive 1 token 3", "fenced free token 3"};
    QTest::newRow("read/write") << "readwrite" << QByteArray("W")
                                << QByteArrayList{"readwrite A:33 read 1",
                                                  "readwrite A:33 read 2",
                                                  "readwrite A:33 read 2, B:36 read 1",
                                                  "readwrite A:33 read 2, B:36 read 1",
                                                  "readwrite A:33 read 1, B:36 read 1",
                                                  "readwrite B:36 read 1",
                                                  "readwrite C:39 write 1",
                                                  "readwrite C:39 write 2",
                                                  "readwrite C:39 read 1, C:39 write 2",
                                                  "readwrite C:39 read 1, C:39 write 2",
                                                  "readwrite C:39 read 1, C:39 write 1",
                                                  "readwrite C:39 read 1",
                                                  "unknown free"};
    QTest::newRow("read/write forced") << "readwrite-force" << QByteArray("W")
                                       << QByteArrayList{"readwrite A:33 read 1", "readwrite A:33 read 1",
                                                         "unknown free", "readwrite A:34 write 1", "unknown free"};
    QTest::newRow("forced") << "force" << QByteArray("L")
                            << QByteArrayList{"reentrant A:33 exclusive 1",
                                              "reentrant A:33 exclusive 1",
                                              "reentrant B:36 exclusive 1",
                                              "reentrant B:36 exclusive 1",
                                              "unknown free",
                                              "unknown free"};
    QTest::newRow("a member of a multi lock")
        << "multi" << QByteArray("M2")
        << QByteArrayList{"reentrant A:33 exclusive 1", "unknown free", "reentrant B:36 exclusive 1"};
}

void TestLockDecoder::decodesWhatTheRealClientWrote() {
    QFETCH(const QString, file);
    QFETCH(const QByteArray, name);
    QFETCH(const QByteArrayList, steps);
    QFile recording(test::places::data() + QStringLiteral("/redisson-4.7.0/%1.json").arg(file));
    QVERIFY(recording.open(QIODevice::ReadOnly));
    const QJsonArray recordedSteps = QJsonDocument::fromJson(recording.readAll()).object().value("steps").toArray();
    QVERIFY(recordedSteps.size() >= steps.size());
    for (qsizetype i = 0; i < steps.size(); ++i) {
        const QJsonObject step = recordedSteps.at(i).toObject();
        const QByteArray found = described(recorded(step.value("keys").toObject(), LockName(name)));
        QVERIFY2(found == steps.at(i), qPrintable(step.value("do").toString() + ": " + found));
    }
}

void TestLockDecoder::everyRecordedHashIsALock_data() {
    QTest::addColumn<QJsonObject>("keys");
    QTest::addColumn<QByteArray>("name");
    const QDir folder(test::places::data() + QStringLiteral("/redisson-4.7.0"));
    for (const QString& file : folder.entryList({"*.json"})) {
        QFile recording(folder.filePath(file));
        QVERIFY(recording.open(QIODevice::ReadOnly));
        const QJsonArray steps = QJsonDocument::fromJson(recording.readAll()).object().value("steps").toArray();
        for (qsizetype i = 0; i < steps.size(); ++i) {
            const QJsonObject keys = steps.at(i).toObject().value("keys").toObject();
            for (auto it = keys.begin(); it != keys.end(); ++it) {
                if (it.value().toObject().value("type").toString() == "hash")
                    QTest::addRow("%s step %lld %s", qPrintable(file), static_cast<long long>(i), qPrintable(it.key()))
                        << keys << withUuids(it.key());
            }
        }
    }
}

void TestLockDecoder::everyRecordedHashIsALock() {
    QFETCH(const QJsonObject, keys);
    QFETCH(const QByteArray, name);
    const RawLock raw = recorded(keys, LockName(name));
    const LockReading reading = decodeLock(raw, someTimes());
    const auto* lock = std::get_if<LockSnapshot>(&reading);
    QVERIFY(lock);
    QVERIFY(lock->isHeld());
    QVERIFY(lock->kind != LockKind::Unknown);
    QCOMPARE(lock->ttl, std::optional(Milliseconds(raw.pttl)));
    QCOMPARE(lock->fairQueue.size(), raw.queue.size());
    for (const FairWaiter& waiter : lock->fairQueue)
        QCOMPARE(waiter.deadline, std::optional(WallTime(1700000300123ms)));
}

void TestLockDecoder::refusesWhatMerelyLooksLikeALock_data() {
    QTest::addColumn<RawLock::Pairs>("fields");
    using Pairs = RawLock::Pairs;
    const QByteArray a = uuidA + ":33";
    const QByteArray b = uuidB + ":36";

    QTest::newRow("a UUID without a thread") << Pairs{{uuidA, "1"}};
    QTest::newRow("a UUID with an empty thread") << Pairs{{uuidA + ':', "1"}};
    QTest::newRow("a writer without a mode") << Pairs{{a + ":write", "1"}};
    QTest::newRow("a count of zero") << Pairs{{a, "0"}};
    QTest::newRow("a negative count") << Pairs{{a, "-1"}};
    QTest::newRow("an empty count") << Pairs{{a, ""}};
    QTest::newRow("a count with a fraction") << Pairs{{a, "1.5"}};
    QTest::newRow("a count with a blank") << Pairs{{a, " 1"}};
    QTest::newRow("a count with a leading zero") << Pairs{{a, "01"}};
    QTest::newRow("a count that is a text") << Pairs{{a, "one"}};
    QTest::newRow("a count beyond 64 bits") << Pairs{{a, "9223372036854775808"}};
    QTest::newRow("two exclusive holders") << Pairs{{a, "1"}, {b, "1"}};
    QTest::newRow("a mode alone") << Pairs{{"mode", "read"}};
    QTest::newRow("another mode") << Pairs{{"mode", "dark"}, {a, "1"}};
    QTest::newRow("a mode in capitals") << Pairs{{"mode", "READ"}, {a, "1"}};
    QTest::newRow("a mode and something else") << Pairs{{"mode", "read"}, {a, "1"}, {"colour", "red"}};
    QTest::newRow("a mode and a bad count") << Pairs{{"mode", "read"}, {a, "0"}};
    QTest::newRow("a multi value without its count") << Pairs{{"h", a}, {"h:" + a + ":expire_time", "1"}};
    QTest::newRow("a multi value with a bad expiry")
        << Pairs{{"h", a}, {"h:" + a + ":expire_time", "soon"}, {"h:" + a + ":lock_count", "1"}};
    QTest::newRow("a multi value with a foreign field")
        << Pairs{{"h", a}, {"h:" + a + ":expire_time", "1"}, {"h:" + a + ":lock_count", "1"}, {"x", "y"}};
    QTest::newRow("what is left of a multi value, with a bad number") << Pairs{{"h", a},
                                                                               {"h:" + a + ":expire_time", "1"},
                                                                               {"h:" + a + ":lock_count", "1"},
                                                                               {"h:" + b + ":expire_time", "soon"}};
    QTest::newRow("what may be left of a multi value, but of no holder")
        << Pairs{{"h:" + uuidB + ":main:expire_time", "1"}, {"h:" + uuidB + ":main:lock_count", "1"}};
    QTest::newRow("multi parts without a value") << Pairs{{a + ":expire_time", "1"}, {a + ":lock_count", "1"}};
    QTest::newRow("multi parts and a line break")
        << Pairs{{"h:" + a + ":expire_time\n", "1"}, {"h:" + a + ":lock_count\n", "1"}};
    QTest::newRow("a count of nobody") << Pairs{{"h:lock_count", "1"}};
    QTest::newRow("a time of nothing") << Pairs{{":expire_time", "1"}};
    Pairs many{{"mode", "read"}};
    for (int i = 0; i < maxLockFields; ++i)
        many.emplace_back(uuidA + ':' + QByteArray::number(i), "1");
    QTest::newRow("more fields than any lock has") << many;
}

void TestLockDecoder::refusesWhatMerelyLooksLikeALock() {
    QFETCH(const RawLock::Pairs, fields);
    const LockReading reading = decodeLock(hashOf(fields), someTimes());
    QVERIFY(std::holds_alternative<NotALock>(reading));
}

void TestLockDecoder::ofAPartOfTheReadersItSaysHowManyThereAre() {
    RawLock raw = hashOf({{uuidA + ":1", "2"}, {"mode", "read"}, {uuidB + ":2", "1"}});
    raw.fieldCount = 1501;
    const LockSnapshot lock = std::get<LockSnapshot>(decodeLock(raw, someTimes()));
    QCOMPARE(lock.kind, LockKind::ReadWrite);
    QCOMPARE(lock.holders.size(), 2);
    QCOMPARE(lock.holderCount(), 1500);
    QVERIFY(lock.isCut());

    raw.fields = {{"mode", "read"}};
    QVERIFY(std::get<NotALock>(decodeLock(raw, someTimes())).isUnreadable);
    raw.fields = {{uuidA + ":1", "many"}};
    QVERIFY(!std::get<NotALock>(decodeLock(raw, someTimes())).isUnreadable);
}

void TestLockDecoder::showsLocksOfOtherPrograms_data() {
    QTest::addColumn<RawLock::Pairs>("fields");
    QTest::addColumn<QByteArray>("expected");
    QTest::addColumn<bool>("isByNameOnly");
    using Pairs = RawLock::Pairs;
    QTest::newRow("a word and a number") << Pairs{{"svc:1", "1"}} << QByteArray("unknown svc:1 exclusive 1") << true;
    QTest::newRow("a UUID and a word") << Pairs{{uuidA + ":main", "2"}} << QByteArray("unknown A:main exclusive 2")
                                       << false;
    QTest::newRow("two UUIDs") << Pairs{{uuidA + ':' + uuidB, "1"}} << QByteArray("unknown A:B exclusive 1") << false;
    QTest::newRow("a number beyond 64 bits") << Pairs{{uuidA + ":9223372036854775808", "1"}}
                                             << QByteArray("unknown A:9223372036854775808 exclusive 1") << false;
    QTest::newRow("readers with words") << Pairs{{"mode", "read"}, {"svc:1", "1"}, {"svc:2", "3"}}
                                        << QByteArray("unknown svc:1 read 1, svc:2 read 3") << true;
    QTest::newRow("a writer with a word")
        << Pairs{{"mode", "write"}, {"svc:1:write", "1"}} << QByteArray("unknown svc:1 write 1") << true;
    QTest::newRow("a mode of its own") << Pairs{{"mode", "read-write"},
                                                {uuidA + ":33", "1"},
                                                {uuidA + ":33:write", "1"}}
                                       << QByteArray("unknown A:33 read 1, A:33 write 1") << false;
    QTest::newRow("readers of both") << Pairs{{"mode", "read"}, {uuidA + ":33", "1"}, {"svc:1", "1"}}
                                     << QByteArray("unknown A:33 read 1, svc:1 read 1") << false;
}

void TestLockDecoder::showsLocksOfOtherPrograms() {
    QFETCH(const RawLock::Pairs, fields);
    const LockReading reading = decodeLock(hashOf(fields), someTimes());
    QVERIFY(std::holds_alternative<LockSnapshot>(reading));
    const LockSnapshot& lock = std::get<LockSnapshot>(reading);
    QTEST(described(reading), "expected");
    QVERIFY(lock.isOfOtherProgram());
    QTEST(isLockByNameOnly(lock), "isByNameOnly");
    QCOMPARE(lock.ttl, std::optional(30000ms));
    // The whole hash is kept, to be compared before the lock is broken.
    QCOMPARE(lock.otherProgram().size(), std::ssize(fields));
    for (const LockField& field : lock.otherProgram())
        QVERIFY(std::ranges::find(fields, std::pair(field.name, field.value)) != fields.end());
}

void TestLockDecoder::takesNoOtherHashForOne_data() {
    QTest::addColumn<RawLock::Pairs>("fields");
    QTest::addColumn<qint64>("pttl");
    using Pairs = RawLock::Pairs;
    QTest::newRow("a counter without a lease") << Pairs{{"svc:1", "1"}} << qint64{-1};
    QTest::newRow("a counter by UUID without a lease") << Pairs{{uuidA + ":clicks", "7"}} << qint64{-1};
    QTest::newRow("two counters") << Pairs{{"svc:1", "1"}, {"svc:2", "1"}} << qint64{30000};
    QTest::newRow("a count of zero") << Pairs{{"svc:1", "0"}} << qint64{30000};
    QTest::newRow("a text") << Pairs{{"svc:1", "busy"}} << qint64{30000};
    QTest::newRow("a name without a colon") << Pairs{{"visits", "1"}} << qint64{30000};
    QTest::newRow("a name with a blank") << Pairs{{"svc: 1", "1"}} << qint64{30000};
    QTest::newRow("a name that is no text") << Pairs{{"svc:\xff", "1"}} << qint64{30000};
    QTest::newRow("settings with a mode") << Pairs{{"mode", "dark"}, {"svc:1", "1"}} << qint64{30000};
    QTest::newRow("settings beside a mode")
        << Pairs{{"mode", "read"}, {"svc:1", "1"}, {"colour", "2"}} << qint64{30000};
    QTest::newRow("a mode of its own alone") << Pairs{{"mode", "read-write"}} << qint64{30000};
    QTest::newRow("what is left of a value") << Pairs{{"h:lock_count", "1"}} << qint64{30000};
    QTest::newRow("a very long name") << Pairs{{"svc:" + QByteArray(300, 'x'), "1"}} << qint64{30000};
}

void TestLockDecoder::takesNoOtherHashForOne() {
    QFETCH(const RawLock::Pairs, fields);
    QFETCH(const qint64, pttl);
    QVERIFY(std::holds_alternative<NotALock>(decodeLock(hashOf(fields, pttl), someTimes())));
}

void TestLockDecoder::callsUnknownWhatItDoesNotTakeApart_data() {
    QTest::addColumn<RawLock::Pairs>("fields");
    QTest::addColumn<QByteArray>("expected");
    using Pairs = RawLock::Pairs;
    const QByteArray a = uuidA + ":33";
    const QByteArray b = uuidB + ":36";

    QTest::newRow("a writer in read mode")
        << Pairs{{"mode", "read"}, {a + ":write", "1"}} << QByteArray("unknown A:33 write 1");
    QTest::newRow("two writers") << Pairs{{"mode", "write"}, {a + ":write", "1"}, {b + ":write", "1"}}
                                 << QByteArray("unknown A:33 write 1, B:36 write 1");
    QTest::newRow("another client reads beside the writer")
        << Pairs{{"mode", "write"}, {a + ":write", "1"}, {b, "1"}} << QByteArray("unknown A:33 write 1, B:36 read 1");
    QTest::newRow("write mode without a writer")
        << Pairs{{"mode", "write"}, {a, "1"}} << QByteArray("unknown A:33 read 1");
}

void TestLockDecoder::callsUnknownWhatItDoesNotTakeApart() {
    QFETCH(const RawLock::Pairs, fields);
    QFETCH(const QByteArray, expected);
    QCOMPARE(described(hashOf(fields)), expected);
}

void TestLockDecoder::readsTheLocksOfTransactions_data() {
    QTest::addColumn<RawLock::Pairs>("fields");
    QTest::addColumn<QByteArray>("expected");
    using Pairs = RawLock::Pairs;
    const QByteArray id = "00112233445566778899aabbccddeeff";
    const QByteArray a = uuidA + ":33";
    QTest::newRow("exclusive") << Pairs{{a + ':' + id, "2"}} << QByteArray("reentrant A:33 exclusive 2 in " + id);
    QTest::newRow("read beside a reader without one")
        << Pairs{{"mode", "read"}, {a + ':' + id, "1"}, {uuidB + ":36", "1"}}
        << QByteArray("readwrite A:33 read 1 in " + id + ", B:36 read 1");
    QTest::newRow("write") << Pairs{{"mode", "write"}, {a + ":write:" + id, "1"}}
                           << QByteArray("readwrite A:33 write 1 in " + id);
    QTest::newRow("an id that is too short") << Pairs{{a + ':' + id.chopped(1), "1"}} << QByteArray("not a lock");
    QTest::newRow("an id that is not hex") << Pairs{{a + ':' + id.chopped(1) + 'g', "1"}} << QByteArray("not a lock");
    QTest::newRow("an id before the mode")
        << Pairs{{"mode", "write"}, {a + ':' + id + ":write", "1"}} << QByteArray("not a lock");
}

// TXID are 16 random bytes in hex.
void TestLockDecoder::readsTheLocksOfTransactions() {
    QFETCH(const RawLock::Pairs, fields);
    QTEST(described(hashOf(fields)), "expected");
    for (const auto& [field, value] : fields) {
        if (const std::optional<HolderField> holder = HolderField::parse(field))
            QCOMPARE(holder->bytes(), field);
    }
}

void TestLockDecoder::takesAFasterMultiLockApart() {
    const QByteArray a = uuidA + ":33";
    const QByteArray b = uuidB + ":36";
    const RawLock raw = hashOf({{"h2", a},
                                {"h2:" + a + ":expire_time", "1700000300123"},
                                {"h2:" + a + ":lock_count", "1"},
                                {"h1", a},
                                {"h1:" + a + ":expire_time", "1700000300123"},
                                {"h1:" + a + ":lock_count", "2"},
                                {"h:3", b},
                                {"h:3:" + b + ":expire_time", "-5"},
                                {"h:3:" + b + ":lock_count", "7"}},
                               -1);
    QCOMPARE(described(raw), QByteArray("faster_multi A:33 exclusive 1, B:36 exclusive 7"));
    const LockSnapshot lock = std::get<LockSnapshot>(decodeLock(raw, someTimes()));
    const HolderId alice = *HolderId::parse(a);
    const HolderId bob = *HolderId::parse(b);
    const std::optional<WallTime> end = WallTime(1700000300123ms);
    QCOMPARE(lock.values(),
             QList<HeldValue>({{"h1", alice, 2, end}, {"h2", alice, 1, end}, {"h:3", bob, 7, std::nullopt}}));
    QVERIFY(!lock.neverExpires());  // the leases are in its fields
}

// As recorded: B was killed, A took over its expired value, and B's two fields are still there.
void TestLockDecoder::takesAFasterMultiLockApartThatWasTakenOver() {
    QFile recording(test::places::data() + QStringLiteral("/redisson-4.7.0/faster_multi.json"));
    QVERIFY(recording.open(QIODevice::ReadOnly));
    const QJsonArray steps = QJsonDocument::fromJson(recording.readAll()).object().value("steps").toArray();
    QByteArrayList found;
    for (const QJsonValue& step : steps)
        found += described(recorded(step["keys"].toObject(), LockName("G")));
    QCOMPARE(found.mid(found.size() - 2),
             QByteArrayList({"faster_multi A:19 exclusive 1", "faster_multi A:19 exclusive 1"}));
    // The next release leaves only those two fields.
    const QByteArray left = "798uvSmTyISBDNXkBRQBxg:" + uuidB + ":26";
    const RawLock rest = hashOf({{left + ":expire_time", "1700000300123"}, {left + ":lock_count", "1"}});
    QCOMPARE(described(rest), QByteArray("faster_multi free"));
    QVERIFY(!std::get<LockSnapshot>(decodeLock(rest, someTimes())).ttl);
    QCOMPARE(described(hashOf({{left + ":expire_time", "1700000300123"}})), QByteArray("faster_multi free"));
}

void TestLockDecoder::readsTheLeasesOfReaders() {
    RawLock raw = hashOf({{"mode", "write"}, {uuidA + ":33", "1"}, {uuidA + ":33:write", "1"}});
    raw.readLeases = {{uuidB + ":36", 1, -1}, {uuidA + ":33", 1, 250}, {"somebody", 1, 7}};
    raw.areLeasesWhole = true;
    const LockSnapshot lock = std::get<LockSnapshot>(decodeLock(raw, someTimes()));
    QCOMPARE(described(raw), QByteArray("readwrite A:33 read 1, A:33 write 1"));
    QCOMPARE(lock.readLeases().size(), 2);
    QCOMPARE(lock.readLeases().at(0).reader.bytes(), uuidB + ":36");
    QCOMPARE(lock.readLeases().at(0).expiry, std::nullopt);
    QCOMPARE(lock.readLeases().at(1).expiry, std::optional(Expiry{SteadyTime(10250ms), SteadyTime(10255ms)}));
    // A lock without readers has no such fields.
    QVERIFY(!std::get<LockSnapshot>(decodeLock(hashOf({{uuidA + ":33", "1"}}), someTimes())).parts);
}

void TestLockDecoder::boundsTheEndOfTheLease() {
    const ReadTimes times{SteadyTime(10s), SteadyTime(10s + 4ms), WallTime(1000s)};
    const LockReading reading = decodeLock(hashOf({{uuidA + ":33", "1"}}, 250), times);
    const LockSnapshot& lock = std::get<LockSnapshot>(reading);
    QCOMPARE(lock.ttl, std::optional(Milliseconds(250)));
    QCOMPARE(lock.expiry->earliest, SteadyTime(10s + 250ms));
    QCOMPARE(lock.expiry->latest, SteadyTime(10s + 4ms + 250ms + 1ms));
    QCOMPARE(lock.seenAt, times.receivedAt);
    QCOMPARE(lock.seenAtWall, times.receivedAtWall);
}

void TestLockDecoder::survivesAnyTtl_data() {
    QTest::addColumn<qint64>("pttl");
    QTest::addColumn<bool>("expires");
    QTest::newRow("without expiry") << qint64{-1} << false;
    QTest::newRow("in its last millisecond") << qint64{0} << true;
    QTest::newRow("thousands of years") << qint64{9'000'000'000'000'000} << true;
    QTest::newRow("the largest") << std::numeric_limits<qint64>::max() << true;
}

void TestLockDecoder::survivesAnyTtl() {
    QFETCH(const qint64, pttl);
    QFETCH(const bool, expires);
    const LockReading reading = decodeLock(hashOf({{uuidA + ":33", "1"}}, pttl), someTimes());
    const LockSnapshot& lock = std::get<LockSnapshot>(reading);
    QCOMPARE(lock.neverExpires(), !expires);
    QCOMPARE(lock.ttl.has_value(), expires);
    QCOMPARE(lock.expiry.has_value(), expires);
    if (expires)
        QVERIFY(lock.expiry->earliest >= someTimes().sentAt && lock.expiry->latest >= lock.expiry->earliest);
}

void TestLockDecoder::readsTheFairQueue() {
    RawLock raw = hashOf({{uuidA + ":33", "1"}});
    raw.queue = {uuidB + ":36", uuidC + ":1", uuidC + ":2", uuidC + ":3"};
    raw.queueLength = 250;  // the read returns only the first ones
    raw.deadlines = {{uuidB + ":36", "1700000300123"},
                     {uuidC + ":1", "1.7000006e+12"},
                     {uuidC + ":2", "nan"},
                     {uuidC + ":3", "99999999999999"}};
    const LockReading reading = decodeLock(raw, someTimes());
    const LockSnapshot& lock = std::get<LockSnapshot>(reading);
    QCOMPARE(lock.kind, LockKind::Fair);
    QCOMPARE(lock.waiters, std::optional(250));
    QCOMPARE(lock.fairQueue.at(0).deadline, std::optional(WallTime(1700000300123ms)));
    QCOMPARE(lock.fairQueue.at(1).deadline, std::optional(WallTime(1700000600000ms)));
    QCOMPARE(lock.fairQueue.at(2).deadline, std::nullopt);
    QCOMPARE(lock.fairQueue.at(3).deadline, std::nullopt);  // in the year 5138
    // Not all deadlines were read: one that is missing may be among the others.
    for (const FairWaiter& waiter : lock.fairQueue)
        QVERIFY(!waiter.hasNoDeadline);
    raw.areDeadlinesWhole = true;
    raw.queue += uuidC + ":4";
    const LockSnapshot whole = std::get<LockSnapshot>(decodeLock(raw, someTimes()));
    QVERIFY(!whole.fairQueue.at(0).hasNoDeadline);
    QVERIFY(!whole.fairQueue.at(2).hasNoDeadline);  // it has one, which is not understood
    QVERIFY(whole.fairQueue.at(4).hasNoDeadline);
}

void TestLockDecoder::aForeignListIsNoQueue() {
    RawLock raw = hashOf({{uuidA + ":33", "1"}});
    raw.queue = {uuidB + ":36", "job 7"};
    raw.queueLength = 2;
    QCOMPARE(described(raw), QByteArray("reentrant A:33 exclusive 1"));
}

void TestLockDecoder::aForeignTokenIsNoToken() {
    RawLock raw = hashOf({{uuidA + ":33", "1"}});
    raw.token = "secret";
    QCOMPARE(described(raw), QByteArray("reentrant A:33 exclusive 1"));
}

void TestLockDecoder::anOldTokenDoesNotHideAFairLock() {
    RawLock raw = hashOf({{uuidA + ":33", "1"}});
    raw.queue = {uuidB + ":36"};
    raw.queueLength = 1;
    raw.token = "7";
    QCOMPARE(described(raw), QByteArray("fair A:33 exclusive 1 <B:36 token 7"));
}

void TestLockDecoder::aKeyThatVanishedWhileBeingReadIsFree() {
    QCOMPARE(described(hashOf({{uuidA + ":33", "1"}}, -2)), QByteArray("unknown free"));
    QCOMPARE(described(hashOf({}, -2)), QByteArray("unknown free"));
}

LOCKKEEPER_TEST(TestLockDecoder, Guiless)

}  // namespace tst_lockdecoder

#include "tst_lockdecoder.moc"
