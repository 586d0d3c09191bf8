// SPDX-License-Identifier: Apache-2.0
#include "support/lossyline.h"

#include "redis/sockettransport.h"

#include <QTimer>

namespace lockkeeper::test {

// One connection through the lossy line.
class LossyTransport final : public redis::Transport {
public:
    LossyTransport(LossyLine& line, std::unique_ptr<redis::Transport> socket)
        : m_line(line), m_socket(std::move(socket)) {
        connect(m_socket.get(), &Transport::opened, this, &Transport::opened);
        connect(m_socket.get(), &Transport::failed, this, &Transport::failed);
        connect(m_socket.get(), &Transport::readyRead, this, &LossyTransport::onReadable);
    }

    void open() override { m_socket->open(); }
    void write(const QByteArray& bytes) override {
        const bool isScript = bytes.contains("\r\nEVAL");
        if (isScript && m_line.losesCommand())
            return breakDown();
        m_awaitsScript = m_awaitsScript || isScript;
        m_socket->write(bytes);
    }
    [[nodiscard]] QByteArray readAll() override { return std::exchange(m_incoming, {}); }
    void close() override { m_socket->close(); }

private:
    void onReadable() {
        m_incoming += m_socket->readAll();
        std::optional<LossyLine::Loss> loss;
        if (m_awaitsScript && !m_incoming.startsWith("-NOSCRIPT")) {
            m_awaitsScript = false;
            loss = m_line.answerCame();
        }
        if (loss == LossyLine::Loss::LateAnswer)
            holdBack();
        else if (loss)
            breakDown();
        else if (!m_isHeldBack)
            Q_EMIT readyRead();
    }
    // Keeps the order: bytes that arrive during the delay are passed on after it.
    void holdBack() {
        m_isHeldBack = true;
        QTimer::singleShot(m_line.lateness, this, [this] {
            m_isHeldBack = false;
            Q_EMIT readyRead();
        });
    }
    // Queued, because a socket never fails inside write().
    void breakDown() {
        m_socket->disconnect(this);
        m_socket->close();
        if (m_line.whenLost)
            m_line.whenLost();
        const auto tell = [this] {
            Q_EMIT failed(Error(ErrorCode::ConnectionLost, QStringLiteral("as the test wants it")));
        };
        QMetaObject::invokeMethod(this, tell, Qt::QueuedConnection);
    }

    LossyLine& m_line;
    std::unique_ptr<redis::Transport> m_socket;
    QByteArray m_incoming;
    bool m_awaitsScript = false;
    bool m_isHeldBack = false;
};

redis::TransportFactory LossyLine::factory() {
    return [this] { return std::make_unique<LossyTransport>(*this, redis::makeSocketTransport(m_endpoint)); };
}

bool LossyLine::losesCommand() {
    if (m_losses.empty() || m_losses.front().what != Loss::Command || m_losses.front().passing > 0)
        return false;
    m_losses.pop_front();
    return true;
}

std::optional<LossyLine::Loss> LossyLine::answerCame() {
    if (m_losses.empty())
        return std::nullopt;
    if (m_losses.front().passing > 0) {
        --m_losses.front().passing;
        return std::nullopt;
    }
    const Loss what = m_losses.front().what;
    if (what == Loss::Command)  // the command was sent before the loss was requested
        return std::nullopt;
    m_losses.pop_front();
    return what;
}

}  // namespace lockkeeper::test
