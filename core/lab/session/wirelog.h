// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/session/labframe.h"
#include "lockkeeper_monitor_export.h"

#include <deque>
#include <map>
#include <set>
#include <vector>

namespace lockkeeper::lab {

// What MONITOR shows of a laboratory's servers, assigned to the actors. MONITOR names no sender here, because all are on
// one Unix socket: so a command is the actor's that has sent the same one and was not found yet. Commands of the
// laboratory itself, and those that only open or keep up a connection, are left out. A value; no I/O.
class LOCKKEEPER_MONITOR_EXPORT WireLog {
public:
    void sent(const ActorName& actor, QByteArrayList command);
    // The next such command of nobody is a person's.
    void sentByHand(QByteArrayList command);
    // It receives nothing any more.
    void crashed(const ActorName& actor);
    // The server has ended: nobody is subscribed there.
    void killed(ServerNumber server);
    // One line of MONITOR.
    void ran(ServerNumber server, QByteArrayView monitorLine);

    // What has come since the last call.
    [[nodiscard]] std::vector<WireLine> take() { return std::exchange(m_lines, {}); }
    [[nodiscard]] bool hasNew() const noexcept { return !m_lines.empty(); }
    // In all.
    [[nodiscard]] qint64 leftOut() const noexcept { return m_leftOut; }

private:
    struct AtServer {
        qsizetype frame = 0;
        bool isShown = false;  // the command before: its script's commands follow it
        ActorName actor;
        std::map<QByteArray, std::set<ActorName>> subscribers;  // by channel
    };

    [[nodiscard]] bool takeSent(const QByteArrayList& command, ActorName& actor);
    void subscribe(AtServer& at, const QByteArrayList& command);
    void add(WireLine line);

    std::map<ActorName, std::deque<QByteArrayList>> m_sent;
    std::deque<QByteArrayList> m_sentByHand;
    std::map<ServerNumber, AtServer> m_servers;
    std::vector<WireLine> m_lines;
    qint64 m_kept = 0;
    qint64 m_leftOut = 0;
};

}  // namespace lockkeeper::lab
