// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QByteArray>
#include <QList>
#include <QObject>

#include <memory>

class QLocalSocket;
class QTcpSocket;

namespace lockkeeper::platform {

// Transfers the bytes of a socket that Qt has connected.
class LOCKKEEPER_EXPORT SocketStream : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    virtual void write(const QByteArray& bytes) = 0;
    [[nodiscard]] virtual QByteArray readAll() = 0;
    // Closes at once, without a signal.
    virtual void close() = 0;

Q_SIGNALS:
    void readyRead();
    // The stream has ended; no signal follows.
    void closedByPeer();
    void failed(const QString& reason);
};

enum class StreamKind {
    // Takes over the socket's descriptor: three system calls a round trip. Not in the portable version.
    Descriptor,
    // Uses Qt's socket: seven system calls, because it switches its write notifier on and off and asks for the
    // available size. A write to a peer that has closed ends the stream at once; bytes that the peer sent before may be
    // lost.
    QtSocket
};

// Bytes that a Qt socket keeps unread. The limit prevents that a peer which sends without end fills the memory, or
// keeps one turn of the event loop busy for ever. The other kind reads 16 kB a turn.
constexpr qint64 mostUnread = 256 * 1024;

// The kinds that this version has, the fastest first.
[[nodiscard]] LOCKKEEPER_EXPORT QList<StreamKind> streamKinds();

// The socket must be connected, and outlive the stream. If no descriptor is free, the kind is always QtSocket.
[[nodiscard]] LOCKKEEPER_EXPORT std::unique_ptr<SocketStream> makeStream(QTcpSocket& socket, StreamKind kind);
[[nodiscard]] LOCKKEEPER_EXPORT std::unique_ptr<SocketStream> makeStream(QLocalSocket& socket, StreamKind kind);

}  // namespace lockkeeper::platform
