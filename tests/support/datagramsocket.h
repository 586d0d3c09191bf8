// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QString>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstddef>

namespace lockkeeper::test {

// The socket of a service manager, which receives datagrams. name: a path, or @ and the name of an abstract socket.
class DatagramSocket {
public:
    explicit DatagramSocket(const QByteArray& name) : m_socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
        sockaddr_un address = {};
        address.sun_family = AF_UNIX;
        std::copy(name.begin(), name.end(), address.sun_path);
        const bool isAbstract = name.startsWith('@');
        if (isAbstract)
            address.sun_path[0] = '\0';
        const auto size = offsetof(sockaddr_un, sun_path) + static_cast<size_t>(name.size()) + (isAbstract ? 0 : 1);
        m_isBound = ::bind(m_socket, reinterpret_cast<const sockaddr*>(&address), static_cast<socklen_t>(size)) == 0;
    }
    DatagramSocket(const DatagramSocket&) = delete;
    DatagramSocket& operator=(const DatagramSocket&) = delete;
    ~DatagramSocket() { ::close(m_socket); }

    [[nodiscard]] bool isBound() const noexcept { return m_isBound; }
    // The next datagram; empty if there is none.
    [[nodiscard]] QByteArray take() const {
        std::array<char, 4096> bytes{};
        const ssize_t size = ::recv(m_socket, bytes.data(), bytes.size(), 0);
        return size > 0 ? QByteArray(bytes.data(), size) : QByteArray();
    }
    // All that have come, one after the other.
    [[nodiscard]] QByteArray takeAll() const {
        QByteArray all;
        for (QByteArray one = take(); !one.isEmpty(); one = take())
            all += one + '\n';
        return all;
    }

private:
    const int m_socket;
    bool m_isBound = false;
};

}  // namespace lockkeeper::test
