// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QMetaType>
#include <QString>
#include <QStringList>

#include <concepts>
#include <optional>
#include <type_traits>

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
    Tls,            // certificate or handshake; verification is never skipped
    Ssh,            // the user's ssh program failed or refused
    Auth,           // user name or password missing or wrong
    NotPermitted,   // the server's ACL, or this connection's read-only mode, forbids the command
    Protocol,       // the peer does not speak RESP, or breaks a limit
    ServerReply,    // any other error reply of the server
    Overloaded,     // the connection's limit of waiting commands is reached
    NotArmed,       // the session is read-only at the moment; nothing was sent
    NotHeld,        // unlock of a lock that this holder does not hold
    NotAnnounced,   // the lock was released, but the server has refused the message that wakes its waiters
    HolderChanged,  // compare-and-release found another state than the one that the operator confirmed
    Keychain,       // the system's keychain is missing, locked, or refuses
    Storage         // one of our own files cannot be read or written
};

// Which error reply the server sent. In brackets: what Error::arguments holds.
enum class ReplyKind {
    None,                // the error is not a reply of the server
    CommandDenied,       // the ACL denies the command itself [the command, if the server names it]
    KeyDenied,           // the ACL denies a key
    ChannelDenied,       // the ACL denies a channel
    ProtectedMode,       // the server accepts only clients on its own machine
    NoAuth,              // a password is required
    WrongPass,           // user name or password is wrong
    UnknownCommand,      // the server does not have the command [the command, if the server names it]
    UnknownProtocol,     // the server does not speak the version of RESP that was asked for
    SyntaxError,         // the server does not know an option of the command
    NoScript,            // the server does not know the script that EVALSHA named; nothing was executed
    WrongType,           // the key exists but holds another type of value
    TransactionAborted,  // EXEC: a command of the transaction was refused, so none was executed
    ReadOnly,            // a write was sent to a replica [its master, if known]
    Moved,               // the slot is another node's [slot, endpoint]
    Ask,                 // the slot is moving to another node [slot, endpoint]
    TryAgain,            // the keys of the slot are moving
    CrossSlot,           // the keys are in different slots
    ClusterDown,
    Loading,      // the server is loading its data
    Busy,         // a script has been running for too long
    MasterDown,   // a replica has lost its master and may not answer with old data
    OutOfMemory,  // maxmemory is reached
    NoReplicas,   // min-replicas-to-write are not connected; nothing was written
    MaxClients,
    Other
};

// The library's own reason for an error; a program that uses it has others, in enums of its own (see AnyCause). In
// brackets: what Error::arguments holds. A new one also needs a number for recordings: see
// core/recording/enumnumbers.h.
enum class Cause {
    None,  // Error::text has the words of the server or the system
    // A connection
    NotConnected,
    ConnectionClosed,  // by this program
    ClosedByServer,
    ClosedUnanswered,    // by a server that has sent nothing
    NoConnectionInTime,  // [seconds]
    NoHandshakeInTime,   // [seconds]
    ServerSilent,        // [seconds]
    NoAnswerInTime,
    Cancelled,
    ReadOnlyConnection,
    WriteOnReadOnly,  // [command]
    TooManyCommands,  // [how many are waiting for an answer]
    TooManyWaiters,
    UnexpectedReply,         // [command, the reply]
    UnrequestedReply,        // [the reply]
    UnrequestedPush,         // [the push]
    ServerTooOld,            // [its version, the earliest one that will do]
    NoCertificateAuthority,  // [file]
    NoClientCertificate,     // [certificate file, key file]
    NotAPemFile,             // [file]; it is not a file, or larger than 1 MB
    KeyPassphraseMissing,    // [key file]
    KeyPassphraseWrong,      // [key file]
    CertificateExpired,      // [since when]
    CertificateNotYetValid,  // [from when]
    CertificateOtherHost,    // [the names that would be accepted, the certificate's names]
    CertificateNotTrusted,   // signed by an unknown authority [its name]
    CertificateNotPinned,    // not one of the pinned ones [its fingerprint]
    ClientCertificateMissing,
    ClientCertificateRefused,
    TlsVersionRefused,  // no version in common
    NoTlsAnswer,        // connected, but no answer in TLS [seconds]
    ServerSpeaksTls,
    EndedBeforeAnswer,
    // What a server sends
    NotRedis,                  // [its first bytes]
    ReplyTooLarge,             // [the limit in bytes]
    MalformedReply,            // [its first bytes]
    MalformedStringLength,     // [the length as sent]
    MalformedAggregateLength,  // [the length as sent]
    StringTooLong,             // [the announced bytes]
    StringNotEnded,            // [the announced bytes]
    TooManyEntries,            // [the announced entries]
    NestedTooDeep,             // [the limit in levels]
    LineTooLong,               // [the limit in bytes]
    // A topology
    NotMaster,       // [the server's role, of a replica also its master]
    MasterChanged,   // [the earlier master, the new one]
    MasterNotKnown,  // the Sentinels do not know it [the master's name]
    NoSentinel,      // no Sentinel answers
    NoClusterNode,   // no node of the Cluster answers
    ShardGone,       // the shard has no slots any more
    // SSH
    SshNotStarted,  // [the system's reason]
    SshEnded,       // [ssh's own words]
    SshSilent,      // ended without a message [exit code]
    SshNotInTime,   // [seconds]
    SshQuestionCancelled,
    SshUnixPath,  // a Unix socket cannot be reached through ssh
    // Locks
    LockClientClosed,
    LeaseOutOfRange,
    LostBeforeReplicas,  // while the replicas' acknowledgements were awaited
    TooFewReplicas,      // [acknowledged, wanted]
    TooFewServers,
    MembersUnanswered,
    NotHolder,        // [client id, thread id]
    AlreadyHeld,      // this thread holds it, and the kind of lock is not reentrant [name, thread id]
    WaitersNotWoken,  // [the server's words]
    // A file
    FolderNotMade,   // [folder]
    FileNotRenamed,  // [file]
    NotAFile,        // [path]
    FileNotRead,     // [file, the system's reason]
    FileNotWritten,  // [file, the system's reason]
    // Replication
    MasterLinkLost  // a replica is not connected to its master, so what it shows is old [the master, if it names one]
};

// The sentences of an enum of causes.
struct CauseTable {
    // In English, with %1 and %2 where the arguments stand, and %* for a list of them all. arguments: how many there
    // are. Valid for as long as the program runs.
    const char* (*sentence)(int cause, qsizetype arguments);
};

[[nodiscard]] LOCKKEEPER_EXPORT const CauseTable& causeTable(Cause cause);

// An enum with a function causeTable() beside it, which returns the same table for each enumerator.
template <typename T>
concept CauseEnum = std::is_enum_v<T> && requires(T cause) {
    { causeTable(cause) } -> std::same_as<const CauseTable&>;
};

// A cause of the library or of a program, as std::error_code is an error of any category. Any thread.
class AnyCause {
public:
    AnyCause() noexcept : AnyCause(Cause::None) {}
    template <CauseEnum T>
    AnyCause(T cause) noexcept : m_table(&causeTable(cause)), m_number(static_cast<int>(cause)) {}

    // Nothing if it is of another enum.
    template <CauseEnum T>
    [[nodiscard]] std::optional<T> as() const noexcept {
        return m_table == &causeTable(T()) ? std::optional(static_cast<T>(m_number)) : std::nullopt;
    }
    // Empty for Cause::None. See CauseTable.
    [[nodiscard]] const char* sentence(qsizetype arguments) const { return m_table->sentence(m_number, arguments); }

    friend bool operator==(const AnyCause&, const AnyCause&) = default;

private:
    const CauseTable* m_table;
    int m_number;
};

// A failure. Code, kind and arguments are for the program and for the messages on screen. The text is for the log: the
// words of the server or the system, untranslated, or plain English for a cause.
struct LOCKKEEPER_EXPORT Error {
    ErrorCode code = ErrorCode::Protocol;
    QString text;
    ReplyKind reply = ReplyKind::None;
    AnyCause cause;
    QStringList arguments;

    Error() = default;
    Error(ErrorCode errorCode, QString errorText) : code(errorCode), text(std::move(errorText)) {}
    Error(ErrorCode errorCode, ReplyKind kind, QString errorText, QStringList errorArguments = {});
    Error(ErrorCode errorCode, AnyCause errorCause, const QStringList& errorArguments = {});

    friend bool operator==(const Error&, const Error&) = default;
};

// The code as a stable English word, for logs, JSON and the audit.
// Not named toString(): Qt Test would find that name by argument-dependent lookup and expects another return type.
[[nodiscard]] LOCKKEEPER_EXPORT QString wordFor(ErrorCode code);
[[nodiscard]] LOCKKEEPER_EXPORT QString wordFor(ReplyKind kind);

}  // namespace lockkeeper

Q_DECLARE_METATYPE(lockkeeper::Error)
