// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QMetaType>
#include <QString>
#include <QStringList>

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

// The program's own reason for an error. In brackets: what Error::arguments holds. A new one also needs a number for
// recordings: see core/recording/enumnumbers.h.
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
    // Operations of the console
    NotArmed,    // not armed yet, or not any more
    NeverArmed,  // the profile or the command line forbids it
    ChangedSinceConfirmed,
    InQuarantine,  // this console has a quarantine of it already
    NoHolderToBreak,
    UnknownKindToBreak,
    TooManyReadHolds,  // [how many]
    TooManyReaders,    // too many to read them all, so not all are known [how many]
    MonitorUnderWay,
    // A URL
    UrlEmpty,
    UrlMalformed,
    UrlScheme,  // [scheme]
    UrlFragment,
    UrlPortZero,
    UrlHostMissing,
    UrlDatabase,       // a database in the query
    UrlPathDatabase,   // a database in the path
    UrlOptionUnknown,  // [option]
    UrlOptionEmpty,    // [option]
    UrlShare,
    UrlUnixPath,
    UrlHostList,
    UrlMasterMissing,  // no name of a master in the path
    UrlClusterPath,
    UrlAddressMap,
    UrlSsh,
    UrlFingerprint,
    UrlTlsVersion,
    // A configuration file of Redisson
    RedissonTooLarge,    // [the limit in bytes]
    RedissonNotText,     // not UTF-8
    RedissonSyntax,      // [line, the parser's reason]
    RedissonNoServers,   // none of the five settings that name servers is there
    RedissonTwoServers,  // more than one of the five settings that name servers [line, the second one]
    RedissonTwice,       // a setting is there twice [line, setting]
    RedissonNoValue,     // the value is not a single text [line, setting]
    RedissonNoList,      // [line, setting]
    RedissonNoGroup,     // not a group of settings [line, setting]
    RedissonMissing,     // [line, setting]
    RedissonNoAddress,   // [line, setting]
    RedissonNoDatabase,  // [line]
    RedissonMixedTls,    // [line, setting]
    RedissonVariables,   // variables without a value [their names]
    // The demo's server
    NoServerProgram,
    ServerNotStarted,  // [the system's reason]
    ServerEnded,       // [its last output]
    // The history
    FolderNotMade,   // [folder]
    FileNotRenamed,  // [file]
    // The list of profiles
    NotAFile,        // [path]
    FileNotRead,     // [file, the system's reason]
    FileNotWritten,  // [file, the system's reason]
    ProfilesNotReadable,
    DamagedNotRenamed,       // [file]
    LaterVersionNotRenamed,  // [file]
    FileRenamed,             // [file, its new name]
    BackupRestored,          // [file, its new name]
    // The desktop
    NoSessionBus,
    // The lab's and the demo's servers
    SocketPathTooLong,  // [the folder that the sockets are in, the longest name in bytes that it may have]
    // Replication
    MasterLinkLost,  // a replica is not connected to its master, so what it shows is old [the master, if it names one]
    RightsRestored   // the server allows again what it has refused, so that everything is tried again
};

// A failure. Code, kind and arguments are for the program and for the messages on screen. The text is for the log: the
// words of the server or the system, untranslated, or plain English for a cause.
struct LOCKKEEPER_EXPORT Error {
    ErrorCode code = ErrorCode::Protocol;
    QString text;
    ReplyKind reply = ReplyKind::None;
    Cause cause = Cause::None;
    QStringList arguments;

    Error() = default;
    Error(ErrorCode errorCode, QString errorText) : code(errorCode), text(std::move(errorText)) {}
    Error(ErrorCode errorCode, ReplyKind kind, QString errorText, QStringList errorArguments = {});
    Error(ErrorCode errorCode, Cause errorCause, const QStringList& errorArguments = {});

    friend bool operator==(const Error&, const Error&) = default;
};

// The code as a stable English word, for logs, JSON and the audit.
// Not named toString(): Qt Test would find that name by argument-dependent lookup and expects another return type.
[[nodiscard]] LOCKKEEPER_EXPORT QString wordFor(ErrorCode code);
[[nodiscard]] LOCKKEEPER_EXPORT QString wordFor(ReplyKind kind);

}  // namespace lockkeeper

Q_DECLARE_METATYPE(lockkeeper::Error)
