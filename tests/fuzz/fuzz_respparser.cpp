// SPDX-License-Identifier: Apache-2.0
#include "redis/respparser.h"

#include <cstdint>
#include <cstdlib>

namespace {

using namespace lockkeeper;
using namespace lockkeeper::redis;

// How many replies the stream has before it ends or has an error. The limits are small, so that short inputs reach
// them.
size_t repliesIn(const QByteArray& stream, qsizetype piece) {
    RespLimits limits;
    limits.bytesPerString = 200;
    limits.bytesPerReply = 800;
    limits.itemsPerReply = 50;
    limits.depth = 5;
    RespParser parser(limits);
    size_t replies = 0;
    for (qsizetype at = 0; at < stream.size(); at += piece) {
        parser.feed(stream.sliced(at, std::min(piece, stream.size() - at)));
        for (;;) {
            const Result<std::optional<RespValue>> next = parser.take();
            if (!next)
                return replies;
            if (!next.value())
                break;
            ++replies;
        }
    }
    return replies;
}

}  // namespace

// Replies of a server: as many in one piece as byte by byte.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const QByteArray stream(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
    if (repliesIn(stream, std::max<qsizetype>(stream.size(), 1)) != repliesIn(stream, 1))
        std::abort();
    return 0;
}
