// SPDX-License-Identifier: Apache-2.0
#include "support/lossyline.h"

#include "lab/scriptsanswer.h"
#include "redis/sockettransport.h"
#include "support/ownread.h"

#include <QTimer>

#include <algorithm>

namespace lockkeeper::test {

namespace {

bool isOfCommand(LossyLine::Loss loss) {
    return loss == LossyLine::Loss::Command || loss == LossyLine::Loss::HeldUpCommand;
}

}  // namespace

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
        const bool isScript = lab::ScriptsAnswer::isScript(bytes) && !isOwnRead(bytes);
        const std::optional<LossyLine::Loss> loss = isScript ? m_line.commandSent() : std::nullopt;
        if (loss == LossyLine::Loss::HeldUpCommand) {
            m_socket->disconnect(this);
            m_line.holdUp(std::move(m_socket), bytes);
        }
        if (loss)
            return breakDown();
        if (isScript)
            m_scriptsAnswer.noteSent(bytes);
        m_socket->write(bytes);
    }
    [[nodiscard]] QByteArray readAll() override { return std::exchange(m_incoming, {}); }
    void close() override {
        if (m_socket)
            m_socket->close();
    }

private:
    void onReadable() {
        m_incoming += m_socket->readAll();
        std::optional<LossyLine::Loss> loss;
        if (m_scriptsAnswer.takeFrom(m_incoming))
            loss = m_line.answerCame();
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
        if (m_socket) {
            m_socket->disconnect(this);
            m_socket->close();
        }
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
    lab::ScriptsAnswer m_scriptsAnswer;
    bool m_isHeldBack = false;
};

redis::TransportFactory LossyLine::factory() {
    return [this] { return std::make_unique<LossyTransport>(*this, redis::makeSocketTransport(m_endpoint)); };
}

std::optional<LossyLine::Loss> LossyLine::commandSent() {
    if (m_losses.empty() || !isOfCommand(m_losses.front().what) || m_losses.front().passing > 0)
        return std::nullopt;
    const Loss what = m_losses.front().what;
    m_losses.pop_front();
    return what;
}

void LossyLine::holdUp(std::unique_ptr<redis::Transport> connection, const QByteArray& command) {
    auto heldUp = std::make_unique<HeldUp>(HeldUp{std::move(connection), command});
    QObject::connect(heldUp->connection.get(), &redis::Transport::failed, heldUp->connection.get(),
                     [held = heldUp.get()] { held->hasEnded = true; });
    m_heldUp.push_back(std::move(heldUp));
}

void LossyLine::deliverHeldUp() {
    for (const auto& heldUp : m_heldUp) {
        if (!heldUp->hasEnded)
            heldUp->connection->write(heldUp->command);
    }
}

bool LossyLine::heldUpHaveEnded() const {
    return std::ranges::all_of(m_heldUp, [](const auto& heldUp) { return heldUp->hasEnded; });
}

std::optional<LossyLine::Loss> LossyLine::answerCame() {
    if (m_losses.empty())
        return std::nullopt;
    if (m_losses.front().passing > 0) {
        --m_losses.front().passing;
        return std::nullopt;
    }
    const Loss what = m_losses.front().what;
    if (isOfCommand(what))  // the command was sent before the loss was requested
        return std::nullopt;
    m_losses.pop_front();
    return what;
}

}  // namespace lockkeeper::test
