// SPDX-License-Identifier: Apache-2.0
#include "topology/ssh/jumphost.h"

#include <QRegularExpression>

namespace lockkeeper::topology {

namespace {

bool isUser(const QString& text) {
    static const QRegularExpression user(QStringLiteral(R"(^[\w.+@\\][\w.+@\\-]*\z)"),
                                         QRegularExpression::UseUnicodePropertiesOption);
    return user.match(text).hasMatch();
}

bool isHost(const QString& text) {
    static const QRegularExpression host(QStringLiteral(R"(^[A-Za-z0-9_][A-Za-z0-9_.-]*\z)"));
    return host.match(text).hasMatch();
}

// A number of 1 to 65535; nothing for any other text.
std::optional<quint16> portOf(const QString& text) {
    bool ok = false;
    const quint16 port = text.toUShort(&ok);
    return ok && port != 0 ? std::optional(port) : std::nullopt;
}

}  // namespace

std::optional<JumpHost> JumpHost::parse(const QString& text) {
    static const QRegularExpression parts(QStringLiteral(
        R"(^(?:(?<user>.*)@)?(?:\[(?<address>[0-9A-Fa-f:.]+)\]|(?<name>[^:\[\]@]+))(?::(?<port>.*))?\z)"));
    const QRegularExpressionMatch match = parts.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    JumpHost jump;
    jump.user = match.captured(QStringLiteral("user"));
    const QString address = match.captured(QStringLiteral("address"));
    const QString name = match.captured(QStringLiteral("name"));
    jump.host = address.isEmpty() ? name : address;
    const bool givesUser = match.capturedStart(QStringLiteral("user")) >= 0;
    if ((givesUser && !isUser(jump.user)) || (address.isEmpty() && !isHost(name)))
        return std::nullopt;
    if (match.capturedStart(QStringLiteral("port")) < 0)
        return jump;
    const std::optional<quint16> port = portOf(match.captured(QStringLiteral("port")));
    if (!port)
        return std::nullopt;
    jump.port = *port;
    return jump;
}

QString JumpHost::display() const {
    const QString shownHost = host.contains(QLatin1Char(':')) ? QLatin1Char('[') + host + QLatin1Char(']') : host;
    const QString named = user.isEmpty() ? shownHost : user + QLatin1Char('@') + shownHost;
    return port == 0 ? named : QStringLiteral("%1:%2").arg(named).arg(port);
}

}  // namespace lockkeeper::topology
