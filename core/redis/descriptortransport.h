#pragma once

#include "redis/transport.h"

#include <QSocketNotifier>

#include <memory>

namespace lockkeeper::redis {

// A Transport over the bare descriptor of a socket that Qt has connected. A Qt socket switches its write notifier on
// and off around every write, and asks how much there is before every read: seven system calls a round trip instead of
// three.
class LOCKKEEPER_EXPORT DescriptorTransport : public Transport {
public:
    ~DescriptorTransport() override;

    void write(const QByteArray& bytes) override;
    [[nodiscard]] QByteArray readAll() override { return std::exchange(m_incoming, {}); }
    void close() override;

protected:
    DescriptorTransport() = default;
    // Takes a duplicate of the descriptor of a connected stream socket, lets its owner go by stopOpening(), and says
    // opened().
    void adopt(qintptr descriptor);
    // Ends what connects, or has connected. Called any number of times.
    virtual void stopOpening() = 0;

private:
    void closeDescriptor();
    void receive();
    void sendUnsent();
    // How many of these bytes the system took; the rest must wait.
    qsizetype sendNow(const QByteArray& bytes);
    void fail(int systemError);

    int m_descriptor = -1;
    std::unique_ptr<QSocketNotifier> m_readable;
    std::unique_ptr<QSocketNotifier> m_writable;  // enabled only while something is unsent
    QByteArray m_incoming;
    QByteArray m_unsent;
};

}  // namespace lockkeeper::redis
