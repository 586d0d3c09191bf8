// SPDX-License-Identifier: Apache-2.0
#include "locks/calls/leasecommand.h"

namespace lockkeeper::locks {

Completion<redis::RespValue> LeaseCommand::send(const LockTarget& target, LeaseTicket ticket, redis::ScriptCall script,
                                                Deadline patience) {
    return target.client->state().commands().run(target.key.name.bytes(), std::move(script), patience,
                                                 [client = QPointer(target.client), key = target.key, ticket] {
                                                     if (client)
                                                         client->state().held().leaseSentAgain(key, ticket);
                                                     return std::nullopt;
                                                 });
}

std::shared_ptr<LeaseCommand> LeaseCommand::follow(const LockTarget& target, const Completion<redis::RespValue>& reply,
                                                   OnLate onLate) {
    auto underWay = std::make_shared<LeaseCommand>(target);
    const auto unsettled = std::make_shared<Unsettled>(target);
    reply.whenAbandoned([onLate = std::move(onLate), underWay, unsettled](const Result<redis::RespValue>& late) mutable {
        const QPointer<LockClient> alive = underWay->m_client;
        const LockTarget ended = underWay->m_target;
        underWay.reset();
        if (alive)
            onLate(ended, late);
    });
    return underWay;
}

LeaseCommand::LeaseCommand(const LockTarget& target) : m_client(target.client), m_target(target) {
    m_client->state().underWay().begin(m_target.key);
}

LeaseCommand::~LeaseCommand() {
    if (m_client)
        m_client->state().underWay().end(m_target.key);
}

}  // namespace lockkeeper::locks
