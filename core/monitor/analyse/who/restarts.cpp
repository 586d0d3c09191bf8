// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/who/restarts.h"

namespace lockkeeper::monitor {

namespace {

// Of a guess with several connections the address is the host alone.
QByteArray hostIn(const QByteArray& address) {
    const qsizetype colon = address.lastIndexOf(':');
    return colon < 0 || address.endsWith(']') ? address : address.left(colon);
}

bool mayBeOver(const ClientRow& client) {
    return client.isIdle() || !client.diagnoses.isEmpty();
}

bool mayFollow(const IdentifiedClient& earlier, const IdentifiedClient& later) {
    const HolderIdentity& one = earlier.identity;
    const HolderIdentity& other = later.identity;
    return mayBeOver(earlier.client) && !one.name.isEmpty() && one.name == other.name && !one.address.isEmpty() &&
           hostIn(one.address) == hostIn(other.address) && later.client.firstSeen >= earlier.client.last.at &&
           earlier.client.firstSeen < later.client.firstSeen;
}

}  // namespace

QHash<ClientId, ClientId> restartsAmong(const QList<IdentifiedClient>& clients) {
    QHash<ClientId, ClientId> successors;
    for (const IdentifiedClient& earlier : clients) {
        const IdentifiedClient* first = nullptr;
        for (const IdentifiedClient& later : clients) {
            if (mayFollow(earlier, later) && (!first || later.client.firstSeen < first->client.firstSeen))
                first = &later;
        }
        if (first)
            successors.insert(earlier.client.id, first->client.id);
    }
    return successors;
}

}  // namespace lockkeeper::monitor
