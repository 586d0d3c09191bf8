// SPDX-License-Identifier: Apache-2.0
#include "ui/words/causetext.h"

#include "base/causesentence.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct CauseText {
    Q_DECLARE_TR_FUNCTIONS(CauseText)
};

}  // namespace

QString causeText(const AnyCause& cause, const QStringList& arguments) {
    if (cause == Cause::None)
        return {};
    // Error::text has Redisson's own words for these two, which people paste from a log.
    if (cause == Cause::NotHolder)
        return CauseText::tr("it is not held by thread %2 of client %1").arg(arguments.value(0), arguments.value(1));
    if (cause == Cause::AlreadyHeld)
        return CauseText::tr("thread %2 holds '%1' already, and this kind of lock is not reentrant")
            .arg(arguments.value(0), arguments.value(1));
    return withArguments(CauseText::tr(cause.sentence(arguments.size())), arguments);
}

QString replyMeaning(const Error& error) {
    switch (error.reply) {
        case ReplyKind::CommandDenied:
            return CauseText::tr("the server does not allow this user the command");
        case ReplyKind::KeyDenied:
            return CauseText::tr("the server does not allow this user the key");
        case ReplyKind::ChannelDenied:
            return CauseText::tr("the server does not allow this user the channel");
        case ReplyKind::ProtectedMode:
            return CauseText::tr("the server is in protected mode: it accepts only clients on its own machine");
        case ReplyKind::NoAuth:
            return CauseText::tr("the server requires a password");
        case ReplyKind::WrongPass:
            return CauseText::tr("the server does not accept the user name or password");
        case ReplyKind::UnknownCommand:
            return CauseText::tr("the server does not have the command");
        case ReplyKind::UnknownProtocol:
            return CauseText::tr("the server does not have this version of the protocol");
        case ReplyKind::SyntaxError:
            return CauseText::tr("the server does not know an option of the command");
        case ReplyKind::NoScript:
            return CauseText::tr("the server does not know the script");
        case ReplyKind::WrongType:
            return CauseText::tr("the key holds another type of value");
        case ReplyKind::TransactionAborted:
            return CauseText::tr("the server refused a command of the transaction, so it executed none");
        case ReplyKind::ReadOnly:
            return error.arguments.isEmpty() ? CauseText::tr("the server is a replica, which takes no writes")
                                             : CauseText::tr("the server is a replica of %1, which takes the writes")
                                                   .arg(error.arguments.first());
        case ReplyKind::Moved:
            return CauseText::tr("the key belongs to another node of the cluster");
        case ReplyKind::Ask:
            return CauseText::tr("the key is moving to another node of the cluster");
        case ReplyKind::TryAgain:
            return CauseText::tr("the keys are moving between nodes of the cluster; try again");
        case ReplyKind::CrossSlot:
            return CauseText::tr("the keys are on different nodes of the cluster");
        case ReplyKind::ClusterDown:
            return CauseText::tr("the cluster is down");
        case ReplyKind::Loading:
            return CauseText::tr("the server is still loading its data; try again soon");
        case ReplyKind::Busy:
            return CauseText::tr("the server is busy with a script");
        case ReplyKind::MasterDown:
            return CauseText::tr("the replica has lost its master");
        case ReplyKind::OutOfMemory:
            return CauseText::tr("the server is out of memory");
        case ReplyKind::NoReplicas:
            return CauseText::tr("the server refuses to write without its replicas");
        case ReplyKind::MaxClients:
            return CauseText::tr("the server has its largest number of clients");
        case ReplyKind::None:
        case ReplyKind::Other:
            return CauseText::tr("the server reported an error");
    }
    return {};
}

QString replyText(const Error& error) {
    return CauseText::tr("%1 (%2).", "what an error reply means, and the server's words")
        .arg(replyMeaning(error), reasonText(error));
}

namespace {

// What an error says beyond its cause: why a connection ended, or an example. It decides nothing.
QString detailOf(const Error& error) {
    const QString sentence = Error(error.code, error.cause, error.arguments).text;
    const QString& said = error.text;
    return error.cause != Cause::None && said.startsWith(sentence) ? said.mid(sentence.size()) : QString();
}

}  // namespace

QString errorClause(const Error& error) {
    return error.reply == ReplyKind::None
               ? reasonText(error) + detailOf(error)
               : CauseText::tr("%1 (%2)", "what an error reply means, and the server's words")
                     .arg(replyMeaning(error), error.text);
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
