// SPDX-License-Identifier: Apache-2.0
#include "lab/run/decidingline.h"

#include <QDirIterator>
#include <QFile>

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

// Only own scripts are run (isOwnScript), but with arguments from any client. So they get only functions that compute,
// and little memory and time.
constexpr int mostRuns = 2000;
constexpr int instructionsAStep = 1000;
constexpr int answersAStep = 20;
constexpr int mostSteps = 500;              // in all runs together
constexpr qsizetype mostInput = 64 * 1024;  // bytes of the script; also of all words of its command and its calls
constexpr size_t memoryLimit = 4 * 1024 * 1024;
constexpr size_t memoryForCalls = memoryLimit / 2;  // the other half is more than a reply needs
constexpr char bytecode = '\x1b';                   // begins a compiled script, which could break the interpreter
constexpr qsizetype mostTexts = 8;                  // texts that a reply may be

// ---- the replies that a server may give ----

// One reply of a server to a command of a script.
struct Reply {
    enum class Kind { Missing, Integer, Text, Status, List, Error };

    Kind kind = Kind::Missing;
    qint64 integer = 0;
    QByteArrayList texts;
};

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

// For each path that a script of the locks may choose by the reply, at least one reply that leads to it. Nothing for
// other commands, and for commands that answer a list.
// command: in upper case. texts: the texts to which the script may compare a reply.
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

// Whether the server may refuse the command only after MONITOR has shown it, because the key has another type.
bool mayFailWhenShown(const QByteArray& command) {
    return !isIn(neverFailing, command);
}

// ---- the runs of a script ----

// A script that is run repeatedly, each time with other replies.
class Rehearsal {
public:
    Rehearsal(const QByteArrayList& keys, const QByteArrayList& arguments, const std::vector<QByteArrayList>& calls,
              CallsKnown known);

    [[nodiscard]] bool load(const QByteArray& source);
    // The last lines of the runs with the server's calls. Nothing if there are too many paths to try them all.
    [[nodiscard]] std::optional<std::set<int>> lastLines();

private:
    struct Choice {
        size_t chosen = 0;
        size_t of = 0;
    };
    enum class Way {
        TheSame,  // so far the path of the server's script
        Another,
        Unknown  // maybe the path of the server's script, but its end is not known
    };
    // A possible result of one call.
    struct Option {
        Reply reply;
        bool isShown = true;  // shown by MONITOR
    };

    static void* allocate(void* rehearsal, void* block, size_t before, size_t wanted);
    template <bool isProtected>
    static int onCall(lua_State* lua);
    static int onMissing(lua_State* lua);
    static void onStep(lua_State* lua, lua_Debug* step);
    static Rehearsal& of(lua_State* lua);

    void noteTexts(const QByteArrayList& words);
    void provideFunctions();
    // Removes all other functions from the table on the stack. A script that needs a removed one is on an unknown path.
    void keepOnly(std::initializer_list<std::string_view> names);
    void provide(const char* name, const QByteArrayList& values);
    void provideServer();
    void run();
    [[nodiscard]] bool answer(bool isProtected);
    [[nodiscard]] std::optional<std::vector<Option>> optionsOf(bool isProtected) const;
    [[nodiscard]] bool isNext() const;
    [[nodiscard]] bool isArgument(int at, const QByteArray& word) const;
    void push(const Reply& reply);
    [[nodiscard]] bool chooseOther();

    const std::vector<QByteArrayList>& m_calls;
    const CallsKnown m_known;
    QByteArrayList m_texts;
    size_t m_memory = 0;  // bytes that Lua uses now
    int m_steps = 0;
    int m_answers = 0;
    std::unique_ptr<lua_State, decltype(&lua_close)> m_lua{lua_newstate(&Rehearsal::allocate, this), &lua_close};
    std::vector<Choice> m_choices;
    size_t m_decided = 0;  // calls of this run
    size_t m_made = 0;     // calls of this run that MONITOR has shown
    Way m_way = Way::TheSame;
    bool m_isRefused = false;  // one of these calls was refused
    int m_line = 0;
};

Rehearsal::Rehearsal(const QByteArrayList& keys, const QByteArrayList& arguments,
                     const std::vector<QByteArrayList>& calls, CallsKnown known)
    : m_calls(calls), m_known(known) {
    for (const QByteArrayList& call : calls)
        noteTexts(call.sliced(std::min<qsizetype>(2, call.size())));
    noteTexts(arguments);
    provideFunctions();
    lua_pushlightuserdata(m_lua.get(), this);
    lua_setfield(m_lua.get(), LUA_REGISTRYINDEX, "rehearsal");
    provide("KEYS", keys);
    provide("ARGV", arguments);
    provideServer();
    lua_sethook(m_lua.get(), &Rehearsal::onStep, LUA_MASKLINE | LUA_MASKCOUNT, instructionsAStep);
}

// A reply may be equal to an argument, and a later call may use a text of a reply.
void Rehearsal::noteTexts(const QByteArrayList& words) {
    for (const QByteArray& word : words) {
        if (!m_texts.contains(word))
            m_texts += word;
    }
}

// The functions that the scripts of the locks use, except string.match, because a search by a pattern has no bound in
// time.
void Rehearsal::provideFunctions() {
    for (const lua_CFunction library : {luaopen_base, luaopen_string, luaopen_math}) {
        lua_pushcfunction(m_lua.get(), library);
        lua_call(m_lua.get(), 0, 0);
    }
    lua_getglobal(m_lua.get(), "math");
    keepOnly({"floor", "max", "min"});
    lua_getglobal(m_lua.get(), "string");
    keepOnly({"sub"});
    lua_pushvalue(m_lua.get(), LUA_GLOBALSINDEX);
    keepOnly({"string", "math", "tonumber", "type", "ipairs", "unpack"});
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
    lua_newtable(m_lua.get());
    lua_pushcfunction(m_lua.get(), &Rehearsal::onMissing);
    lua_setfield(m_lua.get(), -2, "__index");
    lua_setmetatable(m_lua.get(), -2);
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
    const std::array<luaL_Reg, 3> functions{
        {{"call", &Rehearsal::onCall<false>}, {"pcall", &Rehearsal::onCall<true>}, {nullptr, nullptr}}};
    luaL_register(m_lua.get(), "redis", functions.data());
    lua_pop(m_lua.get(), 1);
}

bool Rehearsal::load(const QByteArray& source) {
    return luaL_loadbuffer(m_lua.get(), source.constData(), static_cast<size_t>(source.size()), "script") == 0;
}

std::optional<std::set<int>> Rehearsal::lastLines() {
    std::set<int> lines;
    for (int runs = 0; runs < mostRuns && m_texts.size() <= mostTexts; ++runs) {
        run();
        if (m_way == Way::Unknown)
            return std::nullopt;
        if (m_way == Way::TheSame && m_made == m_calls.size())
            lines.insert(m_line);
        if (lines.size() > 1 || !chooseOther())
            return lines;
    }
    return std::nullopt;
}

// A run that fails, for example by a comparison with nil, may be the server's if it has made the same calls.
void Rehearsal::run() {
    m_decided = 0;
    m_made = 0;
    m_line = 0;
    m_way = Way::TheSame;
    m_isRefused = false;
    lua_pushvalue(m_lua.get(), -1);  // a copy, so that the script stays on the stack
    const int depth = lua_gettop(m_lua.get()) - 1;
    const int status = lua_pcall(m_lua.get(), 0, 0, 0);
    lua_settop(m_lua.get(), depth);
    if (status == LUA_ERRMEM)
        m_way = Way::Unknown;
    if (status != 0 && m_way == Way::TheSame)
        m_way = m_made == m_calls.size() ? Way::Unknown : Way::Another;
}

// Goes to the next combination of replies, as a counter in which each digit is one reply. Choices after the last call
// of this run are dropped.
bool Rehearsal::chooseOther() {
    m_choices.resize(std::min(m_choices.size(), m_decided));
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

// lua_error() jumps over destructors, so it is called in a function without objects.
template <bool isProtected>
int Rehearsal::onCall(lua_State* lua) {
    if (of(lua).m_memory >= memoryForCalls)
        of(lua).m_way = Way::Unknown;
    else if (of(lua).answer(isProtected))
        return 1;
    lua_pushliteral(lua, "the script ends here");
    return lua_error(lua);
}

// A function that is missing here may exist on the server.
int Rehearsal::onMissing(lua_State* lua) {
    of(lua).m_way = Way::Unknown;
    lua_pushnil(lua);
    return 1;
}

void Rehearsal::onStep(lua_State* lua, lua_Debug* step) {
    if (step->event == LUA_HOOKCOUNT) {
        if (++of(lua).m_steps < mostSteps)
            return;
        of(lua).m_way = Way::Unknown;
        lua_pushliteral(lua, "too long");
        lua_error(lua);
    }
    lua_getinfo(lua, "S", step);
    if (step->what == "main"sv)
        of(lua).m_line = step->currentline;
}

bool Rehearsal::answer(bool isProtected) {
    // Each call counts as several instructions.
    if (++m_answers % answersAStep == 0 && ++m_steps >= mostSteps)
        m_way = Way::Unknown;
    const std::optional<std::vector<Option>> options = m_way == Way::Unknown ? std::nullopt : optionsOf(isProtected);
    const bool isKnown = options && (m_choices.size() <= m_decided || m_choices[m_decided].of == options->size());
    if (!isKnown || options->empty()) {
        m_way = isKnown ? Way::Another : Way::Unknown;
        return false;
    }
    if (m_choices.size() == m_decided)
        m_choices.push_back({0, options->size()});
    const Option& option = (*options)[m_choices[m_decided++].chosen];
    m_made += option.isShown ? 1 : 0;
    m_isRefused = m_isRefused || (option.isShown && option.reply.kind == Reply::Kind::Error);
    push(option.reply);
    return true;
}

// An empty list: the server's script did not make this call. Nothing: the script may have ended here, because the
// server has refused the call. MONITOR does not show a call that the server refuses at once, as a replica refuses a
// write. After a shown refusal the server refuses no more calls. After the known calls any other call may follow, if
// the last ones may be unknown.
std::optional<std::vector<Rehearsal::Option>> Rehearsal::optionsOf(bool isProtected) const {
    std::vector<Option> options;
    const bool isBehind = m_made == m_calls.size();
    if (isProtected)
        options.push_back({{Reply::Kind::Error, 0, {"ERR"}}, false});
    else if (isBehind && !m_isRefused)
        return std::nullopt;
    const bool isShown = isNext();
    if (!isShown && (!isBehind || m_known == CallsKnown::All))
        return options;
    const QByteArray command = QByteArray(lua_tostring(m_lua.get(), 1)).toUpper();
    const bool isLast = m_made + 1 == m_calls.size();
    const std::optional<std::vector<Reply>> replies = possibleReplies(command, m_texts);
    if (!replies || (!isProtected && isLast && mayFailWhenShown(command)))
        return std::nullopt;
    for (const Reply& reply : *replies)
        options.push_back({reply, isShown});
    if (isProtected && isShown)
        options.push_back({{Reply::Kind::Error, 0, {"ERR"}}, true});
    return options;
}

// Compares the command, its key, and the number of arguments. The other arguments may come from replies, of which only
// the kind is known.
bool Rehearsal::isNext() const {
    if (m_made == m_calls.size() || m_calls[m_made].isEmpty())
        return false;
    const QByteArrayList& next = m_calls[m_made];
    return lua_gettop(m_lua.get()) == next.size() && isArgument(1, next.first()) &&
           (next.size() == 1 || isArgument(2, next[1]));
}

bool Rehearsal::isArgument(int at, const QByteArray& word) const {
    size_t size = 0;
    const char* bytes = lua_tolstring(m_lua.get(), at, &size);
    const QByteArrayView argument(bytes, static_cast<qsizetype>(size));
    return at == 1 ? argument.compare(word, Qt::CaseInsensitive) == 0 : argument == word;
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

// ---- own scripts ----

// Sorted, the longest first, so that a file that begins like another one is found.
QByteArrayList ownFiles() {
    QByteArrayList files;
    for (QDirIterator paths(QStringLiteral(":/lockkeeper/locks/lua")); paths.hasNext();) {
        QFile file(paths.next());
        if (file.open(QIODevice::ReadOnly))
            files += file.readAll();
    }
    std::ranges::sort(files, std::ranges::greater(), &QByteArray::size);
    return files;
}

}  // namespace

bool isOwnScript(const QByteArray& source) {
    static const QByteArrayList files = ownFiles();
    QByteArrayView rest(source);
    while (!rest.isEmpty()) {
        const auto part = std::ranges::find_if(files, [rest](const QByteArray& file) { return rest.startsWith(file); });
        if (part == files.end())
            return false;
        rest = rest.sliced(part->size());
    }
    return !source.isEmpty();
}

std::optional<QByteArray> decidingLine(const QByteArrayList& command, const QByteArray& source,
                                       const std::vector<QByteArrayList>& calls, CallsKnown known) {
    constexpr qsizetype beforeKeys = 3;  // the command, its script, and the number of keys
    const qsizetype keys = command.value(2).toLongLong();
    if (keys < 0 || command.size() - beforeKeys < keys || !isAcceptable(command.sliced(beforeKeys), source, calls))
        return std::nullopt;
    Rehearsal rehearsal(command.sliced(beforeKeys, keys), command.sliced(beforeKeys + keys), calls, known);
    if (!rehearsal.load(source))
        return std::nullopt;
    const std::optional<std::set<int>> lines = rehearsal.lastLines();
    if (!lines || lines->size() != 1 || *lines->begin() < 1)
        return std::nullopt;
    return source.split('\n').value(*lines->begin() - 1).trimmed();
}

}  // namespace lockkeeper::lab
