// SPDX-License-Identifier: Apache-2.0
#include "profile/neededcommands.h"

#include <array>

namespace lockkeeper::profile {

namespace {

// GET and GETRANGE show the value of any key that the user may read. Without a rule for each name this cannot be
// narrower: a semaphore may have any name.
constexpr std::array allNeeded = [] {
    using enum CommandUse;
    using enum CommandReach;
    return std::array{
        // connections
        NeededCommand{"hello", Watching, Nothing, "3"}, NeededCommand{"auth", Watching, Nothing, "x"},
        NeededCommand{"ping", Watching, Nothing, ""}, NeededCommand{"select", Watching, Nothing, "0"},
        NeededCommand{"client|setname", Watching, Nothing, "x"},
        NeededCommand{"client|tracking", Always, Nothing, "ON"},
        NeededCommand{"client|no-evict", Watching, Nothing, "ON"}, NeededCommand{"client|list", Always, Nothing, ""},
        NeededCommand{"info", Always, Nothing, ""},
        // locks: watching
        NeededCommand{"eval_ro", Watching, Nothing, "x 0"}, NeededCommand{"evalsha_ro", Watching, Nothing, "x 0"},
        NeededCommand{"scan", Watching, Nothing, "0"}, NeededCommand{"dbsize", Watching, Nothing, ""},
        NeededCommand{"object|encoding", Watching, NamesKey, "*"}, NeededCommand{"exists", Always, NamesKey, "*"},
        NeededCommand{"pttl", Always, ReadsKey, "*"}, NeededCommand{"hgetall", Always, ReadsKey, "*"},
        NeededCommand{"hget", Always, ReadsKey, "* x"}, NeededCommand{"hlen", Always, NamesKey, "*"},
        NeededCommand{"hkeys", Watching, ReadsKey, "*"}, NeededCommand{"hstrlen", Watching, NamesKey, "* x"},
        NeededCommand{"hscan", Watching, ReadsKey, "* 0"}, NeededCommand{"lrange", Always, ReadsKey, "* 0 0"},
        NeededCommand{"llen", Watching, NamesKey, "*"}, NeededCommand{"zrange", Watching, ReadsKey, "* 0 0"},
        NeededCommand{"zcard", Always, NamesKey, "*"}, NeededCommand{"get", Always, ReadsKey, "*"},
        NeededCommand{"getrange", Watching, ReadsKey, "* 0 0"},
        // messages
        NeededCommand{"subscribe", Always, Channel, "*"}, NeededCommand{"unsubscribe", Always, Nothing, ""},
        NeededCommand{"psubscribe", Watching, Channel, "*"}, NeededCommand{"ssubscribe", Watching, Channel, "*"},
        NeededCommand{"sunsubscribe", Watching, Nothing, ""}, NeededCommand{"pubsub|channels", Watching, Nothing, ""},
        NeededCommand{"pubsub|numsub", Watching, Nothing, ""},
        NeededCommand{"pubsub|shardchannels", Watching, Nothing, ""},
        NeededCommand{"pubsub|shardnumsub", Watching, Nothing, ""},
        // locks: writing
        NeededCommand{"eval", Writing, Nothing, "x 0"}, NeededCommand{"evalsha", Writing, Nothing, "x 0"},
        NeededCommand{"publish", Writing, Channel, "* 0"}, NeededCommand{"hexists", Writing, NamesKey, "* x"},
        NeededCommand{"hset", Writing, WritesKey, "* x 1"}, NeededCommand{"hincrby", Writing, ChangesKey, "* x 1"},
        NeededCommand{"hdel", Writing, WritesKey, "* x"}, NeededCommand{"pexpire", Writing, WritesKey, "* 1"},
        NeededCommand{"del", Writing, WritesKey, "*"}, NeededCommand{"set", Writing, WritesKey, "* 1"},
        NeededCommand{"incr", Writing, ChangesKey, "*"}, NeededCommand{"type", Writing, NamesKey, "*"},
        NeededCommand{"lindex", Writing, ReadsKey, "* 0"}, NeededCommand{"lpop", Writing, ChangesKey, "*"},
        NeededCommand{"lrem", Writing, WritesKey, "* 0 x"}, NeededCommand{"rpush", Writing, WritesKey, "* x"},
        NeededCommand{"zadd", Writing, WritesKey, "* 0 x"}, NeededCommand{"zincrby", Writing, ChangesKey, "* 0 x"},
        NeededCommand{"zrem", Writing, WritesKey, "* x"}, NeededCommand{"zscore", Writing, ReadsKey, "* x"},
        NeededCommand{"time", Writing, Nothing, ""}, NeededCommand{"wait", Writing, Nothing, "0 0"},
        NeededCommand{"client|caching", Writing, Nothing, "YES"},
        NeededCommand{"client|kill", Writing, Nothing, "ID 1"}, NeededCommand{"asking", WritingInCluster, Nothing, ""},
        NeededCommand{"spublish", WritingInCluster, Channel, "* 0"},
        NeededCommand{"ssubscribe", WritingInCluster, Channel, "*"}};
}();

}  // namespace

std::span<const NeededCommand> neededCommands() {
    return allNeeded;
}

LockName sampleName(const QByteArrayList& matches) {
    const QByteArray any = QByteArrayLiteral("lockkeeper");
    QByteArray name = matches.value(0, any);
    name.replace('*', any).replace('?', 'x');
    return LockName(name);
}

}  // namespace lockkeeper::profile
