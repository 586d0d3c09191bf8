// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "support/redisserver.h"

#include <QJsonObject>

namespace lockkeeper::test {

// The keys that the real client left on its server, from a recording. They are written by plain commands, for holders
// that are not clients of the test.
class RecordedState {
public:
    // The keys after the step with this text, in a file of tests/data/redisson-4.7.0.
    RecordedState(const QString& file, const QString& step);

    // Replaces the placeholders of a recording, such as `<A>`, by the UUIDs of clients.
    [[nodiscard]] static QString withUuids(QString text);
    // Every recorded TTL becomes `ttl`, and the leases in the fields of a faster multi lock end then. In a fair
    // lock's queue the first place is kept for `wait` after the lease, and each further place for `wait` longer than
    // the one before.
    void writeTo(RedisServer& server, Milliseconds ttl, Milliseconds wait) const;
    // Writes the recorded TTLs and deadlines, each this many times as long; all keys in one transaction.
    void writeAsRecorded(RedisServer& server, int timesAsLong = 1) const;

private:
    QJsonObject m_keys;
};

}  // namespace lockkeeper::test
