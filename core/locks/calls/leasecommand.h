// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/calls/locktarget.h"
#include "locks/calls/unsettled.h"
#include "locks/lockclientstate.h"

#include <memory>

namespace lockkeeper::locks {

// A command that sets or ends the lease of a hold: an acquire, a release, a renewal. The command is under way as long
// as an object of this class lives, or until its late answer. One reference is in the coroutine until it has processed
// the answer. The other is in the command until its answer, however late, or its loss. Thread: the client's.
class LeaseCommand {
public:
    // If the script is sent again as EVAL, the ticket moves to the later place in the order of sending. patience: as of
    // topology::ShardConnections::run().
    [[nodiscard]] static Completion<redis::RespValue> send(const LockTarget& target, LeaseTicket ticket,
                                                           redis::ScriptCall script, Deadline patience);
    // onLate(target, answer): called with an answer that comes after the caller has stopped waiting, while the client
    // lives.
    template <typename OnLate>
    [[nodiscard]] static std::shared_ptr<LeaseCommand> follow(const LockTarget& target,
                                                              const Completion<redis::RespValue>& reply,
                                                              OnLate onLate) {
        auto command = std::make_shared<LeaseCommand>(target);
        reply.whenAbandoned([onLate = std::move(onLate), command](const Result<redis::RespValue>& late) {
            command->end();
            if (command->m_client)
                onLate(command->m_target, late);
        });
        return command;
    }

    explicit LeaseCommand(const LockTarget& target);
    LeaseCommand(const LeaseCommand&) = delete;
    LeaseCommand& operator=(const LeaseCommand&) = delete;
    ~LeaseCommand();

private:
    // Not under way any more.
    void end();

    const QPointer<LockClient> m_client;  // null if the client was destroyed
    const LockTarget m_target;
    bool m_isUnderWay = true;
    const Unsettled m_unsettled;
};

}  // namespace lockkeeper::locks
