// SPDX-License-Identifier: Apache-2.0
#include "base/causesentence.h"

#include <QCoreApplication>

namespace lockkeeper {

// Marked for the translation in ui/words. An array by cause would have to be kept in the order of the enum by hand.
const char* sentenceOf(Cause cause, qsizetype arguments) {
    switch (cause) {
        case Cause::None:
            return "";
        case Cause::NotConnected:
            return QT_TRANSLATE_NOOP("CauseText", "not connected");
        case Cause::ConnectionClosed:
            return QT_TRANSLATE_NOOP("CauseText", "the connection was closed");
        case Cause::ClosedByServer:
            return QT_TRANSLATE_NOOP("CauseText", "the server closed the connection");
        case Cause::ClosedUnanswered:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "the server closed the connection without an answer (one that speaks TLS is reached by rediss://)");
        case Cause::NoConnectionInTime:
            return QT_TRANSLATE_NOOP("CauseText", "no connection within %1 s");
        case Cause::NoHandshakeInTime:
            return QT_TRANSLATE_NOOP("CauseText", "no answer to the handshake within %1 s");
        case Cause::ServerSilent:
            return QT_TRANSLATE_NOOP("CauseText", "the server has not answered for %1 s");
        case Cause::NoAnswerInTime:
            return QT_TRANSLATE_NOOP("CauseText", "the server did not answer in time");
        case Cause::Cancelled:
            return QT_TRANSLATE_NOOP("CauseText", "cancelled");
        case Cause::ReadOnlyConnection:
            return QT_TRANSLATE_NOOP("CauseText", "this connection is read-only");
        case Cause::WriteOnReadOnly:
            return QT_TRANSLATE_NOOP("CauseText", "%1 is not sent: this connection is read-only");
        case Cause::TooManyCommands:
            return QT_TRANSLATE_NOOP("CauseText", "%1 commands wait for an answer already");
        case Cause::TooManyWaiters:
            return QT_TRANSLATE_NOOP("CauseText", "too many wait for this connection already");
        case Cause::UnexpectedReply:
            return QT_TRANSLATE_NOOP("CauseText", "unexpected answer to %1: %2");
        case Cause::UnrequestedReply:
            return QT_TRANSLATE_NOOP("CauseText", "an answer that nobody asked for: %1");
        case Cause::UnrequestedPush:
            return QT_TRANSLATE_NOOP("CauseText", "a message that nobody asked for: %1");
        case Cause::ServerTooOld:
            return QT_TRANSLATE_NOOP("CauseText", "the server is Redis %1; Redis %2 or newer is needed");
        case Cause::NoCertificateAuthority:
            return QT_TRANSLATE_NOOP("CauseText", "no certificate authority in '%1'");
        case Cause::NoClientCertificate:
            return QT_TRANSLATE_NOOP("CauseText", "no client certificate with its key in '%1' and '%2'");
        case Cause::NotAPemFile:
            return QT_TRANSLATE_NOOP("CauseText", "'%1' is no PEM file: not a file of at most 1 MB");
        case Cause::KeyPassphraseMissing:
            return QT_TRANSLATE_NOOP("CauseText", "the key in '%1' needs its pass phrase");
        case Cause::KeyPassphraseWrong:
            return QT_TRANSLATE_NOOP("CauseText", "the pass phrase does not open the key in '%1'");
        case Cause::CertificateExpired:
            return QT_TRANSLATE_NOOP("CauseText", "the server's certificate expired on %1");
        case Cause::CertificateNotYetValid:
            return QT_TRANSLATE_NOOP("CauseText", "the server's certificate is not valid before %1");
        case Cause::CertificateOtherHost:
            return QT_TRANSLATE_NOOP("CauseText", "the server's certificate is not for %1 but for %2");
        case Cause::CertificateNotTrusted:
            return QT_TRANSLATE_NOOP("CauseText", "the server's certificate was signed by an unknown authority, '%1'");
        case Cause::CertificateNotPinned:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "the server's certificate is not the pinned one, its SHA-256 fingerprint is %1");
        case Cause::ClientCertificateMissing:
            return QT_TRANSLATE_NOOP("CauseText", "the server requires a client certificate");
        case Cause::ClientCertificateRefused:
            return QT_TRANSLATE_NOOP("CauseText", "the server does not accept the client certificate");
        case Cause::TlsVersionRefused:
            return QT_TRANSLATE_NOOP("CauseText", "the server does not have a version of TLS that is accepted here");
        case Cause::NoTlsAnswer:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "connected, but no answer in TLS within %1 s: a server without TLS is reached by redis://");
        case Cause::ServerSpeaksTls:
            return QT_TRANSLATE_NOOP("CauseText", "the server speaks TLS: it is reached by rediss://");
        case Cause::EndedBeforeAnswer:
            return QT_TRANSLATE_NOOP("CauseText", "the connection ended before the answer came");
        case Cause::NotRedis:
            return QT_TRANSLATE_NOOP("CauseText", "this is not a Redis server: it says '%1'");
        case Cause::ReplyTooLarge:
            return QT_TRANSLATE_NOOP("CauseText", "a reply of more than %1 bytes");
        case Cause::MalformedReply:
            return QT_TRANSLATE_NOOP("CauseText", "malformed reply '%1'");
        case Cause::MalformedStringLength:
            return QT_TRANSLATE_NOOP("CauseText", "malformed string length '%1'");
        case Cause::MalformedAggregateLength:
            return QT_TRANSLATE_NOOP("CauseText", "malformed aggregate length '%1'");
        case Cause::StringTooLong:
            return QT_TRANSLATE_NOOP("CauseText", "a string of %1 bytes was announced, more than the limit allows");
        case Cause::StringNotEnded:
            return QT_TRANSLATE_NOOP("CauseText", "a string of %1 bytes does not end where it should");
        case Cause::TooManyEntries:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "an aggregate of %1 entries was announced, more than the limit allows");
        case Cause::NestedTooDeep:
            return QT_TRANSLATE_NOOP("CauseText", "a reply nested deeper than %1 levels");
        case Cause::LineTooLong:
            return QT_TRANSLATE_NOOP("CauseText", "a line of more than %1 bytes");
        case Cause::NotMaster:
            return arguments > 1 ? QT_TRANSLATE_NOOP("CauseText", "the server is no master but a replica of %2")
                                 : QT_TRANSLATE_NOOP("CauseText", "the server is not the master, its role is '%1'");
        case Cause::MasterChanged:
            return QT_TRANSLATE_NOOP("CauseText", "the master is not %1 any more but %2");
        case Cause::MasterNotKnown:
            return QT_TRANSLATE_NOOP("CauseText", "no Sentinel that answers knows a master named '%1'");
        case Cause::NoSentinel:
            return QT_TRANSLATE_NOOP("CauseText", "no Sentinel answers");
        case Cause::NoClusterNode:
            return QT_TRANSLATE_NOOP("CauseText", "no node of the Cluster answers");
        case Cause::ShardGone:
            return QT_TRANSLATE_NOOP("CauseText", "this shard of the Cluster has no slots any more");
        case Cause::SshNotStarted:
            return QT_TRANSLATE_NOOP("CauseText", "ssh does not start: %1");
        case Cause::SshEnded:
            return QT_TRANSLATE_NOOP("CauseText", "ssh says: %1");
        case Cause::SshSilent:
            return QT_TRANSLATE_NOOP("CauseText", "ssh ended with exit code %1 and gave no reason");
        case Cause::SshNotInTime:
            return QT_TRANSLATE_NOOP("CauseText", "ssh was not connected within %1 s");
        case Cause::SshQuestionCancelled:
            return QT_TRANSLATE_NOOP("CauseText", "a question of ssh was not answered");
        case Cause::SshUnixPath:
            return QT_TRANSLATE_NOOP("CauseText", "ssh leads to a host and port, not to a Unix socket");
        case Cause::LockClientClosed:
            return QT_TRANSLATE_NOOP("CauseText", "the lock client was closed");
        case Cause::LeaseOutOfRange:
            return QT_TRANSLATE_NOOP("CauseText", "a lease must be at least 1 ms and at most 100 years");
        case Cause::LostBeforeReplicas:
            return QT_TRANSLATE_NOOP("CauseText", "the lock was lost while waiting for replicas");
        case Cause::TooFewReplicas:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "too few replicas have acknowledged the lock (%1 of %2); it was released");
        case Cause::TooFewServers:
            return QT_TRANSLATE_NOOP("CauseText", "too few servers answered in time");
        case Cause::MembersUnanswered:
            return QT_TRANSLATE_NOOP("CauseText", "not every member has answered");
        case Cause::NotHolder:
            return QT_TRANSLATE_NOOP(
                "CauseText", "attempt to unlock lock, not locked by current thread by node id: %1 thread-id: %2");
        case Cause::AlreadyHeld:
            return QT_TRANSLATE_NOOP("CauseText", "Lock '%1' is non-reentrant and is already held by thread %2");
        case Cause::WaitersNotWoken:
            return QT_TRANSLATE_NOOP("CauseText", "the lock is released, the waiters were not woken: %1");
        case Cause::NotArmed:
            return QT_TRANSLATE_NOOP("CauseText", "this connection is read-only until it is armed");
        case Cause::NeverArmed:
            return QT_TRANSLATE_NOOP("CauseText", "this connection never writes");
        case Cause::ChangedSinceConfirmed:
            return QT_TRANSLATE_NOOP("CauseText", "the lock is not as it was confirmed; nothing was changed");
        case Cause::InQuarantine:
            return QT_TRANSLATE_NOOP("CauseText", "this console has the lock in quarantine already");
        case Cause::NoHolderToBreak:
            return QT_TRANSLATE_NOOP("CauseText", "the lock had no holder when it was read");
        case Cause::UnknownKindToBreak:
            return QT_TRANSLATE_NOOP("CauseText", "this kind of lock is not known well enough to break it safely");
        case Cause::TooManyReadHolds:
            return QT_TRANSLATE_NOOP("CauseText", "%1 read holds are more than one step can break");
        case Cause::TooManyReaders:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "%1 readers hold it, and only some of them were read: they cannot be compared");
        case Cause::MonitorUnderWay:
            return QT_TRANSLATE_NOOP("CauseText", "another MONITOR is under way");
        case Cause::UrlEmpty:
            return QT_TRANSLATE_NOOP("CauseText", "the URL is empty");
        case Cause::UrlMalformed:
            return QT_TRANSLATE_NOOP(
                "CauseText", "this is no valid URL (a special character in a password is written as %XX, '@' as %40)");
        case Cause::UrlScheme:
            return QT_TRANSLATE_NOOP("CauseText", "unknown kind of URL '%1://'");
        case Cause::UrlFragment:
            return QT_TRANSLATE_NOOP("CauseText", "unexpected '#' in the URL (in a password it is written as %23)");
        case Cause::UrlPortZero:
            return QT_TRANSLATE_NOOP("CauseText", "port 0 is no port");
        case Cause::UrlHostMissing:
            return QT_TRANSLATE_NOOP("CauseText", "no host in the URL");
        case Cause::UrlDatabase:
            return QT_TRANSLATE_NOOP("CauseText", "the database must be a number, 0 or more");
        case Cause::UrlPathDatabase:
            return QT_TRANSLATE_NOOP("CauseText", "the database behind the host must be a number, 0 or more");
        case Cause::UrlOptionUnknown:
            return QT_TRANSLATE_NOOP("CauseText", "unknown option '%1' in the URL");
        case Cause::UrlOptionEmpty:
            return QT_TRANSLATE_NOOP("CauseText", "'%1' is empty");
        case Cause::UrlShare:
            return QT_TRANSLATE_NOOP("CauseText", "the share is a percentage, 1 to 100");
        case Cause::UrlUnixPath:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "a Unix socket is written with three slashes, unix:///path/to/redis.sock");
        case Cause::UrlHostList:
            return QT_TRANSLATE_NOOP("CauseText", "several servers are written host:port,host:port");
        case Cause::UrlMasterMissing:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "the name of the master follows the Sentinels, as in redis-sentinel://host:26379/mymaster");
        case Cause::UrlClusterPath:
            return QT_TRANSLATE_NOOP("CauseText", "a Cluster has one database only: nothing follows its hosts");
        case Cause::UrlAddressMap:
            return QT_TRANSLATE_NOOP("CauseText", "map is written announced:port=reachable:port");
        case Cause::UrlSsh:
            return QT_TRANSLATE_NOOP("CauseText", "ssh is written user@host or user@host:port, without a password");
        case Cause::UrlFingerprint:
            return QT_TRANSLATE_NOOP("CauseText", "pin is a SHA-256 fingerprint: 64 hexadecimal digits");
        case Cause::UrlTlsVersion:
            return QT_TRANSLATE_NOOP("CauseText", "tls-min is 1.2 or 1.3");
        case Cause::RedissonTooLarge:
            return QT_TRANSLATE_NOOP("CauseText", "the file has more than %1 bytes");
        case Cause::RedissonNotText:
            return QT_TRANSLATE_NOOP("CauseText", "the file is not text in UTF-8");
        case Cause::RedissonSyntax:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: neither YAML nor JSON: %2");
        case Cause::RedissonNoServers:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "the file names no servers: none of singleServerConfig, masterSlaveServersConfig, sentinelServersConfig, clusterServersConfig and replicatedServersConfig");
        case Cause::RedissonTwoServers:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: the file names servers already, so '%2' is one too many");
        case Cause::RedissonTwice:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' is there twice");
        case Cause::RedissonNoValue:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' must be a single text or number");
        case Cause::RedissonNoList:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' must be a list");
        case Cause::RedissonNoGroup:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' must be a group of settings");
        case Cause::RedissonMissing:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' is missing");
        case Cause::RedissonNoAddress:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' is no address such as redis://host:6379");
        case Cause::RedissonNoDatabase:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: 'database' must be a number, 0 or more");
        case Cause::RedissonMixedTls:
            return QT_TRANSLATE_NOOP("CauseText", "line %1: '%2' has addresses with TLS and without");
        case Cause::RedissonVariables:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "the file has variables without a value, set them in the environment: %1");
        case Cause::NoServerProgram:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "redis-server or valkey-server is needed, and neither is in the PATH: install one of them");
        case Cause::ServerNotStarted:
            return QT_TRANSLATE_NOOP("CauseText", "redis-server does not start: %1");
        case Cause::ServerEnded:
            return QT_TRANSLATE_NOOP("CauseText", "redis-server ended: %1");
        case Cause::FolderNotMade:
            return QT_TRANSLATE_NOOP("CauseText", "cannot make the folder %1");
        case Cause::FileNotRenamed:
            return QT_TRANSLATE_NOOP("CauseText", "cannot rename %1");
        case Cause::NotAFile:
            return QT_TRANSLATE_NOOP("CauseText", "%1 is not a file");
        case Cause::FileNotRead:
            return QT_TRANSLATE_NOOP("CauseText", "cannot read %1: %2");
        case Cause::FileNotWritten:
            return QT_TRANSLATE_NOOP("CauseText", "cannot write %1: %2");
        case Cause::ProfilesNotReadable:
            return QT_TRANSLATE_NOOP("CauseText", "these profiles could not be read again from a file");
        case Cause::DamagedNotRenamed:
            return QT_TRANSLATE_NOOP("CauseText", "%1 is damaged, and cannot be renamed");
        case Cause::LaterVersionNotRenamed:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "%1 was written by a later version of Lockkeeper, and cannot be renamed");
        case Cause::FileRenamed:
            return QT_TRANSLATE_NOOP("CauseText", "%1 could not be used, and was renamed to %2");
        case Cause::BackupRestored:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "%1 could not be used, and was renamed to %2; its backup took its place");
        case Cause::NoSessionBus:
            return QT_TRANSLATE_NOOP("CauseText", "there is no session bus");
        case Cause::SocketPathTooLong:
            return QT_TRANSLATE_NOOP(
                "CauseText",
                "the name of the folder %1 is too long for the sockets of servers in it: set the variable "
                "TMPDIR to a folder whose name has at most %2 bytes");
        case Cause::RightsRestored:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "the server allows what it has refused before, so that everything is read again");
        case Cause::MasterLinkLost:
            return arguments > 0
                       ? QT_TRANSLATE_NOOP("CauseText",
                                           "the replica is not connected to its master %1, so what it shows is old")
                       : QT_TRANSLATE_NOOP("CauseText",
                                           "the replica is not connected to its master, so what it shows is old");
    }
    return "";
}

QString withArguments(const QString& sentence, Cause cause, const QStringList& arguments) {
    const bool isList = cause == Cause::RedissonVariables;
    const QStringList shown = isList ? QStringList(arguments.join(QLatin1String(", "))) : arguments;
    QString text;
    for (qsizetype i = 0; i < sentence.size(); ++i) {
        const int number = sentence.at(i) == u'%' && i + 1 < sentence.size() ? sentence.at(i + 1).digitValue() : 0;
        // "%40" is a part of a URL.
        const bool isLonger = i + 2 < sentence.size() && sentence.at(i + 2).isDigit();
        if (number < 1 || isLonger) {
            text += sentence.at(i);
            continue;
        }
        text += shown.value(number - 1);
        ++i;
    }
    return text;
}

}  // namespace lockkeeper
