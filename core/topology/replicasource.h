// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/postedsignal.h"
#include "async/taskscope.h"
#include "redis/connection.h"
#include "topology/dialer.h"
#include "topology/mastersource.h"

#include <stop_token>
#include <vector>

namespace lockkeeper::topology {

// Finds the master among a master and its replicas that no Sentinel watches: asks all of them for their role at once. A
// replica names its master, which is asked, too. It notices a change only when find() is called. Connections that want
// a master (redis::WantedRole) leave a server that is no longer one, and then call find().
class LOCKKEEPER_EXPORT ReplicaSource final : public MasterSource {
    Q_OBJECT
public:
    // servers: some of the servers, at least one. options: for the connection to each of them; the address in it is not
    // used.
    ReplicaSource(QList<Address> servers, redis::ConnectionOptions options, Dialer dialer, Clock& clock);
    ~ReplicaSource() override;

    [[nodiscard]] Completion<redis::Endpoint> find() override;

private:
    Task<void> answerAll();
    void ask(const Address& server);
    Task<void> askForRole(Address server);
    void noteRole(const Address& server, const redis::ServerRole& role);

    const QList<Address> m_servers;
    const redis::ConnectionOptions m_options;
    const Dialer m_dialer;
    Clock& m_clock;
    std::vector<Completion<redis::Endpoint>> m_waiting;  // all get the same answer
    // The present search.
    std::stop_source m_search;
    Completion<redis::Endpoint> m_found;
    QList<Address> m_asked;
    int m_unanswered = 0;
    Error m_failure;  // the last one
    std::optional<redis::Endpoint> m_master;
    PostedSignal m_masterChanged{*this, [this] { Q_EMIT masterChanged(redis::Endpoint(*m_master)); }};
    TaskScope m_tasks;  // last: its tasks end before what they use
};

}  // namespace lockkeeper::topology
