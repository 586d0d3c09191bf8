// SPDX-License-Identifier: Apache-2.0
#include "topology/dialer.h"

#include "redis/sockettransport.h"

namespace lockkeeper::topology {

redis::Endpoint endpointAt(const Address& announced, redis::Endpoint settings) {
    settings.unixPath.clear();
    settings.host = announced.host;
    settings.port = announced.port;
    settings.announcedNames = {announced.host};
    return settings;
}

Dialer::Dialer(AddressMap mapped)
    : m_make([](const redis::Endpoint& endpoint) { return redis::makeSocketTransport(endpoint); }),
      m_mapped(std::move(mapped)) {}

std::unique_ptr<redis::Transport> Dialer::dial(const redis::Endpoint& endpoint) const {
    return m_make(reachable(endpoint));
}

redis::Endpoint Dialer::reachable(redis::Endpoint seen) const {
    const std::optional<Address> mapped = reachableAddress(m_mapped, {seen.host, seen.port});
    if (!mapped)
        return seen;
    // The certificate is for the name of the server, not for the address that reaches it.
    if (seen.serverName.isEmpty() && seen.announcedNames.isEmpty())
        seen.serverName = seen.host;
    seen.host = mapped->host;
    seen.port = mapped->port;
    return seen;
}

}  // namespace lockkeeper::topology
