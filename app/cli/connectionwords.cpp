// SPDX-License-Identifier: Apache-2.0
#include "app/cli/connectionwords.h"

#include "app/cli/commandline.h"
#include "ui/words/causetext.h"

namespace lockkeeper::app {

QString connectionWords(const ConnectionStatus& status) {
    if (status.phase != ConnectionPhase::Failed && status.phase != ConnectionPhase::Reconnecting)
        return {};
    const QString sentence = status.phase == ConnectionPhase::Failed
                                 ? CommandLine::tr("cannot connect to %1: %2")
                                 : CommandLine::tr("the connection to %1 is lost: %2");
    return sentence.arg(status.server, ui::errorClause(status.error.value_or(Error())));
}

QString masterAdvice(const Error& error, const profile::ConnectionProfile& replica) {
    const bool isReplica = error.cause == Cause::NotMaster || error.reply == ReplyKind::ReadOnly;
    // If there are several servers, another one becomes the master soon.
    if (!isReplica || replica.endpoint.host.isEmpty())
        return {};
    const QString master = error.arguments.value(error.cause == Cause::NotMaster ? 1 : 0);
    const std::optional<profile::ConnectionProfile> better = master.isEmpty() ? std::nullopt : replica.atServer(master);
    return better
               ? CommandLine::tr("locks are taken and released at its master, use %1").arg(better->urlWithoutPassword())
               : CommandLine::tr("locks are taken and released at its master, use the address of that one");
}

QString oneNodeWords(const profile::ConnectionProfile& node) {
    const QString what = CommandLine::tr("%1 is one node of a Cluster, and the locks of its other nodes are not seen")
                             .arg(node.display());
    const std::optional<profile::ConnectionProfile> whole = node.asCluster();
    return whole ? CommandLine::tr("%1: use %2").arg(what, whole->urlWithoutPassword()) : what;
}

}  // namespace lockkeeper::app
