#pragma once

#include "base/ids.h"
#include "lockkeeper_monitor_export.h"
#include "redis/readonlyscript.h"

namespace lockkeeper::monitor {

// Asks of many hashes at once which may be locks, by the names of their fields: a tenth of what it costs the server to
// read each. Thread: the connection's, which must outlive it.
class LOCKKEEPER_MONITOR_EXPORT LockProbe {
public:
    explicit LockProbe(redis::Connection& connection);

    // Names under which there is nothing any more are left out.
    struct Answer {
        QList<LockName> maybeLocks;
        QList<LockName> others;
        QList<LockName> unknown;      // the server did not say
        QList<LockName> notLookedAt;  // the others had too many fields already: for another command
    };

    // More than these make one command too long: they hold up whoever comes next.
    static constexpr qsizetype namesAtOnce = 64;

    // By one command. names: at most namesAtOnce; some of them are looked at. Fails with the connection, or when the
    // token asks. Where the server does not allow it, or not for one of the names, nothing is known of any.
    [[nodiscard]] Task<Result<Answer>> ask(QList<LockName> names, std::stop_token stop);
    // False once the server has refused it: then it is not asked again until startOver().
    [[nodiscard]] bool isAllowed() const noexcept { return m_isAllowed; }
    // After a reconnect, to a server that may be another.
    void startOver();

private:
    static Answer answerOf(const QList<LockName>& names, const std::vector<redis::RespValue>& verdicts);

    redis::ReadOnlyScript m_script;
    bool m_isAllowed = true;
};

}  // namespace lockkeeper::monitor
