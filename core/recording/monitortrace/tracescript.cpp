// SPDX-License-Identifier: Apache-2.0
#include "recording/monitortrace/tracescript.h"

#include "locks/lockkeys.h"
#include "monitor/model/holderfield.h"

#include <QRegularExpression>

#include <algorithm>

namespace lockkeeper::recording {

namespace {

// The longest of Redisson's scripts about locks has 4 kB.
constexpr qsizetype longestScript = 64 * 1024;

// One call of a command in the text of a script.
struct ScriptCall {
    QByteArray command;  // lower case; empty if it is an argument
    QByteArrayList arguments;
};

// The arguments up to the closing parenthesis. Their form is only compared, so nothing is evaluated.
QByteArrayList argumentsIn(const QByteArray& text) {
    QByteArrayList arguments;
    QByteArray argument;
    int depth = 0;
    for (const char c : text) {
        if (c == '(' || c == '{')
            ++depth;
        if (c == ')' || c == '}') {
            if (depth == 0)
                break;
            --depth;
        }
        if (c == ',' && depth == 0)
            arguments += std::exchange(argument, {});
        else if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
            argument += c;
    }
    arguments += argument;
    for (QByteArray& one : arguments)
        one.replace('"', '\'');
    return arguments;
}

std::vector<ScriptCall> callsIn(const QByteArray& source) {
    std::vector<ScriptCall> calls;
    constexpr qsizetype longestCall = 400;
    qsizetype at = 0;
    while ((at = source.indexOf("redis.", at)) >= 0) {
        at += 6;
        const QByteArrayView rest = QByteArrayView(source).sliced(at);
        if (!rest.startsWith("call(") && !rest.startsWith("pcall("))
            continue;
        const qsizetype opened = rest.indexOf('(') + 1;
        QByteArrayList arguments =
            argumentsIn(rest.sliced(opened).first(std::min(longestCall, rest.size() - opened)).toByteArray());
        ScriptCall call;
        const QByteArray first = arguments.takeFirst();
        if (first.startsWith('\''))
            call.command = first.mid(1, first.size() - 2).toLower();
        call.arguments = std::move(arguments);
        calls.push_back(std::move(call));
    }
    return calls;
}

// "ARGV[3]" -> 3; 0 for anything else. name: ARGV or KEYS.
int indexIn(const QByteArray& argument, QByteArrayView name) {
    const qsizetype at = argument.indexOf(name);
    const qsizetype opened = at < 0 ? -1 : at + name.size();
    if (opened < 0 || opened >= argument.size() || argument[opened] != '[')
        return 0;
    const qsizetype closed = argument.indexOf(']', opened);
    return closed < 0 ? 0 : argument.mid(opened + 1, closed - opened - 1).toInt();
}

int argumentIndex(const QByteArray& argument) {
    return indexIn(argument, "ARGV");
}

// The calls of one script, asked by their form.
class ScriptCalls {
public:
    explicit ScriptCalls(const QByteArray& source) : m_source(source), m_calls(callsIn(source)) {}

    [[nodiscard]] const ScriptCall* find(QByteArrayView command, QByteArrayView key = {}) const {
        const auto found = std::ranges::find_if(m_calls, [&](const ScriptCall& call) {
            return call.command == command && (key.isEmpty() || call.arguments.value(0) == key);
        });
        return found == m_calls.end() ? nullptr : &*found;
    }
    [[nodiscard]] bool has(QByteArrayView command, QByteArrayView key = {}) const {
        return find(command, key) != nullptr;
    }
    // A call with this argument at this place.
    [[nodiscard]] const ScriptCall* with(QByteArrayView command, qsizetype place, QByteArrayView argument) const {
        const auto found = std::ranges::find_if(m_calls, [&](const ScriptCall& call) {
            return call.command == command && call.arguments.value(place) == argument;
        });
        return found == m_calls.end() ? nullptr : &*found;
    }
    // PUBLISH, also where the command is an argument: PUBLISH or SPUBLISH.
    [[nodiscard]] const ScriptCall* publish() const {
        const auto found = std::ranges::find_if(m_calls, [](const ScriptCall& call) {
            return call.command == "publish" || call.command == "spublish" || call.command.isEmpty();
        });
        return found == m_calls.end() ? nullptr : &*found;
    }
    [[nodiscard]] bool mentions(QByteArrayView text) const { return m_source.contains(text); }
    [[nodiscard]] int captured(const char* pattern) const {
        return QRegularExpression(QString::fromLatin1(pattern))
            .match(QString::fromLatin1(m_source))
            .captured(1)
            .toInt();
    }

private:
    const QByteArray& m_source;
    std::vector<ScriptCall> m_calls;
};

}  // namespace

// The keys of one call, and what is known of them.
struct TraceScript::State {
    const Call& call;
    const TraceKeys& keys;
    const KnowledgeOf& knowledgeOf;
    bool acquires = false;
    qsizetype index = 0;  // of the lock's key

    [[nodiscard]] QByteArray name(qsizetype key) const { return call.keys.value(key); }
    [[nodiscard]] const QByteArray& lock() const { return call.keys.at(index); }
    [[nodiscard]] const TraceKeys::Content* content(const QByteArray& key) const {
        return keys.find({call.database, key});
    }
    // Null also if the lease of another holder is about to end: a waiter that tries again just then has found it ended.
    [[nodiscard]] const TraceKeys::Content* hash() const {
        constexpr ServerTime soon{2000};
        const TraceKeys::Content* found = content(lock());
        const bool hasEnded = acquires && found && found->end && *found->end - call.at <= soon;
        return hasEnded ? nullptr : found;
    }
    [[nodiscard]] qint64 holds(const QByteArray& field) const {
        const TraceKeys::Content* found = hash();
        const QByteArray* count = found ? found->value(field) : nullptr;
        return count ? std::max<qint64>(count->toLongLong(), 0) : 0;
    }
    [[nodiscard]] QByteArray mode() const {
        const TraceKeys::Content* found = hash();
        const QByteArray* mode = found ? found->value("mode") : nullptr;
        return mode ? *mode : QByteArray();
    }
    // The caller's holds; of a lock that was not seen before those that its later calls show.
    [[nodiscard]] qint64 holdsOfCaller(const QByteArray& field) const {
        return !hash() && isNew() ? call.holdsBefore : holds(field);
    }
    // The lock was not seen before, so what the caller does is all that is known: it acts as a holder.
    [[nodiscard]] bool isNew() const { return knowledgeOf({call.database, lock()}) == Knowledge::NotSeen; }
    [[nodiscard]] QByteArray pttl() const {
        const TraceKeys::Content* found = hash();
        return QByteArray::number(found && found->end ? std::max<qint64>((*found->end - call.at).count() / 1000, 0)
                                                      : 0);
    }
};

std::optional<TraceScript> TraceScript::recognise(const QByteArray& source) {
    if (source.size() > longestScript)
        return std::nullopt;
    const ScriptCalls calls(source);
    TraceScript script;
    const auto is = [&script](Operation operation) {
        script.m_operation = operation;
        return script;
    };
    const ScriptCall* lease = calls.find("pexpire", "KEYS[1]");
    if (!lease)
        lease = calls.find("pexpire", "KEYS[i]");
    script.m_lease = lease ? argumentIndex(lease->arguments.value(1)) : 0;
    if (const ScriptCall* message = calls.publish()) {
        script.m_message = argumentIndex(message->arguments.value(1));
        script.m_channel = indexIn(message->arguments.value(0), "KEYS");
    }
    if (calls.mentions("expire_time") || calls.mentions("zrangebyscore"))
        return std::nullopt;  // a faster multi lock, or permits with leases

    const ScriptCall* taken = calls.with("hincrby", 2, "-1");
    if (taken) {
        script.m_holder = argumentIndex(taken->arguments.value(1));
        if (calls.with("hset", 1, "'mode'"))
            return is(Operation::ReleaseWrite);
        if (calls.with("hget", 1, "'mode'"))
            return is(Operation::ReleaseRead);
        return is(calls.has("lindex") ? Operation::ReleaseFair : Operation::Release);
    }
    const ScriptCall* added = calls.find("hincrby");
    const ScriptCall* set = calls.find("hset");
    if (const ScriptCall* mode = calls.with("hset", 1, "'mode'")) {
        script.m_holder = added ? argumentIndex(added->arguments.value(1)) : 0;
        if (script.m_holder == 0 || (script.m_lease == 0 && !calls.has("pexpire")))
            return std::nullopt;
        if (script.m_lease == 0)
            script.m_lease = 1;
        if (mode->arguments.value(2) == "'write'")
            return is(Operation::AcquireWrite);
        const ScriptCall* writer = calls.find("hexists", "KEYS[1]");
        script.m_writer = writer ? argumentIndex(writer->arguments.value(1)) : 0;
        return is(Operation::AcquireRead);
    }
    if (calls.has("lindex") && (added || set)) {
        script.m_holder = argumentIndex((added ? added : set)->arguments.value(1));
        script.m_now = calls.captured(R"(<=\s*tonumber\(ARGV\[(\d+)\]\))");
        script.m_wait = calls.captured(R"(-\s*tonumber\(ARGV\[(\d+)\]\))");
        script.m_queues = calls.has("rpush") && script.m_now > 0 && script.m_wait > 0;
        return is(Operation::AcquireFair);
    }
    if (calls.has("lrem")) {
        const ScriptCall* left = calls.find("lrem");
        script.m_holder = argumentIndex(left->arguments.value(2));
        script.m_wait = calls.captured(R"(-\s*tonumber\(ARGV\[(\d+)\]\))");
        return is(Operation::LeaveFair);
    }
    if (added && lease) {
        script.m_holder = argumentIndex(added->arguments.value(1));
        return is(calls.has("incr") ? Operation::AcquireFenced : Operation::Acquire);
    }
    if (calls.has("pexpire") && !added && !set) {
        if (calls.mentions("rwlock_timeout"))
            return is(Operation::RenewRead);
        return lease && calls.has("hexists") ? std::optional(is(Operation::Renew)) : std::nullopt;
    }
    if (calls.has("del", "KEYS[1]") && calls.publish() && !calls.has("decr"))
        return is(calls.has("lindex") ? Operation::ForceFair : Operation::Force);
    if (const ScriptCall* permits = calls.find("decrby", "KEYS[1]")) {
        script.m_amount = argumentIndex(permits->arguments.value(1));
        return is(Operation::TakePermits);
    }
    if (const ScriptCall* permits = calls.find("incrby", "KEYS[1]")) {
        script.m_amount = argumentIndex(permits->arguments.value(1));
        return is(Operation::AddPermits);
    }
    if (calls.has("decr", "KEYS[1]"))
        return is(Operation::CountDown);
    if (const ScriptCall* number = calls.find("set", "KEYS[1]"); number && calls.publish()) {
        script.m_amount = argumentIndex(number->arguments.value(1));
        return is(Operation::SetCounter);
    }
    return std::nullopt;
}

bool TraceScript::acquires() const noexcept {
    return m_operation == Operation::Acquire || m_operation == Operation::AcquireFenced ||
           m_operation == Operation::AcquireFair || m_operation == Operation::AcquireRead ||
           m_operation == Operation::AcquireWrite;
}

bool TraceScript::releases() const noexcept {
    return m_operation == Operation::Release || m_operation == Operation::ReleaseFair ||
           m_operation == Operation::ReleaseRead || m_operation == Operation::ReleaseWrite;
}

QByteArrayList TraceScript::shownHolders(const Call& call) const {
    constexpr qsizetype lockAndTimeouts = 2;
    if (m_operation == Operation::Renew && call.keys.size() == 1)
        return call.values.mid(1, 1);
    if (m_operation == Operation::RenewRead && call.keys.size() == lockAndTimeouts)
        return call.values.mid(1);
    return releases() ? QByteArrayList{holderOf(call)} : QByteArrayList();
}

std::vector<QByteArrayList> TraceScript::effects(const Call& call, const TraceKeys& keys,
                                                 const KnowledgeOf& knowledgeOf) const {
    if (call.keys.isEmpty())
        return {};
    const State state{call, keys, knowledgeOf, acquires(), 0};
    switch (m_operation) {
        case Operation::Acquire:
        case Operation::AcquireFenced:
            return acquire(state);
        case Operation::AcquireFair:
            return acquireFair(state);
        case Operation::LeaveFair:
            return leaveFair(state);
        case Operation::AcquireRead:
            return acquireRead(state);
        case Operation::AcquireWrite:
            return acquireWrite(state);
        case Operation::Renew:
            return renew(state);
        case Operation::RenewRead:
            return renewRead(state);
        case Operation::Release:
        case Operation::ReleaseFair:
            return release(state);
        case Operation::ReleaseRead:
            return releaseRead(state);
        case Operation::ReleaseWrite:
            return releaseWrite(state);
        case Operation::Force:
        case Operation::ForceFair:
            return force(state);
        case Operation::TakePermits:
        case Operation::AddPermits:
        case Operation::SetCounter:
        case Operation::CountDown:
            break;
    }
    return count(state);
}

TraceScript::Effects TraceScript::acquire(const State& state) const {
    const QByteArray holder = holderOf(state.call);
    const bool isFree = !state.hash();
    if (!isFree && state.holds(holder) == 0)
        return {};
    Effects effects{{"exists", state.lock()}};
    if (!isFree)
        effects.push_back({"hexists", state.lock(), holder});
    if (m_operation == Operation::AcquireFenced)
        effects.push_back({"incr", state.name(1)});
    effects.push_back({"hincrby", state.lock(), holder, "1"});
    effects.push_back({"pexpire", state.lock(), value(state.call, m_lease)});
    return effects;
}

// First removes the heads whose deadline has passed, then acquires or queues.
TraceScript::Effects TraceScript::acquireFair(const State& state) const {
    const QByteArray holder = holderOf(state.call);
    const QByteArray queueKey = state.name(1);
    const QByteArray timeoutKey = state.name(2);
    Effects effects;
    const TraceKeys::Content* timeouts = state.content(timeoutKey);
    TraceKeys::Pairs queue;
    if (const TraceKeys::Content* known = state.content(queueKey))
        queue = known->pairs;
    const auto deadlineOf = [timeouts](const QByteArray& waiter) {
        const QByteArray* score = timeouts ? timeouts->value(waiter) : nullptr;
        return score ? std::optional(score->toDouble()) : std::nullopt;
    };
    const double now =
        m_now > 0 ? value(state.call, m_now).toDouble() : static_cast<double>(state.call.at.count()) / 1000;
    while (!queue.empty() && deadlineOf(queue.front().first).value_or(now + 1) <= now) {
        effects.push_back({"zrem", timeoutKey, queue.front().first});
        effects.push_back({"lpop", queueKey});
        queue.erase(queue.begin());
    }
    const QByteArray wait = m_wait > 0 ? value(state.call, m_wait) : QByteArray("300000");
    if (!state.hash() && (queue.empty() || queue.front().first == holder)) {
        effects.push_back({"lpop", queueKey});
        effects.push_back({"zrem", timeoutKey, holder});
        for (const auto& [waiter, ignored] : queue) {
            if (waiter != holder)
                effects.push_back({"zincrby", timeoutKey, '-' + wait, waiter});
        }
        effects.push_back({"exists", state.lock()});
        effects.push_back({"hset", state.lock(), holder, "1"});
        effects.push_back({"pexpire", state.lock(), value(state.call, m_lease)});
        return effects;
    }
    if (state.holds(holder) > 0) {
        effects.push_back({"hexists", state.lock(), holder});
        effects.push_back({"hincrby", state.lock(), holder, "1"});
        effects.push_back({"pexpire", state.lock(), value(state.call, m_lease)});
        return effects;
    }
    if (!m_queues || deadlineOf(holder))
        return effects;
    const double behind = queue.empty() ? now + state.pttl().toDouble() : deadlineOf(queue.back().first).value_or(now);
    effects.push_back({"zadd", timeoutKey, QByteArray::number(static_cast<qint64>(behind + wait.toDouble())), holder});
    effects.push_back({"rpush", queueKey, holder});
    return effects;
}

TraceScript::Effects TraceScript::leaveFair(const State& state) const {
    // KEYS[1] is the queue, KEYS[2] the deadlines.
    const QByteArray holder = holderOf(state.call);
    Effects effects;
    const TraceKeys::Content* queue = state.content(state.name(0));
    const auto& pairs = queue ? queue->pairs : TraceKeys::Pairs();
    auto found = std::ranges::find(pairs, holder, &TraceKeys::Pairs::value_type::first);
    if (found == pairs.end())
        return effects;
    if (m_wait > 0) {
        for (++found; found != pairs.end(); ++found)
            effects.push_back({"zincrby", state.name(1), '-' + value(state.call, m_wait), found->first});
    }
    effects.push_back({"zrem", state.name(1), holder});
    effects.push_back({"lrem", state.name(0), "0", holder});
    return effects;
}

TraceScript::Effects TraceScript::acquireRead(const State& state) const {
    const QByteArray holder = holderOf(state.call);
    const QByteArray lease = value(state.call, m_lease);
    const QByteArray mode = state.mode();
    Effects effects{{"hget", state.lock(), "mode"}};
    qint64 hold = 1;
    if (!state.hash()) {
        effects.push_back({"hset", state.lock(), "mode", "read"});
        effects.push_back({"hset", state.lock(), holder, "1"});
    } else if (mode == "read" || state.holds(value(state.call, m_writer)) > 0) {
        hold = state.holds(holder) + 1;
        effects.push_back({"hincrby", state.lock(), holder, "1"});
    } else {
        return {};
    }
    const QByteArray timeout = state.name(1) + ':' + QByteArray::number(hold);
    effects.push_back({"set", timeout, "1"});
    effects.push_back({"pexpire", timeout, lease});
    effects.push_back(
        {"pexpire", state.lock(), QByteArray::number(std::max(state.pttl().toLongLong(), lease.toLongLong()))});
    return effects;
}

TraceScript::Effects TraceScript::acquireWrite(const State& state) const {
    const QByteArray holder = holderOf(state.call);
    const QByteArray lease = value(state.call, m_lease);
    if (!state.hash())
        return {{"hget", state.lock(), "mode"},
                {"hset", state.lock(), "mode", "write"},
                {"hset", state.lock(), holder, "1"},
                {"pexpire", state.lock(), lease}};
    if (state.mode() != "write" || state.holds(holder) == 0)
        return {};
    return {{"hexists", state.lock(), holder},
            {"hincrby", state.lock(), holder, "1"},
            {"pexpire", state.lock(), QByteArray::number(state.pttl().toLongLong() + lease.toLongLong())}};
}

// The values are the timeout, and then a holder for each key.
TraceScript::Effects TraceScript::renew(const State& state) const {
    Effects effects;
    State each = state;
    for (; each.index < state.call.keys.size(); ++each.index) {
        const QByteArray holder = state.call.values.value(each.index + 1);
        if (each.holds(holder) == 0 && !each.isNew())
            continue;
        effects.push_back({"hexists", each.lock(), holder});
        effects.push_back({"pexpire", each.lock(), state.call.values.value(0)});
    }
    return effects;
}

// Keys: a lock and the prefix of its timeout keys, and so on. The values are the timeout, the number of holders of each
// lock (in newer versions), and the holders.
TraceScript::Effects TraceScript::renewRead(const State& state) const {
    Effects effects;
    const QByteArray lease = state.call.values.value(0);
    State each = state;
    for (; each.index + 1 < state.call.keys.size(); each.index += 2) {
        for (const QByteArray& holder : state.call.values.mid(1)) {
            const qint64 holds = each.holds(holder);
            const bool isHolder = HolderId::parse(holder).has_value();
            if (!isHolder || (holds == 0 && !(each.isNew() && state.call.keys.size() == 2)))
                continue;
            effects.push_back({"hget", each.lock(), holder});
            for (qint64 hold = 1; hold <= std::min<qint64>(holds, 256); ++hold)
                effects.push_back(
                    {"pexpire",
                     each.name(each.index + 1) + ':' + holder + ":rwlock_timeout:" + QByteArray::number(hold), lease});
            effects.push_back({"pexpire", each.lock(), lease});
        }
    }
    return effects;
}

TraceScript::Effects TraceScript::release(const State& state) const {
    const QByteArray holder = holderOf(state.call);
    const qint64 holds = state.holdsOfCaller(holder);
    if (holds == 0)
        return {};
    Effects effects{{"hexists", state.lock(), holder}, {"hincrby", state.lock(), holder, "-1"}};
    if (holds > 1) {
        effects.push_back({"pexpire", state.lock(), value(state.call, m_lease)});
        return effects;
    }
    effects.push_back({"del", state.lock()});
    if (m_channel == 0)
        return effects;  // a spin lock
    QByteArray channel = state.name(m_channel - 1);
    if (m_operation == Operation::ReleaseFair) {
        const TraceKeys::Content* queue = state.content(state.name(1));
        if (!queue || queue->pairs.empty())
            return effects;
        channel += ':' + queue->pairs.front().first;
    }
    effects.push_back({"publish", channel, value(state.call, m_message)});
    return effects;
}

TraceScript::Effects TraceScript::releaseRead(const State& state) const {
    const QByteArray holder = holderOf(state.call);
    const qint64 holds = state.holdsOfCaller(holder);
    const QByteArrayList publish{"publish", state.name(m_channel - 1), value(state.call, m_message)};
    if (!state.hash() && !state.isNew())
        return {publish};
    if (holds == 0)
        return {};
    Effects effects{
        {"hget", state.lock(), "mode"}, {"hexists", state.lock(), holder}, {"hincrby", state.lock(), holder, "-1"}};
    if (holds <= 1)
        effects.push_back({"hdel", state.lock(), holder});
    effects.push_back({"del", state.name(2) + ':' + QByteArray::number(std::max<qint64>(holds, 1))});
    constexpr size_t modeAndHolder = 2;
    const bool hasOthers = state.hash() && (holds > 1 || state.hash()->pairs.size() > modeAndHolder);
    if (!hasOthers) {
        effects.push_back({"del", state.lock()});
        effects.push_back(publish);
        return effects;
    }
    if (state.mode() == "write")
        return effects;
    // The longest lease that is left.
    ServerTime longest{0};
    for (const auto& [field, count] : state.hash()->pairs) {
        const qint64 left = field == holder ? holds - 1 : count.toLongLong();
        for (qint64 hold = 1; hold <= std::min<qint64>(left, 256); ++hold) {
            const TraceKeys::Content* timeout =
                state.content(state.name(3) + ':' + field + ":rwlock_timeout:" + QByteArray::number(hold));
            if (timeout && timeout->end)
                longest = std::max(longest, *timeout->end - state.call.at);
        }
    }
    if (longest > ServerTime(0))
        effects.push_back({"pexpire", state.lock(), QByteArray::number(longest.count() / 1000)});
    return effects;
}

TraceScript::Effects TraceScript::releaseWrite(const State& state) const {
    const QByteArray holder = holderOf(state.call);
    const qint64 holds = state.holdsOfCaller(holder);
    const QByteArrayList publish{"publish", state.name(m_channel - 1), value(state.call, m_message)};
    if (!state.hash() && !state.isNew())
        return {publish};
    if (holds == 0)
        return {};
    Effects effects{
        {"hget", state.lock(), "mode"}, {"hexists", state.lock(), holder}, {"hincrby", state.lock(), holder, "-1"}};
    if (holds > 1) {
        effects.push_back({"pexpire", state.lock(), value(state.call, m_lease)});
        return effects;
    }
    effects.push_back({"hdel", state.lock(), holder});
    constexpr size_t modeAndHolder = 2;
    if (!state.hash() || state.hash()->pairs.size() <= modeAndHolder) {
        effects.push_back({"del", state.lock()});
        effects.push_back(publish);
    } else {
        effects.push_back({"hset", state.lock(), "mode", "read"});
    }
    return effects;
}

TraceScript::Effects TraceScript::force(const State& state) const {
    if (!state.hash() && !state.isNew())
        return {};
    Effects effects{{"del", state.lock()}};
    QByteArray channel = state.name(std::max(m_channel, 1) - 1);
    if (m_operation == Operation::ForceFair) {
        const TraceKeys::Content* queue = state.content(state.name(1));
        if (!queue || queue->pairs.empty())
            return effects;
        channel += ':' + queue->pairs.front().first;
    }
    effects.push_back({"publish", channel, value(state.call, m_message)});
    return effects;
}

TraceScript::Effects TraceScript::count(const State& state) const {
    const QByteArray amount = value(state.call, m_amount);
    const TraceKeys::Content* known = state.hash();
    const qint64 before = known && known->value({}) ? known->value({})->toLongLong() : 0;
    if (m_operation == Operation::SetCounter)
        return known ? Effects() : Effects{{"set", state.lock(), amount}, {"publish", state.name(1), amount}};
    if (!known)
        return {};
    if (m_operation == Operation::TakePermits)
        return before < amount.toLongLong() ? Effects() : Effects{{"decrby", state.lock(), amount}};
    if (m_operation == Operation::AddPermits)
        return {{"incrby", state.lock(), amount}};
    if (before <= 1)
        return {{"decr", state.lock()}, {"del", state.lock()}};
    return {{"decr", state.lock()}};
}

}  // namespace lockkeeper::recording
