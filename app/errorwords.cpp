// SPDX-License-Identifier: Apache-2.0
#include "app/errorwords.h"

namespace lockkeeper::app {

namespace {

QString meaningOf(ReplyKind kind, const QStringList& arguments) {
    switch (kind) {
        case ReplyKind::CommandDenied:
            return QStringLiteral("the server does not allow this user the command");
        case ReplyKind::KeyDenied:
            return QStringLiteral("the server does not allow this user the key");
        case ReplyKind::ChannelDenied:
            return QStringLiteral("the server does not allow this user the channel");
        case ReplyKind::ProtectedMode:
            return QStringLiteral("the server is in protected mode: it accepts only clients on its own machine");
        case ReplyKind::NoAuth:
            return QStringLiteral("the server requires a password");
        case ReplyKind::WrongPass:
            return QStringLiteral("the server does not accept the user name or password");
        case ReplyKind::UnknownCommand:
            return QStringLiteral("the server does not have the command");
        case ReplyKind::UnknownProtocol:
            return QStringLiteral("the server does not have this version of the protocol");
        case ReplyKind::SyntaxError:
            return QStringLiteral("the server does not know an option of the command");
        case ReplyKind::NoScript:
            return QStringLiteral("the server does not know the script");
        case ReplyKind::WrongType:
            return QStringLiteral("the key holds another type of value");
        case ReplyKind::TransactionAborted:
            return QStringLiteral("the server refused a command of the transaction, so it executed none");
        case ReplyKind::ReadOnly:
            return arguments.isEmpty()
                       ? QStringLiteral("the server is a replica, which takes no writes")
                       : QStringLiteral("the server is a replica of %1, which takes the writes").arg(arguments.first());
        case ReplyKind::Moved:
            return QStringLiteral("the key belongs to another node of the cluster");
        case ReplyKind::Ask:
            return QStringLiteral("the key is moving to another node of the cluster");
        case ReplyKind::TryAgain:
            return QStringLiteral("the keys are moving between nodes of the cluster; try again");
        case ReplyKind::CrossSlot:
            return QStringLiteral("the keys are on different nodes of the cluster");
        case ReplyKind::ClusterDown:
            return QStringLiteral("the cluster is down");
        case ReplyKind::Loading:
            return QStringLiteral("the server is still loading its data; try again soon");
        case ReplyKind::Busy:
            return QStringLiteral("the server is busy with a script");
        case ReplyKind::MasterDown:
            return QStringLiteral("the replica has lost its master");
        case ReplyKind::OutOfMemory:
            return QStringLiteral("the server is out of memory");
        case ReplyKind::NoReplicas:
            return QStringLiteral("the server refuses to write without its replicas");
        case ReplyKind::MaxClients:
            return QStringLiteral("the server has its largest number of clients");
        case ReplyKind::None:
        case ReplyKind::Other:
            return QStringLiteral("the server reported an error");
    }
    return {};
}

}  // namespace

QString connectionWords(const ConnectionStatus& status) {
    if (status.phase != ConnectionPhase::Failed && status.phase != ConnectionPhase::Reconnecting)
        return {};
    const QString sentence = status.phase == ConnectionPhase::Failed
                                 ? QStringLiteral("cannot connect to %1: %2")
                                 : QStringLiteral("the connection to %1 is lost: %2");
    return sentence.arg(status.server, errorWords(status.error.value_or(Error())));
}

QString masterAdvice(const Error& error, const profile::ConnectionProfile& replica) {
    const bool isReplica = error.cause == Cause::NotMaster || error.reply == ReplyKind::ReadOnly;
    // If there are several servers, another one becomes the master soon.
    if (!isReplica || replica.endpoint.host.isEmpty())
        return {};
    const QString master = error.arguments.value(error.cause == Cause::NotMaster ? 1 : 0);
    const std::optional<profile::ConnectionProfile> better = master.isEmpty() ? std::nullopt : replica.atServer(master);
    return better
               ? QStringLiteral("locks are taken and released at its master, use %1").arg(better->urlWithoutPassword())
               : QStringLiteral("locks are taken and released at its master, use the address of that one");
}

QString oneNodeWords(const profile::ConnectionProfile& node) {
    const QString what = QStringLiteral("%1 is one node of a Cluster, and the locks of its other nodes are not seen")
                             .arg(node.display());
    const std::optional<profile::ConnectionProfile> whole = node.asCluster();
    return whole ? QStringLiteral("%1: use %2").arg(what, whole->urlWithoutPassword()) : what;
}

QString errorWords(const Error& error) {
    if (error.reply == ReplyKind::None)
        return error.text;
    return QStringLiteral("%1 (%2)").arg(meaningOf(error.reply, error.arguments), error.text);
}

}  // namespace lockkeeper::app
