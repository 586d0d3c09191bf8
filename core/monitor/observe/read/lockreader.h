#pragma once

#include "async/taskscope.h"
#include "lockkeeper_monitor_export.h"
#include "locks/lockkeys.h"
#include "monitor/model/denials.h"
#include "monitor/observe/read/lockdecoder.h"
#include "redis/readonlyscript.h"

namespace lockkeeper::monitor {

// Looks at locks over one connection, each look as nearly atomic as the server allows: a read-only script; where there
// is no EVAL_RO, or no right to it, a transaction; and without the right to MULTI, one write of plain commands. Many
// looks may be under way at once; asks nobody for a budget. Errors: those of the connection, and NotPermitted when no
// look is possible at all. Thread: the connection's. The connection must outlive it.
class LOCKKEEPER_MONITOR_EXPORT LockReader {
public:
    LockReader(redis::Connection& connection, Denials& denials);

    // formerReaders: who held it for reading at the look before; what they may have left behind is looked for, and with
    // it the lease of each present hold. By a script only: commands cannot know beforehand which keys to ask for.
    [[nodiscard]] Completion<LockReading> read(const LockName& name, const QList<HolderId>& formerReaders = {});
    // After a reconnect, to a server that may be another: tries the best way first again.
    void startOver() {
        m_way = Way::Script;
        m_script.startOver();
        m_atomic = true;
    }
    // False once a look had to be made of several commands: then a change may fall in between them.
    [[nodiscard]] bool isAtomic() const noexcept { return m_atomic; }

private:
    enum class Way { Script, Transaction, Pipeline };

    Task<void> run(LockName name, QList<HolderId> formerReaders, Completion<LockReading> answer);
    Task<Result<LockReading>> readByScript(LockName name, QList<HolderId> formerReaders);
    Task<Result<LockReading>> readByCommands(LockName name, Way way);
    // Nothing when the hash may be a lock, which is then worth its values.
    Task<std::optional<Result<LockReading>>> guard(QByteArray key);
    Task<Result<LockReading>> readInTransaction(LockName name);
    Task<Result<LockReading>> readInPipeline(LockName name);

    Result<LockReading> decodeScriptReply(const LockName& name, SteadyTime sentAt, const redis::RespValue& reply);
    Result<LockReading> decodeReplies(const LockName& name, SteadyTime sentAt,
                                      const std::vector<Result<redis::RespValue>>& replies,
                                      const redis::RespValue& leases = {});
    std::vector<redis::Command> contentCommands(const LockName& name) const;
    Completion<redis::RespValue> send(const redis::Command& command) { return m_connection.send(command); }
    LookTimes timesSince(SteadyTime sentAt) const;
    // NotPermitted for the command itself: noted. For this key: it is none of ours.
    Result<LockReading> refused(const QString& command, const Error& error);

    redis::Connection& m_connection;
    Denials& m_denials;
    redis::ReadOnlyScript m_script;
    Way m_way = Way::Script;
    bool m_atomic = true;
    TaskScope m_tasks;
};

}  // namespace lockkeeper::monitor
