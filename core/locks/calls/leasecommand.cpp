// SPDX-License-Identifier: Apache-2.0
#include "locks/calls/leasecommand.h"

#include <utility>

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

LeaseCommand::LeaseCommand(const LockTarget& target) : m_client(target.client), m_target(target), m_unsettled(target) {
    m_client->state().underWay().begin(m_target.key);
}

LeaseCommand::~LeaseCommand() {
    end();
}

void LeaseCommand::end() {
    if (std::exchange(m_isUnderWay, false) && m_client)
        m_client->state().underWay().end(m_target.key);
}

}  // namespace lockkeeper::locks
