// SPDX-License-Identifier: Apache-2.0
#include "ui/words/errortext.h"

#include "control/consolecause.h"
#include "ui/words/causetext.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct ErrorText {
    Q_DECLARE_TR_FUNCTIONS(ErrorText)
};

// For causes that say more than the code; otherwise empty.
QString todoText(Cause cause) {
    switch (cause) {
        case Cause::NoTlsAnswer:
            return ErrorText::tr(
                "Check whether the server speaks TLS at this port. Without TLS the address begins with redis://.");
        case Cause::ClosedUnanswered:
            return ErrorText::tr(
                "Check that the server runs behind this address. If it speaks TLS, the address begins with rediss://.");
        case Cause::ServerSpeaksTls:
            return ErrorText::tr("Connect with TLS: the address begins with rediss://.");
        case Cause::KeyPassphraseMissing:
        case Cause::KeyPassphraseWrong:
            return ErrorText::tr("Type the pass phrase of the key.");
        case Cause::ClientCertificateMissing:
        case Cause::ClientCertificateRefused:
            return ErrorText::tr(
                "Name a client certificate that the server accepts, with ?cert=FILE&key=FILE in the address.");
        case Cause::CertificateNotPinned:
            return ErrorText::tr(
                "Ask the administrator whether the certificate was replaced, and change ?pin= only then.");
        case Cause::TlsVersionRefused:
            return ErrorText::tr("Allow TLS 1.2 or newer on the server, or lower ?tls-min= in the address.");
        default:
            return {};
    }
}

bool isUnixPath(const QString& server) {
    return server.startsWith(u'/');
}

QString todoText(ErrorCode code, const QString& server) {
    switch (code) {
        case ErrorCode::InvalidArgument:
            return ErrorText::tr("Correct the address, for example redis://host:6379.");
        case ErrorCode::HostNotFound:
            return ErrorText::tr("Check the spelling of the host name, and your network or VPN.");
        case ErrorCode::ConnectionRefused:
            if (isUnixPath(server))
                return ErrorText::tr("Check the path, and that the server runs on this computer.");
            return ErrorText::tr("Check the port, that the server runs, and that no firewall stands between.");
        case ErrorCode::Timeout:
            return ErrorText::tr("Check the address and the firewall; a server that speaks TLS needs rediss://.");
        case ErrorCode::Tls:
            return ErrorText::tr(
                "Check the host name and the certificates; ?ca=FILE in the address names an authority of your own. "
                "Verification is never skipped.");
        case ErrorCode::Ssh:
            return ErrorText::tr(
                "Try the same with ssh in a terminal: its configuration and known hosts count here, too.");
        case ErrorCode::Auth:
            return ErrorText::tr("Check the user name and the password.");
        case ErrorCode::NotPermitted:
            return ErrorText::tr("Ask for the rights named above, or connect as another user.");
        case ErrorCode::Protocol:
            return ErrorText::tr(
                "Check that a Redis server listens at this address; one that speaks TLS needs rediss://.");
        default:
            return ErrorText::tr("Try again; if that does not help, ask the administrator of the server.");
    }
}

QString whatText(ErrorCode code, const QString& server, const QString& reason) {
    switch (code) {
        case ErrorCode::InvalidArgument:
            return ErrorText::tr("The address does not make sense (%1).").arg(reason);
        case ErrorCode::HostNotFound:
            return ErrorText::tr("The host of %1 was not found (%2).").arg(server, reason);
        case ErrorCode::ConnectionRefused:
            return isUnixPath(server) ? ErrorText::tr("No server listens at %1 (%2).").arg(server, reason)
                                      : ErrorText::tr("%1 refused the connection (%2).").arg(server, reason);
        case ErrorCode::Timeout:
            return ErrorText::tr("%1 did not answer in time (%2).").arg(server, reason);
        case ErrorCode::Tls:
            return ErrorText::tr("There is no trusted TLS connection to %1 (%2).").arg(server, reason);
        case ErrorCode::Ssh:
            return ErrorText::tr("ssh gave no connection to %1 (%2).").arg(server, reason);
        case ErrorCode::Auth:
            return ErrorText::tr("%1 did not accept the user name or password (%2).").arg(server, reason);
        case ErrorCode::NotPermitted:
            return ErrorText::tr("%1 does not permit what Lockkeeper needs (%2).").arg(server, reason);
        case ErrorCode::Protocol:
            return ErrorText::tr("What answers at %1 does not speak Redis's protocol (%2).").arg(server, reason);
        case ErrorCode::ConnectionLost:
            return ErrorText::tr("The connection to %1 ended (%2).").arg(server, reason);
        default:
            return ErrorText::tr("The connection to %1 failed (%2).").arg(server, reason);
    }
}

QString holderSentence(const control::OperationResult& result, const QString& name) {
    if (!result.now || !result.now->isHeld())
        return ErrorText::tr("%1 was not acquired: somebody else held it.").arg(name);
    const QString holder = holdersText(*result.now);
    if (!result.now->ttl)
        return ErrorText::tr("%1 was not acquired: it is held by %2, without expiry.").arg(name, holder);
    return ErrorText::tr("%1 was not acquired: it is held by %2 for another %3, unless renewed.")
        .arg(name, holder, durationText(*result.now->ttl));
}

QString changedSentence(const control::OperationResult& result, const QString& name) {
    if (!result.now)
        return ErrorText::tr("%1 has changed since you confirmed. Nothing was done.").arg(name);
    if (!result.now->isHeld())
        return ErrorText::tr("%1 has changed since you confirmed: it is free now. Nothing was done.").arg(name);
    return ErrorText::tr("%1 has changed since you confirmed: it is now held by %2. Nothing was done.")
        .arg(name, holdersText(*result.now));
}

// ---- changes of locks of others ----

QString doneSentence(const control::LockChange& change, const QString& name) {
    switch (change.kind) {
        case control::ChangeKind::ReleaseLock:
            return ErrorText::tr("%1 was force-released. Its former holder was not stopped and does not know yet.")
                .arg(name);
        case control::ChangeKind::ReleaseReader:
            return ErrorText::tr("One reader of %1 was released by force. It was not stopped and does not know yet.")
                .arg(name);
        case control::ChangeKind::ReleaseHolder:
            return ErrorText::tr("One holder of %1 was released by force. It was not stopped and does not know yet.")
                .arg(name);
        case control::ChangeKind::RemoveWaiter:
            return ErrorText::tr("The dead waiter was removed from the queue of %1.").arg(name);
        case control::ChangeKind::WakeWaiters:
            return ErrorText::tr("The waiters of %1 were woken.").arg(name);
        case control::ChangeKind::SetExpiry:
            return ErrorText::tr("%1 expires in %2 now, unless it is renewed. Its waiters were woken to read that.")
                .arg(name, durationText(change.time));
        case control::ChangeKind::Quarantine:
            return ErrorText::tr(
                       "%1 is in quarantine for %2: this console holds it. Its former holder was not stopped "
                       "and does not know yet.")
                .arg(name, durationText(change.time));
        case control::ChangeKind::QuarantineHolder:
            return ErrorText::tr(
                       "The values of one holder of %1 are in quarantine for %2: this console holds them. Their "
                       "former holder was not stopped and does not know yet.")
                .arg(name, durationText(change.time));
        case control::ChangeKind::GiveBackPermit:
            return ErrorText::tr("A permit of %1 was returned. A worker that still runs with it does not know.")
                .arg(name);
    }
    return {};
}

QString nothingToDoSentence(const control::LockChange& change, const QString& name) {
    switch (change.kind) {
        case control::ChangeKind::ReleaseReader:
            return ErrorText::tr("That reader of %1 was gone already. Nothing was done.").arg(name);
        case control::ChangeKind::ReleaseHolder:
        case control::ChangeKind::QuarantineHolder:
            return ErrorText::tr("That holder of %1 was gone already. Nothing was done.").arg(name);
        case control::ChangeKind::RemoveWaiter:
            return ErrorText::tr("That waiter was not in the queue of %1 any more. Nothing was done.").arg(name);
        case control::ChangeKind::GiveBackPermit:
            return ErrorText::tr("That permit of %1 was not taken any more. Nothing was done.").arg(name);
        case control::ChangeKind::ReleaseLock:
        case control::ChangeKind::WakeWaiters:
        case control::ChangeKind::SetExpiry:
        case control::ChangeKind::Quarantine:
            break;
    }
    return ErrorText::tr("%1 was free already. Nothing was done.").arg(name);
}

// What the lock was found to be: it was read again after the answer was lost.
Message foundMessage(const control::OperationResult& result, const QString& name) {
    switch (result.found.value_or(control::Found::Unknown)) {
        case control::Found::Done:
            return {Tone::Good, ErrorText::tr("The answer was lost, but the lock shows that it was done: %1",
                                              "a whole sentence follows")
                                    .arg(doneSentence(result.change, name))};
        case control::Found::NotDone:
            return {Tone::Warning, ErrorText::tr("The answer was lost. %1 was read again and is as before: nothing was "
                                                 "done so far. You may try again.")
                                       .arg(name)};
        case control::Found::Other:
            break;
        case control::Found::Unknown:
            return {Tone::Warning, ErrorText::tr("The answer was lost, and %1 does not show whether it was done. Read "
                                                 "the lock again before anything else.")
                                       .arg(name)};
    }
    const bool isHeld = result.now && result.now->isHeld();
    return {Tone::Warning,
            isHeld ? ErrorText::tr("The answer was lost. %1 was read again: something else holds it now, %2.")
                         .arg(name, holdersText(*result.now))
                   : ErrorText::tr("The answer was lost. %1 was read again: it is free now.").arg(name)};
}

// ---- what failed ----

QString cancelledText(OperationKind kind, const QString& name) {
    switch (kind) {
        case OperationKind::Acquire:
            return ErrorText::tr("Acquiring %1 was cancelled. Nothing was changed.").arg(name);
        case OperationKind::Extend:
            return ErrorText::tr("Extending %1 was cancelled. Nothing was changed.").arg(name);
        case OperationKind::Release:
            return ErrorText::tr("Releasing %1 was cancelled. Nothing was changed.").arg(name);
        case OperationKind::ForceRelease:
            return ErrorText::tr("The change of %1 was cancelled. Nothing was changed.").arg(name);
    }
    return {};
}

// For an acquire that the server may still execute.
QString underWayText(const Error& error, const QString& name) {
    if (error.code == ErrorCode::NotArmed)
        return ErrorText::tr(
                   "The connection is read-only now, but a request to acquire %1 was under way. If the server "
                   "executes it, the lock is released again.")
            .arg(name);
    return ErrorText::tr(
               "Acquiring %1 was cancelled, but a request was under way. If the server executes it, the lock "
               "is released again.")
        .arg(name);
}

QString lostAnswerText(OperationKind kind, const QString& name) {
    switch (kind) {
        case OperationKind::Acquire:
            return ErrorText::tr(
                       "The request to acquire %1 was sent, but its answer was lost: it may have been acquired. Check "
                       "the lock before you go on.")
                .arg(name);
        case OperationKind::Release:
            return ErrorText::tr(
                       "The request to release %1 was sent, but its answer was lost: it may have been released. Check "
                       "the lock before you go on.")
                .arg(name);
        case OperationKind::Extend:
            return ErrorText::tr(
                       "The request to extend %1 was sent, but its answer was lost. Check the lock before you go on.")
                .arg(name);
        case OperationKind::ForceRelease:
            break;
    }
    return {};
}

QString failedText(OperationKind kind, const QString& name, const QString& why) {
    switch (kind) {
        case OperationKind::Acquire:
            return ErrorText::tr("Acquiring %1 failed: %2").arg(name, why);
        case OperationKind::Release:
            return ErrorText::tr("Releasing %1 failed: %2").arg(name, why);
        case OperationKind::Extend:
            return ErrorText::tr("Extending %1 failed: %2").arg(name, why);
        case OperationKind::ForceRelease:
            return ErrorText::tr("The change of %1 failed: %2").arg(name, why);
    }
    return {};
}

QString notAnnouncedText(const Error& error, const QString& name) {
    return ErrorText::tr(
               "%1 was released, but its waiters were not woken: they go on sleeping until the TTL that they have "
               "read has passed (%2).")
        .arg(name, error.arguments.value(0));
}

Message failureMessage(OperationKind kind, const control::OperationResult& result, const QString& name) {
    const Error error = result.error.value_or(Error());
    if (result.found)
        return foundMessage(result, name);
    if (result.isUnderWay)
        return {Tone::Warning, underWayText(error, name)};
    if (error.code == ErrorCode::Cancelled)
        return {Tone::Info, cancelledText(kind, name)};
    if (error.code == ErrorCode::OutcomeUnknown)
        return kind == OperationKind::ForceRelease ? foundMessage(result, name)
                                                   : Message{Tone::Warning, lostAnswerText(kind, name)};
    if (error.code == ErrorCode::NotAnnounced)
        return {Tone::Warning, notAnnouncedText(error, name)};
    return {Tone::Danger, failedText(kind, name, operationErrorText(error))};
}

// What the operation has changed on the server.
Message serverMessage(OperationKind kind, const control::OperationResult& result) {
    const QString name = plainName(result.name, shortName);
    switch (result.outcome) {
        case control::Outcome::Acquired:
            return {Tone::Good, result.token ? ErrorText::tr("%1 is held by this console now, with fencing token %2.")
                                                   .arg(name)
                                                   .arg(*result.token)
                                             : ErrorText::tr("%1 is held by this console now.").arg(name)};
        case control::Outcome::Extended:
            return {
                Tone::Good,
                result.token
                    ? ErrorText::tr("%1 has a new lease, and the new fencing token %2.").arg(name).arg(*result.token)
                    : ErrorText::tr("%1 has a new lease.").arg(name)};
        case control::Outcome::HeldByOther:
            return {Tone::Info, holderSentence(result, name)};
        case control::Outcome::Released:
            return {Tone::Good, ErrorText::tr("%1 was released.").arg(name)};
        case control::Outcome::ReleasedOnce:
            return {Tone::Good, ErrorText::tr("One hold of %1 was released; this console still holds it.").arg(name)};
        case control::Outcome::ForceReleased:
            return {Tone::Good, doneSentence(result.change, name)};
        case control::Outcome::HolderChanged:
            return {Tone::Warning, changedSentence(result, name)};
        case control::Outcome::AlreadyFree:
            return {Tone::Info, nothingToDoSentence(result.change, name)};
        case control::Outcome::Failed:
            return failureMessage(kind, result, name);
    }
    return {};
}

}  // namespace

QString serverText(const ConnectionStatus& status) {
    const QString server = status.isDemo ? ErrorText::tr("demo", "in place of a server's address") : status.server;
    return status.isRecording ? ErrorText::tr("Recording of %1").arg(server) : server;
}

Explanation connectionExplanation(const Error& error, const QString& server) {
    const QString shown = server.isEmpty() ? ErrorText::tr("the server") : server;
    const QString todo = todoText(error.cause.as<Cause>().value_or(Cause::None));
    return {whatText(error.code, shown, reasonText(error)), todo.isEmpty() ? todoText(error.code, server) : todo};
}

QString operationErrorText(const Error& error) {
    if (error.cause == Cause::AlreadyHeld)
        return ErrorText::tr(
            "this console holds it already, and a non-reentrant lock cannot be taken twice. Nothing was "
            "changed.");
    if (error.cause == control::ConsoleCause::InQuarantine)
        return ErrorText::tr("this console has it in quarantine already. Release that first; nothing was changed.");
    const QString reason = reasonText(error);
    switch (error.code) {
        case ErrorCode::ConnectionLost:
            return ErrorText::tr("not connected; nothing was changed (%1).").arg(reason);
        case ErrorCode::Timeout:
            return ErrorText::tr("the server took too long; nothing was changed (%1).").arg(reason);
        case ErrorCode::NotPermitted:
            return ErrorText::tr("not permitted for this connection; nothing was changed (%1).").arg(reason);
        case ErrorCode::NotArmed:
            return ErrorText::tr("the connection is read-only now; nothing was changed (%1).").arg(reason);
        case ErrorCode::NotHeld:
            return ErrorText::tr("this console does not hold it, or no longer (%1).").arg(reason);
        case ErrorCode::Overloaded:
            return ErrorText::tr("too much is waiting for the server already; nothing was changed (%1).").arg(reason);
        case ErrorCode::Storage:
            return ErrorText::tr("the audit cannot be written, so nothing was sent (%1).").arg(reason);
        case ErrorCode::InvalidArgument:
            return ErrorText::tr("the request does not make sense (%1).").arg(reason);
        case ErrorCode::ServerReply:
            return replyText(error);
        default:
            return ErrorText::tr("the server or the connection reported an error (%1).").arg(reason);
    }
}

Message outcomeMessage(OperationKind kind, const control::OperationResult& result) {
    const Message message = serverMessage(kind, result);
    if (!result.notRecorded)
        return message;
    return {message.tone == Tone::Danger ? Tone::Danger : Tone::Warning,
            ErrorText::tr("%1 Its outcome is not in the audit yet: %2", "two sentences")
                .arg(message.text, reasonText(*result.notRecorded))};
}

Message refusedReleaseMessage(const LockName& name, const Error& why) {
    return {Tone::Danger,
            ErrorText::tr("%1 may stay locked by this console until its lease ends: the server refuses to release "
                          "it (%2). Remove the cause; if others must not wait that long, force its release.")
                .arg(plainName(name, shortName), reasonText(why))};
}

}  // namespace lockkeeper::ui
