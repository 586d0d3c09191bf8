// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/denials.h"
#include "monitor/model/nodescope.h"
#include "monitor/observe/read/clientpool.h"
#include "monitor/observe/read/lockdecoder.h"
#include "redis/readonlyscript.h"

#include <deque>

namespace lockkeeper::monitor {

// Reads locks over one connection, each read as nearly atomic as the server allows: by a read-only script; without
// EVAL_RO or the right to it, in a transaction; and without the right to MULTI, by plain commands that are sent
// together. Many reads may be in progress at once. It does not use the read budget. Locks with very long names are read
// one at a time.
//
// Errors: those of the connection, NotPermitted if no read is possible at all, and errors for which isRefusedByNode()
// is true, which say nothing about the lock. Thread: the connection's. Connection and scope must outlive it.
class LOCKKEEPER_MONITOR_EXPORT LockReader {
public:
    LockReader(redis::Connection& connection, Denials& denials, const NodeScope& scope = wholeServer());

    // formerReaders: the readers at the read before. The script then also reads what they may have left behind, and the
    // lease of each present hold. Plain commands cannot do this, because the keys to read are not known beforehand.
    [[nodiscard]] Completion<LockReading> read(const LockName& name, const QList<HolderId>& formerReaders = {});
    // Call after a reconnect, which may lead to another server: tries the best way first again.
    void startOver() {
        m_way = Way::Script;
        m_script.startOver();
        m_atomic = true;
        m_mayReadShortly = true;
    }
    // False once a read was made of several commands; a change may then fall between these commands.
    [[nodiscard]] bool isAtomic() const noexcept { return m_atomic; }

private:
    enum class Way { Script, Transaction, Pipeline };
    // Part: only some readers of a read lock with very many readers.
    enum class Extent { Whole, Part };

    // What one call of read() was given, and its answer.
    struct Request {
        LockName name;
        QList<HolderId> formerReaders;
        Completion<LockReading> answer;
    };

    Task<void> run(Request request);
    Task<void> runInTurn(Request request);
    void endTurn();
    // By the script again or by commands, after the script has failed.
    Task<void> runAfter(Request request, SteadyTime sentAt, bool wasByName, Error failure);
    Task<void> runByCommands(Request request);
    void end(const Request& request, Result<LockReading> reading);
    [[nodiscard]] QByteArrayList scriptArguments(const QList<HolderId>& formerReaders) const;
    Task<Result<LockReading>> readAfterRefusal(LockName name, Error refusal);
    Task<Result<LockReading>> readByCommands(LockName name, Way way);
    // How much of the hash is worth reading, if it may be a lock.
    Task<std::variant<Extent, Result<LockReading>>> guard(QByteArray key);
    Task<std::variant<Extent, Result<LockReading>>> guardLarge(QByteArray key);
    Task<Result<LockReading>> readInTransaction(LockName name, Extent extent);
    Task<Result<Done>> keysAreHere(std::vector<Completion<redis::RespValue>> queued);
    Task<Result<LockReading>> readInPipeline(LockName name, Extent extent);
    // The answers of contentCommands(), and of HLEN as the last one.
    struct Pipelined {
        SteadyTime sentAt{};
        std::vector<Result<redis::RespValue>> replies;
    };
    Task<Pipelined> askInPipeline(LockName name, Extent extent);

    Result<LockReading> decodeScriptReply(const LockName& name, SteadyTime sentAt, redis::RespValue reply);
    // For a lock without helper keys.
    Result<LockReading> decodeShortReply(const LockName& name, SteadyTime sentAt, const redis::RespValue& reply);
    Result<LockReading> decodeReplies(const LockName& name, SteadyTime sentAt,
                                      std::vector<Result<redis::RespValue>> replies,
                                      const redis::RespValue& leases = {}, qint64 fieldCount = 0);
    Result<LockReading> decodePart(const LockName& name, SteadyTime sentAt,
                                   std::vector<Result<redis::RespValue>> replies);
    std::vector<redis::Command> contentCommands(const LockName& name, Extent extent) const;
    Completion<redis::RespValue> send(const redis::Command& command) { return m_connection.send(command); }
    ReadTimes timesSince(SteadyTime sentAt) const;
    // Notes NotPermitted if it is about the command itself. If it is about this key, the key counts as unreadable.
    Result<LockReading> refused(const QString& command, const Error& error, const LockName& name);

    redis::Connection& m_connection;
    Denials& m_denials;
    const NodeScope& m_scope;
    redis::ReadOnlyScript m_script;
    ClientPool m_clients;
    Way m_way = Way::Script;
    bool m_atomic = true;
    bool m_mayReadShortly = true;  // until OBJECT or EXISTS is refused
    // A read of a name so long that several such reads at once would fill the memory.
    bool m_isReadingLong = false;
    std::deque<Completion<Done>> m_longInTurn;
    TaskScope m_tasks;
};

}  // namespace lockkeeper::monitor
