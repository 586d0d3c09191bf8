// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/synchronizerdecoder.h"

#include "locks/lockkeys.h"
#include "locks/synchronizers/synchronizerkeys.h"
#include "monitor/observe/read/epochtime.h"
#include "monitor/observe/read/replypairs.h"

#include <array>

namespace lockkeeper::monitor {

using redis::Command;
using redis::RespValue;

namespace {

// The order of questionsAbout(); the last two commands are only sent if the name may be a semaphore's.
enum Question : size_t { Exists, Digits, LeaseCount, Leases, QuestionCount };

struct Prefix {
    SynchronizerKind kind;
    QByteArrayView text;
};
constexpr std::array channelPrefixes{Prefix{SynchronizerKind::Semaphore, "redisson_sc:"},
                                     Prefix{SynchronizerKind::CountDownLatch, "redisson_countdownlatch__channel__"}};

QByteArrayView prefixOf(SynchronizerKind kind) {
    return channelPrefixes[kind == SynchronizerKind::Semaphore ? 0 : 1].text;
}

// Accepts the same text as Redis does.
std::optional<qint64> integerIn(const QByteArray& text) {
    const qint64 number = text.toLongLong();
    return QByteArray::number(number) == text ? std::optional(number) : std::nullopt;
}

void addCount(Synchronizer& found, const Result<RespValue>& exists, const Result<RespValue>& digits) {
    if (!exists || !digits) {
        const ErrorCode why = (exists ? digits : exists).error().code;
        found.state = why == ErrorCode::NotPermitted ? CounterState::NotReadable : CounterState::NoCounter;
        return;
    }
    const bool missing = exists->integer == 0 && digits->bytes.isEmpty();
    found.count = missing ? 0 : integerIn(digits->bytes);
    found.state = missing ? CounterState::Missing : found.count ? CounterState::Read : CounterState::NoCounter;
}

void addLeases(Synchronizer& found, const Result<RespValue>& count, const Result<RespValue>& leases) {
    if (!count || !leases)
        return;
    found.leased = count->integer;
    for (const auto& [id, score] : pairsOf(*leases)) {
        if (found.leases.size() < Synchronizer::mostLeases)
            found.leases.push_back({id, wallTimeIn(score)});
    }
}

}  // namespace

QByteArray SynchronizerChannel::name() const {
    return prefixOf(kind).toByteArray() + tag;
}

// Redisson keeps the braces of a semaphore's name; it always puts a latch's name into braces of its own.
QList<LockName> SynchronizerChannel::owners() const {
    if (kind == SynchronizerKind::CountDownLatch)
        return {LockName(tag.sliced(1).chopped(1))};
    return locks::untagged(tag);
}

std::optional<SynchronizerChannel> SynchronizerChannel::parse(QByteArrayView channel) {
    for (const Prefix& prefix : channelPrefixes) {
        if (!channel.startsWith(prefix.text))
            continue;
        const QByteArrayView tag = channel.sliced(prefix.text.size());
        const bool isInBraces = tag.size() > 2 && tag.front() == '{' && tag.back() == '}';
        if (prefix.kind == SynchronizerKind::CountDownLatch ? isInBraces : tag.contains('{'))
            return SynchronizerChannel{prefix.kind, tag.toByteArray()};
    }
    return std::nullopt;
}

std::optional<AwaitedName> AwaitedName::ofLeases(const QByteArray& key) {
    constexpr QByteArrayView suffix = ":timeout";
    const QByteArray tag = key.endsWith(suffix) ? key.chopped(suffix.size()) : QByteArray();
    if (!tag.contains('{'))
        return std::nullopt;
    return AwaitedName{locks::untagged(tag).first(), tag, SynchronizerKind::Semaphore, 0, By::Leases};
}

AwaitedName AwaitedName::ofUser(const LockName& name) {
    const QByteArray leases = locks::permitLeases(name);
    const QByteArray tag = leases.first(leases.lastIndexOf(':'));
    return AwaitedName{name, tag, SynchronizerKind::Semaphore, 0, By::User};
}

bool isProven(const Synchronizer& read, AwaitedName::By by) {
    constexpr qsizetype idSize = 16;
    const bool mayCount = read.state != CounterState::NoCounter;
    switch (by) {
        case AwaitedName::By::Waiters:
            return true;
        case AwaitedName::By::Leases:
            return mayCount && !read.leases.empty() &&
                   std::ranges::all_of(read.leases, [](const PermitLease& lease) { return lease.id.size() == idSize; });
        case AwaitedName::By::User:
            return mayCount;
    }
    return false;
}

std::optional<WallTime> leaseEndIn(const RespValue& score) {
    const bool isNumber = score.type == RespValue::Type::Double;
    return wallTimeIn(isNumber ? QByteArray::number(score.real, 'f', 0) : score.bytes);
}

QByteArray channelPattern(SynchronizerKind kind) {
    return prefixOf(kind).toByteArray() + '*';
}

std::vector<Command> questionsAbout(const AwaitedName& awaited) {
    const QByteArray& key = awaited.name.bytes();
    // No integer is longer than this. Any client may have written a large value there.
    std::vector<Command> questions{Command("EXISTS", {key}), Command("GETRANGE", {key, "0", "31"})};
    if (awaited.kind == SynchronizerKind::CountDownLatch)
        return questions;
    const QByteArray timeouts = awaited.tag + ":timeout";
    questions.push_back(Command("ZCARD", {timeouts}));
    questions.push_back(
        Command("ZRANGE", {timeouts, "0", QByteArray::number(Synchronizer::mostLeases - 1), "WITHSCORES"}));
    return questions;
}

Synchronizer decodeSynchronizer(const AwaitedName& awaited, const std::vector<Result<RespValue>>& answers,
                                SteadyTime at, WallTime atWall) {
    Synchronizer found;
    found.name = awaited.name;
    found.kind = awaited.kind;
    found.clients = awaited.clients;
    found.seenAt = at;
    found.seenAtWall = atWall;
    addCount(found, answers[Exists], answers[Digits]);
    if (answers.size() == QuestionCount)
        addLeases(found, answers[LeaseCount], answers[Leases]);
    return found;
}

}  // namespace lockkeeper::monitor
