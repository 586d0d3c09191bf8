// SPDX-License-Identifier: Apache-2.0
#include "ui/words/identitytext.h"

#include "ui/words/causetext.h"
#include "ui/words/errortext.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>
#include <QStringList>

namespace lockkeeper::ui {

namespace {

struct IdentityText {
    Q_DECLARE_TR_FUNCTIONS(IdentityText)
};

// A client may set any bytes as its name.
QString shown(const QByteArray& bytes) {
    return plainName(LockName(bytes));
}

QString nameAndUser(const monitor::HolderIdentity& identity) {
    if (identity.name.isEmpty() && identity.user.isEmpty())
        return {};
    if (identity.user.isEmpty())
        return IdentityText::tr("name %1").arg(shown(identity.name));
    if (identity.name.isEmpty())
        return IdentityText::tr("user %1").arg(shown(identity.user));
    return IdentityText::tr("name %1, user %2").arg(shown(identity.name), shown(identity.user));
}

QString whatHappened(const monitor::HolderIdentity& identity) {
    if (!identity.error)
        return IdentityText::tr("MONITOR showed no command of it in the time given.");
    switch (identity.error->code) {
        case ErrorCode::Cancelled:
            return IdentityText::tr("Stopped before it sent a command.");
        case ErrorCode::NotPermitted:
            return IdentityText::tr("MONITOR is not permitted for this user: %1").arg(reasonText(*identity.error));
        default:
            return IdentityText::tr("MONITOR did not run to its end: %1").arg(operationErrorText(*identity.error));
    }
}

QString basisText(const monitor::HolderIdentity& identity, const QString& at) {
    switch (identity.basis) {
        case monitor::IdentityBasis::Monitor:
            return IdentityText::tr("Confirmed by MONITOR at %1").arg(at);
        case monitor::IdentityBasis::ClientName:
            return IdentityText::tr("A guess, made at %1: the name of its connection contains the client's UUID.")
                .arg(at);
        case monitor::IdentityBasis::OnlyHost:
            return IdentityText::tr("A guess, made at %1: no other host is connected.").arg(at);
        case monitor::IdentityBasis::None:
            return IdentityText::tr("Not known (tried at %1).").arg(at);
    }
    return {};
}

}  // namespace

QString identityText(const monitor::HolderIdentity& identity, WallTime now) {
    QStringList lines{addressText(identity), nameAndUser(identity), basisText(identity, clockText(identity.at, now))};
    if (identity.basis != monitor::IdentityBasis::Monitor)
        lines << whatHappened(identity);
    lines.removeAll(QString());
    return lines.join(u'\n');
}

QString addressText(const monitor::HolderIdentity& identity) {
    if (identity.basis == monitor::IdentityBasis::None)
        return {};
    const QString address = shown(identity.address);
    return identity.basis == monitor::IdentityBasis::Monitor ? address : IdentityText::tr("perhaps %1").arg(address);
}

QString hostText(const monitor::HolderIdentity& identity) {
    if (identity.basis == monitor::IdentityBasis::None)
        return {};
    const QByteArray& address = identity.address;
    const qsizetype colon = address.lastIndexOf(':');
    // A guess with several connections has no port; of an IPv6 address only one in brackets has a port.
    const bool hasPort = colon > 0 && (address.indexOf(':') == colon || address[colon - 1] == ']');
    const QString host = shown(hasPort ? address.first(colon) : address);
    return identity.basis == monitor::IdentityBasis::Monitor ? host : host + u'?';
}

}  // namespace lockkeeper::ui
