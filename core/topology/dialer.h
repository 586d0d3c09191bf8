// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"
#include "redis/transport.h"
#include "topology/deployment.h"

#include <functional>
#include <memory>

namespace lockkeeper::topology {

// The settings of one server for another one, which announces itself with this address.
[[nodiscard]] LOCKKEEPER_EXPORT redis::Endpoint endpointAt(const Address& announced, redis::Endpoint settings);

// Makes every transport of a session. Copies are cheap; tests make another one.
class LOCKKEEPER_EXPORT Dialer {
public:
    using MakeTransport = std::function<std::unique_ptr<redis::Transport>(const redis::Endpoint&)>;

    // Straight to the server: TCP, TLS and Unix sockets.
    explicit Dialer(AddressMap mapped = {});
    explicit Dialer(MakeTransport make, AddressMap mapped = {})
        : m_make(std::move(make)), m_mapped(std::move(mapped)) {}

    [[nodiscard]] std::unique_ptr<redis::Transport> dial(const redis::Endpoint& endpoint) const;
    // The address that dial() uses.
    [[nodiscard]] redis::Endpoint reachable(redis::Endpoint seen) const;

private:
    MakeTransport m_make;
    AddressMap m_mapped;
};

}  // namespace lockkeeper::topology
