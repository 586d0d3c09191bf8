#include "redis/replyerrors.h"

namespace lockkeeper::redis {

Error errorOf(const RespValue& reply) {
    const QByteArray prefix = reply.errorPrefix();
    const QString text = QString::fromUtf8(reply.bytes);
    if (prefix == "NOAUTH" || prefix == "WRONGPASS" || reply.bytes.startsWith("ERR AUTH") ||
        reply.bytes.startsWith("ERR invalid password"))
        return Error(ErrorCode::Auth, text);
    const bool refusedInScript = reply.bytes.startsWith("ERR The user executing the script can't") ||  // 7.0
                                 reply.bytes.startsWith("ERR ACL failure in script");                  // 7.2
    if (prefix == "NOPERM" || prefix == "DENIED" || refusedInScript)
        return Error(ErrorCode::NotPermitted, text);
    return Error(ErrorCode::ServerReply, text);
}

Error unexpectedReply(const Command& command, const RespValue& reply) {
    return Error(
        ErrorCode::Protocol,
        QStringLiteral("unexpected answer to %1: %2").arg(QString::fromLatin1(command.name()), reply.describe()));
}

}  // namespace lockkeeper::redis
