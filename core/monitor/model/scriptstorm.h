// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "monitor/model/diagnosis.h"

#include <QString>

namespace lockkeeper::monitor {

// Clients repeatedly ask a server for scripts that it does not have (NOSCRIPT). This happens after a slot has moved,
// after a promotion, and after SCRIPT FLUSH. Meanwhile these clients renew no lock (core/locks/protocol.md, "Cluster
// and Sentinel").
struct ScriptStorm {
    QString node;        // "host:port"; empty where there is only one server
    quint64 errors = 0;  // NOSCRIPT answers
    qint64 mostPerSecond = 0;
    WallTime since{};
    WallTime last{};  // time of the last count that showed the storm

    // The lowest rate of a storm. Many clients that each load their scripts once resemble a weak storm.
    static constexpr qint64 least = 100;    // a second
    static constexpr qint64 strong = 1000;  // a second
    [[nodiscard]] Certainty certainty() const {
        return mostPerSecond >= strong ? Certainty::Likely : Certainty::Suspected;
    }

    friend bool operator==(const ScriptStorm&, const ScriptStorm&) = default;
};

}  // namespace lockkeeper::monitor
