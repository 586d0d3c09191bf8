// SPDX-License-Identifier: Apache-2.0
#include "lab/run/wirelog.h"

#include "lab/run/keyreader.h"
#include "monitor/analyse/who/monitorline.h"

#include <algorithm>

namespace lockkeeper::lab {

namespace {

constexpr size_t mostUnmatched = 512;  // for each actor: MONITOR never shows some commands, such as HELLO

bool keepsConnectionUp(const QByteArray& name) {
    static const QByteArrayList names{"HELLO", "AUTH", "CLIENT", "PING", "ROLE", "INFO", "SELECT", "COMMAND"};
    return names.contains(name.toUpper());
}

bool isSubscribing(const QByteArray& name) {
    return name == "SUBSCRIBE" || name == "SSUBSCRIBE";
}

bool isUnsubscribing(const QByteArray& name) {
    return name == "UNSUBSCRIBE" || name == "SUNSUBSCRIBE";
}

bool isPublishing(const QByteArray& name) {
    return name == "PUBLISH" || name == "SPUBLISH";
}

// The number of the frame that this read of the laboratory ends; -1: it ends no frame. Nothing if it is not such a
// read.
std::optional<qsizetype> frameOf(const QByteArrayList& arguments) {
    return arguments.value(3) == snapshotMark ? std::optional(arguments.value(4).toLongLong()) : std::nullopt;
}

}  // namespace

void WireLog::sent(const ActorName& actor, QByteArrayList command) {
    std::deque<QByteArrayList>& sent = m_sent[actor];
    sent.push_back(std::move(command));
    if (sent.size() > mostUnmatched)
        sent.pop_front();
}

void WireLog::sentByHand(QByteArrayList command) {
    m_sentByHand.push_back(std::move(command));
}

void WireLog::crashed(const ActorName& actor) {
    for (auto& [number, at] : m_servers) {
        for (auto& [channel, actors] : at.subscribers)
            actors.erase(actor);
    }
}

void WireLog::killed(ServerNumber server) {
    m_servers[server].subscribers.clear();
}

void WireLog::ran(ServerNumber server, QByteArrayView monitorLine) {
    const std::optional<monitor::MonitorLine> parsed = monitor::MonitorLine::parse(monitorLine);
    if (!parsed)
        return;
    AtServer& at = m_servers[server];
    WireLine line;
    line.frame = at.frame;
    line.server = server;
    line.arguments = parsed->arguments;
    const QByteArray name = parsed->arguments.first().toUpper();
    if (parsed->address == "lua") {
        line.sender = WireLine::Sender::Script;
        line.actor = at.actor;
    } else {
        at.isShown = takeSent(parsed->arguments, line.actor) && !keepsConnectionUp(name);
        at.actor = line.actor;
        line.sender = line.actor.isEmpty() ? WireLine::Sender::ByHand : WireLine::Sender::Actor;
        if (const std::optional<qsizetype> frame = frameOf(parsed->arguments); frame && *frame >= 0)
            at.frame = *frame + 1;
    }
    if (!at.isShown)
        return;
    subscribe(at, parsed->arguments);
    if (isPublishing(name)) {
        const std::set<ActorName>& receivers = at.subscribers[parsed->arguments.value(1)];
        line.receivers.assign(receivers.begin(), receivers.end());
    }
    add(std::move(line));
}

bool WireLog::takeSent(const QByteArrayList& command, ActorName& actor) {
    const auto takeFrom = [&command](std::deque<QByteArrayList>& sent) {
        const auto found = std::ranges::find(sent, command);
        const bool isThere = found != sent.end();
        if (isThere)
            sent.erase(found);
        return isThere;
    };
    for (auto& [name, sent] : m_sent) {
        if (takeFrom(sent)) {
            actor = name;
            return true;
        }
    }
    return takeFrom(m_sentByHand);
}

void WireLog::subscribe(AtServer& at, const QByteArrayList& command) {
    const QByteArray name = command.first().toUpper();
    for (const QByteArray& channel : command.sliced(1)) {
        if (isSubscribing(name))
            at.subscribers[channel].insert(at.actor);
        else if (isUnsubscribing(name))
            at.subscribers[channel].erase(at.actor);
    }
}

void WireLog::add(WireLine line) {
    if (m_kept == mostWireLines) {
        ++m_leftOut;
        return;
    }
    ++m_kept;
    m_lines.push_back(std::move(line));
}

}  // namespace lockkeeper::lab
