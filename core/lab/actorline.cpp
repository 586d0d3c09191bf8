// SPDX-License-Identifier: Apache-2.0
#include "lab/actorline.h"

#include "redis/sockettransport.h"

#include <QPointer>

#include <optional>

namespace lockkeeper::lab {

namespace {

// One connection through the line.
class LineTransport final : public redis::Transport {
public:
    LineTransport(ActorLine& line, std::unique_ptr<redis::Transport> socket)
        : m_line(line), m_socket(std::move(socket)) {
        connect(m_socket.get(), &Transport::opened, this, [this] { arrives(m_hasOpened); });
        connect(m_socket.get(), &Transport::readyRead, this, &LineTransport::onReadable);
        connect(m_socket.get(), &Transport::failed, this, [this](const Error& error) {
            m_failure = error;
            deliver();
        });
        connect(&line, &ActorLine::passes, this, &LineTransport::pass, Qt::QueuedConnection);
    }

    void open() override {
        m_isToOpen = true;
        pass();
    }
    void write(const QByteArray& bytes) override {
        m_awaitsScript = m_awaitsScript || bytes.contains("\r\nEVAL");
        m_outgoing += bytes;
        pass();
    }
    [[nodiscard]] QByteArray readAll() override { return std::exchange(m_incoming, {}); }
    void close() override {
        m_isClosed = true;
        m_socket->close();
    }

private:
    // To the server, and then to the client.
    void pass() {
        if (m_line.isHeldUp() || m_isClosed)
            return;
        if (std::exchange(m_isToOpen, false))
            m_socket->open();
        if (const QByteArray bytes = std::exchange(m_outgoing, {}); !bytes.isEmpty()) {
            Q_EMIT m_line.sent(bytes);
            m_socket->write(bytes);
        }
        deliver();
    }
    void arrives(bool& what) {
        what = true;
        deliver();
    }
    void onReadable() {
        m_incoming += m_socket->readAll();
        const bool isAnswer = m_awaitsScript && hasScriptsAnswer();
        m_awaitsScript = m_awaitsScript && !isAnswer;
        if (isAnswer && m_line.takeLoss())
            return breakDown();
        arrives(m_isReadable);
    }
    // CLIENT CACHING and ASKING, which go before a script, are answered by +OK. After NOSCRIPT it is sent again.
    [[nodiscard]] bool hasScriptsAnswer() const {
        const QByteArray ok = "+OK\r\n";
        qsizetype at = 0;
        while (m_incoming.indexOf(ok, at) == at)
            at += ok.size();
        return at < m_incoming.size() && m_incoming.indexOf("-NOSCRIPT", at) != at;
    }
    void breakDown() {
        m_incoming.clear();
        m_socket->disconnect(this);
        m_socket->close();
        m_failure = Error(ErrorCode::ConnectionLost, Cause::ClosedByServer);
        deliver();
    }
    // A slot may destroy this object.
    void deliver() {
        const QPointer<LineTransport> self(this);
        if (!m_line.isHeldUp() && std::exchange(m_hasOpened, false))
            Q_EMIT opened();
        if (self && !m_line.isHeldUp() && std::exchange(m_isReadable, false))
            Q_EMIT readyRead();
        if (!self || m_line.isHeldUp() || !m_failure)
            return;
        const Error failure = *m_failure;
        m_failure.reset();
        Q_EMIT failed(failure);
    }

    ActorLine& m_line;
    std::unique_ptr<redis::Transport> m_socket;
    QByteArray m_outgoing;
    QByteArray m_incoming;
    bool m_isToOpen = false;
    bool m_hasOpened = false;
    bool m_isReadable = false;
    bool m_isClosed = false;
    bool m_awaitsScript = false;
    std::optional<Error> m_failure;
};

}  // namespace

redis::TransportFactory ActorLine::to(std::function<redis::Endpoint()> address) {
    return [this, address = std::move(address)] {
        return std::make_unique<LineTransport>(*this, redis::makeSocketTransport(address()));
    };
}

void ActorLine::letPass(Reason reason) {
    m_reasons &= ~static_cast<unsigned>(reason);
    if (!isHeldUp())
        Q_EMIT passes();
}

}  // namespace lockkeeper::lab

#include "moc_actorline.cpp"
