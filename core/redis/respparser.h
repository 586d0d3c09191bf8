// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "redis/respvalue.h"

#include <optional>

namespace lockkeeper::redis {

// Incremental parser for RESP2 and RESP3: feed() takes bytes as they arrive, take() returns each complete reply.
// Attributes are read and dropped; streamed strings and aggregates ("?") are refused, because no server sends them.
// An error is final: the position in the stream is lost, so the connection must end.
class LOCKKEEPER_EXPORT RespParser {
public:
    explicit RespParser(RespLimits limits = RespLimits()) : m_limits(limits) {}

    void feed(QByteArrayView bytes);
    // The next complete reply; nothing while bytes are missing; or a Protocol error.
    [[nodiscard]] Result<std::optional<RespValue>> take();
    // Bytes fed but not yet consumed.
    [[nodiscard]] qsizetype buffered() const noexcept { return m_buffer.size() - m_position; }

private:
    // An aggregate whose items have not all arrived.
    struct Open {
        RespValue value;
        qint64 missing = 0;
        bool attribute = false;
    };
    enum class Step { Advanced, NeedsBytes, Failed };

    Step parseNext();
    Step parseLine(char type, QByteArrayView line);
    Step parseString(RespValue::Type type, QByteArrayView header);
    Step openAggregate(RespValue::Type type, QByteArrayView header, int itemsPerEntry);
    Step parseScalar(char type, QByteArrayView line);
    Step push(RespValue value);
    Step fail(Cause cause, const QString& argument);
    std::optional<QByteArrayView> takeLine();
    void dropBeyondLongestLine();
    void discardTaken();

    RespLimits m_limits;
    QByteArray m_buffer;
    qsizetype m_position = 0;
    qsizetype m_scanned = 0;  // offset before which there is no CR LF, so that a long line which arrives byte by byte
                              // is not searched again
    std::vector<Open> m_open;
    std::optional<RespValue> m_whole;
    std::optional<Error> m_error;
    qint64 m_itemsInReply = 0;
    qint64 m_bytesInReply = 0;
};

}  // namespace lockkeeper::redis
