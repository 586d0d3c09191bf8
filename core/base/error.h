#pragma once

#include "lockkeeper_export.h"

#include <QMetaType>
#include <QString>

namespace lockkeeper {

// What went wrong, by the differences that matter to a caller. Never used for an expected outcome: "held by another
// owner" is a value.
enum class ErrorCode {
    InvalidArgument,  // the caller's own input (a URL, a lease of zero) does not make sense
    Timeout,          // the deadline passed; this call changed nothing on the server
    Cancelled,        // the caller's stop token was triggered; this call changed nothing on the server
    ConnectionLost,   // not connected, or the connection ended before an answer; nothing was written
    OutcomeUnknown,   // a write was sent but not answered: it may or may not have been executed; it is never sent again
    HostNotFound,     // the name does not resolve
    ConnectionRefused,
    Tls,           // certificate or handshake; verification is never skipped
    Auth,          // user name or password missing or wrong
    NotPermitted,  // the server's ACL, or this connection's read-only mode, forbids the command
    Protocol,      // the peer does not speak RESP, or breaks a limit
    ServerReply,   // any other error reply of the server
    Overloaded,    // the connection's limit of waiting commands is reached
    NotHeld,       // unlock of a lock that this holder does not hold
    HolderChanged,  // compare-and-release found another state than the one that the operator confirmed
    Keychain,       // the system's keychain is missing, locked, or refuses
    Storage         // one of our own files cannot be read or written
};

// A failure: the code is for the program; the text (from the server or the system, untranslated) is for the reader and
// the log.
struct Error {
    ErrorCode code = ErrorCode::Protocol;
    QString text;

    Error() = default;
    Error(ErrorCode errorCode, QString errorText) : code(errorCode), text(std::move(errorText)) {}

    friend bool operator==(const Error&, const Error&) = default;
};

// The code as a stable English word, for logs, JSON and the audit.
// Not named toString(): Qt Test would find that name by argument-dependent lookup and expects another return type.
[[nodiscard]] LOCKKEEPER_EXPORT QString wordFor(ErrorCode code);

}  // namespace lockkeeper

Q_DECLARE_METATYPE(lockkeeper::Error)
