// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

namespace lockkeeper {

namespace {

QString englishFor(Cause cause, const QStringList& arguments) {
    switch (cause) {
        case Cause::None:
            return {};
        case Cause::NotConnected:
            return QStringLiteral("not connected");
        case Cause::ConnectionClosed:
            return QStringLiteral("the connection was closed");
        case Cause::ClosedByServer:
            return QStringLiteral("the server closed the connection");
        case Cause::ClosedUnanswered:
            return QStringLiteral(
                "the server closed the connection without an answer (one that speaks TLS is reached by rediss://)");
        case Cause::NoConnectionInTime:
            return QStringLiteral("no connection within %1 s").arg(arguments.value(0));
        case Cause::NoHandshakeInTime:
            return QStringLiteral("no answer to the handshake within %1 s").arg(arguments.value(0));
        case Cause::ServerSilent:
            return QStringLiteral("the server has not answered for %1 s").arg(arguments.value(0));
        case Cause::NoAnswerInTime:
            return QStringLiteral("the server did not answer in time");
        case Cause::Cancelled:
            return QStringLiteral("cancelled");
        case Cause::ReadOnlyConnection:
            return QStringLiteral("this connection is read-only");
        case Cause::WriteOnReadOnly:
            return QStringLiteral("%1 is not sent: this connection is read-only").arg(arguments.value(0));
        case Cause::TooManyCommands:
            return QStringLiteral("%1 commands wait for an answer already").arg(arguments.value(0));
        case Cause::TooManyWaiters:
            return QStringLiteral("too many wait for this connection already");
        case Cause::UnexpectedReply:
            return QStringLiteral("unexpected answer to %1: %2").arg(arguments.value(0), arguments.value(1));
        case Cause::UnrequestedReply:
            return QStringLiteral("an answer that nobody asked for: %1").arg(arguments.value(0));
        case Cause::UnrequestedPush:
            return QStringLiteral("a message that nobody asked for: %1").arg(arguments.value(0));
        case Cause::ServerTooOld:
            return QStringLiteral("the server is Redis %1; Redis %2 or newer is needed")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::NoCertificateAuthority:
            return QStringLiteral("no certificate authority in '%1'").arg(arguments.value(0));
        case Cause::NoClientCertificate:
            return QStringLiteral("no client certificate with its key in '%1' and '%2'")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::NotAPemFile:
            return QStringLiteral("'%1' is no PEM file: not a file of at most 1 MB").arg(arguments.value(0));
        case Cause::KeyPassphraseMissing:
            return QStringLiteral("the key in '%1' needs its pass phrase").arg(arguments.value(0));
        case Cause::KeyPassphraseWrong:
            return QStringLiteral("the pass phrase does not open the key in '%1'").arg(arguments.value(0));
        case Cause::CertificateExpired:
            return QStringLiteral("the server's certificate expired on %1").arg(arguments.value(0));
        case Cause::CertificateNotYetValid:
            return QStringLiteral("the server's certificate is not valid before %1").arg(arguments.value(0));
        case Cause::CertificateOtherHost:
            return QStringLiteral("the server's certificate is not for %1 but for %2")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::CertificateNotTrusted:
            return QStringLiteral("the server's certificate was signed by an unknown authority, '%1'")
                .arg(arguments.value(0));
        case Cause::CertificateNotPinned:
            return QStringLiteral("the server's certificate is not the pinned one, its SHA-256 fingerprint is %1")
                .arg(arguments.value(0));
        case Cause::ClientCertificateMissing:
            return QStringLiteral("the server requires a client certificate");
        case Cause::ClientCertificateRefused:
            return QStringLiteral("the server does not accept the client certificate");
        case Cause::TlsVersionRefused:
            return QStringLiteral("the server does not have a version of TLS that is accepted here");
        case Cause::NoTlsAnswer:
            return QStringLiteral(
                       "connected, but no answer in TLS within %1 s: a server without TLS is reached by redis://")
                .arg(arguments.value(0));
        case Cause::ServerSpeaksTls:
            return QStringLiteral("the server speaks TLS: it is reached by rediss://");
        case Cause::EndedBeforeAnswer:
            return QStringLiteral("the connection ended before the answer came");
        case Cause::NotRedis:
            return QStringLiteral("not a Redis server: it says '%1'").arg(arguments.value(0));
        case Cause::ReplyTooLarge:
            return QStringLiteral("a reply of more than %1 bytes").arg(arguments.value(0));
        case Cause::MalformedReply:
            return QStringLiteral("malformed reply '%1'").arg(arguments.value(0));
        case Cause::MalformedStringLength:
            return QStringLiteral("malformed string length '%1'").arg(arguments.value(0));
        case Cause::MalformedAggregateLength:
            return QStringLiteral("malformed aggregate length '%1'").arg(arguments.value(0));
        case Cause::StringTooLong:
            return QStringLiteral("a string of %1 bytes was announced, more than the limit allows")
                .arg(arguments.value(0));
        case Cause::StringNotEnded:
            return QStringLiteral("a string of %1 bytes does not end where it should").arg(arguments.value(0));
        case Cause::TooManyEntries:
            return QStringLiteral("an aggregate of %1 entries was announced, more than the limit allows")
                .arg(arguments.value(0));
        case Cause::NestedTooDeep:
            return QStringLiteral("a reply nested deeper than %1 levels").arg(arguments.value(0));
        case Cause::LineTooLong:
            return QStringLiteral("a line of more than %1 bytes").arg(arguments.value(0));
        case Cause::NotMaster:
            return arguments.size() > 1
                       ? QStringLiteral("the server is no master but a replica of %1").arg(arguments.value(1))
                       : QStringLiteral("the server is not the master, its role is '%1'").arg(arguments.value(0));
        case Cause::MasterChanged:
            return QStringLiteral("the master is not %1 any more but %2").arg(arguments.value(0), arguments.value(1));
        case Cause::MasterNotKnown:
            return QStringLiteral("no Sentinel that answers knows a master named '%1'").arg(arguments.value(0));
        case Cause::NoSentinel:
            return QStringLiteral("no Sentinel answers");
        case Cause::NoClusterNode:
            return QStringLiteral("no node of the Cluster answers");
        case Cause::ShardGone:
            return QStringLiteral("this shard of the Cluster has no slots any more");
        case Cause::SshNotStarted:
            return QStringLiteral("ssh does not start: %1").arg(arguments.value(0));
        case Cause::SshEnded:
            return QStringLiteral("ssh says: %1").arg(arguments.value(0));
        case Cause::SshSilent:
            return QStringLiteral("ssh ended with exit code %1 and gave no reason").arg(arguments.value(0));
        case Cause::SshNotInTime:
            return QStringLiteral("ssh was not connected within %1 s").arg(arguments.value(0));
        case Cause::SshQuestionCancelled:
            return QStringLiteral("a question of ssh was not answered");
        case Cause::SshUnixPath:
            return QStringLiteral("ssh leads to a host and port, not to a Unix socket");
        case Cause::LockClientClosed:
            return QStringLiteral("the lock client was closed");
        case Cause::LeaseOutOfRange:
            return QStringLiteral("a lease must be at least 1 ms and at most 100 years");
        case Cause::LostBeforeReplicas:
            return QStringLiteral("the lock was lost while waiting for replicas");
        case Cause::TooFewReplicas:
            return QStringLiteral("only %1 of %2 replicas have acknowledged the lock; it was released")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::TooFewServers:
            return QStringLiteral("too few servers answered in time");
        case Cause::MembersUnanswered:
            return QStringLiteral("not every member has answered");
        case Cause::NotHolder:
            return QStringLiteral("attempt to unlock lock, not locked by current thread by node id: %1 thread-id: %2")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::AlreadyHeld:
            return QStringLiteral("Lock '%1' is non-reentrant and is already held by thread %2")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::WaitersNotWoken:
            return QStringLiteral("the lock is released, the waiters were not woken: %1").arg(arguments.value(0));
        case Cause::NotArmed:
            return QStringLiteral("this session is read-only until it is armed");
        case Cause::NeverArmed:
            return QStringLiteral("this connection never writes");
        case Cause::ChangedSinceConfirmed:
            return QStringLiteral("the lock is not as it was confirmed; nothing was changed");
        case Cause::InQuarantine:
            return QStringLiteral("this console has the lock in quarantine already");
        case Cause::NoHolderToBreak:
            return QStringLiteral("the lock had no holder when it was read");
        case Cause::UnknownKindToBreak:
            return QStringLiteral("this kind of lock is not known well enough to break it safely");
        case Cause::TooManyReadHolds:
            return QStringLiteral("%1 read holds are more than one step can break").arg(arguments.value(0));
        case Cause::TooManyReaders:
            return QStringLiteral("%1 readers hold it, and only some of them were read: they cannot be compared")
                .arg(arguments.value(0));
        case Cause::MonitorUnderWay:
            return QStringLiteral("another MONITOR is under way");
        case Cause::UrlEmpty:
            return QStringLiteral("the URL is empty");
        case Cause::UrlMalformed:
            return QStringLiteral(
                "this is no valid URL (a special character in a password is written as %XX, '@' as %40)");
        case Cause::UrlScheme:
            return QStringLiteral("unknown kind of URL '%1://'").arg(arguments.value(0));
        case Cause::UrlFragment:
            return QStringLiteral("unexpected '#' in the URL (in a password it is written as %23)");
        case Cause::UrlPortZero:
            return QStringLiteral("port 0 is no port");
        case Cause::UrlHostMissing:
            return QStringLiteral("no host in the URL");
        case Cause::UrlDatabase:
            return QStringLiteral("the database must be a number, 0 or more");
        case Cause::UrlPathDatabase:
            return QStringLiteral("the database behind the host must be a number, 0 or more");
        case Cause::UrlOptionUnknown:
            return QStringLiteral("unknown option '%1' in the URL").arg(arguments.value(0));
        case Cause::UrlOptionEmpty:
            return QStringLiteral("'%1' is empty").arg(arguments.value(0));
        case Cause::UrlShare:
            return QStringLiteral("the share is a percentage, 1 to 100");
        case Cause::UrlUnixPath:
            return QStringLiteral("a Unix socket is written with three slashes, unix:///path/to/redis.sock");
        case Cause::UrlHostList:
            return QStringLiteral("several servers are written host:port,host:port");
        case Cause::UrlMasterMissing:
            return QStringLiteral(
                "the name of the master follows the Sentinels, as in redis-sentinel://host:26379/mymaster");
        case Cause::UrlClusterPath:
            return QStringLiteral("a Cluster has one database only: nothing follows its hosts");
        case Cause::UrlAddressMap:
            return QStringLiteral("map is written announced:port=reachable:port");
        case Cause::UrlSsh:
            return QStringLiteral("ssh is written user@host or user@host:port, without a password");
        case Cause::UrlFingerprint:
            return QStringLiteral("pin is a SHA-256 fingerprint: 64 hexadecimal digits");
        case Cause::UrlTlsVersion:
            return QStringLiteral("tls-min is 1.2 or 1.3");
        case Cause::RedissonTooLarge:
            return QStringLiteral("the file has more than %1 bytes").arg(arguments.value(0));
        case Cause::RedissonNotText:
            return QStringLiteral("the file is not text in UTF-8");
        case Cause::RedissonSyntax:
            return QStringLiteral("line %1: neither YAML nor JSON: %2").arg(arguments.value(0), arguments.value(1));
        case Cause::RedissonNoServers:
            return QStringLiteral(
                "the file names no servers: none of singleServerConfig, masterSlaveServersConfig, "
                "sentinelServersConfig, clusterServersConfig and replicatedServersConfig");
        case Cause::RedissonTwoServers:
            return QStringLiteral("line %1: the file names servers already, so '%2' is one too many")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::RedissonTwice:
            return QStringLiteral("line %1: '%2' is there twice").arg(arguments.value(0), arguments.value(1));
        case Cause::RedissonNoValue:
            return QStringLiteral("line %1: '%2' must be a single text or number")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::RedissonNoList:
            return QStringLiteral("line %1: '%2' must be a list").arg(arguments.value(0), arguments.value(1));
        case Cause::RedissonNoGroup:
            return QStringLiteral("line %1: '%2' must be a group of settings")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::RedissonMissing:
            return QStringLiteral("line %1: '%2' is missing").arg(arguments.value(0), arguments.value(1));
        case Cause::RedissonNoAddress:
            return QStringLiteral("line %1: '%2' is no address such as redis://host:6379")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::RedissonNoDatabase:
            return QStringLiteral("line %1: 'database' must be a number, 0 or more").arg(arguments.value(0));
        case Cause::RedissonMixedTls:
            return QStringLiteral("line %1: '%2' has addresses with TLS and without")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::RedissonVariables:
            return QStringLiteral("the file has variables without a value, set them in the environment: %1")
                .arg(arguments.join(QLatin1String(", ")));
        case Cause::NoServerProgram:
            return QStringLiteral(
                "redis-server or valkey-server is needed, and neither is in the PATH: install one of them");
        case Cause::ServerNotStarted:
            return QStringLiteral("redis-server does not start: %1").arg(arguments.value(0));
        case Cause::ServerEnded:
            return QStringLiteral("redis-server ended: %1").arg(arguments.value(0));
        case Cause::FolderNotMade:
            return QStringLiteral("cannot make the folder %1").arg(arguments.value(0));
        case Cause::FileNotRenamed:
            return QStringLiteral("cannot rename %1").arg(arguments.value(0));
        case Cause::NotAFile:
            return QStringLiteral("%1 is not a file").arg(arguments.value(0));
        case Cause::FileNotRead:
            return QStringLiteral("cannot read %1: %2").arg(arguments.value(0), arguments.value(1));
        case Cause::FileNotWritten:
            return QStringLiteral("cannot write %1: %2").arg(arguments.value(0), arguments.value(1));
        case Cause::ProfilesNotReadable:
            return QStringLiteral("these profiles could not be read again from a file");
        case Cause::DamagedNotRenamed:
            return QStringLiteral("%1 is damaged, and cannot be renamed").arg(arguments.value(0));
        case Cause::LaterVersionNotRenamed:
            return QStringLiteral("%1 is of a later version, and cannot be renamed").arg(arguments.value(0));
        case Cause::FileRenamed:
            return QStringLiteral("%1 could not be used, and was renamed to %2")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::BackupRestored:
            return QStringLiteral("%1 could not be used, and was renamed to %2; its backup took its place")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::NoSessionBus:
            return QStringLiteral("there is no session bus");
        case Cause::SocketPathTooLong:
            return QStringLiteral(
                       "the name of the folder %1 is too long for the sockets of servers in it: set the variable "
                       "TMPDIR to a folder whose name has at most %2 bytes")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::RightsRestored:
            return QStringLiteral("the server allows what it has refused before, so that everything is read again");
        case Cause::MasterLinkLost:
            return arguments.isEmpty()
                       ? QStringLiteral("the replica is not connected to its master, so what it shows is old")
                       : QStringLiteral("the replica is not connected to its master %1, so what it shows is old")
                             .arg(arguments.value(0));
    }
    return {};
}

}  // namespace

Error::Error(ErrorCode errorCode, ReplyKind kind, QString errorText, QStringList errorArguments)
    : code(errorCode), text(std::move(errorText)), reply(kind), arguments(std::move(errorArguments)) {}

Error::Error(ErrorCode errorCode, Cause errorCause, const QStringList& errorArguments)
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
