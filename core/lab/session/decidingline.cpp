// SPDX-License-Identifier: Apache-2.0
#include "lab/session/decidingline.h"

#include <lua.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <set>
#include <string_view>

namespace lockkeeper::lab {

namespace {

using namespace std::string_view_literals;

// A recording comes from anybody, and so do its scripts. They get functions that compute and nothing else, and little
// memory and time: all together, some milliseconds.
constexpr int mostRuns = 1000;
constexpr int instructionsAStep = 1000;
constexpr int mostSteps = 500;              // of all runs
constexpr qsizetype mostInput = 64 * 1024;  // bytes of the script; and of all words of its command and its calls
constexpr size_t memoryLimit = 4 * 1024 * 1024;
constexpr size_t memoryForCalls = memoryLimit / 2;  // more is left then than a reply needs
constexpr char bytecode = '\x1b';                   // begins a script that is compiled, which can break the interpreter
constexpr size_t mostTexts = 6;                     // that a reply may be
constexpr const char* farInTheFuture = "9000000000000000";

// One reply of a server.
struct Reply {
    enum class Kind { Missing, Integer, Text, Status, List, Error };

    Kind kind = Kind::Missing;
    qint64 integer = 0;
    QByteArrayList texts;
};

Reply integer(qint64 value) {
    return {Reply::Kind::Integer, value, {}};
}
Reply text(const QByteArray& value) {
    return {Reply::Kind::Text, 0, {value}};
}

template <size_t N>
bool isIn(const std::array<std::string_view, N>& names, const QByteArray& name) {
    return std::ranges::find(names, std::string_view(name.constData(), static_cast<size_t>(name.size()))) !=
           names.end();
}

constexpr std::array ofText{"GET"sv, "HGET"sv, "LINDEX"sv, "LPOP"sv, "RPOP"sv, "ZSCORE"sv, "ZINCRBY"sv};
constexpr std::array ofLists{"HGETALL"sv, "HKEYS"sv, "HMGET"sv,  "HVALS"sv,        "KEYS"sv,
                             "LRANGE"sv,  "MGET"sv,  "ZRANGE"sv, "ZRANGEBYSCORE"sv};
constexpr std::array ofStatus{"MSET"sv, "RENAME"sv, "SET"sv};
constexpr std::array yesOrNo{"HEXISTS"sv, "HSET"sv,  "HSETNX"sv,   "PERSIST"sv, "PEXPIRE"sv,
                             "PUBLISH"sv, "SETNX"sv, "SPUBLISH"sv, "ZADD"sv};
constexpr std::array ofCounts{"DEL"sv, "EXISTS"sv, "HDEL"sv, "HLEN"sv, "LREM"sv, "ZREM"sv};

std::vector<Reply> textsOrNone(const QByteArrayList& texts) {
    std::vector<Reply> replies{{}, text("1"), text("2"), text("0"), text(farInTheFuture)};
    for (const QByteArray& each : texts)
        replies.push_back(text(each));
    return replies;
}

std::vector<Reply> listsOf(const QByteArrayList& texts) {
    std::vector<Reply> replies{{Reply::Kind::List, 0, {}}};
    for (const QByteArray& each : texts)
        replies.push_back({Reply::Kind::List, 0, {each, "1"}});
    return replies;
}

// Whatever could decide.
std::vector<Reply> repliesOf(const QByteArray& name, const QByteArrayList& texts) {
    if (name == "TIME")
        return {{Reply::Kind::List, 0, {"1700000000", "0"}}};
    if (isIn(ofStatus, name))
        return {{Reply::Kind::Status, 0, {"OK"}}, {}};
    if (isIn(yesOrNo, name))
        return {integer(1), integer(0)};
    if (isIn(ofCounts, name))
        return {integer(1), integer(0), integer(3)};
    if (isIn(ofText, name))
        return textsOrNone(texts);
    if (isIn(ofLists, name))
        return listsOf(texts);
    return {integer(1), integer(0), integer(2), integer(-1), integer(-2), integer(1'000'000)};
}

// A script that is run again and again, each time with other replies.
class Rehearsal {
public:
    Rehearsal(const QByteArrayList& keys, const QByteArrayList& arguments, const std::vector<QByteArrayList>& calls);

    [[nodiscard]] bool load(const QByteArray& source);
    // The lines at which a run with the server's calls ended. Nothing if there are too many ways to try them all.
    [[nodiscard]] std::optional<std::set<int>> lastLines();

private:
    struct Choice {
        size_t chosen = 0;
        size_t of = 0;
    };

    static void* allocate(void* rehearsal, void* block, size_t before, size_t wanted);
    template <bool isProtected>
    static int onCall(lua_State* lua);
    static int onError(lua_State* lua);
    static int onStatus(lua_State* lua);
    static void onStep(lua_State* lua, lua_Debug* step);
    static Rehearsal& of(lua_State* lua);

    void provideFunctions();
    // Of the table on the stack. Removes the others.
    void keepOnly(std::initializer_list<std::string_view> names);
    void provide(const char* name, const QByteArrayList& values);
    void provideServer();
    [[nodiscard]] bool run();
    [[nodiscard]] bool answer(bool isProtected);
    [[nodiscard]] bool isNext(const QByteArrayList& words) const;
    [[nodiscard]] QByteArrayList wordsOfCall() const;
    void push(const Reply& reply);
    [[nodiscard]] bool chooseOther();

    const std::vector<QByteArrayList>& m_calls;
    QByteArrayList m_texts;
    size_t m_memory = 0;  // bytes that Lua has now
    int m_steps = 0;
    std::unique_ptr<lua_State, decltype(&lua_close)> m_lua{lua_newstate(&Rehearsal::allocate, this), &lua_close};
    std::vector<Choice> m_choices;
    size_t m_made = 0;  // calls of this run
    bool m_isOther = false;
    int m_line = 0;
};

Rehearsal::Rehearsal(const QByteArrayList& keys, const QByteArrayList& arguments,
                     const std::vector<QByteArrayList>& calls)
    : m_calls(calls) {
    // What a reply named may be named by a later call.
    for (const QByteArrayList& call : calls) {
        for (const QByteArray& word : call.sliced(std::min<qsizetype>(2, call.size()))) {
            if (!m_texts.contains(word) && m_texts.size() < static_cast<qsizetype>(mostTexts))
                m_texts += word;
        }
    }
    provideFunctions();
    lua_pushlightuserdata(m_lua.get(), this);
    lua_setfield(m_lua.get(), LUA_REGISTRYINDEX, "rehearsal");
    provide("KEYS", keys);
    provide("ARGV", arguments);
    provideServer();
    lua_sethook(m_lua.get(), &Rehearsal::onStep, LUA_MASKLINE | LUA_MASKCOUNT, instructionsAStep);
}

// Not those that run a text, catch an error, search by a pattern or repeat a string: their time or memory has no bound.
void Rehearsal::provideFunctions() {
    for (const lua_CFunction library : {luaopen_base, luaopen_string, luaopen_math}) {
        lua_pushcfunction(m_lua.get(), library);
        lua_call(m_lua.get(), 0, 0);
    }
    lua_getglobal(m_lua.get(), "string");
    keepOnly({"sub", "len", "lower", "upper"});
    lua_pushvalue(m_lua.get(), LUA_GLOBALSINDEX);
    keepOnly({"string", "math", "tonumber", "tostring", "type", "ipairs", "pairs", "next", "select", "unpack"});
}

void Rehearsal::keepOnly(std::initializer_list<std::string_view> names) {
    lua_pushnil(m_lua.get());
    while (lua_next(m_lua.get(), -2) != 0) {
        lua_pop(m_lua.get(), 1);
        if (std::ranges::find(names, std::string_view(lua_tostring(m_lua.get(), -1))) != names.end())
            continue;
        lua_pushvalue(m_lua.get(), -1);
        lua_pushnil(m_lua.get());
        lua_settable(m_lua.get(), -4);
    }
    lua_pop(m_lua.get(), 1);
}

void* Rehearsal::allocate(void* rehearsal, void* block, size_t before, size_t wanted) {
    size_t& memory = static_cast<Rehearsal*>(rehearsal)->m_memory;
    if (wanted > before && memory + (wanted - before) > memoryLimit)
        return nullptr;
    if (wanted == 0) {
        std::free(block);
        memory -= before;
        return nullptr;
    }
    void* moved = std::realloc(block, wanted);
    if (moved)
        memory = memory - before + wanted;
    return moved;
}

void Rehearsal::provide(const char* name, const QByteArrayList& values) {
    lua_newtable(m_lua.get());
    for (int at = 0; at < values.size(); ++at) {
        lua_pushlstring(m_lua.get(), values[at].constData(), static_cast<size_t>(values[at].size()));
        lua_rawseti(m_lua.get(), -2, at + 1);
    }
    lua_setglobal(m_lua.get(), name);
}

void Rehearsal::provideServer() {
    const std::array<luaL_Reg, 5> functions{{{"call", &Rehearsal::onCall<false>},
                                             {"pcall", &Rehearsal::onCall<true>},
                                             {"error_reply", &Rehearsal::onError},
                                             {"status_reply", &Rehearsal::onStatus},
                                             {nullptr, nullptr}}};
    luaL_register(m_lua.get(), "redis", functions.data());
    lua_pop(m_lua.get(), 1);
}

bool Rehearsal::load(const QByteArray& source) {
    return luaL_loadbuffer(m_lua.get(), source.constData(), static_cast<size_t>(source.size()), "script") == 0;
}

std::optional<std::set<int>> Rehearsal::lastLines() {
    std::set<int> lines;
    for (int runs = 0; runs < mostRuns; ++runs) {
        if (run())
            lines.insert(m_line);
        if (m_steps >= mostSteps)
            return std::nullopt;
        if (lines.size() > 1 || !chooseOther())
            return lines;
    }
    return std::nullopt;
}

bool Rehearsal::run() {
    m_made = 0;
    m_line = 0;
    m_isOther = false;
    lua_pushvalue(m_lua.get(), -1);  // the script stays
    const int depth = lua_gettop(m_lua.get()) - 1;
    const bool isOver = lua_pcall(m_lua.get(), 0, 0, 0) == 0;
    lua_settop(m_lua.get(), depth);
    return isOver && !m_isOther && m_made == m_calls.size();
}

// The next combination: as a counter of which each digit is one reply. What came after the last call of this run does
// not count.
bool Rehearsal::chooseOther() {
    m_choices.resize(std::min(m_choices.size(), m_made));
    while (!m_choices.empty() && ++m_choices.back().chosen == m_choices.back().of)
        m_choices.pop_back();
    return !m_choices.empty();
}

// ---- what the script calls ----

Rehearsal& Rehearsal::of(lua_State* lua) {
    lua_getfield(lua, LUA_REGISTRYINDEX, "rehearsal");
    auto* self = static_cast<Rehearsal*>(lua_touserdata(lua, -1));
    lua_pop(lua, 1);
    return *self;
}

// lua_error() jumps over destructors, so it is called where there are none.
template <bool isProtected>
int Rehearsal::onCall(lua_State* lua) {
    if (of(lua).m_memory < memoryForCalls && of(lua).answer(isProtected))
        return 1;
    lua_pushliteral(lua, "the server's script went another way");
    return lua_error(lua);
}

int Rehearsal::onError(lua_State* lua) {
    lua_newtable(lua);
    lua_pushvalue(lua, 1);
    lua_setfield(lua, -2, "err");
    return 1;
}

int Rehearsal::onStatus(lua_State* lua) {
    lua_newtable(lua);
    lua_pushvalue(lua, 1);
    lua_setfield(lua, -2, "ok");
    return 1;
}

void Rehearsal::onStep(lua_State* lua, lua_Debug* step) {
    if (step->event == LUA_HOOKCOUNT) {
        if (++of(lua).m_steps < mostSteps)
            return;
        lua_pushliteral(lua, "too long");
        lua_error(lua);
    }
    lua_getinfo(lua, "S", step);
    if (step->what == "main"sv)
        of(lua).m_line = step->currentline;
}

bool Rehearsal::answer(bool isProtected) {
    const QByteArrayList words = wordsOfCall();
    if (!isNext(words)) {
        m_isOther = true;
        return false;
    }
    std::vector<Reply> replies = repliesOf(words.first().toUpper(), m_texts);
    if (isProtected)
        replies.push_back({Reply::Kind::Error, 0, {"ERR"}});
    if (m_choices.size() == m_made)
        m_choices.push_back({0, replies.size()});
    push(replies[m_choices[m_made].chosen]);
    ++m_made;
    return true;
}

QByteArrayList Rehearsal::wordsOfCall() const {
    QByteArrayList words;
    for (int at = 1; at <= lua_gettop(m_lua.get()); ++at) {
        size_t size = 0;
        const char* bytes = lua_tolstring(m_lua.get(), at, &size);
        words += QByteArray(bytes, static_cast<qsizetype>(size));
    }
    return words;
}

// By its command and its key: the rest may come from replies, of which only the kind is known.
bool Rehearsal::isNext(const QByteArrayList& words) const {
    if (m_made >= m_calls.size())
        return false;
    const QByteArrayList& next = m_calls[m_made];
    return words.size() == next.size() && !words.isEmpty() && words.first().toUpper() == next.first().toUpper() &&
           words.value(1) == next.value(1);
}

void Rehearsal::push(const Reply& reply) {
    const auto pushText = [this](const QByteArray& bytes) {
        lua_pushlstring(m_lua.get(), bytes.constData(), static_cast<size_t>(bytes.size()));
    };
    switch (reply.kind) {
        case Reply::Kind::Missing:
            return lua_pushboolean(m_lua.get(), 0);
        case Reply::Kind::Integer:
            return lua_pushnumber(m_lua.get(), static_cast<lua_Number>(reply.integer));
        case Reply::Kind::Text:
            return pushText(reply.texts.first());
        case Reply::Kind::Status:
        case Reply::Kind::Error:
            lua_newtable(m_lua.get());
            pushText(reply.texts.first());
            return lua_setfield(m_lua.get(), -2, reply.kind == Reply::Kind::Error ? "err" : "ok");
        case Reply::Kind::List:
            lua_newtable(m_lua.get());
            for (int at = 0; at < reply.texts.size(); ++at) {
                pushText(reply.texts[at]);
                lua_rawseti(m_lua.get(), -2, at + 1);
            }
    }
}

bool isAcceptable(const QByteArrayList& words, const QByteArray& source, const std::vector<QByteArrayList>& calls) {
    constexpr qsizetype perWord = 64;  // bytes of memory besides its text
    const auto sizeOf = [](const QByteArrayList& list) {
        return std::accumulate(list.begin(), list.end(), qsizetype(0),
                               [](qsizetype sum, const QByteArray& word) { return sum + word.size() + perWord; });
    };
    const qsizetype size =
        std::accumulate(calls.begin(), calls.end(), sizeOf(words),
                        [&](qsizetype sum, const QByteArrayList& call) { return sum + sizeOf(call); });
    return size <= mostInput && source.size() <= mostInput && !source.startsWith(bytecode);
}

}  // namespace

std::optional<QByteArray> decidingLine(const QByteArrayList& command, const QByteArray& source,
                                       const std::vector<QByteArrayList>& calls) {
    constexpr qsizetype beforeKeys = 3;  // the command, its script, and the number of keys
    const qsizetype keys = command.value(2).toLongLong();
    if (keys < 0 || command.size() < beforeKeys + keys || !isAcceptable(command.sliced(beforeKeys), source, calls))
        return std::nullopt;
    Rehearsal rehearsal(command.sliced(beforeKeys, keys), command.sliced(beforeKeys + keys), calls);
    if (!rehearsal.load(source))
        return std::nullopt;
    const std::optional<std::set<int>> lines = rehearsal.lastLines();
    if (!lines || lines->size() != 1 || *lines->begin() < 1)
        return std::nullopt;
    return source.split('\n').value(*lines->begin() - 1).trimmed();
}

}  // namespace lockkeeper::lab
