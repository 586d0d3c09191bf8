#include "base/error.h"

namespace lockkeeper {

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
        case ErrorCode::NotHeld:
            return QStringLiteral("NotHeld");
        case ErrorCode::HolderChanged:
            return QStringLiteral("HolderChanged");
        case ErrorCode::Keychain:
            return QStringLiteral("Keychain");
        case ErrorCode::Storage:
            return QStringLiteral("Storage");
    }
    return QStringLiteral("Unknown");
}

}  // namespace lockkeeper
