// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/taskscope.h"
#include "redis/connection.h"
#include "topology/dialer.h"
#include "topology/mastersource.h"

namespace lockkeeper::topology {

// Asks the Sentinels, one after the other until one knows the master, and follows the +switch-master of the one it is
// connected to. That connection is kept; when it is lost, the next Sentinel is tried and asked.
class LOCKKEEPER_EXPORT SentinelSource final : public MasterSource {
    Q_OBJECT
public:
    // server: the TLS settings of Sentinels and servers; its address is not used.
    SentinelSource(SentinelGroup group, redis::Endpoint server, Dialer dialer, Clock& clock);
    ~SentinelSource() override;

    [[nodiscard]] Completion<redis::Endpoint> find() override;

private:
    std::unique_ptr<redis::Transport> dialNext();
    void onState(redis::Connection::State state);
    Task<void> follow();
    Task<void> answerAll();
    Task<Result<redis::Endpoint>> ask(Deadline deadline);
    void tryNextSentinel();
    void onPush(const redis::RespValue& push);
    void noteMaster(const redis::Endpoint& master);
    [[nodiscard]] redis::Endpoint serverAt(const Address& address) const;

    const SentinelGroup m_group;
    const redis::Endpoint m_server;
    const Dialer m_dialer;
    Clock& m_clock;
    qsizetype m_next = 0;  // the Sentinel to try next
    redis::Connection m_connection;
    std::optional<Error> m_failure;                    // of the last Sentinel that was tried, since one was reached
    std::vector<Completion<redis::Endpoint>> m_asked;  // get the same answer
    std::optional<redis::Endpoint> m_master;           // as last reported
    TaskScope m_tasks;                                 // last: its tasks end before what they use
};

}  // namespace lockkeeper::topology
