// SPDX-License-Identifier: Apache-2.0
#include "redis/commandtable.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lockkeeper::redis {

namespace {

using namespace std::string_view_literals;

// Sorted, for the binary search. For EVAL_RO and EVALSHA_RO the server itself refuses writes in the script. MULTI and
// EXEC change nothing themselves; every command queued between them is checked by this table too.
constexpr std::array readCommands{"AUTH"sv,   "DBSIZE"sv, "ECHO"sv,      "EVALSHA_RO"sv, "EVAL_RO"sv, "EXEC"sv,   "EXISTS"sv, "GET"sv,    "GETRANGE"sv, "HELLO"sv, "HEXISTS"sv,
                                  "HGET"sv,   "HGETALL"sv, "HKEYS"sv, "HLEN"sv,     "INFO"sv,    "LLEN"sv,   "LRANGE"sv, "MGET"sv,   "MULTI"sv, "PING"sv,
                                  "PTTL"sv,   "ROLE"sv,   "SCAN"sv,      "SELECT"sv,  "STRLEN"sv, "TIME"sv,   "TTL"sv,    "TYPE"sv,  "ZCARD"sv,
                                  "ZRANGE"sv, "ZSCORE"sv};
constexpr std::array readSubcommands{
    "CLIENT CACHING"sv,       "CLIENT GETNAME"sv,     "CLIENT ID"sv,
    "CLIENT LIST"sv,          "CLIENT NO-EVICT"sv,    "CLIENT NO-TOUCH"sv,
    "CLIENT SETINFO"sv,       "CLIENT SETNAME"sv,     "CLIENT TRACKING"sv,
    "CLUSTER INFO"sv,         "CLUSTER SHARDS"sv,     "CLUSTER SLOTS"sv,
    "CONFIG GET"sv,           "PUBSUB CHANNELS"sv,    "PUBSUB NUMSUB"sv,
    "PUBSUB SHARDCHANNELS"sv, "PUBSUB SHARDNUMSUB"sv, "SENTINEL GET-MASTER-ADDR-BY-NAME"sv,
    "SENTINEL MASTER"sv};
constexpr std::array subscribeCommands{"PSUBSCRIBE"sv, "PUNSUBSCRIBE"sv, "SSUBSCRIBE"sv, "SUBSCRIBE"sv, "SUNSUBSCRIBE"sv, "UNSUBSCRIBE"sv};
constexpr std::array containers{"ACL"sv,    "CLIENT"sv, "CLUSTER"sv, "COMMAND"sv, "CONFIG"sv, "DEBUG"sv,   "FUNCTION"sv, "LATENCY"sv,
                                "MEMORY"sv, "MODULE"sv, "OBJECT"sv,  "PUBSUB"sv,  "SCRIPT"sv, "SENTINEL"sv, "SLOWLOG"sv, "XGROUP"sv,   "XINFO"sv};

static_assert(std::ranges::is_sorted(readCommands) && std::ranges::is_sorted(readSubcommands) &&
              std::ranges::is_sorted(subscribeCommands) && std::ranges::is_sorted(containers));

template <size_t N>
bool contains(const std::array<std::string_view, N>& sorted, const QByteArray& name) {
    return std::ranges::binary_search(sorted, std::string_view(name.constData(), static_cast<size_t>(name.size())));
}

}  // namespace

Effect effectOf(const QByteArray& upperName, const QByteArray& upperSubcommand) {
    if (isSubscription(upperName))
        return Effect::Subscribe;
    if (upperName == "MONITOR")
        return Effect::Monitor;
    const bool read = isContainer(upperName) ? contains(readSubcommands, upperName + ' ' + upperSubcommand) : contains(readCommands, upperName);
    return read ? Effect::Read : Effect::Write;
}

bool isSubscription(const QByteArray& upperName) {
    return contains(subscribeCommands, upperName);
}

bool isContainer(const QByteArray& upperName) {
    return contains(containers, upperName);
}

}  // namespace lockkeeper::redis
