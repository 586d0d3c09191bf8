// SPDX-License-Identifier: Apache-2.0
#include "lab/experiment/labreader.h"

#include "async/pause.h"
#include "jvm/dumpreader.h"
#include "jvm/holderthread.h"
#include "locks/lockkeys.h"
#include "monitor/analyse/who/waitgraph.h"
#include "monitor/model/locksnapshot.h"

#include <algorithm>

namespace lockkeeper::lab {

namespace {

using namespace std::chrono_literals;

constexpr Milliseconds pauseBetweenReads = 10ms;
constexpr Milliseconds longestWait = 15s;

QByteArray channelOf(const LockPlan& lock) {
    const locks::LockKeys keys(lock.members.front().name);
    return lock.kind == LockKind::Read || lock.kind == LockKind::Write ? keys.rwChannel() : keys.channel();
}

// What the program says of the holder with the dump.
std::optional<jvm::Fate> fateOf(const LockName& name, const HolderId& holder, DumpedThread does, WallTime now) {
    const Result<std::vector<jvm::ThreadDump>> dumps =
        jvm::threadDumpsIn(playedDump(holder.thread(), does, now), QTimeZone::systemTimeZone());
    monitor::LockRow row;
    row.lock.name = name;
    row.lock.holders = {monitor::Holder{holder}};
    if (!dumps)
        return std::nullopt;
    const std::vector<monitor::SharedRow> rows{std::make_shared<const monitor::LockRow>(row)};
    const jvm::DumpReading reading = jvm::readDumps(*dumps, rows, holder.client(), {});
    return reading.holders.empty() ? std::nullopt : std::optional(reading.holders.front().fate);
}

const char* wordOf(const std::optional<jvm::Fate>& fate) {
    if (fate == jvm::Fate::Lives)
        return "lives";
    return fate == jvm::Fate::Ended ? "ended" : "unclear";
}

}  // namespace

Task<Answer> LabReader::observe(LockName name, ServerNumber server) const {
    const QByteArrayList typeCommand{"TYPE", name.bytes()};
    const Result<redis::RespValue> type = co_await ask(server, typeCommand);
    if (!type)
        co_return type.error();
    const bool isHash = type->bytes == "hash";
    const QByteArrayList readCommand{isHash ? "HGETALL" : "GET", name.bytes()};
    const Result<redis::RespValue> value = co_await ask(server, readCommand);
    const QByteArrayList ttlCommand{"PTTL", name.bytes()};
    const Result<redis::RespValue> ttl = co_await ask(server, ttlCommand);
    const QByteArrayList queueCommand{"LLEN", locks::LockKeys(name).fairQueue()};
    const Result<redis::RespValue> queue = co_await ask(server, queueCommand);
    if (!value || !ttl || !queue)
        co_return Error(ErrorCode::ConnectionLost, Cause::NotConnected);
    QByteArrayList holders = isHash ? holdersOf(*value) : QByteArrayList{value->bytes};
    holders.removeAll(QByteArray());
    Answer answer(holders.isEmpty() ? "free" : "held");
    answer.facts["holders"] = holders.join(", ");
    answer.facts["count"] = qint64{holders.size()};
    answer.facts["pttl"] = ttl->integer;
    answer.facts["queue"] = queue->integer;
    co_return answer;
}

Task<Answer> LabReader::awaitFree(LockName name, ServerNumber server) const {
    const Deadline end = Deadline::in(m_clock, longestWait);
    while (!end.hasPassed()) {
        const QByteArrayList command{"EXISTS", name.bytes()};
        const Result<redis::RespValue> exists = co_await ask(server, command);
        if (!exists)
            co_return exists.error();
        if (exists->integer == 0)
            co_return "free";
        const bool goesOn = co_await pause(pauseBetweenReads);
        if (!goesOn)
            break;
    }
    co_return Error(ErrorCode::Timeout, Cause::NoAnswerInTime);
}

// A subscriber tries once more before it sleeps. It sends this attempt before the PING, so the answer to the PING shows
// that the attempt was executed.
Task<Answer> LabReader::awaitWaiters(LockPlan lock, qint64 count, Milliseconds untilItIsSent) const {
    const Deadline end = Deadline::in(m_clock, longestWait);
    Result<qint64> waiting(qint64{0});
    while (waiting && *waiting < count && !end.hasPassed()) {
        const bool goesOn = co_await pause(pauseBetweenReads);
        if (!goesOn)
            co_return Error(ErrorCode::Cancelled, Cause::Cancelled);
        waiting = co_await waitersOf(lock);
    }
    if (!waiting)
        co_return waiting.error();
    (void)co_await pause(untilItIsSent);
    const QByteArrayList ping{"PING"};
    (void)co_await ask(lock.members.front().server, ping);
    co_return *waiting < count ? Answer(Error(ErrorCode::Timeout, Cause::NoAnswerInTime)) : Answer("waiting");
}

Task<Result<qint64>> LabReader::waitersOf(LockPlan lock) const {
    const LockPlan::Member member = lock.members.front();
    const bool isCluster = m_laboratory.serversPlan().form == ServersPlan::Form::Cluster;
    QByteArrayList command{"PUBSUB", isCluster ? "SHARDNUMSUB" : "NUMSUB", channelOf(lock)};
    if (lock.kind == LockKind::Fair)
        command = {"LLEN", locks::LockKeys(member.name).fairQueue()};
    const Result<redis::RespValue> reply = co_await ask(member.server, command);
    if (!reply)
        co_return reply.error();
    co_return reply->isInteger() ? reply->integer : reply->items.at(1).integer;
}

Task<Answer> LabReader::awaitReplicated() const {
    const Deadline end = Deadline::in(m_clock, longestWait);
    const Result<qint64> written = co_await replicationOffset(ServerNumber(0));
    if (!written)
        co_return written.error();
    Result<qint64> received(qint64{-1});
    while (received && *received < *written && !end.hasPassed()) {
        const bool goesOn = co_await pause(pauseBetweenReads);
        if (!goesOn)
            co_return Error(ErrorCode::Cancelled, Cause::Cancelled);
        received = co_await replicationOffset(ServerNumber(1));
    }
    if (!received)
        co_return received.error();
    co_return *received < *written ? Answer(Error(ErrorCode::Timeout, Cause::NoAnswerInTime)) : Answer("replicated");
}

// -1 for a replica that is not connected to its master.
Task<Result<qint64>> LabReader::replicationOffset(ServerNumber server) const {
    const QByteArrayList command{"ROLE"};
    const Result<redis::RespValue> role = co_await ask(server, command);
    if (!role)
        co_return role.error();
    const bool isMaster = role->items.at(0).bytes == "master";
    const bool isConnected = isMaster || role->items.at(3).bytes == "connected";
    co_return isConnected ? role->items.at(isMaster ? 1 : 4).integer : -1;
}

Task<Answer> LabReader::findDeadlock(std::vector<LockPlan> fairLocks) const {
    std::vector<monitor::LockSnapshot> reads;
    for (const LockPlan& lock : fairLocks) {
        const Result<monitor::LockSnapshot> snapshot = co_await read(lock.members.front());
        if (!snapshot)
            co_return snapshot.error();
        reads.push_back(*snapshot);
    }
    std::vector<const monitor::LockSnapshot*> pointers;
    std::ranges::transform(reads, std::back_inserter(pointers), [](const auto& one) { return &one; });
    const monitor::WaitGraph graph = monitor::waitGraphOf(pointers);
    if (graph.cycles.empty())
        co_return "none";
    Answer answer("found");
    answer.facts["length"] = static_cast<qint64>(graph.cycles.front().size());
    co_return answer;
}

Task<Answer> LabReader::readDump(LockPlan::Member lock, DumpedThread does) const {
    const QByteArrayList command{"HKEYS", lock.name.bytes()};
    const Result<redis::RespValue> fields = co_await ask(lock.server, command);
    if (!fields)
        co_return fields.error();
    const std::optional<HolderId> holder =
        fields->items.empty() ? std::nullopt : HolderId::parse(fields->items.front().bytes);
    if (!holder)
        co_return "free";
    co_return wordOf(fateOf(lock.name, *holder, does, m_clock.wallNow()));
}

Task<Result<monitor::LockSnapshot>> LabReader::read(LockPlan::Member fairLock) const {
    const QByteArrayList hashCommand{"HKEYS", fairLock.name.bytes()};
    const Result<redis::RespValue> fields = co_await ask(fairLock.server, hashCommand);
    if (!fields)
        co_return fields.error();
    const QByteArrayList queueCommand{"LRANGE", locks::LockKeys(fairLock.name).fairQueue(), "0", "-1"};
    const Result<redis::RespValue> queue = co_await ask(fairLock.server, queueCommand);
    if (!queue)
        co_return queue.error();
    monitor::LockSnapshot snapshot;
    snapshot.name = fairLock.name;
    snapshot.kind = monitor::LockKind::Fair;
    for (const redis::RespValue& field : fields->items) {
        if (const std::optional<HolderId> id = HolderId::parse(field.bytes))
            snapshot.holders.append(monitor::Holder{*id});
    }
    for (const redis::RespValue& entry : queue->items) {
        if (const std::optional<HolderId> id = HolderId::parse(entry.bytes))
            snapshot.fairQueue.append(monitor::FairWaiter{*id, std::nullopt});
    }
    co_return snapshot;
}

Task<Result<redis::RespValue>> LabReader::ask(ServerNumber server, QByteArrayList command) const {
    return m_laboratory.ask(server, std::move(command));
}

Task<bool> LabReader::pause(Milliseconds time) const {
    return pauseUntil(Deadline::in(m_clock, time), m_stop);
}

QByteArray LabReader::displayed(const QByteArray& field, qint64 count) const {
    const QByteArray writeEnd = ":write";
    const bool isWriter = field.endsWith(writeEnd);
    const std::optional<HolderId> id = HolderId::parse(isWriter ? field.chopped(writeEnd.size()) : field);
    const auto& actors = m_laboratory.actors();
    const auto found = std::ranges::find_if(actors, [&id](const auto& actor) { return id && actor->is(id->client()); });
    if (found == actors.end())
        return field;
    QByteArray text = (*found)->plan().name.bytes() + ':' + QByteArray::number(static_cast<qint64>(id->thread()));
    if (isWriter)
        text += " write";
    return count == 1 ? text : text + " x" + QByteArray::number(count);
}

QByteArrayList LabReader::holdersOf(const redis::RespValue& hash) const {
    QByteArrayList holders;
    for (size_t at = 0; at + 1 < hash.items.size(); at += 2) {
        if (hash.items[at].bytes != "mode")
            holders += displayed(hash.items[at].bytes, hash.items[at + 1].bytes.toLongLong());
    }
    std::ranges::sort(holders);
    return holders;
}

}  // namespace lockkeeper::lab
