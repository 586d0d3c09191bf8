// SPDX-License-Identifier: Apache-2.0
#include "control/check/serverchecker.h"

#include "monitor/observe/rightswatch.h"
#include "redis/replyerrors.h"

#include <QScopeGuard>

namespace lockkeeper::control {

using profile::NeededCommand;
using redis::Command;
using redis::Connection;
using redis::RespValue;

namespace {

Command commandOf(const QByteArrayList& words) {
    return Command(words.first(), words.sliced(1));
}

Command commandInfo(const std::vector<NeededCommand>& commands) {
    Command question("COMMAND", {"INFO"});
    for (const NeededCommand& command : commands)
        question.arg(QByteArrayView(command.name));
    return question;
}

// Keys are named, and not read.
Command scriptOver(const QByteArrayList& keys) {
    return commandOf(QByteArrayList{"EVAL_RO", "return 1", QByteArray::number(keys.size())} + keys);
}

// Two keys of different slots.
QByteArrayList keysOfTwoSlots(const LockName& sample) {
    const QByteArray name = sample.bytes();
    return {"{" + name + "}:1", "{" + name + ":other}:2"};
}

QByteArrayList keysOfOneLock(const LockName& sample) {
    const QByteArray name = sample.bytes();
    return {"redisson_lock_queue:{" + name + "}", "redisson_lock_timeout:{" + name + "}"};
}

// As the scripts of read/write locks build the keys of their readers.
Command readOfUndeclared(const LockName& sample) {
    return Command("EVAL_RO", {"local size = redis.pcall('EXISTS', KEYS[1] .. ':1') "
                               "return type(size) == 'table' and size.err or ''",
                               "1", "{" + sample.bytes() + "}"});
}

size_t indexOf(const CheckAnswers& answers, const char* name) {
    size_t index = 0;
    while (index < answers.commands.size() && QByteArrayView(answers.commands[index].name) != QByteArrayView(name))
        ++index;
    return index;
}

bool isKnownRefused(const CheckAnswers& answers, const char* name) {
    const size_t index = indexOf(answers, name);
    return index < answers.commands.size() && nodeCheckOf(answers).commands[qsizetype(index)].isMissing();
}

// A subscription is seen by others (PUBSUB), and MULTI is of use only with what follows it.
std::vector<Command> trialOf(const NeededCommand& command) {
    const QByteArray name = QByteArray(command.name).toUpper();
    if (name.contains("SUBSCRIBE") || name == "MULTI")
        return {};
    const QString words = QString::fromLatin1(
        name.startsWith("PUBSUB|SHARD")                          ? QByteArrayLiteral("PUBSUB SHARDCHANNELS")
        : name.startsWith("PUBSUB") || name.startsWith("OBJECT") ? name.left(name.indexOf('|'))
                                                                 : QByteArray(name).replace('|', ' '));
    return monitor::RightsWatch::questionsAbout(words);
}

Command dryRunOf(const QByteArray& user, const QByteArrayList& words) {
    return commandOf(QByteArrayList{"ACL", "DRYRUN", user} + words);
}

struct StateQuestion {
    const char* needs;
    Command command;
    CheckAnswers::Answer CheckAnswers::*answer;
    bool isAsked = true;
};

std::vector<StateQuestion> stateQuestions(const CheckAnswers& answers, const LockName& sample) {
    const bool isCluster = answers.server.mode == "cluster";
    const bool hasReadOnlyScripts = RightsQuestion::isKnownTo(answers.server);
    return {{"command|info", commandInfo(answers.commands), &CheckAnswers::commandInfo},
            {"info", Command("INFO"), &CheckAnswers::info},
            {"config|get", Command("CONFIG", {"GET", "min-replicas-to-write"}), &CheckAnswers::minReplicas},
            {"config|get", Command("CONFIG", {"GET", "appendfsync"}), &CheckAnswers::appendFsync},
            {"cluster|info", Command("CLUSTER", {"INFO"}), &CheckAnswers::clusterInfo, isCluster},
            {"eval_ro", scriptOver(keysOfOneLock(sample)), &CheckAnswers::keysOfOneLock, hasReadOnlyScripts},
            {"eval_ro", scriptOver(keysOfTwoSlots(sample)), &CheckAnswers::keysOfTwoSlots,
             hasReadOnlyScripts && !isCluster},
            {"eval_ro", readOfUndeclared(sample), &CheckAnswers::undeclaredKey, hasReadOnlyScripts}};
}

}  // namespace

ServerChecker::ServerChecker(CheckedUsers users, topology::Shards& shards, Clock& clock, const LockName& sample)
    : m_users([&users] {
          users.watching.access = redis::AccessMode::ReadOnly;
          return std::move(users);
      }()),
      m_shards(shards),
      m_clock(clock),
      m_sample(sample) {}

Task<Result<ServerCheck>> ServerChecker::run(std::stop_token stop) {
    const Result<Done> found = co_await findShards(stop);
    if (!found)
        co_return found.error();
    ServerCheck checked;
    for (const topology::ShardId shard : m_shards.all()) {
        const NodeCheck node = co_await check(shard, stop);
        if (stop.stop_requested())
            co_return Error(ErrorCode::Cancelled, Cause::Cancelled);
        checked.nodes << node;
    }
    co_return checked;
}

Task<Result<Done>> ServerChecker::findShards(std::stop_token stop) {
    if (!m_shards.all().isEmpty())
        co_return Done();
    const Completion<Done> known;
    const auto found = QObject::connect(&m_shards, &topology::Shards::changed, &m_shards, [this, known] {
        if (!m_shards.all().isEmpty())
            known.complete(Done());
    });
    const auto failed = QObject::connect(&m_shards, &topology::Shards::failed, &m_shards,
                                         [known](const Error& error) { known.complete(error); });
    const auto end = qScopeGuard([&found, &failed] {
        QObject::disconnect(found);
        QObject::disconnect(failed);
    });
    const Result<Done> answer = co_await known.wait(Deadline::in(m_clock, 4 * m_users.watching.openTimeout), stop);
    co_return answer;
}

Task<NodeCheck> ServerChecker::check(topology::ShardId shard, std::stop_token stop) {
    Connection connection(m_users.watching, m_shards.transports(shard), m_clock);
    CheckAnswers answers;
    answers.isCluster = m_shards.isCluster();
    answers.commands = checkedCommands(m_shards.isCluster());
    answers.trials.resize(answers.commands.size());
    const Result<Done> ready = co_await open(&connection, stop);
    const QString master = m_shards.masterOf(shard);
    answers.address = master.isEmpty() ? m_users.watching.endpoint.display() : master;
    if (!ready) {
        NodeCheck unasked;
        unasked.address = answers.address;
        unasked.error = ready.error();
        co_return unasked;
    }
    answers.server = connection.server();
    co_await askRights(&connection, &answers, stop);
    if (m_users.writing)
        co_await askWriter(shard, &answers, stop);
    co_await askState(&connection, &answers, stop);
    co_await tryUnknown(&connection, &answers, stop);
    co_return nodeCheckOf(answers);
}

// One attempt: a check reports why it fails, and does not wait until it succeeds.
Task<Result<Done>> ServerChecker::open(Connection* connection, std::stop_token stop) {
    const Completion<Done> ended;
    const auto follow = QObject::connect(connection, &Connection::stateChanged, connection,
                                         [connection, ended](Connection::State state) {
                                             if (state == Connection::State::Ready)
                                                 ended.complete(Done());
                                             else if (state == Connection::State::Waiting)
                                                 ended.complete(connection->lastError());
                                         });
    connection->open();
    const Result<Done> ready = co_await ended.wait(Deadline::in(m_clock, 2 * m_users.watching.openTimeout), stop);
    QObject::disconnect(follow);
    co_return ready;
}

Task<Result<RespValue>> ServerChecker::ask(Connection* connection, Command command, std::stop_token stop) {
    if (stop.stop_requested())
        co_return Error(ErrorCode::Cancelled, Cause::Cancelled);
    const Completion<RespValue> sent = connection->send(command);
    const Result<RespValue> answer = co_await sent.wait(Deadline::in(m_clock, m_users.watching.commandTimeout), stop);
    co_return answer;
}

// ACL DRYRUN is only asked if no script answers: it needs a right that few users have.
Task<void> ServerChecker::askRights(Connection* connection, CheckAnswers* answers, std::stop_token stop) {
    const RightsQuestion question(m_sample, answers->commands);
    bool isAnswered = false;
    if (RightsQuestion::isKnownTo(answers->server)) {
        const Result<RespValue> verdicts = co_await ask(connection, question.command(), stop);
        answers->rights = question.verdictsIn(verdicts);
        isAnswered = verdicts && !verdicts->isNull();
        if (!verdicts)
            answers->trials[indexOf(*answers, "eval_ro")] = verdicts;
    }
    if (!isKnownRefused(*answers, "acl|whoami")) {
        const Command whoAmI("ACL", {"WHOAMI"});
        const Result<RespValue> user = co_await ask(connection, whoAmI, stop);
        answers->whoAmI = user;
    }
    const bool isUserKnown = answers->whoAmI && answers->whoAmI->ok() && answers->whoAmI->value().isString();
    if (isAnswered || !isUserKnown || !RightsQuestion::isKnownTo(answers->server))
        co_return;
    const QByteArray user = answers->whoAmI->value().bytes;
    for (const NeededCommand& command : answers->commands) {
        const Command dryRun = dryRunOf(user, question.wordsOf(command));
        const Result<RespValue> answer = co_await ask(connection, dryRun, stop);
        answers->dryRuns.push_back(answer);
        if (!answer && redis::isRefusal(answer.error()))
            break;  // each refusal leaves a line in the ACL's log
    }
}

Task<void> ServerChecker::askWriter(topology::ShardId shard, CheckAnswers* answers, std::stop_token stop) {
    answers->writingRights.assign(answers->commands.size(), RightsVerdict::Unknown);
    redis::ConnectionOptions options = m_users.watching;
    options.credentials = *m_users.writing;
    Connection connection(options, m_shards.transports(shard), m_clock);
    const Result<Done> ready = co_await open(&connection, stop);
    if (!ready || !RightsQuestion::isKnownTo(answers->server))
        co_return;
    const RightsQuestion question(m_sample, answers->commands);
    const Result<RespValue> verdicts = co_await ask(&connection, question.command(), stop);
    answers->writingRights = question.verdictsIn(verdicts);
}

Task<void> ServerChecker::askState(Connection* connection, CheckAnswers* answers, std::stop_token stop) {
    const std::vector<StateQuestion> questions = stateQuestions(*answers, m_sample);
    for (const StateQuestion& question : questions) {
        if (!question.isAsked || isKnownRefused(*answers, question.needs))
            continue;
        const Result<RespValue> answer = co_await ask(connection, question.command, stop);
        answers->*question.answer = answer;
    }
}

// The server has not said what it refuses in advance: commands without effect are sent to see.
Task<void> ServerChecker::tryUnknown(Connection* connection, CheckAnswers* answers, std::stop_token stop) {
    const NodeCheck soFar = nodeCheckOf(*answers);
    for (size_t i = 0; i < answers->commands.size(); ++i) {
        if (soFar.commands[qsizetype(i)].availability != Availability::Unknown)
            continue;
        for (const Command& trial : trialOf(answers->commands[i])) {
            const Result<RespValue> answer = co_await ask(connection, trial, stop);
            answers->trials[i] = answer;
            if (!answer)
                break;
        }
    }
}

}  // namespace lockkeeper::control
