// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/transport.h"
#include "topology/dialer.h"
#include "topology/mastersource.h"

#include <QPointer>

namespace lockkeeper::topology {

// A Transport to the server that is the master at the time of open(). It ends when another server becomes the master;
// the next attempt of its Connection then finds that server.
class LOCKKEEPER_EXPORT MasterTransport final : public redis::Transport {
    Q_OBJECT
public:
    // open() fails after `source` is destroyed.
    MasterTransport(MasterSource* source, Dialer dialer);
    ~MasterTransport() override;

    void open() override;
    [[nodiscard]] Cause waitingFor() const override { return m_inner ? m_inner->waitingFor() : Cause::None; }
    void write(const QByteArray& bytes) override;
    [[nodiscard]] QByteArray readAll() override;
    void close() override;

private:
    void onFound(const Result<redis::Endpoint>& master);
    void openAt(const redis::Endpoint& master);
    void onMasterChanged(const redis::Endpoint& master);
    void fail(const Error& error);

    const QPointer<MasterSource> m_source;
    const Dialer m_dialer;
    redis::Endpoint m_master;
    std::optional<redis::Endpoint> m_changedTo;  // since the source has answered
    std::unique_ptr<redis::Transport> m_inner;   // null until the master is known
    bool m_over = false;                         // closed or failed: nothing is to follow
};

}  // namespace lockkeeper::topology
