// SPDX-License-Identifier: Apache-2.0
#include "redis/commandtable.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lockkeeper::redis {

namespace {

using namespace std::string_view_literals;

struct TableEntry {
    std::string_view name;
    CommandKind kind;
};

// Sorted, for the binary search. For EVAL_RO and EVALSHA_RO the server itself refuses writes in the script. MULTI and
// EXEC change nothing themselves; every command queued between them is checked by this table too.
constexpr auto commandTable = [] {
    using enum CommandKind;
    return std::to_array<TableEntry>({{"ACL"sv, Container},
                                      {"AUTH"sv, Read},
                                      {"CLIENT"sv, Container},
                                      {"CLUSTER"sv, Container},
                                      {"COMMAND"sv, Container},
                                      {"CONFIG"sv, Container},
                                      {"DBSIZE"sv, Read},
                                      {"DEBUG"sv, Container},
                                      {"ECHO"sv, Read},
                                      {"EVALSHA_RO"sv, Read},
                                      {"EVAL_RO"sv, Read},
                                      {"EXEC"sv, Read},
                                      {"EXISTS"sv, Read},
                                      {"FUNCTION"sv, Container},
                                      {"GET"sv, Read},
                                      {"GETRANGE"sv, Read},
                                      {"HELLO"sv, Read},
                                      {"HEXISTS"sv, Read},
                                      {"HGET"sv, Read},
                                      {"HGETALL"sv, Read},
                                      {"HKEYS"sv, Read},
                                      {"HLEN"sv, Read},
                                      {"HSCAN"sv, Read},
                                      {"INFO"sv, Read},
                                      {"LATENCY"sv, Container},
                                      {"LLEN"sv, Read},
                                      {"LRANGE"sv, Read},
                                      {"MEMORY"sv, Container},
                                      {"MGET"sv, Read},
                                      {"MODULE"sv, Container},
                                      {"MONITOR"sv, Monitor},
                                      {"MULTI"sv, Read},
                                      {"OBJECT"sv, Container},
                                      {"PING"sv, Read},
                                      {"PSUBSCRIBE"sv, Subscription},
                                      {"PTTL"sv, Read},
                                      {"PUBSUB"sv, Container},
                                      {"PUNSUBSCRIBE"sv, Subscription},
                                      {"ROLE"sv, Read},
                                      {"SCAN"sv, Read},
                                      {"SCRIPT"sv, Container},
                                      {"SELECT"sv, Read},
                                      {"SENTINEL"sv, Container},
                                      {"SLOWLOG"sv, Container},
                                      {"SSUBSCRIBE"sv, Subscription},
                                      {"STRLEN"sv, Read},
                                      {"SUBSCRIBE"sv, Subscription},
                                      {"SUNSUBSCRIBE"sv, Subscription},
                                      {"TIME"sv, Read},
                                      {"TTL"sv, Read},
                                      {"TYPE"sv, Read},
                                      {"UNSUBSCRIBE"sv, Subscription},
                                      {"XGROUP"sv, Container},
                                      {"XINFO"sv, Container},
                                      {"ZCARD"sv, Read},
                                      {"ZRANGE"sv, Read},
                                      {"ZSCORE"sv, Read}});
}();
constexpr std::array readSubcommands{
    "ACL DRYRUN"sv,           "ACL WHOAMI"sv,         "CLIENT CACHING"sv,
    "CLIENT GETNAME"sv,       "CLIENT ID"sv,          "CLIENT LIST"sv,
    "CLIENT NO-EVICT"sv,      "CLIENT NO-TOUCH"sv,    "CLIENT SETINFO"sv,
    "CLIENT SETNAME"sv,       "CLIENT TRACKING"sv,    "CLUSTER INFO"sv,
    "CLUSTER SHARDS"sv,       "CLUSTER SLOTS"sv,      "COMMAND INFO"sv,
    "CONFIG GET"sv,           "PUBSUB CHANNELS"sv,    "PUBSUB NUMSUB"sv,
    "PUBSUB SHARDCHANNELS"sv, "PUBSUB SHARDNUMSUB"sv, "SENTINEL GET-MASTER-ADDR-BY-NAME"sv,
    "SENTINEL MASTER"sv};

static_assert(std::ranges::is_sorted(commandTable, {}, &TableEntry::name) && std::ranges::is_sorted(readSubcommands));

std::string_view viewOf(const QByteArray& bytes) {
    return {bytes.constData(), static_cast<size_t>(bytes.size())};
}

}  // namespace

CommandKind commandKindOf(const QByteArray& upperName) {
    const auto entry = std::ranges::lower_bound(commandTable, viewOf(upperName), {}, &TableEntry::name);
    return entry != commandTable.end() && entry->name == viewOf(upperName) ? entry->kind : CommandKind::Other;
}

bool isReadSubcommand(const QByteArray& upperName, const QByteArray& upperSubcommand) {
    return std::ranges::binary_search(readSubcommands, viewOf(upperName + ' ' + upperSubcommand));
}

}  // namespace lockkeeper::redis
