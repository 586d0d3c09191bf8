// SPDX-License-Identifier: Apache-2.0
#include "platform/servicesocket.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <algorithm>
#include <cstddef>

namespace lockkeeper::platform {

bool sendDatagram(const QByteArray& socket, const QByteArray& text) {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    const bool isAbstract = socket.startsWith('@');
    if (socket.isEmpty() || (!isAbstract && !socket.startsWith('/')) ||
        socket.size() >= static_cast<qsizetype>(sizeof address.sun_path))
        return false;
    std::ranges::copy(socket, address.sun_path);
    if (isAbstract)
        address.sun_path[0] = '\0';
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + static_cast<size_t>(socket.size()) +
                                             (isAbstract ? 0 : 1));
    const int descriptor = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (descriptor < 0)
        return false;
    const ssize_t sent = ::sendto(descriptor, text.constData(), static_cast<size_t>(text.size()), MSG_NOSIGNAL,
                                  reinterpret_cast<const sockaddr*>(&address), size);
    ::close(descriptor);
    return sent == text.size();
}

}  // namespace lockkeeper::platform
