// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/run/labframe.h"
#include "lockkeeper_monitor_export.h"

#include <deque>
#include <map>
#include <set>
#include <vector>

namespace lockkeeper::lab {

// What MONITOR shows of a laboratory's servers, assigned to the actors. MONITOR names no sender here, because all
// connections use one Unix socket. So a command belongs to the actor that has sent the same command and whose command
// was not found yet. Commands of the laboratory itself, and commands that only open or keep a connection, are left out.
// A value; no I/O.
class LOCKKEEPER_MONITOR_EXPORT WireLog {
public:
    void sent(const ActorName& actor, QByteArrayList command);
    // The next such command without a sender is a person's.
    void sentByHand(QByteArrayList command);
    // The actor receives nothing any more.
    void crashed(const ActorName& actor);
    // The server has ended: it has no subscribers.
    void killed(ServerNumber server);
    // One line of MONITOR.
    void ran(ServerNumber server, QByteArrayView monitorLine);

    // The lines since the last call.
    [[nodiscard]] std::vector<WireLine> take() { return std::exchange(m_lines, {}); }
    [[nodiscard]] bool hasNew() const noexcept { return !m_lines.empty(); }
    // The total number of lines that were left out.
    [[nodiscard]] qint64 leftOut() const noexcept { return m_leftOut; }

private:
    struct AtServer {
        qsizetype frame = 0;
        bool isShown = false;  // whether the command before is shown; the commands of its script follow it
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
