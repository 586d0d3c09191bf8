// SPDX-License-Identifier: Apache-2.0
#include "lab/run/possiblereplies.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace lockkeeper::lab {

namespace {

using namespace std::string_view_literals;

// The time that the script reads, in s, and deadlines in ms: one that has passed, one that has passed a few seconds ago
// (a Redisson client's clock may be wrong by as much), and one in the future.
constexpr const char* timeNow = "1700000000";
constexpr std::array deadlines{"0", "1699999995000", "9000000000000000"};

constexpr std::array ofText{"GET"sv, "HGET"sv};
constexpr std::array ofElement{"LINDEX"sv, "LPOP"sv, "RPOP"sv};
constexpr std::array yesOrNo{"DEL"sv,     "EXISTS"sv,  "HDEL"sv,     "HEXISTS"sv, "HSET"sv, "LREM"sv,
                             "PEXPIRE"sv, "PUBLISH"sv, "SPUBLISH"sv, "ZADD"sv,    "ZREM"sv};
constexpr std::array ofCount{"HINCRBY"sv, "INCR"sv, "HLEN"sv, "LLEN"sv, "RPUSH"sv, "ZCARD"sv};
// These commands accept a key of any type, or none.
constexpr std::array neverFailing{"DEL"sv,     "EXISTS"sv, "PEXPIRE"sv,  "PTTL"sv,
                                  "PUBLISH"sv, "SET"sv,    "SPUBLISH"sv, "TIME"sv};

template <size_t N>
bool isIn(const std::array<std::string_view, N>& names, const QByteArray& name) {
    return std::ranges::find(names, std::string_view(name.constData(), static_cast<size_t>(name.size()))) !=
           names.end();
}

std::vector<Reply> integers(std::initializer_list<qint64> values, const QByteArrayList& texts = {}) {
    std::vector<Reply> replies;
    for (const qint64 value : values)
        replies.push_back({Reply::Kind::Integer, value, {}});
    for (const QByteArray& text : texts) {
        bool isNumber = false;
        const qint64 value = text.toLongLong(&isNumber);
        if (isNumber)
            replies.push_back({Reply::Kind::Integer, value, {}});
    }
    return replies;
}

std::vector<Reply> missingOr(const QByteArrayList& texts) {
    std::vector<Reply> replies(1);
    for (const QByteArray& text : texts)
        replies.push_back({Reply::Kind::Text, 0, {text}});
    return replies;
}

}  // namespace

std::optional<std::vector<Reply>> possibleReplies(const QByteArray& command, const QByteArrayList& texts) {
    if (command == "TIME")
        return std::vector<Reply>{{Reply::Kind::List, 0, {timeNow, "0"}}};
    if (command == "SET")
        return std::vector<Reply>{{Reply::Kind::Status, 0, {"OK"}}, {}};
    if (isIn(yesOrNo, command))
        return integers({1, 0});
    if (isIn(ofCount, command))
        return integers({1, 0, 2, 3, -1}, texts);
    if (command == "PTTL")
        return integers({1, 0, -1, -2, 9'000'000'000'000'000}, texts);
    if (command == "ZSCORE")
        return missingOr({deadlines.begin(), deadlines.end()});
    if (isIn(ofElement, command))
        return missingOr(texts);
    if (isIn(ofText, command))
        return missingOr(QByteArrayList{"1", "0", "2", "9000000000000000", "read", "write"} + texts);
    return std::nullopt;
}

bool mayFailWhenShown(const QByteArray& command) {
    return !isIn(neverFailing, command);
}

}  // namespace lockkeeper::lab
