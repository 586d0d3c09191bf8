// SPDX-License-Identifier: Apache-2.0
#include "redis/replyerrors.h"

#include "base/safetext.h"
#include "redis/commandtable.h"

#include <QRegularExpression>

#include <array>

namespace lockkeeper::redis {

namespace {

struct Beginning {
    const char* text;
    ReplyKind kind;
};

// Errors that have a first word of their own.
constexpr std::array firstWords{Beginning{"NOAUTH", ReplyKind::NoAuth},
                                Beginning{"WRONGPASS", ReplyKind::WrongPass},
                                Beginning{"DENIED", ReplyKind::ProtectedMode},
                                Beginning{"NOPROTO", ReplyKind::UnknownProtocol},
                                Beginning{"NOSCRIPT", ReplyKind::NoScript},
                                Beginning{"WRONGTYPE", ReplyKind::WrongType},
                                Beginning{"EXECABORT", ReplyKind::TransactionAborted},
                                Beginning{"READONLY", ReplyKind::ReadOnly},
                                Beginning{"MOVED", ReplyKind::Moved},
                                Beginning{"ASK", ReplyKind::Ask},
                                Beginning{"TRYAGAIN", ReplyKind::TryAgain},
                                Beginning{"CROSSSLOT", ReplyKind::CrossSlot},
                                Beginning{"CLUSTERDOWN", ReplyKind::ClusterDown},
                                Beginning{"LOADING", ReplyKind::Loading},
                                Beginning{"BUSY", ReplyKind::Busy},
                                Beginning{"MASTERDOWN", ReplyKind::MasterDown},
                                Beginning{"OOM", ReplyKind::OutOfMemory},
                                Beginning{"NOREPLICAS", ReplyKind::NoReplicas}};

// Beginnings of errors without a first word of their own.
constexpr std::array sentences{
    Beginning{"ERR AUTH", ReplyKind::WrongPass}, Beginning{"ERR invalid password", ReplyKind::WrongPass},
    Beginning{"ERR syntax error", ReplyKind::SyntaxError},
    Beginning{"ERR max number of clients reached", ReplyKind::MaxClients},
    // A script of Redis 7 accessed a key of the moving slot that is already at the other node.
    Beginning{"ERR Script attempted to access a non local key", ReplyKind::TryAgain}};

bool isDeniedByAcl(const RespValue& reply) {
    return reply.errorPrefix() == "NOPERM" ||
           reply.bytes.startsWith("ERR The user executing the script can't") ||  // Redis 7.0
           reply.bytes.startsWith("ERR ACL failure in script");                  // Redis 7.2
}

// "ERR unknown command 'CLIENT', with args beginning with: 'TRACKING' ..."; before Redis 7 with other quotation marks.
// For a command in a script: "ERR Unknown Redis command called from script", before Redis 7 after other words.
bool isUnknownCommand(const QString& text) {
    static const QRegularExpression words(
        QStringLiteral("^ERR unknown command\\b|\\b[Uu]nknown (\\S+ )?command called from"));
    return words.match(text).hasMatch();
}

// The command that the error names; nothing if the server does not name it.
QStringList unknownCommandIn(const QString& text) {
    static const QRegularExpression quoted(
        QStringLiteral("['`](?<command>[^'`]+)['`](?:, with args beginning with: ['`](?<first>[^'`]+))?"));
    const QRegularExpressionMatch names = quoted.match(text);
    if (!names.hasMatch() || !text.startsWith(QLatin1String("ERR unknown command")))
        return {};
    const QString command = names.captured(QStringLiteral("command"));
    const QString first = names.captured(QStringLiteral("first"));
    const bool hasSubcommand =
        !first.isEmpty() && commandKindOf(command.toUpper().toLatin1()) == CommandKind::Container;
    return {hasSubcommand ? command + QLatin1Char('|') + first : command};
}

Error unknownCommand(const QString& text) {
    return Error(ErrorCode::ServerReply, ReplyKind::UnknownCommand, text, unknownCommandIn(text));
}

ReplyKind kindOf(const RespValue& reply) {
    const QByteArray prefix = reply.errorPrefix();
    for (const Beginning& word : firstWords) {
        if (prefix == word.text)
            return word.kind;
    }
    for (const Beginning& sentence : sentences) {
        if (reply.bytes.startsWith(sentence.text))
            return sentence.kind;
    }
    return ReplyKind::Other;
}

ErrorCode codeOf(ReplyKind kind) {
    switch (kind) {
        case ReplyKind::NoAuth:
        case ReplyKind::WrongPass:
            return ErrorCode::Auth;
        case ReplyKind::ProtectedMode:
            return ErrorCode::NotPermitted;
        default:
            return ErrorCode::ServerReply;
    }
}

}  // namespace

// "... to run the 'get' command", "... can't run this command", "... to access a channel"; any other text is about a
// key.
Error denialOf(const QByteArray& refusal) {
    const QString text = bounded(QString::fromUtf8(refusal));
    if (isUnknownCommand(text))
        return unknownCommand(text);
    static const QRegularExpression aboutCommand(QStringLiteral("run (?:the '(?<command>[^']*)|this command)"));
    static const QRegularExpression aboutChannel(QStringLiteral("(?:access a|to the|of the) channel|channels used"));
    const QRegularExpressionMatch command = aboutCommand.match(text);
    if (!command.hasMatch()) {
        const bool isChannel = aboutChannel.match(text).hasMatch();
        return Error(ErrorCode::NotPermitted, isChannel ? ReplyKind::ChannelDenied : ReplyKind::KeyDenied, text);
    }
    const QString name = command.captured(QStringLiteral("command"));
    return Error(ErrorCode::NotPermitted, ReplyKind::CommandDenied, text,
                 name.isEmpty() ? QStringList() : QStringList{name});
}

Error errorOf(const RespValue& reply) {
    if (isDeniedByAcl(reply))
        return denialOf(reply.bytes);
    const QString text = bounded(QString::fromUtf8(reply.bytes));
    if (reply.errorPrefix() == "ERR" && isUnknownCommand(text))
        return unknownCommand(text);
    const ReplyKind kind = kindOf(reply);
    const bool isRedirect = kind == ReplyKind::Moved || kind == ReplyKind::Ask;
    return Error(codeOf(kind), kind, text, isRedirect ? text.split(QLatin1Char(' ')).mid(1, 2) : QStringList());
}

Error unexpectedReply(const Command& command, const RespValue& reply) {
    return Error(ErrorCode::Protocol, Cause::UnexpectedReply, {QString::fromLatin1(command.name()), reply.describe()});
}

bool isRefusal(const Error& error) {
    return error.code == ErrorCode::NotPermitted || error.reply == ReplyKind::UnknownCommand;
}

bool isRefusalOfCommand(const Error& error) {
    return error.reply == ReplyKind::UnknownCommand || error.reply == ReplyKind::CommandDenied;
}

bool isForLater(const Error& error) {
    return error.reply == ReplyKind::TryAgain || error.reply == ReplyKind::ClusterDown ||
           error.reply == ReplyKind::Loading || error.reply == ReplyKind::MasterDown;
}

bool isRefusedByNode(const Error& error) {
    return isForLater(error) || error.reply == ReplyKind::Moved || error.reply == ReplyKind::Ask;
}

bool isWithoutReply(const Error& error) {
    return error.code == ErrorCode::ConnectionLost || error.code == ErrorCode::Cancelled;
}

}  // namespace lockkeeper::redis
