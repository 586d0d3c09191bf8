// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/redisserver.h"

#include <memory>
#include <optional>
#include <vector>

namespace lockkeeper::test {

// A master, a replica and real Sentinels that fail over, usually after a second. The name of the master is "orders".
// All processes end with this object.
class SentinelSetup {
public:
    struct Options {
        Milliseconds downAfter{1000};            // how long a master may be silent
        QStringList more;                        // further arguments for all servers and Sentinels
        std::optional<QStringList> ofSentinels;  // further arguments for the Sentinels instead of `more`
    };

    explicit SentinelSetup(int sentinels = 3) : SentinelSetup(sentinels, Options()) {}
    SentinelSetup(int sentinels, const Options& options);

    // Starts all processes, and waits until each Sentinel knows the replica and the other Sentinels.
    [[nodiscard]] bool start();
    // The server that is the master at the beginning, and its replica.
    [[nodiscard]] RedisServer& first() { return *m_first; }
    [[nodiscard]] RedisServer& second() { return *m_second; }
    [[nodiscard]] RedisServer& sentinel(size_t index) { return *m_sentinels[index]; }
    [[nodiscard]] size_t sentinelCount() const { return m_sentinels.size(); }
    // Fails over by command, and waits until the second server is the master.
    [[nodiscard]] bool failOver();
    [[nodiscard]] bool secondBecomesMaster(int milliseconds = 15000);
    // redis-sentinel://127.0.0.1:PORT,.../orders
    [[nodiscard]] QString url() const;

private:
    [[nodiscard]] bool knowsAll(RedisServer& sentinel) const;

    std::unique_ptr<RedisServer> m_first;
    std::unique_ptr<RedisServer> m_second;
    std::vector<std::unique_ptr<RedisServer>> m_sentinels;
};

}  // namespace lockkeeper::test
