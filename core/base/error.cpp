// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include "base/causesentence.h"

namespace lockkeeper {

namespace {

QString englishFor(const AnyCause& cause, const QStringList& arguments) {
    return withArguments(QString::fromLatin1(cause.sentence(arguments.size())), arguments);
}

}  // namespace

Error::Error(ErrorCode errorCode, ReplyKind kind, QString errorText, QStringList errorArguments)
    : code(errorCode), text(std::move(errorText)), reply(kind), arguments(std::move(errorArguments)) {}

Error::Error(ErrorCode errorCode, AnyCause errorCause, const QStringList& errorArguments)
    : code(errorCode), text(englishFor(errorCause, errorArguments)), cause(errorCause), arguments(errorArguments) {}

QString wordFor(ErrorCode code) {
    switch (code) {
        case ErrorCode::InvalidArgument:
            return QStringLiteral("InvalidArgument");
        case ErrorCode::Timeout:
            return QStringLiteral("Timeout");
        case ErrorCode::Cancelled:
            return QStringLiteral("Cancelled");
        case ErrorCode::ConnectionLost:
            return QStringLiteral("ConnectionLost");
        case ErrorCode::OutcomeUnknown:
            return QStringLiteral("OutcomeUnknown");
        case ErrorCode::HostNotFound:
            return QStringLiteral("HostNotFound");
        case ErrorCode::ConnectionRefused:
            return QStringLiteral("ConnectionRefused");
        case ErrorCode::Tls:
            return QStringLiteral("Tls");
        case ErrorCode::Ssh:
            return QStringLiteral("Ssh");
        case ErrorCode::Auth:
            return QStringLiteral("Auth");
        case ErrorCode::NotPermitted:
            return QStringLiteral("NotPermitted");
        case ErrorCode::Protocol:
            return QStringLiteral("Protocol");
        case ErrorCode::ServerReply:
            return QStringLiteral("ServerReply");
        case ErrorCode::Overloaded:
            return QStringLiteral("Overloaded");
        case ErrorCode::NotArmed:
            return QStringLiteral("NotArmed");
        case ErrorCode::NotHeld:
            return QStringLiteral("NotHeld");
        case ErrorCode::NotAnnounced:
            return QStringLiteral("NotAnnounced");
        case ErrorCode::HolderChanged:
            return QStringLiteral("HolderChanged");
        case ErrorCode::Keychain:
            return QStringLiteral("Keychain");
        case ErrorCode::Storage:
            return QStringLiteral("Storage");
    }
    return {};
}

QString wordFor(ReplyKind kind) {
    switch (kind) {
        case ReplyKind::None:
            return QStringLiteral("None");
        case ReplyKind::CommandDenied:
            return QStringLiteral("CommandDenied");
        case ReplyKind::KeyDenied:
            return QStringLiteral("KeyDenied");
        case ReplyKind::ChannelDenied:
            return QStringLiteral("ChannelDenied");
        case ReplyKind::ProtectedMode:
            return QStringLiteral("ProtectedMode");
        case ReplyKind::NoAuth:
            return QStringLiteral("NoAuth");
        case ReplyKind::WrongPass:
            return QStringLiteral("WrongPass");
        case ReplyKind::UnknownCommand:
            return QStringLiteral("UnknownCommand");
        case ReplyKind::UnknownProtocol:
            return QStringLiteral("UnknownProtocol");
        case ReplyKind::SyntaxError:
            return QStringLiteral("SyntaxError");
        case ReplyKind::NoScript:
            return QStringLiteral("NoScript");
        case ReplyKind::WrongType:
            return QStringLiteral("WrongType");
        case ReplyKind::TransactionAborted:
            return QStringLiteral("TransactionAborted");
        case ReplyKind::ReadOnly:
            return QStringLiteral("ReadOnly");
        case ReplyKind::Moved:
            return QStringLiteral("Moved");
        case ReplyKind::Ask:
            return QStringLiteral("Ask");
        case ReplyKind::TryAgain:
            return QStringLiteral("TryAgain");
        case ReplyKind::CrossSlot:
            return QStringLiteral("CrossSlot");
        case ReplyKind::ClusterDown:
            return QStringLiteral("ClusterDown");
        case ReplyKind::Loading:
            return QStringLiteral("Loading");
        case ReplyKind::Busy:
            return QStringLiteral("Busy");
        case ReplyKind::MasterDown:
            return QStringLiteral("MasterDown");
        case ReplyKind::OutOfMemory:
            return QStringLiteral("OutOfMemory");
        case ReplyKind::NoReplicas:
            return QStringLiteral("NoReplicas");
        case ReplyKind::MaxClients:
            return QStringLiteral("MaxClients");
        case ReplyKind::Other:
            return QStringLiteral("Other");
    }
    return {};
}

}  // namespace lockkeeper
