#pragma once

#include "lockkeeper_export.h"

#include <QMetaType>
#include <QString>

namespace lockkeeper {

// What went wrong, as a caller must tell it apart. Never used for an expected outcome: "held by somebody else" is a value.
enum class ErrorCode {
    InvalidArgument,  // the caller's own input (a URL, a lease of zero) does not make sense
    Timeout,          // the deadline passed; nothing was changed on the server by this call
    Cancelled,        // the caller's stop token asked for it; nothing was changed on the server by this call
    ConnectionLost,   // not connected, or the connection ended before an answer; nothing was written
    OutcomeUnknown,   // a write was sent and not answered: it may or may not have happened, and is never sent again
    HostNotFound,     // the name does not resolve
    ConnectionRefused,
    Tls,           // certificate or handshake; verification is never skipped
    Auth,          // user name or password missing or wrong
    NotPermitted,  // the server's ACL, or this connection's read-only mode, forbids the command
    Protocol,      // the peer does not speak RESP, or breaks a limit
    ServerReply,   // any other error reply of the server
    Overloaded,    // more commands are waiting than this connection keeps
    NotHeld,       // unlock of a lock that this holder does not hold
    HolderChanged,  // compare-and-release found another state than the one that was confirmed
    Keychain,       // the system's keychain is missing, locked, or refuses
    Storage         // a file of our own cannot be read or written
};

// A failure: the code for the program, the text (of the server or the system, untranslated) for the reader and the log.
struct Error {
    ErrorCode code = ErrorCode::Protocol;
    QString text;

    Error() = default;
    Error(ErrorCode errorCode, QString errorText) : code(errorCode), text(std::move(errorText)) {}

    friend bool operator==(const Error&, const Error&) = default;
};

// (Not toString(): Qt Test finds that by argument and expects another type.)
// The code as one stable English word, for logs, JSON and the audit.
[[nodiscard]] LOCKKEEPER_EXPORT QString wordFor(ErrorCode code);

}  // namespace lockkeeper

Q_DECLARE_METATYPE(lockkeeper::Error)
