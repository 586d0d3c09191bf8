// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "lockkeeper_export.h"

#include <QByteArray>
#include <QObject>

#include <functional>
#include <memory>

namespace lockkeeper::redis {

// A byte stream to a server: the part of a socket that Connection needs and that a test can fake. Used once: each new
// attempt after failed() or close() needs a new object. A slot may delete it.
class LOCKKEEPER_EXPORT Transport : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    // opened() or failed() follows, unless close() is called before.
    virtual void open() = 0;
    // What open() still waits for, if more is known than that there is no connection yet; otherwise None. The time is
    // an argument of this cause.
    [[nodiscard]] virtual Cause waitingFor() const { return Cause::None; }
    virtual void write(const QByteArray& bytes) = 0;
    [[nodiscard]] virtual QByteArray readAll() = 0;
    // Closes at once, without a signal.
    virtual void close() = 0;

Q_SIGNALS:
    void opened();
    void readyRead();
    // The stream could not be opened, or ended: by the peer, the network, or TLS. No signal follows.
    void failed(const lockkeeper::Error& error);
};

using TransportFactory = std::function<std::unique_ptr<Transport>()>;

}  // namespace lockkeeper::redis
