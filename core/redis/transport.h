#pragma once

#include "base/error.h"
#include "lockkeeper_export.h"

#include <QByteArray>
#include <QObject>

#include <functional>
#include <memory>

namespace lockkeeper::redis {

// A byte stream to a server: what Connection needs of a socket, and what a test can play. Used once: after failed() or close()
// a new one is made for the next attempt.
class LOCKKEEPER_EXPORT Transport : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    virtual void open() = 0;
    virtual void write(const QByteArray& bytes) = 0;
    [[nodiscard]] virtual QByteArray readAll() = 0;
    // Ends at once, without a signal.
    virtual void close() = 0;

Q_SIGNALS:
    void opened();
    void readyRead();
    // Could not be opened, or ended: by the peer, the network, or TLS. Nothing follows.
    void failed(const lockkeeper::Error& error);
};

using TransportFactory = std::function<std::unique_ptr<Transport>()>;

}  // namespace lockkeeper::redis
