// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/calls/locktarget.h"
#include "locks/calls/unsettled.h"
#include "locks/lockclientstate.h"

#include <functional>
#include <memory>

namespace lockkeeper::locks {

// A command that sets or ends the lease of a hold: an acquire, a release, a renewal. The command is under way as long
// as an object of this class lives. One reference is in the coroutine until it has processed the answer. The other is
// in the command until its answer, however late, or its loss. Thread: the client's.
class LeaseCommand {
public:
    using OnLate = std::function<void(const LockTarget&, const Result<redis::RespValue>& late)>;

    // If the script is sent again as EVAL, the ticket moves to the later place in the order of sending. patience: as of
    // topology::ShardConnections::run().
    [[nodiscard]] static Completion<redis::RespValue> send(const LockTarget& target, LeaseTicket ticket,
                                                           redis::ScriptCall script, Deadline patience);
    // onLate: called with an answer that comes after the caller has stopped waiting, while the client lives.
    [[nodiscard]] static std::shared_ptr<LeaseCommand> follow(const LockTarget& target,
                                                              const Completion<redis::RespValue>& reply, OnLate onLate);

    explicit LeaseCommand(const LockTarget& target);
    LeaseCommand(const LeaseCommand&) = delete;
    LeaseCommand& operator=(const LeaseCommand&) = delete;
    ~LeaseCommand();

    // Null if the client was destroyed.
    [[nodiscard]] const QPointer<LockClient>& client() const { return m_client; }

private:
    QPointer<LockClient> m_client;
    LockTarget m_target;
};

}  // namespace lockkeeper::locks
