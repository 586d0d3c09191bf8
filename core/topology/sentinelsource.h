// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/postedsignal.h"
#include "async/taskscope.h"
#include "redis/connection.h"
#include "topology/dialer.h"
#include "topology/mastersource.h"

namespace lockkeeper::topology {

// Finds the master by its Sentinels. It asks one after the other until one knows the master, and follows the
// +switch-master of the Sentinel that it is connected to. That connection is kept; when it is lost, the next Sentinel
// is asked. A Sentinel may be cut off from the others and name a former master. Its answer is not used while another
// Sentinel answers with a newer configuration epoch, or names a server for which no doubt() was reported.
class LOCKKEEPER_EXPORT SentinelSource final : public MasterSource {
    Q_OBJECT
public:
    // server: the TLS settings of Sentinels and servers; its address is not used. ofServers: used for Sentinels that
    // require a password, if the group has no credentials of its own; Redisson does the same.
    SentinelSource(SentinelGroup group, redis::Endpoint server, Dialer dialer, Clock& clock,
                   redis::Credentials ofServers = {});
    ~SentinelSource() override;

    [[nodiscard]] Completion<redis::Endpoint> find() override;
    void doubt(const redis::Endpoint& master) override;

private:
    struct Answer {
        redis::Endpoint master;
        quint64 epoch = 0;  // of the failover that made the server the master; 0 if this user may not read it

        friend bool operator==(const Answer&, const Answer&) = default;
    };

    enum class Login { Own, OfServers };

    void connectAs(Login login);
    std::unique_ptr<redis::Transport> dialNext();
    void onState(redis::Connection::State state);
    void logInAsServers();
    Task<void> follow();
    Task<void> answerAll();
    Task<Result<Answer>> ask(Deadline deadline);
    [[nodiscard]] bool isLastWord(const Answer& answer) const;
    [[nodiscard]] bool isBetter(const Answer& answer, const Answer& other) const;
    void tryNextSentinel();
    void onPush(const redis::RespValue& push);
    void noteAnswer(const Answer& answer);
    [[nodiscard]] redis::Endpoint serverAt(const Address& address) const;
    [[nodiscard]] redis::Endpoint sentinelAt(const Address& address) const;

    const SentinelGroup m_group;
    const redis::Endpoint m_server;
    const Dialer m_dialer;
    Clock& m_clock;
    const redis::Credentials m_ofServers;
    qsizetype m_next = 0;  // the Sentinel to try next
    Login m_login = Login::Own;
    std::unique_ptr<redis::Connection> m_connection;
    std::optional<Error> m_failure;                    // of the last Sentinel tried, since one was reached
    std::vector<Completion<redis::Endpoint>> m_asked;  // all get the same answer
    std::optional<redis::Endpoint> m_master;           // as last reported
    quint64 m_epoch = 0;                               // epoch of m_master
    std::optional<redis::Endpoint> m_doubted;          // reported by doubt() since the last search
    PostedSignal m_masterChanged{*this, [this] { Q_EMIT masterChanged(redis::Endpoint(*m_master)); }};
    TaskScope m_tasks;  // last: its tasks end before what they use
};

}  // namespace lockkeeper::topology
