// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "blocking/lock.h"
#include "locks/lockclient.h"
#include "topology/deployment.h"

#include <functional>
#include <memory>

namespace lockkeeper::blocking {

// A locks::LockClient for programs without an event loop. It lives in a thread of this library, which all clients of
// the program share; that thread renews the leases, so a program that computes for long keeps its locks. Nothing of Qt
// is needed in the program. If it has a QCoreApplication, it makes it before the first client, and keeps it until the
// last one is gone; otherwise the thread makes one of its own, because Qt delivers no events without it. Thread: any,
// several at the same time. Its destructor waits for no call: no other thread may be in one.
class LOCKKEEPER_EXPORT Client {
public:
    // One server.
    explicit Client(const redis::ConnectionOptions& connection,
                    const locks::LockClientOptions& options = locks::LockClientOptions());
    // Sentinels, a Cluster, a jump host: as topology::Route.
    Client(const topology::Deployment& deployment, const redis::ConnectionOptions& connection,
           const locks::LockClientOptions& options = locks::LockClientOptions());
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    ~Client();

    // Waits until the server (in a Cluster, one of the masters) is connected: a lock() without a time limit would wait
    // for ever for a server that is not there. Fails with the reason after the timeout.
    [[nodiscard]] Result<Done> connect(Milliseconds timeout);

    [[nodiscard]] Lock reentrantLock(const LockName& name);
    [[nodiscard]] Lock fairLock(const LockName& name);
    [[nodiscard]] Lock nonReentrantLock(const LockName& name);
    [[nodiscard]] Lock nonReentrantFairLock(const LockName& name);
    [[nodiscard]] Lock fencedLock(const LockName& name);
    [[nodiscard]] Lock spinLock(const LockName& name);
    [[nodiscard]] Lock readLock(const LockName& name);
    [[nodiscard]] Lock writeLock(const LockName& name);

    // Runs at each LockClient::lockLost, in the thread of the library. It must be short, and must not call this client
    // or its locks: they would wait for themselves. Set a flag, or trigger a stop source.
    using LostHandler = std::function<void(const locks::HoldKey& key, locks::LossReason why)>;
    void whenLost(LostHandler handler);

private:
    std::unique_ptr<ClientThread> m_client;
};

}  // namespace lockkeeper::blocking
