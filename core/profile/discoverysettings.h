#pragma once

#include <QByteArrayList>

namespace lockkeeper::profile {

// Where locks that nobody knows yet are looked for, and what that may cost the server.
struct DiscoverySettings {
    QByteArrayList matches;   // glob patterns as SCAN's MATCH takes them; none: every name
    QByteArrayList prefixes;  // of names whose changes the server is to tell at once
    int serverShare = 5;      // percent of one core of the server that sweeps may take; 1..100

    friend bool operator==(const DiscoverySettings&, const DiscoverySettings&) = default;
};

}  // namespace lockkeeper::profile
