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

QString Address::display() const {
    redis::Endpoint endpoint;
    endpoint.host = host;
    endpoint.port = port;
    return endpoint.display();
}

}  // namespace lockkeeper::topology
