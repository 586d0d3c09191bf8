// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"
#include "redis/connectionoptions.h"
#include "redis/transport.h"

#include <QHash>

#include <functional>
#include <memory>
#include <optional>

namespace lockkeeper::topology {

// A host and a port. IPv6 without brackets.
struct LOCKKEEPER_EXPORT Address {
    QString host;
    quint16 port = 0;

    // "host", "host:port", "[::1]:port". Nothing if there is no host, or the port is none.
    [[nodiscard]] static std::optional<Address> parse(const QString& text, quint16 usualPort);
    // "host:port"
    [[nodiscard]] QString display() const;

    friend bool operator==(const Address&, const Address&) = default;
    friend size_t qHash(const Address& address, size_t seed = 0) noexcept { return qHashMulti(seed, address.host, address.port); }
};

// From the address that a server is announced with to the one that reaches it from here: behind NAT, or in containers.
// Redisson calls it natMapper.
using AddressMap = QHash<Address, Address>;

// Makes every transport of a session. Copies are cheap; tests make another one.
class LOCKKEEPER_EXPORT Dialer {
public:
    using MakeTransport = std::function<std::unique_ptr<redis::Transport>(const redis::Endpoint&)>;

    // The real one: TCP, TLS and Unix sockets.
    explicit Dialer(AddressMap mapped = {});
    explicit Dialer(MakeTransport make, AddressMap mapped = {}) : m_make(std::move(make)), m_mapped(std::move(mapped)) {}

    [[nodiscard]] std::unique_ptr<redis::Transport> dial(const redis::Endpoint& endpoint) const;
    // The address that dial() uses.
    [[nodiscard]] redis::Endpoint reachable(redis::Endpoint seen) const;

private:
    MakeTransport m_make;
    AddressMap m_mapped;
};

}  // namespace lockkeeper::topology
