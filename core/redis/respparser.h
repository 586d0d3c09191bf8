#pragma once

#include "base/result.h"
#include "redis/respvalue.h"

#include <optional>

namespace lockkeeper::redis {

// What a peer may make us hold. A reply beyond a limit is refused by its announcement, before anything is allocated for it.
struct RespLimits {
    // Cut: of a line beyond 64 KB the rest is dropped as it comes. A line of MONITOR may carry any client's data.
    enum class LongLines { Refuse, Cut };

    qint64 bytesPerString = 64LL * 1024 * 1024;
    qint64 itemsPerReply = 4LL * 1024 * 1024;  // counted over all nested aggregates of one reply
    qint64 bytesPerReply = 256LL * 1024 * 1024;
    int depth = 16;
    LongLines longLines = LongLines::Refuse;
};

// Incremental parser for RESP2 and RESP3: feed() bytes as they come, take() replies as they get whole.
// Attributes are read and dropped; streamed strings and aggregates ("?") are refused: no server sends them.
// After an error the parser stays in it: the stream has lost its place and the connection must end.
class LOCKKEEPER_EXPORT RespParser {
public:
    explicit RespParser(RespLimits limits = RespLimits()) : m_limits(limits) {}

    void feed(QByteArrayView bytes);
    // The next whole reply, nothing while bytes are missing, or a Protocol error.
    [[nodiscard]] Result<std::optional<RespValue>> take();
    // Bytes fed and not yet taken.
    [[nodiscard]] qsizetype buffered() const noexcept { return m_buffer.size() - m_position; }

private:
    // An aggregate whose items are still coming.
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
    Step fail(const QString& what);
    std::optional<QByteArrayView> takeLine();
    void dropBeyondLongestLine();
    void discardTaken();

    RespLimits m_limits;
    QByteArray m_buffer;
    qsizetype m_position = 0;
    qsizetype m_scanned = 0;  // no CR LF before this offset: a long line that comes byte by byte is not searched again
    std::vector<Open> m_open;
    std::optional<RespValue> m_whole;
    std::optional<Error> m_error;
    qint64 m_itemsInReply = 0;
    qint64 m_bytesInReply = 0;
};

}  // namespace lockkeeper::redis
