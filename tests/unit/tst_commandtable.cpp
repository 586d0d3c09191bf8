// SPDX-License-Identifier: Apache-2.0
#include "redis/commandtable.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_commandtable {

using namespace lockkeeper::redis;

namespace {

Effect effectOfLine(const QByteArray& line) {
    const QByteArrayList parts = line.split(' ');
    return Command(parts.first(), parts.mid(1)).effect();
}

// Commands of Redis 7 that change keys, settings or other connections, or send messages to others; with subcommands
// where these decide.
const QByteArray writes =
    "APPEND,BITFIELD,BITOP,BLMOVE,BLMPOP,BLPOP,BRPOP,BRPOPLPUSH,BZMPOP,BZPOPMAX,BZPOPMIN,COPY,DECR,DECRBY,DEL,EVAL,"
    "EVALSHA,EXPIRE,EXPIREAT,"
    "FCALL,FLUSHALL,FLUSHDB,GEOADD,GEORADIUS,GEOSEARCHSTORE,GETDEL,GETEX,GETSET,HDEL,HEXPIRE,HINCRBY,HINCRBYFLOAT,"
    "HMSET,HPERSIST,HPEXPIRE,"
    "HSET,HSETNX,HGETDEL,HGETEX,HSETEX,INCR,INCRBY,INCRBYFLOAT,LINSERT,LMOVE,LMPOP,LPOP,LPUSH,LPUSHX,LREM,LSET,LTRIM,"
    "MIGRATE,MOVE,MSET,MSETNX,"
    "PERSIST,PEXPIRE,PEXPIREAT,PFADD,PFMERGE,PSETEX,PUBLISH,RENAME,RENAMENX,RESTORE,RPOP,RPOPLPUSH,RPUSH,RPUSHX,SADD,"
    "SDIFFSTORE,SET,"
    "SETBIT,SETEX,SETNX,SETRANGE,SINTERSTORE,SMOVE,SORT,SPOP,SPUBLISH,SREM,SUNIONSTORE,SWAPDB,TOUCH,UNLINK,XACK,XADD,"
    "XAUTOCLAIM,XCLAIM,"
    "XDEL,XREADGROUP,XSETID,XTRIM,ZADD,ZDIFFSTORE,ZINCRBY,ZINTERSTORE,ZMPOP,ZPOPMAX,ZPOPMIN,ZRANGESTORE,ZREM,"
    "ZREMRANGEBYLEX,"
    "ZREMRANGEBYRANK,ZREMRANGEBYSCORE,ZUNIONSTORE,"
    "ACL SETUSER,ACL GENPASS,ACL LOG,ACL DELUSER,ACL LOAD,ACL SAVE,BGREWRITEAOF,BGSAVE,CLIENT KILL,CLIENT PAUSE,CLIENT UNPAUSE,CLIENT "
    "UNBLOCK,CLIENT REPLY,"
    "CLUSTER FAILOVER,CLUSTER RESET,CLUSTER FORGET,CONFIG SET,CONFIG REWRITE,CONFIG RESETSTAT,DEBUG SLEEP,DEBUG "
    "RELOAD,FAILOVER,"
    "FUNCTION LOAD,FUNCTION DELETE,FUNCTION FLUSH,FUNCTION RESTORE,LATENCY RESET,MEMORY PURGE,MODULE LOAD,MODULE "
    "UNLOAD,"
    "PSYNC,REPLICAOF,SLAVEOF,SYNC,SAVE,SCRIPT LOAD,SCRIPT FLUSH,SCRIPT KILL,SHUTDOWN,SLOWLOG RESET,XGROUP "
    "CREATE,XGROUP DESTROY,"
    "RESET,QUIT,ASKING,READWRITE,KEYS,FROBNICATE,CLIENT FROBNICATE,PUBSUB FROBNICATE,CONFIG,CLIENT,PUBSUB";

const QByteArray reads =
    "ACL DRYRUN,ACL WHOAMI,COMMAND INFO,AUTH u p,CLIENT GETNAME,CLIENT ID,CLIENT LIST,CLIENT SETNAME,CLIENT TRACKING,CLUSTER INFO,CLUSTER SHARDS,CLUSTER SLOTS,CONFIG "
    "GET,DBSIZE,ECHO,EVALSHA_RO,EVAL_RO,EXISTS,GET,GETRANGE,HELLO 3,HEXISTS,"
    "HGET,HGETALL,HLEN,HSCAN,INFO,LLEN,LRANGE,PING,PTTL,PUBSUB CHANNELS,PUBSUB NUMSUB,PUBSUB SHARDCHANNELS,PUBSUB "
    "SHARDNUMSUB,ROLE,SCAN,SELECT 1,"
    "STRLEN,TIME,TTL,TYPE,ZCARD,ZRANGE,ZSCORE";

}  // namespace

// Which commands may be sent on a read-only connection: only those in the table.
class TestCommandTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tellsWritesFromReads_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<bool>("write");
        for (const QByteArray& line : writes.split(','))
            QTest::newRow(line.constData()) << line << true;
        for (const QByteArray& line : reads.split(','))
            QTest::newRow(line.constData()) << line << false;
    }
    void tellsWritesFromReads() {
        QFETCH(QByteArray, line);
        QFETCH(bool, write);
        const Effect effect = write ? Effect::Write : Effect::Read;
        QCOMPARE(effectOfLine(line), effect);
        QCOMPARE(effectOfLine(line.toLower()), effect);
    }

    void tellsSubscriptions_data() {
        QTest::addColumn<QByteArray>("name");
        for (const char* name :
             {"SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "UNSUBSCRIBE", "PUNSUBSCRIBE", "SUNSUBSCRIBE", "subscribe"})
            QTest::newRow(name) << QByteArray(name);
    }
    void tellsSubscriptions() {
        QFETCH(QByteArray, name);
        QCOMPARE(Command(name).arg("c").effect(), Effect::Subscribe);
    }

    void tellsMonitor() { QCOMPARE(effectOfLine("monitor"), Effect::Monitor); }

    void noTrickMakesAWriteARead_data() {
        QTest::addColumn<QByteArrayList>("parts");
        using Parts = QByteArrayList;
        QTest::newRow("a blank in the name") << Parts{"GET SET", "k"};
        QTest::newRow("a blank before") << Parts{" GET", "k"};
        QTest::newRow("a subcommand in the name") << Parts{"CLIENT ID", "x"};
        QTest::newRow("a zero byte") << Parts{QByteArray("GET\0", 4), "k"};
        QTest::newRow("no name") << Parts{"", "k"};
        QTest::newRow("a subcommand with a blank") << Parts{"CLIENT", "ID KILL"};
    }
    void noTrickMakesAWriteARead() {
        QFETCH(QByteArrayList, parts);
        QCOMPARE(Command(parts.first(), parts.mid(1)).effect(), Effect::Write);
    }
};

LOCKKEEPER_TEST(TestCommandTable, Guiless)

}  // namespace tst_commandtable

#include "tst_commandtable.moc"
