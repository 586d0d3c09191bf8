// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/calls/locktarget.h"
#include "locks/calls/unsettled.h"
#include "locks/lockclientstate.h"

#include <functional>
#include <memory>

namespace lockkeeper::locks {

// A command that sets or ends the lease of a hold: an acquire, a release, a renewal. It is under way as long as one of
// these lives. One copy lives in the coroutine until it has processed the answer; the other lives in the command until
// its answer, however late, or its loss. Thread: the client's.
class LeaseCommand {
public:
    using OnLate = std::function<void(const LockTarget&, const Result<redis::RespValue>& late)>;

    // If the script is sent again, as EVAL, the ticket's place in the order of sending is the later one. patience: as of
    // topology::ShardConnections::run().
    [[nodiscard]] static Completion<redis::RespValue> send(const LockTarget& target, LeaseTicket ticket,
                                                           redis::ScriptCall script, Deadline patience);
    // onLate: if nobody waits any more when the answer comes; while the client lives.
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
