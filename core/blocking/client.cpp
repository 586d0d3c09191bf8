// SPDX-License-Identifier: Apache-2.0
#include "blocking/client.h"

#include "blocking/clientthread.h"
#include "locks/kinds/fairlock.h"
#include "locks/kinds/fencedlock.h"
#include "locks/kinds/nonreentrantlock.h"
#include "locks/kinds/readwritelock.h"
#include "locks/kinds/reentrantlock.h"
#include "locks/kinds/spinlock.h"
#include "topology/shardconnections.h"

namespace lockkeeper::blocking {

namespace {

Task<Result<Done>> whenConnected(locks::LockClient* client, Milliseconds timeout) {
    topology::ShardConnections& connections = client->connections();
    const Completion<Done> ready = connections.whenReady({});
    const Result<Done> connected = co_await ready.wait(Deadline::in(client->clock(), timeout));
    if (connected || connected.error().code != ErrorCode::Timeout)
        co_return connected;
    co_return connections.lastError({});
}

}  // namespace

Client::Client(const redis::ConnectionOptions& connection, const locks::LockClientOptions& options)
    : Client(topology::Deployment(), connection, options) {}

Client::Client(const topology::Deployment& deployment, const redis::ConnectionOptions& connection,
               const locks::LockClientOptions& options)
    : m_client(std::make_unique<ClientThread>(deployment, connection, options)) {}

Client::~Client() = default;

Result<Done> Client::connect(Milliseconds timeout) {
    return m_client->call<Done>([this, timeout] { return whenConnected(&m_client->client(), timeout); });
}

Lock Client::reentrantLock(const LockName& name) {
    return Lock(*m_client, m_client->client().reentrantLock(name));
}

Lock Client::fairLock(const LockName& name) {
    return Lock(*m_client, m_client->client().fairLock(name));
}

Lock Client::nonReentrantLock(const LockName& name) {
    return Lock(*m_client, m_client->client().nonReentrantLock(name));
}

Lock Client::nonReentrantFairLock(const LockName& name) {
    return Lock(*m_client, m_client->client().nonReentrantFairLock(name));
}

Lock Client::fencedLock(const LockName& name) {
    return Lock(*m_client, m_client->client().fencedLock(name));
}

Lock Client::spinLock(const LockName& name) {
    return Lock(*m_client, m_client->client().spinLock(name));
}

Lock Client::readLock(const LockName& name) {
    return Lock(*m_client, m_client->client().readWriteLock(name).readLock());
}

Lock Client::writeLock(const LockName& name) {
    return Lock(*m_client, m_client->client().readWriteLock(name).writeLock());
}

void Client::whenLost(LostHandler handler) {
    m_client->whenLost(std::move(handler));
}

}  // namespace lockkeeper::blocking
