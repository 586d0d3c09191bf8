// SPDX-License-Identifier: Apache-2.0
#include "ui/words/causetext.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct CauseText {
    Q_DECLARE_TR_FUNCTIONS(CauseText)
};

}  // namespace

QString causeText(Cause cause, const QStringList& arguments) {
    switch (cause) {
        case Cause::None:
            return {};
        case Cause::NotConnected:
            return CauseText::tr("not connected");
        case Cause::ConnectionClosed:
            return CauseText::tr("the connection was closed");
        case Cause::ClosedByServer:
            return CauseText::tr("the server closed the connection");
        case Cause::ClosedUnanswered:
            return CauseText::tr(
                "the server closed the connection without an answer (one that speaks TLS is reached by rediss://)");
        case Cause::NoConnectionInTime:
            return CauseText::tr("no connection within %1 s").arg(arguments.value(0));
        case Cause::NoHandshakeInTime:
            return CauseText::tr("no answer to the handshake within %1 s").arg(arguments.value(0));
        case Cause::ServerSilent:
            return CauseText::tr("the server has not answered for %1 s").arg(arguments.value(0));
        case Cause::NoAnswerInTime:
            return CauseText::tr("the server did not answer in time");
        case Cause::Cancelled:
            return CauseText::tr("cancelled");
        case Cause::ReadOnlyConnection:
            return CauseText::tr("this connection is read-only");
        case Cause::WriteOnReadOnly:
            return CauseText::tr("%1 is not sent: this connection is read-only").arg(arguments.value(0));
        case Cause::TooManyCommands:
            return CauseText::tr("%1 commands wait for an answer already").arg(arguments.value(0));
        case Cause::TooManyWaiters:
            return CauseText::tr("too many wait for this connection already");
        case Cause::UnexpectedReply:
            return CauseText::tr("unexpected answer to %1: %2").arg(arguments.value(0), arguments.value(1));
        case Cause::UnrequestedReply:
            return CauseText::tr("an answer that nobody asked for: %1").arg(arguments.value(0));
        case Cause::UnrequestedPush:
            return CauseText::tr("a message that nobody asked for: %1").arg(arguments.value(0));
        case Cause::ServerTooOld:
            return CauseText::tr("the server is Redis %1; Redis %2 or newer is needed")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::NoCertificateAuthority:
            return CauseText::tr("no certificate authority in '%1'").arg(arguments.value(0));
        case Cause::NoClientCertificate:
            return CauseText::tr("no client certificate with its key in '%1' and '%2'")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::NotAPemFile:
            return CauseText::tr("'%1' is no PEM file: not a file of at most 1 MB").arg(arguments.value(0));
        case Cause::KeyPassphraseMissing:
            return CauseText::tr("the key in '%1' needs its pass phrase").arg(arguments.value(0));
        case Cause::KeyPassphraseWrong:
            return CauseText::tr("the pass phrase does not open the key in '%1'").arg(arguments.value(0));
        case Cause::CertificateExpired:
            return CauseText::tr("the server's certificate expired on %1").arg(arguments.value(0));
        case Cause::CertificateNotYetValid:
            return CauseText::tr("the server's certificate is not valid before %1").arg(arguments.value(0));
        case Cause::CertificateOtherHost:
            return CauseText::tr("the server's certificate is not for %1 but for %2")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::CertificateNotTrusted:
            return CauseText::tr("the server's certificate was signed by an unknown authority, '%1'")
                .arg(arguments.value(0));
        case Cause::CertificateNotPinned:
            return CauseText::tr("the server's certificate is not the pinned one, its SHA-256 fingerprint is %1")
                .arg(arguments.value(0));
        case Cause::ClientCertificateMissing:
            return CauseText::tr("the server requires a client certificate");
        case Cause::ClientCertificateRefused:
            return CauseText::tr("the server does not accept the client certificate");
        case Cause::TlsVersionRefused:
            return CauseText::tr("the server does not have a version of TLS that is accepted here");
        case Cause::NoTlsAnswer:
            return CauseText::tr(
                       "connected, but no answer in TLS within %1 s: a server without TLS is reached by redis://")
                .arg(arguments.value(0));
        case Cause::ServerSpeaksTls:
            return CauseText::tr("the server speaks TLS: it is reached by rediss://");
        case Cause::EndedBeforeAnswer:
            return CauseText::tr("the connection ended before the answer came");
        case Cause::NotRedis:
            return CauseText::tr("this is not a Redis server: it says '%1'").arg(arguments.value(0));
        case Cause::ReplyTooLarge:
            return CauseText::tr("a reply of more than %1 bytes").arg(arguments.value(0));
        case Cause::MalformedReply:
            return CauseText::tr("malformed reply '%1'").arg(arguments.value(0));
        case Cause::MalformedStringLength:
            return CauseText::tr("malformed string length '%1'").arg(arguments.value(0));
        case Cause::MalformedAggregateLength:
            return CauseText::tr("malformed aggregate length '%1'").arg(arguments.value(0));
        case Cause::StringTooLong:
            return CauseText::tr("a string of %1 bytes was announced, more than the limit allows")
                .arg(arguments.value(0));
        case Cause::StringNotEnded:
            return CauseText::tr("a string of %1 bytes does not end where it should").arg(arguments.value(0));
        case Cause::TooManyEntries:
            return CauseText::tr("an aggregate of %1 entries was announced, more than the limit allows")
                .arg(arguments.value(0));
        case Cause::NestedTooDeep:
            return CauseText::tr("a reply nested deeper than %1 levels").arg(arguments.value(0));
        case Cause::LineTooLong:
            return CauseText::tr("a line of more than %1 bytes").arg(arguments.value(0));
        case Cause::NotMaster:
            return arguments.size() > 1
                       ? CauseText::tr("the server is no master but a replica of %1").arg(arguments.value(1))
                       : CauseText::tr("the server is not the master, its role is '%1'").arg(arguments.value(0));
        case Cause::MasterChanged:
            return CauseText::tr("the master is not %1 any more but %2").arg(arguments.value(0), arguments.value(1));
        case Cause::MasterNotKnown:
            return CauseText::tr("no Sentinel that answers knows a master named '%1'").arg(arguments.value(0));
        case Cause::NoSentinel:
            return CauseText::tr("no Sentinel answers");
        case Cause::NoClusterNode:
            return CauseText::tr("no node of the Cluster answers");
        case Cause::ShardGone:
            return CauseText::tr("this shard of the Cluster has no slots any more");
        case Cause::SshNotStarted:
            return CauseText::tr("ssh does not start: %1").arg(arguments.value(0));
        case Cause::SshEnded:
            return CauseText::tr("ssh says: %1").arg(arguments.value(0));
        case Cause::SshSilent:
            return CauseText::tr("ssh ended with exit code %1 and gave no reason").arg(arguments.value(0));
        case Cause::SshNotInTime:
            return CauseText::tr("ssh was not connected within %1 s").arg(arguments.value(0));
        case Cause::SshQuestionCancelled:
            return CauseText::tr("a question of ssh was not answered");
        case Cause::SshUnixPath:
            return CauseText::tr("ssh leads to a host and port, not to a Unix socket");
        case Cause::LockClientClosed:
            return CauseText::tr("the lock client was closed");
        case Cause::LeaseOutOfRange:
            return CauseText::tr("a lease must be at least 1 ms and at most 100 years");
        case Cause::LostBeforeReplicas:
            return CauseText::tr("the lock was lost while waiting for replicas");
        case Cause::TooFewReplicas:
            return CauseText::tr("too few replicas have acknowledged the lock (%1 of %2); it was released")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::TooFewServers:
            return CauseText::tr("too few servers answered in time");
        case Cause::MembersUnanswered:
            return CauseText::tr("not every member has answered");
        case Cause::NotHolder:
            return CauseText::tr("it is not held by thread %2 of client %1")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::AlreadyHeld:
            return CauseText::tr("thread %2 holds '%1' already, and this kind of lock is not reentrant")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::WaitersNotWoken:
            return CauseText::tr("the lock is released, the waiters were not woken: %1").arg(arguments.value(0));
        case Cause::NotArmed:
            return CauseText::tr("this connection is not armed");
        case Cause::NeverArmed:
            return CauseText::tr("this connection never writes");
        case Cause::ChangedSinceConfirmed:
            return CauseText::tr("the lock is not as it was confirmed; nothing was changed");
        case Cause::InQuarantine:
            return CauseText::tr("this console has it in quarantine already");
        case Cause::NoHolderToBreak:
            return CauseText::tr("the lock had no holder when it was read");
        case Cause::UnknownKindToBreak:
            return CauseText::tr("this kind of lock is not known well enough to break it safely");
        case Cause::TooManyReadHolds:
            return CauseText::tr("%1 read holds are more than one step can break").arg(arguments.value(0));
        case Cause::TooManyReaders:
            return CauseText::tr("%1 readers hold it, and only some of them were read: they cannot be compared")
                .arg(arguments.value(0));
        case Cause::MonitorUnderWay:
            return CauseText::tr("another MONITOR is under way");
        case Cause::UrlEmpty:
            return CauseText::tr("the URL is empty");
        case Cause::UrlMalformed:
            return CauseText::tr(
                "this is no valid URL (a special character in a password is written as %XX, '@' as %40)");
        case Cause::UrlScheme:
            return CauseText::tr("unknown kind of URL '%1://'").arg(arguments.value(0));
        case Cause::UrlFragment:
            return CauseText::tr("unexpected '#' in the URL (in a password it is written as %23)");
        case Cause::UrlPortZero:
            return CauseText::tr("port 0 is no port");
        case Cause::UrlHostMissing:
            return CauseText::tr("no host in the URL");
        case Cause::UrlDatabase:
            return CauseText::tr("the database must be a number, 0 or more");
        case Cause::UrlPathDatabase:
            return CauseText::tr("the database behind the host must be a number, 0 or more");
        case Cause::UrlOptionUnknown:
            return CauseText::tr("unknown option '%1' in the URL").arg(arguments.value(0));
        case Cause::UrlOptionEmpty:
            return CauseText::tr("'%1' is empty").arg(arguments.value(0));
        case Cause::UrlShare:
            return CauseText::tr("the share is a percentage, 1 to 100");
        case Cause::UrlUnixPath:
            return CauseText::tr("a Unix socket is written with three slashes, unix:///path/to/redis.sock");
        case Cause::UrlHostList:
            return CauseText::tr("several servers are written host:port,host:port");
        case Cause::UrlMasterMissing:
            return CauseText::tr(
                "the name of the master follows the Sentinels, as in redis-sentinel://host:26379/mymaster");
        case Cause::UrlClusterPath:
            return CauseText::tr("a Cluster has one database only: nothing follows its hosts");
        case Cause::UrlAddressMap:
            return CauseText::tr("map is written announced:port=reachable:port");
        case Cause::UrlSsh:
            return CauseText::tr("ssh is written user@host or user@host:port, without a password");
        case Cause::UrlFingerprint:
            return CauseText::tr("pin is a SHA-256 fingerprint: 64 hexadecimal digits");
        case Cause::UrlTlsVersion:
            return CauseText::tr("tls-min is 1.2 or 1.3");
        case Cause::RedissonTooLarge:
            return CauseText::tr("the file has more than %1 bytes").arg(arguments.value(0));
        case Cause::RedissonNotText:
            return CauseText::tr("the file is not text in UTF-8");
        case Cause::RedissonSyntax:
            return CauseText::tr("line %1: neither YAML nor JSON: %2").arg(arguments.value(0), arguments.value(1));
        case Cause::RedissonNoServers:
            return CauseText::tr(
                "the file names no servers: none of singleServerConfig, masterSlaveServersConfig, "
                "sentinelServersConfig, clusterServersConfig and replicatedServersConfig");
        case Cause::RedissonTwoServers:
            return CauseText::tr("line %1: the file names servers already, so '%2' is one too many")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::RedissonTwice:
            return CauseText::tr("line %1: '%2' is there twice").arg(arguments.value(0), arguments.value(1));
        case Cause::RedissonNoValue:
            return CauseText::tr("line %1: '%2' must be a single text or number")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::RedissonNoList:
            return CauseText::tr("line %1: '%2' must be a list").arg(arguments.value(0), arguments.value(1));
        case Cause::RedissonNoGroup:
            return CauseText::tr("line %1: '%2' must be a group of settings")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::RedissonMissing:
            return CauseText::tr("line %1: '%2' is missing").arg(arguments.value(0), arguments.value(1));
        case Cause::RedissonNoAddress:
            return CauseText::tr("line %1: '%2' is no address such as redis://host:6379")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::RedissonNoDatabase:
            return CauseText::tr("line %1: 'database' must be a number, 0 or more").arg(arguments.value(0));
        case Cause::RedissonMixedTls:
            return CauseText::tr("line %1: '%2' has addresses with TLS and without")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::RedissonVariables:
            return CauseText::tr("the file has variables without a value, set them in the environment: %1")
                .arg(arguments.join(QLatin1String(", ")));
        case Cause::NoServerProgram:
            return CauseText::tr(
                "redis-server or valkey-server is needed, and neither is in the PATH: install one of them");
        case Cause::ServerNotStarted:
            return CauseText::tr("redis-server does not start: %1").arg(arguments.value(0));
        case Cause::ServerEnded:
            return CauseText::tr("redis-server ended: %1").arg(arguments.value(0));
        case Cause::FolderNotMade:
            return CauseText::tr("cannot make the folder %1").arg(arguments.value(0));
        case Cause::FileNotRenamed:
            return CauseText::tr("cannot rename %1").arg(arguments.value(0));
        case Cause::NotAFile:
            return CauseText::tr("%1 is not a file").arg(arguments.value(0));
        case Cause::FileNotRead:
            return CauseText::tr("cannot read %1: %2").arg(arguments.value(0), arguments.value(1));
        case Cause::FileNotWritten:
            return CauseText::tr("cannot write %1: %2").arg(arguments.value(0), arguments.value(1));
        case Cause::ProfilesNotReadable:
            return CauseText::tr("these profiles could not be read again from a file");
        case Cause::DamagedNotRenamed:
            return CauseText::tr("%1 is damaged, and cannot be renamed").arg(arguments.value(0));
        case Cause::LaterVersionNotRenamed:
            return CauseText::tr("%1 was written by a later version of Lockkeeper, and cannot be renamed")
                .arg(arguments.value(0));
        case Cause::FileRenamed:
            return CauseText::tr("%1 could not be used, and was renamed to %2")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::BackupRestored:
            return CauseText::tr("%1 could not be used, and was renamed to %2; its backup took its place")
                .arg(arguments.value(0), arguments.value(1));
        case Cause::NoSessionBus:
            return CauseText::tr("there is no session bus");
        case Cause::RightsRestored:
            return CauseText::tr("the server allows what it has refused before, so that everything is read again");
        case Cause::MasterLinkLost:
            return arguments.isEmpty()
                       ? CauseText::tr("the replica is not connected to its master, so what it shows is old")
                       : CauseText::tr("the replica is not connected to its master %1, so what it shows is old")
                             .arg(arguments.value(0));
        case Cause::SocketPathTooLong:
            return CauseText::tr(
                       "the name of the folder %1 is too long for the sockets of servers in it: set the variable "
                       "TMPDIR to a folder whose name has at most %2 bytes")
                .arg(arguments.value(0), arguments.value(1));
    }
    return {};
}

QString replyText(ReplyKind kind, const QString& words) {
    switch (kind) {
        case ReplyKind::CommandDenied:
            return CauseText::tr("the server does not allow this user the command (%1).").arg(words);
        case ReplyKind::KeyDenied:
            return CauseText::tr("the server does not allow this user the key (%1).").arg(words);
        case ReplyKind::ChannelDenied:
            return CauseText::tr("the server does not allow this user the channel (%1).").arg(words);
        case ReplyKind::ProtectedMode:
            return CauseText::tr("the server is in protected mode: it accepts only clients on its own machine (%1).")
                .arg(words);
        case ReplyKind::NoAuth:
            return CauseText::tr("the server requires a password (%1).").arg(words);
        case ReplyKind::WrongPass:
            return CauseText::tr("the server does not accept the user name or password (%1).").arg(words);
        case ReplyKind::UnknownCommand:
            return CauseText::tr("the server does not have the command (%1).").arg(words);
        case ReplyKind::UnknownProtocol:
            return CauseText::tr("the server does not have this version of the protocol (%1).").arg(words);
        case ReplyKind::SyntaxError:
            return CauseText::tr("the server does not know an option of the command (%1).").arg(words);
        case ReplyKind::NoScript:
            return CauseText::tr("the server does not know the script (%1).").arg(words);
        case ReplyKind::WrongType:
            return CauseText::tr("the key holds another type of value (%1).").arg(words);
        case ReplyKind::TransactionAborted:
            return CauseText::tr("the server refused a command of the transaction, so it executed none (%1).")
                .arg(words);
        case ReplyKind::ReadOnly:
            return CauseText::tr("the server is a replica, which takes no writes (%1).").arg(words);
        case ReplyKind::Moved:
            return CauseText::tr("the key belongs to another node of the cluster (%1).").arg(words);
        case ReplyKind::Ask:
            return CauseText::tr("the key is moving to another node of the cluster (%1).").arg(words);
        case ReplyKind::TryAgain:
            return CauseText::tr("the keys are moving between nodes of the cluster; try again (%1).").arg(words);
        case ReplyKind::CrossSlot:
            return CauseText::tr("the keys are on different nodes of the cluster (%1).").arg(words);
        case ReplyKind::ClusterDown:
            return CauseText::tr("the cluster is down (%1).").arg(words);
        case ReplyKind::Loading:
            return CauseText::tr("the server is still loading its data; try again soon (%1).").arg(words);
        case ReplyKind::Busy:
            return CauseText::tr("the server is busy with a script (%1).").arg(words);
        case ReplyKind::MasterDown:
            return CauseText::tr("the replica has lost its master (%1).").arg(words);
        case ReplyKind::OutOfMemory:
            return CauseText::tr("the server is out of memory (%1).").arg(words);
        case ReplyKind::NoReplicas:
            return CauseText::tr("the server refuses to write without its replicas (%1).").arg(words);
        case ReplyKind::MaxClients:
            return CauseText::tr("the server has its largest number of clients (%1).").arg(words);
        case ReplyKind::None:
        case ReplyKind::Other:
            return CauseText::tr("the server reported an error (%1).").arg(words);
    }
    return {};
}

QString reasonText(const Error& error) {
    if (error.cause != Cause::None)
        return causeText(error.cause, error.arguments);
    return error.text.isEmpty() ? CauseText::tr("no reason was given") : error.text;
}

QString urlErrorText(const Error& error) {
    return CauseText::tr("%1; expected for example %2").arg(reasonText(error), QStringLiteral("redis://host:6379/0"));
}

QString lossText(const QString& name, locks::LossReason why) {
    switch (why) {
        case locks::LossReason::LeaseExpired:
            return CauseText::tr("%1 is not held by this console any more: its lease ran out").arg(name);
        case locks::LossReason::TakenAway:
            return CauseText::tr(
                       "%1 is not held by this console any more: it was taken away; the server no longer names this "
                       "holder")
                .arg(name);
        case locks::LossReason::Gone:
            return CauseText::tr(
                       "%1 is not held by this console any more: it was deleted or released by force, or it has "
                       "expired before its time by the server's clock")
                .arg(name);
        case locks::LossReason::TakenOver:
            return CauseText::tr("%1 is not held by this console any more: another holder has it now").arg(name);
    }
    return {};
}

}  // namespace lockkeeper::ui
