// SPDX-License-Identifier: Apache-2.0
#include "lab/actorline.h"

#include "base/clocktimer.h"
#include "lab/scriptsanswer.h"
#include "redis/sockettransport.h"

#include <QPointer>

#include <algorithm>
#include <deque>
#include <optional>

namespace lockkeeper::lab {

namespace {

// Bytes on their way in one direction.
class Transit {
public:
    // Appends bytes, which do not overtake the bytes before them.
    void add(const QByteArray& bytes, SteadyTime arrival) { m_parts.push_back({bytes, behindAll(arrival)}); }
    // `arrival`, or the time of the last bytes if that is later.
    [[nodiscard]] SteadyTime behindAll(SteadyTime arrival) const {
        return m_parts.empty() ? arrival : std::max(arrival, m_parts.back().arrival);
    }
    [[nodiscard]] QByteArray takeArrived(SteadyTime now) {
        QByteArray arrived;
        for (; !m_parts.empty() && m_parts.front().arrival <= now; m_parts.pop_front())
            arrived += m_parts.front().bytes;
        return arrived;
    }
    [[nodiscard]] QByteArray all() const {
        QByteArray bytes;
        for (const Part& part : m_parts)
            bytes += part.bytes;
        return bytes;
    }
    [[nodiscard]] std::optional<SteadyTime> nextArrival() const {
        return m_parts.empty() ? std::nullopt : std::optional(m_parts.front().arrival);
    }
    [[nodiscard]] bool isEmpty() const noexcept { return m_parts.empty(); }
    void clear() { m_parts.clear(); }

private:
    struct Part {
        QByteArray bytes;
        SteadyTime arrival{};
    };
    std::deque<Part> m_parts;
};

// One connection through the line.
class LineTransport final : public redis::Transport {
public:
    LineTransport(ActorLine& line, const redis::Endpoint& server)
        : m_line(line),
          m_server(server),
          m_socket(redis::makeSocketTransport(server)),
          m_nextArrival(line.clock(), [this] { pass(); }) {
        connect(m_socket.get(), &Transport::opened, this, [this] {
            m_openedAt = arrival();
            deliver();
        });
        connect(m_socket.get(), &Transport::readyRead, this, &LineTransport::onReadable);
        connect(m_socket.get(), &Transport::failed, this, [this](const Error& error) { fail(error); });
        connect(&line, &ActorLine::passes, this, &LineTransport::pass, Qt::QueuedConnection);
    }

    void open() override {
        m_opensAt = arrival();
        pass();
    }
    void write(const QByteArray& bytes) override {
        m_scriptsAnswer.noteSent(bytes);
        m_toServer.add(bytes, arrival());
        passToServer();  // no further bytes: deliver() could call the writer back within its own call
        awaitNextArrival();
    }
    [[nodiscard]] QByteArray readAll() override { return std::exchange(m_arrived, {}); }
    void close() override {
        m_isClosed = true;
        m_nextArrival.stop();
        m_socket->close();
    }

private:
    void pass() {
        passToServer();
        if (!m_isClosed)
            deliver();
    }
    void passToServer() {
        if (isHeldUp() || m_isClosed)
            return;
        if (takeIfArrived(m_opensAt))
            m_socket->open();
        if (const QByteArray bytes = m_toServer.takeArrived(m_line.clock().now()); !bytes.isEmpty()) {
            Q_EMIT m_line.sent(bytes);
            m_socket->write(bytes);
        }
    }
    void onReadable() {
        m_fromServer.add(m_socket->readAll(), arrivalHere());
        if (m_scriptsAnswer.isAwaited() && m_scriptsAnswer.takeFrom(m_arrived + m_fromServer.all()) &&
            m_line.takeLoss())
            return breakDown();
        deliver();
    }
    void breakDown() {
        m_arrived.clear();
        m_fromServer.clear();
        m_socket->disconnect(this);
        m_socket->close();
        fail(Error(ErrorCode::ConnectionLost, Cause::ClosedByServer));
    }
    void fail(const Error& failure) {
        m_failure = failure;
        m_failsAt = m_fromServer.behindAll(arrivalHere());
        deliver();
    }
    // A slot may destroy this object.
    void deliver() {
        const QPointer<LineTransport> self(this);
        if (!isHeldUp() && takeIfArrived(m_openedAt))
            Q_EMIT opened();
        if (self && !isHeldUp() && takeArrived())
            Q_EMIT readyRead();
        if (!self || isHeldUp())
            return;
        awaitNextArrival();
        if (!m_fromServer.isEmpty() || !takeIfArrived(m_failsAt))
            return;
        const Error failure = m_failure;
        Q_EMIT failed(failure);
    }

    // When bytes that are sent now arrive at the other end.
    [[nodiscard]] SteadyTime arrival() const { return m_line.clock().now() + m_line.delay(); }
    // As arrival(), but not before the actor knows that the connection is open, even if the delay has become shorter.
    [[nodiscard]] SteadyTime arrivalHere() const { return std::max(arrival(), m_openedAt.value_or(SteadyTime())); }
    [[nodiscard]] bool takeIfArrived(std::optional<SteadyTime>& when) const {
        const bool hasArrived = when && *when <= m_line.clock().now();
        if (hasArrived)
            when.reset();
        return hasArrived;
    }

    [[nodiscard]] bool takeArrived() {
        const QByteArray bytes = m_fromServer.takeArrived(m_line.clock().now());
        m_arrived += bytes;
        return !bytes.isEmpty();
    }
    void awaitNextArrival() {
        for (const std::optional<SteadyTime>& next :
             {m_opensAt, m_openedAt, m_failsAt, m_toServer.nextArrival(), m_fromServer.nextArrival()}) {
            if (next && !m_isClosed)
                m_nextArrival.startBy(*next);
        }
    }

    [[nodiscard]] bool isHeldUp() const { return m_line.isHeldUp(m_server); }

    ActorLine& m_line;
    const redis::Endpoint m_server;
    std::unique_ptr<redis::Transport> m_socket;
    Transit m_toServer;
    Transit m_fromServer;
    QByteArray m_arrived;  // but not read yet
    ClockTimer m_nextArrival;
    // When each of these events reaches its end of the line; nothing: it is not on its way.
    std::optional<SteadyTime> m_opensAt;   // the request to open reaches the server
    std::optional<SteadyTime> m_openedAt;  // the actor learns that the connection is open
    std::optional<SteadyTime> m_failsAt;   // m_failure reaches the actor
    Error m_failure;
    bool m_isClosed = false;
    ScriptsAnswer m_scriptsAnswer;
};

}  // namespace

redis::TransportFactory ActorLine::to(std::function<redis::Endpoint()> address) {
    return [this, address = std::move(address)] { return dial(address()); };
}

std::unique_ptr<redis::Transport> ActorLine::dial(const redis::Endpoint& server) {
    return std::make_unique<LineTransport>(*this, server);
}

void ActorLine::letPass(Reason reason) {
    m_reasons &= ~static_cast<unsigned>(reason);
    Q_EMIT passes();
}

void ActorLine::cutOff(std::vector<redis::Endpoint> servers) {
    m_cutOff = std::move(servers);
    Q_EMIT passes();
}

bool ActorLine::isHeldUp(const redis::Endpoint& server) const {
    return m_reasons != 0 || std::ranges::find(m_cutOff, server) != m_cutOff.end();
}

}  // namespace lockkeeper::lab

#include "moc_actorline.cpp"
