// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "redis/connection.h"
#include "support/redisserver.h"

#include <QHash>

namespace lockkeeper::test {

// The content of one key of a server.
struct KeyRecord {
    qint64 pttl = 0;                       // in ms, as Redis answers it
    QHash<QByteArray, QByteArray> fields;  // of a hash

    [[nodiscard]] qint64 count(const QByteArray& field) const { return fields.value(field).toLongLong(); }
    // For a lock: one holder, or only readers, or one writer with its own reading holds.
    [[nodiscard]] bool isFairlyShared() const;
};

// A separate connection of the test to one server, which reconnects after every disturbance. Reads the true state of
// locks.
class ServerObserver {
public:
    ServerObserver(const RedisServer& server, Clock& clock);

    // Aborts the test program if the server does not answer in the end. Sends a lost command again.
    redis::RespValue reply(const redis::Command& command);
    // All keys of the server, read atomically.
    [[nodiscard]] QHash<QByteArray, KeyRecord> record();
    // The connections of clients whose name begins with this.
    [[nodiscard]] QByteArrayList connectionIds(const QByteArray& name);

private:
    redis::Connection m_connection;
};

}  // namespace lockkeeper::test
