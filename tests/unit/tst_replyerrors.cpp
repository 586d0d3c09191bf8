// SPDX-License-Identifier: Apache-2.0
#include "base/safetext.h"
#include "redis/replyerrors.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_replyerrors {

using namespace lockkeeper;
using namespace lockkeeper::redis;

class TestReplyErrors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyReplyHasAKind_data() {
        QTest::addColumn<QByteArray>("reply");
        QTest::addColumn<ErrorCode>("code");
        QTest::addColumn<ReplyKind>("kind");
        QTest::addColumn<QStringList>("arguments");
        const auto row = [](const QByteArray& reply, ErrorCode code, ReplyKind kind,
                            const QStringList& arguments = {}) {
            QTest::addRow("%.60s", reply.constData()) << reply << code << kind << arguments;
        };
        const ErrorCode denied = ErrorCode::NotPermitted;
        const ErrorCode other = ErrorCode::ServerReply;
        row("NOPERM this user has no permissions to run the 'get' command or its subcommand", denied,
            ReplyKind::CommandDenied, {"get"});  // Redis 6
        row("NOPERM User app has no permissions to run the 'client|tracking' command", denied, ReplyKind::CommandDenied,
            {"client|tracking"});
        row("ERR The user executing the script can't run this command or subcommand", denied, ReplyKind::CommandDenied);
        row("ERR ACL failure in script: User app has no permissions to run the 'hgetall' command", denied,
            ReplyKind::CommandDenied, {"hgetall"});
        row("NOPERM this user has no permissions to access one of the keys used as arguments", denied,
            ReplyKind::KeyDenied);
        row("NOPERM No permissions to access a key", denied, ReplyKind::KeyDenied);
        row("ERR The user executing the script can't access at least one of the keys mentioned in the command "
            "arguments",
            denied, ReplyKind::KeyDenied);
        row("NOPERM No permissions to access a channel", denied, ReplyKind::ChannelDenied);
        row("NOPERM this user has no permissions to access one of the channels used as arguments", denied,
            ReplyKind::ChannelDenied);
        row("ERR The user executing the script can't publish to the channel mentioned in the command", denied,
            ReplyKind::ChannelDenied);
        row("DENIED Redis is running in protected mode", denied, ReplyKind::ProtectedMode);
        row("NOAUTH Authentication required.", ErrorCode::Auth, ReplyKind::NoAuth);
        row("WRONGPASS invalid username-password pair or user is disabled.", ErrorCode::Auth, ReplyKind::WrongPass);
        row("ERR invalid password", ErrorCode::Auth, ReplyKind::WrongPass);
        row("ERR AUTH <password> called without any password configured", ErrorCode::Auth, ReplyKind::WrongPass);
        row("ERR unknown command 'HELLO', with args beginning with: '3'", other, ReplyKind::UnknownCommand, {"HELLO"});
        row("ERR unknown command 'client', with args beginning with: 'TRACKING' 'ON' ", other,
            ReplyKind::UnknownCommand, {"client|TRACKING"});
        row("ERR unknown command `CLIENT`, with args beginning with: `LIST`, ", other, ReplyKind::UnknownCommand,
            {"CLIENT|LIST"});                                                               // Redis 5, 6
        row("ERR unknown command 'CLIENT'", other, ReplyKind::UnknownCommand, {"CLIENT"});  // Redis 4
        row("ERR Unknown Redis command called from script script: 4790605, on @user_script:1.", other,
            ReplyKind::UnknownCommand);
        row("ERR Error running script (call to f_4790605): @user_script:1: @user_script: 1: Unknown Redis command called "
            "from Lua script",
            other, ReplyKind::UnknownCommand);  // Redis 6
        row("ERR unknown subcommand 'NO-TOUCH'. Try CLIENT HELP.", other, ReplyKind::Other);
        row("NOPROTO unsupported protocol version", other, ReplyKind::UnknownProtocol);
        row("ERR syntax error", other, ReplyKind::SyntaxError);
        row("NOSCRIPT No matching script. Please use EVAL.", other, ReplyKind::NoScript);
        row("WRONGTYPE Operation against a key holding the wrong kind of value", other, ReplyKind::WrongType);
        row("EXECABORT Transaction discarded because of previous errors.", other, ReplyKind::TransactionAborted);
        row("READONLY You can't write against a read only replica.", other, ReplyKind::ReadOnly);
        row("MOVED 3999 127.0.0.1:6381", other, ReplyKind::Moved, {"3999", "127.0.0.1:6381"});
        row("ASK 3999 127.0.0.1:6381", other, ReplyKind::Ask, {"3999", "127.0.0.1:6381"});
        row("TRYAGAIN Multiple keys request during rehashing of slot", other, ReplyKind::TryAgain);
        row("ERR Script attempted to access a non local key in a cluster node script: 3b2, on @user_script:9.", other,
            ReplyKind::TryAgain);
        row("CROSSSLOT Keys in request don't hash to the same slot", other, ReplyKind::CrossSlot);
        row("CLUSTERDOWN The cluster is down", other, ReplyKind::ClusterDown);
        row("LOADING Redis is loading the dataset in memory", other, ReplyKind::Loading);
        row("BUSY Redis is busy running a script.", other, ReplyKind::Busy);
        row("MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", other,
            ReplyKind::MasterDown);
        row("NOREPLICAS Not enough good replicas to write.", other, ReplyKind::NoReplicas);
        row("OOM command not allowed when used memory > 'maxmemory'.", other, ReplyKind::OutOfMemory);
        row("ERR max number of clients reached", other, ReplyKind::MaxClients);
        row("ERR DB index is out of range", other, ReplyKind::Other);
        row("MOVEDX is a word of its own", other, ReplyKind::Other);
    }
    void everyReplyHasAKind() {
        QFETCH(const QByteArray, reply);
        QFETCH(const ErrorCode, code);
        QFETCH(const ReplyKind, kind);
        QFETCH(const QStringList, arguments);
        const Error error = errorOf(RespValue::error(reply));
        QCOMPARE(error.code, code);
        QCOMPARE(wordFor(error.reply), wordFor(kind));
        QCOMPARE(error.arguments, arguments);
        QCOMPARE(error.text, QString::fromUtf8(reply));
        QVERIFY(error.cause == Cause::None);
    }

    void aRefusalThatAScriptReturnsIsOfTheAcl() {
        const Error command = denialOf("refused HLEN The user executing the script can't run this command");
        QCOMPARE(command.code, ErrorCode::NotPermitted);
        QCOMPARE(command.reply, ReplyKind::CommandDenied);
        QCOMPARE(denialOf("refused HLEN No permissions to access a key").reply, ReplyKind::KeyDenied);
        QCOMPARE(denialOf("refused HLEN ERR Unknown Redis command called from script").reply,
                 ReplyKind::UnknownCommand);
    }

    void onlyAnUnknownOrDeniedCommandIsIndependentOfTheKeys() {
        QVERIFY(isRefusalOfCommand(errorOf(RespValue::error("ERR unknown command 'HELLO'"))));
        QVERIFY(
            isRefusalOfCommand(errorOf(RespValue::error("NOPERM User a has no permissions to run the 'get' command"))));
        const Error key = errorOf(RespValue::error("NOPERM No permissions to access a key"));
        QVERIFY(isRefusal(key));
        QVERIFY(!isRefusalOfCommand(key));
        QVERIFY(!isRefusal(errorOf(RespValue::error("LOADING Redis is loading"))));
    }

    void aLongErrorIsBoundedAndKeepsItsMeaning() {
        const QByteArray user(1'000'000, 'u');
        const Error error =
            errorOf(RespValue::error("NOPERM User " + user + " has no permissions to run the 'get' command"));
        QVERIFY(error.text.size() < longestBoundedText + 30);
        QCOMPARE(error.code, ErrorCode::NotPermitted);
        QCOMPARE(error.reply, ReplyKind::CommandDenied);
        const Error unknown = errorOf(RespValue::error("ERR unknown command 'x', with args " + user));
        QVERIFY(unknown.text.size() < longestBoundedText + 30);
        QCOMPARE(unknown.reply, ReplyKind::UnknownCommand);
    }
};

LOCKKEEPER_TEST(TestReplyErrors, Appless)

}  // namespace tst_replyerrors

#include "tst_replyerrors.moc"
