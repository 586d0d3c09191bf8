// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/transport.h"

#include <QSocketNotifier>

#include <memory>

namespace lockkeeper::redis {

// A Transport that reads and writes the descriptor of a socket which Qt has connected. A Qt socket needs seven system
// calls a round trip (it switches its write notifier on and off and asks for the available size); this needs three.
class LOCKKEEPER_EXPORT DescriptorTransport : public Transport {
public:
    ~DescriptorTransport() override;

    void write(const QByteArray& bytes) override;
    [[nodiscard]] QByteArray readAll() override { return std::exchange(m_incoming, {}); }
    void close() override;

protected:
    DescriptorTransport() = default;
    // Duplicates the descriptor of a connected stream socket, releases its owner by stopOpening(), and emits opened().
    void adopt(qintptr descriptor);
    // Closes the socket that is connecting or has connected. May be called several times.
    virtual void stopOpening() = 0;

private:
    void closeDescriptor();
    void receive();
    void sendUnsent();
    // Returns how many of these bytes the system took; the rest must wait.
    qsizetype sendNow(const QByteArray& bytes);
    void fail(int systemError);

    int m_descriptor = -1;
    std::unique_ptr<QSocketNotifier> m_readable;
    std::unique_ptr<QSocketNotifier> m_writable;  // enabled only while bytes are unsent
    QByteArray m_incoming;
    QByteArray m_unsent;
};

}  // namespace lockkeeper::redis
