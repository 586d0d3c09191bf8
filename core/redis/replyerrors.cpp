#include "redis/replyerrors.h"

#include "base/safetext.h"

#include <QRegularExpression>

namespace lockkeeper::redis {

Error errorOf(const RespValue& reply) {
    const QByteArray prefix = reply.errorPrefix();
    const QString text = bounded(QString::fromUtf8(reply.bytes));
    if (prefix == "NOAUTH" || prefix == "WRONGPASS" || reply.bytes.startsWith("ERR AUTH") ||
        reply.bytes.startsWith("ERR invalid password"))
        return Error(ErrorCode::Auth, text);
    const bool refusedInScript = reply.bytes.startsWith("ERR The user executing the script can't") ||  // Redis 7.0
                                 reply.bytes.startsWith("ERR ACL failure in script");                  // Redis 7.2
    if (prefix == "NOPERM" || prefix == "DENIED" || refusedInScript)
        return Error(ErrorCode::NotPermitted, text);
    return Error(ErrorCode::ServerReply, text);
}

Error unexpectedReply(const Command& command, const RespValue& reply) {
    return Error(
        ErrorCode::Protocol,
        QStringLiteral("unexpected answer to %1: %2").arg(QString::fromLatin1(command.name()), reply.describe()));
}

bool deniesCommand(const Error& error) {
    static const QRegularExpression aboutCommand(QStringLiteral("run (the '|this command)"));
    return error.text.contains(aboutCommand);
}

bool isUnknownCommand(const Error& error) {
    return error.text.startsWith(QLatin1String("ERR unknown command"));
}

bool isRefusal(const Error& error) {
    return error.code == ErrorCode::NotPermitted || isUnknownCommand(error);
}

bool isRefusalOfCommand(const Error& error) {
    return isUnknownCommand(error) || (error.code == ErrorCode::NotPermitted && deniesCommand(error));
}

bool isWithoutReply(const Error& error) {
    return error.code == ErrorCode::ConnectionLost || error.code == ErrorCode::Cancelled;
}

bool isUnknownScript(const Error& error) {
    return error.text.startsWith(QLatin1String("NOSCRIPT"));
}

bool isWrongType(const Error& error) {
    return error.text.startsWith(QLatin1String("WRONGTYPE"));
}

}  // namespace lockkeeper::redis
