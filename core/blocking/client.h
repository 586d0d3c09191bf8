// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "blocking/lock.h"
#include "locks/lockclient.h"
#include "topology/deployment.h"

#include <functional>
#include <memory>

namespace lockkeeper::blocking {

// A locks::LockClient for programs without an event loop. It lives in a thread of this library that all clients of the
// program share. That thread renews the leases, so a program that computes for long keeps its locks. The program needs
// nothing of Qt. A program with a QCoreApplication makes it before the first client and keeps it until the last client
// is gone. Otherwise the thread makes a QCoreApplication, because Qt delivers no events without one. Thread: any,
// several at the same time. The destructor waits for no call: no other thread may be in a call.
class LOCKKEEPER_EXPORT Client {
public:
    // One server.
    explicit Client(const redis::ConnectionOptions& connection,
                    const locks::LockClientOptions& options = locks::LockClientOptions());
    // Sentinels, a Cluster, or a jump host, as of topology::Route.
    Client(const topology::Deployment& deployment, const redis::ConnectionOptions& connection,
           const locks::LockClientOptions& options = locks::LockClientOptions());
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    ~Client();

    // Waits until the server (in a Cluster, one of the masters) is connected; fails with the reason after the timeout.
    // Without this check, a lock() without a time limit would wait for ever for a missing server.
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
    // or its locks: such a call would wait for itself. Set a flag, or trigger a stop source.
    using LostHandler = std::function<void(const locks::HoldKey& key, locks::LossReason why)>;
    void whenLost(LostHandler handler);

private:
    std::unique_ptr<ClientThread> m_client;
};

}  // namespace lockkeeper::blocking
