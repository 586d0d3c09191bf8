// SPDX-License-Identifier: Apache-2.0
#include "locks/lockkeys.h"
#include "locks/synchronizers/synchronizerkeys.h"
#include "redis/keypattern.h"
#include "support/places.h"
#include "support/testprogram.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>
#include <QTest>

#include <algorithm>

namespace tst_lockkeys {

using namespace lockkeeper;
using namespace lockkeeper::locks;

namespace {

const QByteArray uuid = "5f0a3c8e-0000-4000-8000-000000000001";
const HolderId holder(ClientId(uuid), ThreadId{36});

QByteArrayList namesIn(const QList<LockName>& names) {
    QByteArrayList bytes;
    for (const LockName& name : names)
        bytes += name.bytes();
    return bytes;
}

// The keys beside the lock, including the channel that scripts declare as a key.
QByteArrayList keysBeside(const QByteArray& name) {
    const LockKeys keys((LockName(name)));
    return {
        keys.fairQueue(), keys.fairTimeouts(), keys.token(), keys.readTimeout(holder, 1), permitLeases(LockName(name)),
        keys.rwChannel()};
}

// The keys that the patterns do not cover.
QByteArrayList uncovered(const QByteArray& pattern, const QByteArray& name) {
    const QByteArrayList patterns = helperKeyPatterns(pattern) + declaredChannelPatterns(pattern);
    QByteArrayList keys = keysBeside(name);
    keys.removeIf([&patterns](const QByteArray& key) {
        return std::any_of(patterns.begin(), patterns.end(),
                           [&key](const QByteArray& rule) { return redis::matchesPattern(rule, key); });
    });
    return keys;
}

}  // namespace

class TestLockKeys : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesAreMadeAsRedissonMakesThem_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("tagged");
        QTest::newRow("plain") << QByteArray("L") << QByteArray("{L}");
        QTest::newRow("colons") << QByteArray("LOCK:TASK:7") << QByteArray("{LOCK:TASK:7}");
        QTest::newRow("braces of its own") << QByteArray("x{tag}y") << QByteArray("x{tag}y");
        QTest::newRow("an opening brace") << QByteArray("{only") << QByteArray("{only");
        QTest::newRow("a closing brace") << QByteArray("a}b") << QByteArray("{a}b}");
        QTest::newRow("empty braces") << QByteArray("r{}z") << QByteArray("r{}z");
        QTest::newRow("binary") << QByteArray("\xff\0\n", 3) << QByteArray("{\xff\0\n}", 5);
        QTest::newRow("10 kB") << QByteArray(10240, 'n') << '{' + QByteArray(10240, 'n') + '}';
    }
    void namesAreMadeAsRedissonMakesThem() {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, tagged);
        const LockKeys keys{LockName(name)};
        QCOMPARE(keys.hash(), name);
        QCOMPARE(keys.channel(), "redisson_lock__channel:" + tagged);
        QCOMPARE(keys.rwChannel(), "redisson_rwlock:" + tagged);
        QCOMPARE(keys.fairQueue(), "redisson_lock_queue:" + tagged);
        QCOMPARE(keys.fairTimeouts(), "redisson_lock_timeout:" + tagged);
        QCOMPARE(keys.token(), "redisson_lock_token:" + tagged);
        QCOMPARE(keys.readTimeout(holder, 2), tagged + ':' + uuid + ":36:rwlock_timeout:2");
        QCOMPARE(keys.fairWaiterChannel(holder), "redisson_lock__channel:" + tagged + ':' + uuid + ":36");
    }

    void leadsBackToTheName_data() { namesAreMadeAsRedissonMakesThem_data(); }
    void leadsBackToTheName() {
        QFETCH(QByteArray, name);
        const LockKeys keys{LockName(name)};
        for (const QByteArray& channel : {keys.channel(), keys.rwChannel(), keys.fairWaiterChannel(holder)}) {
            QCOMPARE(lockOfChannel(channel), LockName(name));
            QVERIFY(locksOfChannel(channel).contains(LockName(name)));
        }
        for (const QByteArray& key :
             {keys.fairQueue(), keys.fairTimeouts(), keys.token(), keys.readTimeout(holder, 1),
              keys.fairQueue().replace("lock_queue", "unlock_latch") + ":0123456789abcdef0123456789abcdef"})
            QCOMPARE(lockOfHelperKey(key), LockName(name));
        QVERIFY(!isHelperKey(keys.hash()));
    }

    void aChannelMayBeThatOfSeveralLocks_data() {
        QTest::addColumn<QByteArray>("channel");
        QTest::addColumn<QByteArrayList>("names");
        using Names = QByteArrayList;
        const QByteArray prefix = "redisson_lock__channel:";
        const QByteArray waiter = ':' + holder.bytes();
        QTest::newRow("with and without braces") << prefix + "{abc}" << Names{"abc", "{abc}"};
        QTest::newRow("read/write") << QByteArray("redisson_rwlock:{abc}") << Names{"abc", "{abc}"};
        QTest::newRow("a closing brace more") << prefix + "{a}b}" << Names{"a}b", "{a}b}"};
        QTest::newRow("two pairs of braces") << prefix + "{a}{b}" << Names{"{a}{b}"};
        QTest::newRow("braces inside") << prefix + "x{tag}y" << Names{"x{tag}y"};
        QTest::newRow("empty braces") << prefix + "{}" << Names{"{}"};
        QTest::newRow("a waiter's") << prefix + "{abc}" + waiter << Names{"abc", "{abc}", "{abc}" + waiter};
        QTest::newRow("a waiter's, braces of its own") << prefix + "q{t}" + waiter << Names{"q{t}", "q{t}" + waiter};
        QTest::newRow("a name that ends like a holder")
            << prefix + "{abc" + waiter + "}" << Names{"abc" + waiter, "{abc" + waiter + "}"};
        QTest::newRow("no channel of a lock") << QByteArray("redisson_sc:{abc}") << Names{};
        QTest::newRow("without a name") << prefix << Names{};
        QTest::newRow("another separator") << QByteArray("redisson_lock__channel-{abc}") << Names{};
        QTest::newRow("nothing") << QByteArray() << Names{};
    }
    void aChannelMayBeThatOfSeveralLocks() {
        QFETCH(QByteArray, channel);
        QFETCH(QByteArrayList, names);
        QCOMPARE(namesIn(locksOfChannel(channel)), names);
        QCOMPARE(lockOfChannel(channel).has_value(), !names.isEmpty());
    }

    void knowsWhoseOwnChannelItIs_data() {
        QTest::addColumn<QByteArray>("channel");
        QTest::addColumn<bool>("own");
        const QByteArray waiter = ':' + holder.bytes();
        QTest::newRow("a waiter's") << "redisson_lock__channel:{abc}" + waiter << true;
        QTest::newRow("a waiter's, braces of its own") << "redisson_lock__channel:q{t}" + waiter << true;
        QTest::newRow("the lock's") << QByteArray("redisson_lock__channel:{abc}") << false;
        QTest::newRow("a read/write lock's") << "redisson_rwlock:{abc}" + waiter << false;
        QTest::newRow("a waiter of no lock") << "redisson_lock__channel" + waiter << false;
        QTest::newRow("nothing") << QByteArray() << false;
    }
    void knowsWhoseOwnChannelItIs() {
        QFETCH(QByteArray, channel);
        QFETCH(bool, own);
        QCOMPARE(fairWaiterOfChannel(channel), own ? std::optional(holder) : std::nullopt);
    }

    void patternsNameTheKeysOfAllNamesThatMatch_data() {
        QTest::addColumn<QByteArray>("pattern");
        QTest::addColumn<QByteArrayList>("covered");
        QTest::addColumn<QByteArrayList>("others");
        QTest::newRow("a name") << QByteArray("abc") << QByteArrayList{"abc"} << QByteArrayList{"ab", "abcd", "x{abc}"};
        QTest::newRow("a name with braces") << QByteArray("q{t}") << QByteArrayList{"q{t}"} << QByteArrayList{"t", "q"};
        QTest::newRow("a prefix") << QByteArray("q:*") << QByteArrayList{"q:1", "q:{t}:1"}
                                  << QByteArrayList{"p:1", "p{q:1}"};
        QTest::newRow("a suffix") << QByteArray("*:q") << QByteArrayList{"1:q", "{t}:q"} << QByteArrayList{"1:p"};
        QTest::newRow("a character") << QByteArray("a?c") << QByteArrayList{"abc", "a{c"} << QByteArrayList{"ac"};
        QTest::newRow("a set") << QByteArray("a[{b]c") << QByteArrayList{"abc", "a{c"} << QByteArrayList{"axc"};
    }
    void patternsNameTheKeysOfAllNamesThatMatch() {
        QFETCH(QByteArray, pattern);
        QFETCH(QByteArrayList, covered);
        QFETCH(QByteArrayList, others);
        for (const QByteArray& name : covered)
            QCOMPARE(uncovered(pattern, name), QByteArrayList());
        for (const QByteArray& name : others)
            QCOMPARE(uncovered(pattern, name), keysBeside(name));
    }

    void whatIsNoHelperKeyIsNone_data() {
        QTest::addColumn<QByteArray>("key");
        QTest::newRow("a lock") << QByteArray("L");
        QTest::newRow("a prefix alone") << QByteArray("redisson_lock_queue");
        QTest::newRow("a prefix and colon") << QByteArray("redisson_lock_queue:");
        QTest::newRow("a longer prefix") << QByteArray("redisson_lock_queue2:{L}");
        QTest::newRow("a timeout without number") << "{L}:" + holder.bytes() + ":rwlock_timeout:";
        QTest::newRow("a timeout numbered 0") << "{L}:" + holder.bytes() + ":rwlock_timeout:0";
        QTest::newRow("a timeout without holder") << QByteArray("{L}:rwlock_timeout:1");
        QTest::newRow("a timeout of no holder") << QByteArray("{L}:me:rwlock_timeout:1");
        QTest::newRow("a latch without request") << QByteArray("redisson_unlock_latch:{L}");
    }
    void whatIsNoHelperKeyIsNone() {
        QFETCH(QByteArray, key);
        QVERIFY(!isHelperKey(key));
    }

    // Reads every channel that the real client subscribed to or published on, and every key that it wrote.
    void readsWhatTheRealClientWrote() {
        QFile file(test::places::data() + QStringLiteral("/redisson-4.7.0/names.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QSet<LockName> locks;
        QSet<LockName> ofChannels;
        const QByteArray recording = file.readAll().replace("<A>", uuid).replace("<B>", uuid);
        for (const QJsonValue& step : QJsonDocument::fromJson(recording).object()[u"steps"].toArray()) {
            for (const QString& key : step[u"keys"].toObject().keys()) {
                if (const auto lock = lockOfHelperKey(key.toUtf8()))
                    QVERIFY2(step[u"keys"].toObject().contains(QString::fromUtf8(lock->bytes())) ||
                                 key.contains(u"lock_queue") || key.contains(u"lock_timeout"),
                             qPrintable(key));
                else
                    locks += LockName(key.toUtf8());
            }
            for (const QJsonValue& channel : step[u"channels"].toArray())
                ofChannels += lockOfChannel(channel.toString().toUtf8()).value();
            for (const QJsonValue& message : step[u"published"].toArray())
                ofChannels += lockOfChannel(message[u"channel"].toString().toUtf8()).value();
        }
        QVERIFY(ofChannels.size() >= 6);
        QVERIFY2(locks.contains(ofChannels), "a channel leads to a lock that was never there");
    }
};

LOCKKEEPER_TEST(TestLockKeys, Guiless)

}  // namespace tst_lockkeys

#include "tst_lockkeys.moc"
