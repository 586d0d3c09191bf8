// SPDX-License-Identifier: Apache-2.0
#include "platform/socketstream.h"

#include "platform/portable/qtstream.h"

namespace lockkeeper::platform {

QList<StreamKind> streamKinds() {
    return {StreamKind::QtSocket};
}

std::unique_ptr<SocketStream> makeStream(QTcpSocket& socket, StreamKind) {
    return qtStream(socket);
}

std::unique_ptr<SocketStream> makeStream(QLocalSocket& socket, StreamKind) {
    return qtStream(socket);
}

}  // namespace lockkeeper::platform
