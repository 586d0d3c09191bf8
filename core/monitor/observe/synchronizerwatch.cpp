// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/synchronizerwatch.h"

#include "async/pause.h"
#include "locks/synchronizers/synchronizerkeys.h"
#include "monitor/model/synchronizercompare.h"
#include "monitor/observe/read/sweeppace.h"
#include "monitor/observe/sources/shardedmessages.h"
#include "monitor/observe/sources/subscribers.h"
#include "redis/replyerrors.h"

namespace lockkeeper::monitor {

using namespace std::chrono_literals;
using redis::Command;
using redis::RespValue;

namespace {

constexpr qsizetype namesInFlight = 64;
constexpr Milliseconds restAfterRefusal = 1min;
constexpr Milliseconds readsOfOthers = 10s;

bool isAboutLeases(const Command& question) {
    return question.name() == "ZCARD" || question.name() == "ZRANGE";
}

SynchronizerKind kindOf(const QList<SynchronizerChannel>& channels) {
    const bool areAlike = std::all_of(channels.begin(), channels.end(), [&](const SynchronizerChannel& channel) {
        return channel.kind == channels.first().kind;
    });
    return areAlike ? channels.first().kind : SynchronizerKind::Unknown;
}

QByteArrayList namesOf(const QList<SynchronizerChannel>& channels) {
    QByteArrayList names;
    for (const SynchronizerChannel& channel : channels)
        names += channel.name();
    return names;
}

}  // namespace

SynchronizerWatch::SynchronizerWatch(redis::Connection& connection, ReadBudget& budget, Denials& denials,
                                     const NameScope& scope, const NodeScope& node)
    : m_connection(connection),
      m_clock(connection.clock()),
      m_budget(budget),
      m_denials(denials),
      m_scope(scope),
      m_node(node) {
    connect(&m_connection, &redis::Connection::stateChanged, this, &SynchronizerWatch::onStateChanged);
}

void SynchronizerWatch::onStateChanged(redis::Connection::State state) {
    if (state == redis::Connection::State::Waiting)
        m_last.reset();
}

void SynchronizerWatch::start() {
    if (!std::exchange(m_started, true))
        m_tasks.spawn(run());
}

Task<void> SynchronizerWatch::run() {
    const std::stop_token stop = m_tasks.stopToken();
    while (!stop.stop_requested()) {
        const Completion<Done> ready = m_connection.whenReady();
        const Result<Done> isReady = co_await ready.wait(Deadline::never(m_clock), stop);
        if (!isReady)
            co_return;
        m_next = m_clock.now() + SweepPace::startToStart;
        const Result<SynchronizerReading> reading = co_await readAll();
        if (stop.stop_requested())
            co_return;
        if (reading)
            report(*reading);
        else
            giveUp(reading.error());
        (void)co_await pauseUntil(Deadline::in(m_clock, m_next - m_clock.now()), stop);
    }
}

// After a lost connection nothing is noted: the next connection reads again.
void SynchronizerWatch::giveUp(const Error& error) {
    if (!redis::isRefusal(error))
        return;
    m_next = m_clock.now() + restAfterRefusal;
    SynchronizerReading nothing;
    nothing.sight = SynchronizerReading::Sight::Refused;
    report(nothing);
}

Task<Result<SynchronizerReading>> SynchronizerWatch::readAll() {
    const Result<Waits> waits = co_await findWaits();
    if (!waits && redis::isRefusal(waits.error()))
        m_denials.note({Denied::SemaphoreCommand, QStringLiteral("PUBSUB"), Consequence::SynchronizersUnseen, {}});
    if (!waits)
        co_return waits.error();
    const Result<std::vector<Synchronizer>> seen = co_await readWithOtherNames(waits->names);
    if (!seen)
        co_return seen.error();
    const Result<std::vector<Synchronizer>> others = co_await readOthers(*waits);
    if (!others)
        co_return others.error();
    SynchronizerReading reading;
    reading.seen = *seen;
    reading.seen.insert(reading.seen.end(), others->begin(), others->end());
    reading.inAll = waits->inAll + static_cast<int>(others->size());
    std::sort(reading.seen.begin(), reading.seen.end(),
              [](const Synchronizer& one, const Synchronizer& other) { return one.name < other.name; });
    if (reading.isCutOff())
        m_denials.note(Denied::Synchronizers, Consequence::SynchronizersLeftOut);
    else
        m_denials.takeBack(Denied::Synchronizers);
    co_return reading;
}

// ---- others than those that somebody waits for ----

void SynchronizerWatch::noteFound(const QList<AwaitedName>& found) {
    m_found = found;
    m_nextOthers = m_clock.now();
}

Task<Result<std::vector<Synchronizer>>> SynchronizerWatch::readOthers(Waits waits) {
    QSet<LockName> waitedFor;
    for (const AwaitedName& awaited : waits.names)
        waitedFor.insert(awaited.name);
    QSet<LockName> known;
    for (const Synchronizer& other : m_others)
        known.insert(other.name);
    QList<AwaitedName> names;
    for (const AwaitedName& found : m_found) {
        if (waitedFor.contains(found.name) || waits.names.size() + names.size() >= SynchronizerReading::mostSeen)
            continue;
        names += found;
        // Its waiters have just left: it must not vanish from the reading until the next turn.
        const bool wasSeen = m_last && std::ranges::binary_search(m_last->seen, found.name, {}, &Synchronizer::name);
        if (wasSeen && !known.contains(found.name))
            m_nextOthers = m_clock.now();
    }
    if (m_clock.now() >= m_nextOthers) {
        const Result<std::vector<Synchronizer>> read = co_await readWithOtherNames(names);
        if (!read)
            co_return read.error();
        m_others.clear();
        for (size_t i = 0; i < read->size(); ++i) {
            if (isProven((*read)[i], names[static_cast<qsizetype>(i)].by))
                m_others.push_back((*read)[i]);
        }
        m_nextOthers = m_clock.now() + readsOfOthers;
    }
    std::vector<Synchronizer> others = m_others;
    std::erase_if(others, [&waitedFor](const Synchronizer& one) { return waitedFor.contains(one.name); });
    co_return others;
}

// ---- who waits ----

Task<Result<SynchronizerWatch::Waits>> SynchronizerWatch::findWaits() {
    const SteadyTime began = m_clock.now();
    const Result<Channels> channels = co_await awaitedChannels();
    if (!channels)
        co_return channels.error();
    m_next = std::max(m_next, m_clock.now() + restPerCount * (m_clock.now() - began));
    const QList<LockName> names = channels->keys().mid(0, SynchronizerReading::mostSeen);
    QByteArrayList toCount;
    for (const LockName& name : names)
        toCount += namesOf(channels->value(name));
    const Result<QHash<QByteArray, int>> clients = co_await subscribersOf(toCount);
    if (!clients)
        co_return clients.error();
    Waits waits;
    waits.inAll = static_cast<int>(channels->size());
    for (const LockName& name : names) {
        const QList<SynchronizerChannel>& ofName = *channels->constFind(name);
        AwaitedName awaited{name, ofName.first().tag, kindOf(ofName), 0};
        for (const QByteArray& channel : namesOf(ofName))
            awaited.clients += clients->value(channel);
        if (awaited.clients > 0)
            waits.names += awaited;
        else
            --waits.inAll;  // the clients have left since
    }
    co_return waits;
}

// A client on channels of both kinds counts once.
Task<Result<QHash<QByteArray, int>>> SynchronizerWatch::subscribersOf(QByteArrayList channels) {
    const std::stop_token stop = m_tasks.stopToken();
    Result<QHash<QByteArray, int>> plain = co_await countSubscribers(&m_connection, channels, stop);
    if (!plain || !mayPublishByShard(m_node, m_connection.server()))
        co_return plain;
    const Result<QHash<QByteArray, int>> sharded =
        co_await countSubscribers(&m_connection, channels, stop, ChannelKind::Sharded);
    if (!sharded)
        co_return sharded.error();
    for (auto [channel, clients] : plain.value().asKeyValueRange())
        clients = std::max(clients, sharded->value(channel));
    co_return plain;
}

Task<Result<SynchronizerWatch::Channels>> SynchronizerWatch::awaitedChannels() {
    const QByteArrayList patterns{channelPattern(SynchronizerKind::Semaphore),
                                  channelPattern(SynchronizerKind::CountDownLatch)};
    const Result<QByteArrayList> found = co_await subscribedChannels(&m_connection, patterns, m_tasks.stopToken());
    if (!found)
        co_return found.error();
    QByteArrayList names = *found;
    if (mayPublishByShard(m_node, m_connection.server())) {
        const Result<QByteArrayList> sharded =
            co_await subscribedChannels(&m_connection, patterns, m_tasks.stopToken(), ChannelKind::Sharded);
        if (!sharded)
            co_return sharded.error();
        const QSet<QByteArray> plain(found->begin(), found->end());
        std::copy_if(sharded->begin(), sharded->end(), std::back_inserter(names),
                     [&plain](const QByteArray& channel) { return !plain.contains(channel); });
    }
    Channels channels;
    for (const QByteArray& each : std::as_const(names)) {
        const std::optional<SynchronizerChannel> channel = SynchronizerChannel::parse(each);
        if (!channel)
            continue;
        const LockName likeliest = channel->owners().first();
        if (m_scope.isInScope(likeliest))
            channels[likeliest] += *channel;
    }
    co_return channels;
}

// ---- their keys ----

Task<Result<std::vector<Synchronizer>>> SynchronizerWatch::readWithOtherNames(QList<AwaitedName> names) {
    const Result<std::vector<Synchronizer>> likeliest = co_await read(names);
    if (!likeliest)
        co_return likeliest.error();
    co_return co_await readUnderOtherNames(names, *likeliest);
}

Task<Result<std::vector<Synchronizer>>> SynchronizerWatch::read(QList<AwaitedName> names) {
    std::vector<Synchronizer> seen;
    for (qsizetype first = 0; first < names.size(); first += namesInFlight) {
        const QList<AwaitedName> some = names.mid(first, namesInFlight);
        const Result<std::vector<Asked>> asked = co_await askAbout(some);
        if (!asked)
            co_return asked.error();
        for (qsizetype i = 0; i < some.size(); ++i) {
            const Result<Synchronizer> one = co_await answerAbout(some[i], (*asked)[static_cast<size_t>(i)]);
            if (!one)
                co_return one.error();
            seen.push_back(*one);
        }
    }
    co_return seen;
}

Task<Result<std::vector<SynchronizerWatch::Asked>>> SynchronizerWatch::askAbout(QList<AwaitedName> names) {
    // All turns are requested together. One by one, each would queue behind all waiting reads of locks.
    std::vector<Completion<Done>> turns;
    for (qsizetype i = 0; i < names.size(); ++i)
        turns.push_back(m_budget.take());
    std::vector<Asked> all;
    for (qsizetype i = 0; i < names.size(); ++i) {
        const Completion<Done> turn = turns[static_cast<size_t>(i)];
        const Result<Done> granted = co_await turn.wait(Deadline::never(m_clock), m_tasks.stopToken());
        if (!granted)
            co_return granted.error();
        Asked asked;
        asked.questions = questionsAbout(names[i]);
        for (const Command& question : asked.questions)
            asked.answers.push_back(m_connection.send(question));
        all.push_back(std::move(asked));
    }
    co_return all;
}

Task<Result<Synchronizer>> SynchronizerWatch::answerAbout(AwaitedName awaited, Asked asked) {
    std::vector<Result<RespValue>> answers;
    for (size_t i = 0; i < asked.questions.size(); ++i) {
        Result<RespValue> answer = co_await asked.answers[i].wait(Deadline::never(m_clock), m_tasks.stopToken());
        if (!answer && !canDoWithout(awaited, asked.questions[i], answer.error()))
            co_return answer.error();
        answers.push_back(std::move(answer));
    }
    co_return decodeSynchronizer(awaited, answers, m_clock.now(), m_clock.wallNow());
}

// Two names may share a channel, `abc` and `{abc}`. If the likelier one has no key, the other one is read.
Task<Result<std::vector<Synchronizer>>> SynchronizerWatch::readUnderOtherNames(QList<AwaitedName> names,
                                                                               std::vector<Synchronizer> seen) {
    QList<AwaitedName> others;
    std::vector<size_t> places;
    for (size_t i = 0; i < seen.size(); ++i) {
        AwaitedName awaited = names[static_cast<qsizetype>(i)];
        awaited.name = SynchronizerChannel{awaited.kind, awaited.tag}.owners().last();
        const bool isNamed = awaited.by == AwaitedName::By::User;
        if (isNamed || seen[i].state != CounterState::Missing || awaited.name == seen[i].name)
            continue;
        others += awaited;
        places.push_back(i);
    }
    const Result<std::vector<Synchronizer>> found = co_await read(others);
    if (!found)
        co_return found.error();
    for (size_t i = 0; i < places.size(); ++i) {
        if ((*found)[i].state != CounterState::Missing)
            seen[places[i]] = (*found)[i];
    }
    co_return seen;
}

bool SynchronizerWatch::canDoWithout(const AwaitedName& awaited, const Command& question, const Error& error) {
    if (error.reply == ReplyKind::WrongType)
        return true;
    if (!redis::isRefusal(error))
        return false;
    if (error.code == ErrorCode::NotPermitted && error.reply != ReplyKind::CommandDenied) {
        m_denials.note(Denied::Keys, Consequence::SomeKeysUnreadable,
                       isAboutLeases(question) ? locks::permitLeases(awaited.name) : awaited.name.bytes());
        return true;
    }
    const QString command = QString::fromLatin1(question.name());
    if (isAboutLeases(question)) {
        m_denials.note({Denied::SemaphoreCommand, command, Consequence::LeasedPermitsUnseen, {}});
        return true;
    }
    m_denials.note(command, Consequence::SynchronizersUnseen);
    return false;
}

// ---- what has changed ----

void SynchronizerWatch::report(SynchronizerReading reading) {
    if (m_last) {
        // Both are sorted by name.
        auto old = m_last->seen.begin();
        for (Synchronizer& now : reading.seen) {
            while (old != m_last->seen.end() && old->name < now.name)
                ++old;
            const bool isKnown = old != m_last->seen.end() && old->name == now.name;
            compareWithEarlier(now, isKnown ? &*old : nullptr, m_clock.wallNow());
            if (isKnown && isSameState(*old, now))
                now = *old;
        }
    }
    if (reading == m_last)
        return;
    m_last = std::move(reading);
    Q_EMIT changed(*m_last);
}

}  // namespace lockkeeper::monitor

#include "moc_synchronizerwatch.cpp"
