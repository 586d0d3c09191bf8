// SPDX-License-Identifier: Apache-2.0
#include "base/causesentence.h"

#include <QCoreApplication>

namespace lockkeeper {

namespace {

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
        case Cause::MasterLinkLost:
            return arguments > 0
                       ? QT_TRANSLATE_NOOP("CauseText",
                                           "the replica is not connected to its master %1, so what it shows is old")
                       : QT_TRANSLATE_NOOP("CauseText",
                                           "the replica is not connected to its master, so what it shows is old");
    }
    return "";
}

}  // namespace

const CauseTable& causeTable(Cause) {
    static constexpr CauseTable table{
        [](int cause, qsizetype arguments) { return sentenceOf(static_cast<Cause>(cause), arguments); }};
    return table;
}

QString withArguments(const QString& sentence, const QStringList& arguments) {
    QString text;
    for (qsizetype i = 0; i < sentence.size(); ++i) {
        const QChar next = sentence.at(i) == u'%' && i + 1 < sentence.size() ? sentence.at(i + 1) : QChar();
        const int number = next.digitValue();
        // "%40" is a part of a URL.
        const bool isLonger = i + 2 < sentence.size() && sentence.at(i + 2).isDigit();
        if (next == u'*') {
            text += arguments.join(QLatin1String(", "));
        } else if (number < 1 || isLonger) {
            text += sentence.at(i);
            continue;
        } else {
            text += arguments.value(number - 1);
        }
        ++i;
    }
    return text;
}

}  // namespace lockkeeper
