#pragma once

#include "base/clock.h"
#include "support/redisserver.h"

#include <QJsonObject>

namespace lockkeeper::test {

// What the real client left on its server, from a recording: written by plain commands, for holders that are no client
// of the test.
class RecordedState {
public:
    // The keys after the step of this text, in a file of tests/data/redisson-4.7.0.
    RecordedState(const QString& file, const QString& step);

    // `<A>` in a recording is this client.
    [[nodiscard]] static QString withUuids(QString text);
    // Every recorded TTL becomes `ttl`. In a fair lock's queue each waiter's place is kept `wait` longer than that of
    // the one before, the first one's for that long after the lease.
    void writeTo(RedisServer& server, Milliseconds ttl, Milliseconds wait) const;

private:
    QJsonObject m_keys;
};

}  // namespace lockkeeper::test
