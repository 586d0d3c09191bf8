// SPDX-License-Identifier: Apache-2.0
#include "topology/ssh/sshtransport.h"

#include "platform/childprocess.h"
#include "redis/sockettransport.h"
#include "topology/ssh/sshcommand.h"

namespace lockkeeper::topology {

namespace {

using namespace std::chrono_literals;

// How long the process may take to report the reason after its stream has ended.
constexpr Milliseconds wordsTime = 1s;
constexpr qsizetype keptChildWords = 4000;  // bytes

}  // namespace

SshTransport::SshTransport(SshTunnel* tunnel, redis::Endpoint server)
    : m_tunnel(tunnel), m_clock(tunnel ? &tunnel->clock() : nullptr), m_server(std::move(server)) {}

SshTransport::~SshTransport() {
    blockSignals(true);
    close();
}

void SshTransport::open() {
    if (!m_server.unixPath.isEmpty())
        return onTunnel(Error(ErrorCode::InvalidArgument, Cause::SshUnixPath));
    if (!m_tunnel)
        return onTunnel(Error(ErrorCode::ConnectionLost, Cause::ConnectionClosed));
    m_tunnel->open().then([this, alive = QPointer(this)](const Result<Done>& up) {
        if (alive)
            onTunnel(up);
    });
}

// Continues from the event loop: the answer comes inside a signal of the tunnel's process, and a receiver of failed()
// may delete the tunnel.
void SshTransport::onTunnel(const Result<Done>& up) {
    const auto proceed = [this, up] {
        if (m_over)
            return;
        if (up && m_tunnel)
            connectThrough();
        else
            fail(up ? Error(ErrorCode::ConnectionLost, Cause::ConnectionClosed) : up.error());
    };
    QMetaObject::invokeMethod(this, proceed, Qt::QueuedConnection);
}

void SshTransport::connectThrough() {
    m_wordsBefore = m_tunnel->wordsSaid();
    m_process = m_tunnel->makeConnection(m_server);
    connect(m_process, &QProcess::readyReadStandardError, this, &SshTransport::onWords);
    connect(m_process, &QProcess::finished, this, &SshTransport::onProcessEnded);
    QString whyNot;
    const qintptr socket = platform::startOnSocket(*m_process, whyNot);
    if (socket < 0)
        return fail(Error(ErrorCode::Ssh, Cause::SshNotStarted, {whyNot}));
    m_stream = redis::makeConnectedTransport(socket, m_server);
    connect(m_stream.get(), &Transport::opened, this, &Transport::opened);
    connect(m_stream.get(), &Transport::readyRead, this, &Transport::readyRead);
    connect(m_stream.get(), &Transport::failed, this, &SshTransport::onStreamEnded);
    m_stream->open();
}

void SshTransport::write(const QByteArray& bytes) {
    if (m_stream)
        m_stream->write(bytes);
}

QByteArray SshTransport::readAll() {
    return m_stream ? m_stream->readAll() : QByteArray();
}

// Cancels the timer here, not in the destructor: a Connection deletes a closed transport later, when the clock may be
// gone.
void SshTransport::close() {
    if (std::exchange(m_over, true))
        return;
    if (m_stream)
        m_stream->close();
    if (m_clock)
        m_clock->cancel(std::exchange(m_endTimer, Clock::TimerId::None));
    if (QProcess* process = std::exchange(m_process, nullptr)) {
        process->disconnect(this);
        SshTunnel::retire(process);
    }
}

void SshTransport::onWords() {
    m_words = (m_words + m_process->readAllStandardError()).right(keptChildWords);
}

// ---- the end ----

void SshTransport::onStreamEnded(const Error& error) {
    if (m_over)
        return;
    if (error.code != ErrorCode::ConnectionLost || !m_process)
        return fail(error);
    m_end = error;
    if (m_process->state() == QProcess::NotRunning)
        return onProcessEnded();
    m_endTimer = m_clock->schedule(m_clock->now() + wordsTime, [this] {
        m_endTimer = Clock::TimerId::None;
        report();
    });
}

// The stream may still have unread bytes, and words that the tunnel's ssh has written may still be on their way.
void SshTransport::onProcessEnded() {
    if (m_end)
        QMetaObject::invokeMethod(this, &SshTransport::report, Qt::QueuedConnection);
}

void SshTransport::report() {
    if (m_over)
        return;
    const QByteArray tunnelWords = m_tunnel ? m_tunnel->wordsSince(m_wordsBefore) : QByteArray();
    // If the process has written nothing, it ended because the server has closed the connection.
    if (m_words.trimmed().isEmpty())
        return fail(*m_end);
    fail(Error(ErrorCode::Ssh, Cause::SshEnded, {sshWords(tunnelWords + m_words)}));
}

void SshTransport::fail(const Error& error) {
    if (m_over)
        return;
    close();
    Q_EMIT failed(error);
}

}  // namespace lockkeeper::topology

#include "moc_sshtransport.cpp"
