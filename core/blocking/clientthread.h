// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/whendone.h"
#include "base/systemclock.h"
#include "blocking/client.h"
#include "blocking/worker.h"
#include "topology/route.h"

#include <future>

namespace lockkeeper::blocking {

// The part of a blocking client that lives in the worker's thread, and the calls into it.
class ClientThread {
public:
    ClientThread(const topology::Deployment& deployment, const redis::ConnectionOptions& connection,
                 const locks::LockClientOptions& options);
    ClientThread(const ClientThread&) = delete;
    ClientThread& operator=(const ClientThread&) = delete;
    ~ClientThread();

    [[nodiscard]] Worker& worker() noexcept { return m_worker; }
    // Any thread may make handles with it: they use only those members that never change. Everything else is for the
    // worker's thread.
    [[nodiscard]] locks::LockClient& client() noexcept { return *m_client; }
    void whenLost(Client::LostHandler handler);

    // Starts a task in the worker's thread, and waits for its result.
    template <typename T>
    [[nodiscard]] Result<T> call(std::function<Task<Result<T>>()> start) {
        const auto result = std::make_shared<std::promise<Result<T>>>();  // the thread may still use it after the wait
        m_worker.post([this, start = std::move(start), result] {
            whenDone(start(), m_clock.get(), [result](const Result<T>& outcome) { result->set_value(outcome); });
        });
        return result->get_future().get();
    }

private:
    Worker& m_worker;
    // Created and destroyed in the worker's thread, in reverse order of creation.
    std::unique_ptr<SystemClock> m_clock;
    std::unique_ptr<topology::Route> m_route;
    std::unique_ptr<locks::LockClient> m_client;
    Client::LostHandler m_onLost;
};

}  // namespace lockkeeper::blocking
