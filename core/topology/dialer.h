// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"
#include "redis/transport.h"
#include "topology/deployment.h"

#include <functional>
#include <memory>

namespace lockkeeper::topology {

// The settings of one server, changed for another server that announces itself with this address.
[[nodiscard]] LOCKKEEPER_EXPORT redis::Endpoint endpointAt(const Address& announced, redis::Endpoint settings);

// Makes every transport of a session. Copies are cheap; tests derive their own.
class LOCKKEEPER_EXPORT Dialer {
public:
    using MakeTransport = std::function<std::unique_ptr<redis::Transport>(const redis::Endpoint&)>;

    // Connects directly to the server: TCP, TLS and Unix sockets.
    explicit Dialer(AddressMap mapped = {});
    explicit Dialer(MakeTransport make, AddressMap mapped = {})
        : m_make(std::move(make)), m_mapped(std::move(mapped)) {}

    [[nodiscard]] std::unique_ptr<redis::Transport> dial(const redis::Endpoint& endpoint) const;
    // The endpoint with the address that dial() uses for it.
    [[nodiscard]] redis::Endpoint reachable(redis::Endpoint seen) const;

private:
    MakeTransport m_make;
    AddressMap m_mapped;
};

}  // namespace lockkeeper::topology
