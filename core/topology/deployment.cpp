// SPDX-License-Identifier: Apache-2.0
#include "topology/deployment.h"

#include <QUrl>

namespace lockkeeper::topology {

std::optional<Address> Address::parse(const QString& text, quint16 usualPort) {
    const QUrl url(QStringLiteral("redis://") + text, QUrl::StrictMode);
    const bool isAddress = url.isValid() && !url.host().isEmpty() && url.port(usualPort) != 0 && url.path().isEmpty() &&
                           url.userInfo().isEmpty() && !url.hasQuery() && !url.hasFragment();
    if (!isAddress)
        return std::nullopt;
    return Address{url.host(), static_cast<quint16>(url.port(usualPort))};
}

std::optional<Address> Address::parseHost(const QString& text) {
    constexpr quint16 any = 0;
    const bool hasPort = parse(text, any).has_value();
    const std::optional<Address> host = hasPort ? std::nullopt : parse(text, 1);
    return host ? std::optional(Address{host->host, any}) : std::nullopt;
}

QString Address::display() const {
    redis::Endpoint endpoint;
    endpoint.host = host;
    endpoint.port = port;
    const QString text = endpoint.display();
    return port == 0 ? text.chopped(2) : text;
}

std::optional<Address> reachableAddress(const AddressMap& map, const Address& announced) {
    const auto exact = map.constFind(announced);
    if (exact != map.cend())
        return *exact;
    const auto host = map.constFind(Address{announced.host, 0});
    return host == map.cend() ? std::nullopt : std::optional(Address{host->host, announced.port});
}

}  // namespace lockkeeper::topology
