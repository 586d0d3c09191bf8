#pragma once

#include "redis/connection.h"
#include "support/redisserver.h"

#include <QHash>

namespace lockkeeper::test {

// What one key of a server is.
struct KeyRecord {
    qint64 pttl = 0;                       // as Redis answers it, in ms
    QHash<QByteArray, QByteArray> fields;  // of a hash

    [[nodiscard]] qint64 count(const QByteArray& field) const { return fields.value(field).toLongLong(); }
    // Of a lock: one holder, or readers only, or a writer with its own reading.
    [[nodiscard]] bool isFairlyShared() const;
};

// A connection of the test's own to one server, which comes back after whatever is done to that server: tells the
// truth about locks.
class ServerObserver {
public:
    ServerObserver(const RedisServer& server, Clock& clock);

    // Ends the test program when the server does not answer in the end. Sends again what was lost.
    redis::RespValue reply(const redis::Command& command);
    // All of its keys in one instant.
    [[nodiscard]] QHash<QByteArray, KeyRecord> record();
    // The connections of clients that call themselves by a name that begins like this.
    [[nodiscard]] QByteArrayList connectionIds(const QByteArray& name);

private:
    redis::Connection m_connection;
};

}  // namespace lockkeeper::test
