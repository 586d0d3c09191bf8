// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/connectionoptions.h"
#include "redis/transport.h"
#include "topology/ssh/sshtunnel.h"

#include <QPointer>

namespace lockkeeper::topology {

// A Transport through a jump host. A light ssh process uses the tunnel's connection; its standard input and output are
// the byte stream. No port is opened on this machine. TLS is between this program and the server, as without ssh.
class LOCKKEEPER_EXPORT SshTransport final : public redis::Transport {
    Q_OBJECT
public:
    // open() fails after `tunnel` is destroyed.
    SshTransport(SshTunnel* tunnel, redis::Endpoint server);
    ~SshTransport() override;

    void open() override;
    void write(const QByteArray& bytes) override;
    [[nodiscard]] QByteArray readAll() override;
    void close() override;

private:
    void onTunnel(const Result<Done>& up);
    void connectThrough();
    void onStreamEnded(const Error& error);
    void onWords();
    void onProcessEnded();
    void report();
    void fail(const Error& error);

    const QPointer<SshTunnel> m_tunnel;
    Clock* const m_clock;  // null only if there is no tunnel
    const redis::Endpoint m_server;
    QPointer<QProcess> m_process;  // owned by the tunnel
    std::unique_ptr<redis::Transport> m_stream;
    QByteArray m_words;          // the last part of the process's output on standard error
    qint64 m_wordsBefore = 0;    // bytes that the tunnel's ssh had written before
    std::optional<Error> m_end;  // why the stream ended; the process may report a better reason
    Clock::TimerId m_endTimer = Clock::TimerId::None;
    bool m_over = false;  // closed or failed: no signal may follow
};

}  // namespace lockkeeper::topology
