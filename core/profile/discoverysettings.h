// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArrayList>

namespace lockkeeper::profile {

// Where to search for unknown locks, and how much server time the search may use.
struct DiscoverySettings {
    QByteArrayList matches;       // glob patterns as for SCAN's MATCH; if empty, every name
    QByteArrayList prefixes;      // prefixes of names whose changes the server reports at once
    QByteArrayList semaphores{};  // glob patterns of names that are semaphores, also while nobody waits for them
    int serverShare = 5;          // how much of one server core the sweeps may use, in percent; 1..100

    friend bool operator==(const DiscoverySettings&, const DiscoverySettings&) = default;
};

}  // namespace lockkeeper::profile
