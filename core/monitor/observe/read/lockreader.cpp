// SPDX-License-Identifier: Apache-2.0
#include "monitor/observe/read/lockreader.h"

#include "base/logging.h"
#include "base/safetext.h"
#include "locks/lockkeys.h"
#include "monitor/observe/read/replypairs.h"
#include "redis/replyerrors.h"

#include <QRegularExpression>

#include <array>

namespace lockkeeper::monitor {

using redis::Command;
using redis::RespValue;

namespace {

// The order of contentCommands() and of the answer of read_lock.lua, which adds the readers' leases and the refusals.
// If a part of the hash is read, both add the number of all fields.
enum Content : size_t { Fields, Pttl, Queue, QueueLength, Deadlines, Token, ContentCount };

constexpr std::array<const char*, ContentCount> contentNames{"HGETALL", "PTTL", "LRANGE", "LLEN", "ZRANGE", "GET"};

// A read sends a name four times, and copies it a few times more.
constexpr qsizetype longName = 100'000;

constexpr qsizetype mostDeadlines = 100;  // as read_lock.lua and contentCommands() read

Consequence consequenceOf(const QString& command) {
    if (command == QLatin1String("LRANGE") || command == QLatin1String("LLEN") || command == QLatin1String("ZRANGE"))
        return Consequence::FairLocksLookPlain;
    if (command == QLatin1String("GET"))
        return Consequence::FencedLocksLookPlain;
    static const QStringList onlyForRecognition{QStringLiteral("HKEYS"), QStringLiteral("HSTRLEN"),
                                                QStringLiteral("OBJECT"), QStringLiteral("EXISTS")};
    if (onlyForRecognition.contains(command))
        return Consequence::RecognitionCostsMore;
    return Consequence::LocksUnreadable;
}

// The limits are part of the text: each argument costs the server some time in every read.
redis::Script readScript() {
    const QByteArray limits = "local mostFields, longestField, longestValue, mostLeases, partOfFields = " +
                              QByteArrayList{QByteArray::number(maxLockFields), QByteArray::number(maxFieldBytes),
                                             QByteArray::number(maxValueBytes), QByteArray::number(maxReadLeases),
                                             QByteArray::number(partOfFields)}
                                  .join(", ");
    const auto script = redis::Script::embedded(QStringLiteral("monitor/observe/lua/read_lock.lua"));
    return redis::Script(limits + '\n' + script.source());
}

// Adds what read_lock.lua answers about the readers' timeout keys.
void addLeases(RawLock& raw, const RespValue& leases) {
    constexpr size_t partsOfOne = 3;
    raw.areLeasesWhole = !leases.items.empty() && leases.items.front().integer == 1;
    for (size_t i = 1; i + partsOfOne <= leases.items.size(); i += partsOfOne)
        raw.readLeases.push_back({leases.items[i].bytes, leases.items[i + 1].integer, leases.items[i + 2].integer});
}

QByteArrayList scriptKeys(const LockName& name) {
    const locks::LockKeys keys(name);
    return {keys.hash(), keys.fairQueue(), keys.token()};
}

// Every kind of lock has a client's UUID in the name of a field.
bool mayBeLockField(const RespValue& field) {
    static const QRegularExpression uuid(QStringLiteral("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-"));
    return field.bytes.size() <= maxFieldBytes && QString::fromLatin1(field.bytes).contains(uuid);
}

// As in read_lock.lua: one holder of another program, or a mode and several.
bool mayBeOtherProgram(const std::vector<RespValue>& names) {
    const bool hasMode = std::ranges::any_of(names, [](const RespValue& name) { return name.bytes == "mode"; });
    return (hasMode || names.size() == 1) && std::ranges::all_of(names, [](const RespValue& name) {
               return name.bytes == "mode" || HolderId::parseAny(name.bytes);
           });
}

// Whether the hash was the same at the first command and at the last one, as far as its size and its TTL show.
bool mayBeOneState(const std::vector<Result<RespValue>>& replies) {
    constexpr qint64 noKey = -2;
    if (!replies[Fields] || !replies[Pttl] || !replies.back())
        return true;  // the error is the answer
    const qint64 fields = std::ssize(pairsOf(*replies[Fields]));
    return fields == replies.back()->integer && (fields == 0) == (replies[Pttl]->integer == noKey);
}

}  // namespace

LockReader::LockReader(redis::Connection& connection, Denials& denials, const NodeScope& scope)
    : m_connection(connection), m_denials(denials), m_scope(scope), m_script(connection, readScript()) {}

Completion<LockReading> LockReader::read(const LockName& name, const QList<HolderId>& formerReaders) {
    const Request request{name, formerReaders, {}};
    m_tasks.spawn(name.bytes().size() > longName ? runInTurn(request) : run(request));
    return request.answer;
}

Task<void> LockReader::runInTurn(Request request) {
    if (std::exchange(m_isReadingLong, true)) {
        const Completion<Done> turn;
        m_longInTurn.push_back(turn);
        const Result<Done> granted = co_await turn.wait(Deadline::never(m_connection.clock()), m_tasks.stopToken());
        if (!granted) {
            request.answer.complete(granted.error());
            co_return;
        }
    }
    co_await run(std::move(request));
    endTurn();
}

void LockReader::endTurn() {
    if (m_longInTurn.empty()) {
        m_isReadingLong = false;
        return;
    }
    const Completion<Done> next = m_longInTurn.front();
    m_longInTurn.pop_front();
    next.complete(Done());
}

// What is rare is a coroutine of its own, because the frame of a coroutine has room for all of its values.
Task<void> LockReader::run(Request request) {
    if (m_way != Way::Script)
        co_return co_await runByCommands(std::move(request));
    const SteadyTime sentAt = m_connection.clock().now();
    const redis::ReadOnlyScript::Attempt attempt =
        m_script.begin(scriptKeys(request.name), scriptArguments(request.formerReaders));
    Result<RespValue> reply = co_await attempt.answer.wait(Deadline::never(m_connection.clock()), m_tasks.stopToken());
    if (reply)
        end(request, decodeScriptReply(request.name, sentAt, std::move(reply.value())));
    else
        co_await runAfter(std::move(request), sentAt, attempt.isByName, reply.error());
}

Task<void> LockReader::runAfter(Request request, SteadyTime sentAt, bool wasByName, Error failure) {
    Result<RespValue> reply = co_await m_script.repeat(wasByName, std::move(failure), scriptKeys(request.name),
                                                       scriptArguments(request.formerReaders), m_tasks.stopToken());
    if (reply) {
        end(request, decodeScriptReply(request.name, sentAt, std::move(reply.value())));
        co_return;
    }
    Result<LockReading> reading = co_await readAfterRefusal(request.name, reply.error());
    end(request, std::move(reading));
}

Task<void> LockReader::runByCommands(Request request) {
    Result<LockReading> reading = co_await readByCommands(request.name, m_way);
    end(request, std::move(reading));
}

void LockReader::end(const Request& request, Result<LockReading> reading) {
    const bool isRefused = !reading && redis::isRefusedByNode(reading.error());
    if (reading || isRefused)
        m_scope.noteRead(request.name, isRefused ? std::optional(reading.error()) : std::nullopt);
    if (isRefused)
        m_scope.noteMovedKeys();
    if (LockSnapshot* lock = reading ? std::get_if<LockSnapshot>(&reading.value()) : nullptr)
        m_clients.shareIn(*lock);
    request.answer.complete(std::move(reading));
}

QByteArrayList LockReader::scriptArguments(const QList<HolderId>& formerReaders) const {
    QByteArrayList arguments{m_mayReadShortly ? "1" : "0"};
    for (const HolderId& reader : formerReaders)
        arguments += reader.bytes();
    return arguments;
}

Task<Result<LockReading>> LockReader::readAfterRefusal(LockName name, Error refusal) {
    if (redis::isRefusalOfCommand(refusal)) {
        m_denials.note(QStringLiteral("EVAL_RO"), Consequence::ReadsCostMore);
        if (m_way == Way::Script)
            m_way = Way::Transaction;
        co_return co_await readByCommands(name, m_way);
    }
    // The user may not read one of the keys: perhaps only a helper key, which plain commands can leave out.
    if (refusal.code == ErrorCode::NotPermitted)
        co_return co_await readByCommands(name, Way::Pipeline);
    co_return refusal;
}

Result<LockReading> LockReader::decodeScriptReply(const LockName& name, SteadyTime sentAt, RespValue reply) {
    if (reply.bytes.startsWith("refused ")) {
        const QByteArrayList words = reply.bytes.split(' ');
        return refused(bounded(QString::fromLatin1(words.value(1))), redis::denialOf(reply.bytes), name);
    }
    if (reply.bytes == "fields")
        return LockReading(NotALock{.isUnreadable = true});
    if (reply.isString())
        return LockReading(NotALock());
    if (reply.items.size() == 2)
        return decodeShortReply(name, sentAt, reply);
    const bool isPart = reply.items.size() == ContentCount + 3;
    if (reply.items.size() != ContentCount + 2 && !isPart)
        return redis::unexpectedReply(Command("EVAL_RO"), reply);
    const auto contents = std::make_move_iterator(reply.items.begin());
    std::vector<Result<RespValue>> replies(contents, contents + ContentCount);
    for (const RespValue& refusal : reply.items[ContentCount + 1].items) {
        const QString command = bounded(QString::fromLatin1(refusal.bytes.left(refusal.bytes.indexOf(' '))));
        if (command == QLatin1String("OBJECT") || command == QLatin1String("EXISTS"))
            m_mayReadShortly = false;
        if (command == QLatin1String("ZRANGE"))
            replies[Deadlines] = RespValue();  // the script answers an empty list in its place
        if (command == QLatin1String("rwlock_timeout"))
            m_denials.note(Denied::ReaderTimeouts, Consequence::ReaderLeasesUnknown,
                           locks::LockKeys(name).readTimeoutBase() + "lockkeeper:1:rwlock_timeout:1");
        else
            m_denials.note(command, consequenceOf(command));
    }
    return decodeReplies(name, sentAt, std::move(replies), reply.items[ContentCount],
                         isPart ? reply.items.back().integer : 0);
}

Result<LockReading> LockReader::decodeShortReply(const LockName& name, SteadyTime sentAt, const RespValue& reply) {
    RawLock raw;
    raw.name = name;
    raw.fields = pairsOf(reply.items[Fields]);
    raw.pttl = reply.items[Pttl].integer;
    return decodeLock(raw, timesSince(sentAt));
}

Task<Result<LockReading>> LockReader::readByCommands(LockName name, Way way) {
    const std::variant<Extent, Result<LockReading>> verdict = co_await guard(name.bytes());
    if (const auto* reading = std::get_if<Result<LockReading>>(&verdict))
        co_return *reading;
    const Extent extent = std::get<Extent>(verdict);
    if (way == Way::Transaction)
        co_return co_await readInTransaction(name, extent);
    co_return co_await readInPipeline(name, extent);
}

// Reads a part if this is a read lock, because only a read lock may have so many fields.
Task<std::variant<LockReader::Extent, Result<LockReading>>> LockReader::guardLarge(QByteArray key) {
    const Deadline deadline = Deadline::never(m_connection.clock());
    const Completion<RespValue> modeAnswer = send(Command("HGET", {key, "mode"}));
    const Result<RespValue> mode = co_await modeAnswer.wait(deadline, m_tasks.stopToken());
    if (!mode && !redis::isRefusal(mode.error()))
        co_return Result<LockReading>(mode.error());
    if (mode && mode->bytes == "read")
        co_return Extent::Part;
    co_return Result<LockReading>(LockReading(NotALock{.isUnreadable = true}));
}

Task<std::variant<LockReader::Extent, Result<LockReading>>> LockReader::guard(QByteArray key) {
    const Deadline deadline = Deadline::never(m_connection.clock());
    const Completion<RespValue> lengthAnswer = send(Command("HLEN", {key}));
    const Result<RespValue> length = co_await lengthAnswer.wait(deadline, m_tasks.stopToken());
    if (!length)
        co_return refused(QStringLiteral("HLEN"), length.error(), LockName(key));
    if (length->integer > maxLockFields)
        co_return co_await guardLarge(key);
    if (length->integer == 0)
        co_return Extent::Whole;
    const Completion<RespValue> namesAnswer = send(Command("HKEYS", {key}));
    const Result<RespValue> names = co_await namesAnswer.wait(deadline, m_tasks.stopToken());
    if (!names && redis::isRefusal(names.error())) {
        m_denials.note(QStringLiteral("HKEYS"), Consequence::RecognitionCostsMore);
        co_return Extent::Whole;
    }
    if (!names)
        co_return refused(QStringLiteral("HKEYS"), names.error(), LockName(key));
    if (!names->items.empty() && std::none_of(names->items.begin(), names->items.end(), mayBeLockField) &&
        !mayBeOtherProgram(names->items))
        co_return Result<LockReading>(LockReading(NotALock()));
    co_return Extent::Whole;
}

std::vector<Command> LockReader::contentCommands(const LockName& name, Extent extent) const {
    const locks::LockKeys keys(name);
    const bool isPart = extent == Extent::Part;
    // Ten times the part, because a shorter page of a hash that was larger before may be empty.
    const QByteArray page = QByteArray::number(10 * partOfFields);
    std::vector<Command> commands{
        isPart ? Command("HSCAN", {keys.hash(), "0", "COUNT", page}) : Command("HGETALL", {keys.hash()}),
        Command("PTTL", {keys.hash()}),
        Command("LRANGE", {keys.fairQueue(), "0", "99"}),
        Command("LLEN", {keys.fairQueue()}),
        Command("ZRANGE", {keys.fairTimeouts(), "0", "99", "WITHSCORES"}),
        Command("GET", {keys.token()})};
    if (isPart)
        commands.push_back(Command("HLEN", {keys.hash()}));
    return commands;
}

Task<Result<LockReading>> LockReader::readInTransaction(LockName name, Extent extent) {
    const Deadline deadline = Deadline::never(m_connection.clock());
    const SteadyTime sentAt = m_connection.clock().now();
    // All commands are queued before the first answer is awaited, so no other command gets in between.
    const Completion<RespValue> multi = send(Command("MULTI"));
    std::vector<Completion<RespValue>> queued;
    for (const Command& command : contentCommands(name, extent))
        queued.push_back(send(command));
    const Completion<RespValue> exec = send(Command("EXEC"));
    const Result<RespValue> begun = co_await multi.wait(deadline, m_tasks.stopToken());
    const Result<Done> inPlace = co_await keysAreHere(queued);
    Result<RespValue> done = co_await exec.wait(deadline, m_tasks.stopToken());
    if (!begun && redis::isRefusal(begun.error())) {
        m_denials.note(QStringLiteral("MULTI"), Consequence::ReadsCostMore);
        m_way = Way::Pipeline;
        co_return co_await readInPipeline(name, extent);
    }
    if (!inPlace)
        co_return inPlace.error();
    // One command was refused, so none was executed; the plain commands will show which one is refused.
    if (!done && done.error().reply == ReplyKind::TransactionAborted)
        co_return co_await readInPipeline(name, extent);
    if (!done)
        co_return done.error();
    if (done->items.size() != queued.size())
        co_return redis::unexpectedReply(Command("EXEC"), *done);
    std::vector<Result<RespValue>> replies;
    for (RespValue& item : done.value().items)
        replies.push_back(item.isError() ? Result<RespValue>(redis::errorOf(item))
                                         : Result<RespValue>(std::move(item)));
    if (extent == Extent::Part)
        co_return decodePart(name, sentAt, std::move(replies));
    co_return decodeReplies(name, sentAt, std::move(replies));
}

// A Cluster refuses each command when it is queued, not in the answer of EXEC.
Task<Result<Done>> LockReader::keysAreHere(std::vector<Completion<RespValue>> queued) {
    for (const Completion<RespValue>& answer : queued) {
        const Result<RespValue> reply =
            co_await answer.wait(Deadline::never(m_connection.clock()), m_tasks.stopToken());
        if (!reply && redis::isRefusedByNode(reply.error()))
            co_return reply.error();
    }
    co_return Done();
}

// A flush between two of the commands would show a state that never was. A lock that changes again meanwhile is taken
// as it was read then.
Task<Result<LockReading>> LockReader::readInPipeline(LockName name, Extent extent) {
    m_atomic = false;
    Pipelined read = co_await askInPipeline(name, extent);
    if (extent == Extent::Part)
        co_return decodePart(name, read.sentAt, std::move(read.replies));
    if (!mayBeOneState(read.replies))
        read = co_await askInPipeline(name, extent);
    read.replies.pop_back();
    co_return decodeReplies(name, read.sentAt, std::move(read.replies));
}

Task<LockReader::Pipelined> LockReader::askInPipeline(LockName name, Extent extent) {
    Pipelined read;
    read.sentAt = m_connection.clock().now();
    std::vector<Command> commands = contentCommands(name, extent);
    if (extent == Extent::Whole)
        commands.push_back(Command("HLEN", {locks::LockKeys(name).hash()}));
    std::vector<Completion<RespValue>> answers;
    for (const Command& command : commands)
        answers.push_back(send(command));
    for (const Completion<RespValue>& answer : answers) {
        Result<RespValue> reply = co_await answer.wait(Deadline::never(m_connection.clock()), m_tasks.stopToken());
        read.replies.push_back(std::move(reply));
    }
    co_return read;
}

// The answer of HSCAN is {cursor, fields and values}; that of HLEN comes last.
Result<LockReading> LockReader::decodePart(const LockName& name, SteadyTime sentAt,
                                           std::vector<Result<RespValue>> replies) {
    const Result<RespValue> length = std::move(replies.back());
    replies.pop_back();
    if (!length)
        return refused(QStringLiteral("HLEN"), length.error(), name);
    if (!replies[Fields] && redis::isRefusal(replies[Fields].error()))
        return LockReading(NotALock{.isUnreadable = true});
    if (!replies[Fields])
        return refused(QStringLiteral("HSCAN"), replies[Fields].error(), name);
    if (replies[Fields]->items.size() != 2)
        return redis::unexpectedReply(Command("HSCAN"), *replies[Fields]);
    RespValue fields = std::move(replies[Fields].value().items.back());
    if (std::ssize(fields.items) > 2 * partOfFields)
        fields.items.resize(2 * partOfFields);
    replies[Fields] = std::move(fields);
    return decodeReplies(name, sentAt, std::move(replies), {}, length->integer);
}

Result<LockReading> LockReader::decodeReplies(const LockName& name, SteadyTime sentAt,
                                              std::vector<Result<RespValue>> replies, const RespValue& leases,
                                              qint64 fieldCount) {
    for (const Content essential : {Fields, Pttl}) {
        if (!replies[essential])
            return refused(QString::fromLatin1(contentNames[essential]), replies[essential].error(), name);
    }
    const bool areDeadlinesRead = replies[Deadlines] && replies[Deadlines]->isAggregate();
    // A helper key that is of another type, or that this user may not read, is left out.
    std::array<RespValue, ContentCount> contents;
    for (size_t i = 0; i < ContentCount; ++i) {
        if (replies[i])
            contents[i] = std::move(replies[i].value());
        else if (redis::isRefusal(replies[i].error()))
            m_denials.note(QString::fromLatin1(contentNames[i]), consequenceOf(QString::fromLatin1(contentNames[i])));
        else if (replies[i].error().reply != ReplyKind::WrongType)
            return replies[i].error();
    }
    RawLock raw;
    raw.name = name;
    raw.fields = pairsOf(contents[Fields]);
    raw.fieldCount = fieldCount;
    raw.pttl = contents[Pttl].integer;
    for (const RespValue& waiter : contents[Queue].items)
        raw.queue.append(waiter.bytes);
    raw.queueLength = contents[QueueLength].integer;
    raw.deadlines = pairsOf(contents[Deadlines]);
    raw.areDeadlinesWhole = m_atomic && areDeadlinesRead && std::ssize(raw.deadlines) < mostDeadlines;
    if (contents[Token].isString())
        raw.token = contents[Token].bytes;
    addLeases(raw, leases);
    return decodeLock(raw, timesSince(sentAt));
}

ReadTimes LockReader::timesSince(SteadyTime sentAt) const {
    const Clock& clock = m_connection.clock();
    return {sentAt, clock.now(), clock.wallNow()};
}

Result<LockReading> LockReader::refused(const QString& command, const Error& error, const LockName& name) {
    if (error.reply == ReplyKind::WrongType)
        return LockReading(NotALock());
    if (redis::isRefusalOfCommand(error)) {
        m_denials.note(command, consequenceOf(command));
        return error;
    }
    if (error.code != ErrorCode::NotPermitted)
        return error;
    m_denials.note(Denied::Keys, Consequence::SomeKeysUnreadable, name.bytes());
    return LockReading(NotALock{.isUnreadable = true});
}

}  // namespace lockkeeper::monitor
