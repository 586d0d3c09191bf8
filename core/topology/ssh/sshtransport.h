// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/connectionoptions.h"
#include "redis/transport.h"
#include "topology/ssh/sshtunnel.h"

#include <QPointer>

namespace lockkeeper::topology {

// A Transport through a jump host: a light ssh process over the tunnel's connection, whose standard input and output
// are the byte stream. No port is opened on this machine. TLS is between here and the server, as without ssh.
class LOCKKEEPER_EXPORT SshTransport final : public redis::Transport {
    Q_OBJECT
public:
    // After the end of `tunnel` open() fails.
    SshTransport(SshTunnel* tunnel, redis::Endpoint server);
    ~SshTransport() override;

    void open() override;
    void write(const QByteArray& bytes) override;
    [[nodiscard]] QByteArray readAll() override;
    void close() override;

private:
    void connectThrough();
    void onStreamEnded(const Error& error);
    void onWords();
    void onProcessEnded();
    void report();
    void fail(const Error& error);

    const QPointer<SshTunnel> m_tunnel;
    Clock* const m_clock;  // null only without a tunnel
    const redis::Endpoint m_server;
    QPointer<QProcess> m_process;  // the tunnel's
    std::unique_ptr<redis::Transport> m_stream;
    QByteArray m_words;          // the end of what the process has said
    qint64 m_wordsBefore = 0;    // that the tunnel's ssh had said
    std::optional<Error> m_end;  // of the stream; the process may know why
    Clock::TimerId m_endTimer = Clock::TimerId::None;
    bool m_over = false;  // closed or failed: nothing is to follow
};

}  // namespace lockkeeper::topology
