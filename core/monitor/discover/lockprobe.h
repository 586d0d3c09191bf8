// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/nodescope.h"
#include "redis/readonlyscript.h"

namespace lockkeeper::monitor {

// Finds which of many hashes may be locks, by the names of their fields. This costs the server a tenth of reading each
// hash. Thread: the connection's. Connection and scope must outlive it.
class LOCKKEEPER_MONITOR_EXPORT LockProbe {
public:
    // ByUser: the user has named the keys as locks, so locks of other programs are among them, whatever their holders
    // are called.
    enum class Naming { Unknown, ByUser };
    explicit LockProbe(redis::Connection& connection, const NodeScope& scope = wholeServer(),
                       Naming naming = Naming::Unknown);

    // Names that do not exist any more are left out.
    struct Answer {
        QList<LockName> maybeLocks;
        QList<LockName> others;
        QList<LockName> unknown;    // the server did not answer for them
        QList<LockName> notProbed;  // ask for these again: the others had too many fields or too long names
    };

    // A command with more names would be so long that it delays other clients.
    static constexpr qsizetype namesAtOnce = 64;

    // Sends one command; in a Cluster, one for each slot of the names. names: at most namesAtOnce. If they are long,
    // only some of them are in the answer, and the others are notProbed. Fails with the connection, or when `stop` is
    // requested. If the server refuses the command, even for a single name, all names are `unknown`.
    [[nodiscard]] Task<Result<Answer>> ask(QList<LockName> names, std::stop_token stop);
    // False after the server has refused the command; the command is then not sent again until startOver().
    [[nodiscard]] bool isAllowed() const noexcept { return m_isAllowed; }
    // Call after a reconnect, which may lead to another server.
    void startOver();

private:
    [[nodiscard]] static QList<LockName> takeShort(QList<LockName>& names);
    [[nodiscard]] QList<QList<LockName>> askableTogether(const QList<LockName>& names) const;
    static void addTo(Answer& answer, const Answer& part);
    Result<Answer> answerTo(const QList<LockName>& names, const Result<redis::RespValue>& reply);
    static Answer answerOf(const QList<LockName>& names, const std::vector<redis::RespValue>& verdicts);

    const NodeScope& m_scope;
    const Naming m_naming;
    redis::ReadOnlyScript m_script;
    bool m_isAllowed = true;
};

}  // namespace lockkeeper::monitor
