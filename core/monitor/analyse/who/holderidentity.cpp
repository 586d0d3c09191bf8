// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/who/holderidentity.h"

#include <algorithm>

namespace lockkeeper::monitor {

using namespace std::chrono_literals;

namespace {

using Clients = QList<ClientListEntry>;

// MONITOR writes "unix:/path" where CLIENT LIST has "/path:0".
QByteArray asListed(const QByteArray& address) {
    return address.startsWith("unix:") ? address.sliced(5) + ":0" : address;
}

QByteArray hostOf(const ClientListEntry& client) {
    return client.address.left(client.address.lastIndexOf(':'));
}

bool isLockkeeper(const ClientListEntry& client) {
    return client.name.startsWith("lockkeeper");
}

// Replicas, a replica's master and other monitors hold no locks.
bool isOrdinary(const ClientListEntry& client) {
    return std::ranges::none_of(client.flags, [](char flag) { return flag == 'S' || flag == 'M' || flag == 'O'; });
}

template <typename Condition>
Clients only(const Clients& clients, Condition condition) {
    Clients fitting;
    std::ranges::copy_if(clients, std::back_inserter(fitting), condition);
    return fitting;
}

// The value that all of the clients share; empty if they differ.
template <typename Part>
QByteArray common(const Clients& clients, Part part) {
    const QByteArray first = clients.isEmpty() ? QByteArray() : std::invoke(part, clients.first());
    const bool alike =
        std::ranges::all_of(clients, [&](const ClientListEntry& client) { return std::invoke(part, client) == first; });
    return alike ? first : QByteArray();
}

// Only if all clients are on one host; otherwise the list gives no basis for a guess.
bool guessOneOf(HolderIdentity& identity, IdentityBasis basis, const Clients& clients) {
    const QByteArray host = common(clients, hostOf);
    if (host.isEmpty())
        return false;
    identity.basis = basis;
    identity.address = clients.size() == 1 ? clients.first().address : host;
    identity.name = common(clients, &ClientListEntry::name);
    identity.user = common(clients, &ClientListEntry::user);
    return true;
}

}  // namespace

Milliseconds listeningTime(Milliseconds lease) {
    const Milliseconds interval = lease > 0ms ? lease / 3 : 10s;
    return std::clamp<Milliseconds>(interval + interval / 10, 1s, 30s);
}

HolderIdentity unknownIdentity(const ClientId& client, const Error& error) {
    HolderIdentity unknown;
    unknown.client = client;
    unknown.error = error;
    return unknown;
}

void addNameAndUser(HolderIdentity& identity, const Clients& clients) {
    const QByteArray address = asListed(identity.address);
    const Clients there = only(clients, [&](const ClientListEntry& client) { return client.address == address; });
    if (there.size() != 1)
        return;
    identity.name = there.first().name;
    identity.user = there.first().user;
}

void guess(HolderIdentity& identity, const Clients& clients) {
    const QByteArray uuid = identity.client.bytes();
    const Clients named = only(clients, [&](const ClientListEntry& client) { return client.name.contains(uuid); });
    if (guessOneOf(identity, IdentityBasis::ClientName, named))
        return;
    const Clients others =
        only(clients, [](const ClientListEntry& client) { return isOrdinary(client) && !isLockkeeper(client); });
    guessOneOf(identity, IdentityBasis::OnlyHost, others);
}

}  // namespace lockkeeper::monitor
