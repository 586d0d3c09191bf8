// SPDX-License-Identifier: Apache-2.0
#include "control/rightsquestion.h"

#include "locks/lockkeys.h"
#include "redis/script.h"

#include <QVersionNumber>

namespace lockkeeper::control {

using profile::CommandReach;
using profile::CommandUse;
using profile::NeededCommand;
using redis::RespValue;

namespace {

// The same numbers as in ask_rights.lua.
constexpr qint64 verdictNotHad = -1;
constexpr qint64 verdictRefused = 0;
constexpr qint64 verdictAllowed = 1;

bool isAsked(const NeededCommand& command, bool isSharded) {
    switch (command.use) {
        case CommandUse::Watching:
            return false;
        case CommandUse::Always:
        case CommandUse::Writing:
            return true;
        case CommandUse::WritingInCluster:
            return isSharded;
    }
    return false;
}

std::vector<NeededCommand> commandsForWriting(bool isSharded) {
    std::vector<NeededCommand> asked;
    for (const NeededCommand& command : profile::neededCommands()) {
        if (isAsked(command, isSharded))
            asked.push_back(command);
    }
    return asked;
}

}  // namespace

// What the user may do with the sample's key and channel, as the allowed commands show.
struct RightsQuestion::Proof {
    bool reads = false;
    bool writes = false;
    bool usesChannel = false;

    void add(CommandReach reach) {
        reads = reads || reach == CommandReach::ReadsKey || reach == CommandReach::ChangesKey;
        writes = writes || reach == CommandReach::WritesKey || reach == CommandReach::ChangesKey;
        usesChannel = usesChannel || reach == CommandReach::Channel;
    }
    [[nodiscard]] bool blames(CommandReach reach) const {
        switch (reach) {
            case CommandReach::Nothing:
                return true;
            case CommandReach::NamesKey:
                return reads || writes;
            case CommandReach::ReadsKey:
                return reads;
            case CommandReach::WritesKey:
                return writes;
            case CommandReach::ChangesKey:
                return reads && writes;
            case CommandReach::Channel:
                return usesChannel;
        }
        return false;
    }
    [[nodiscard]] bool isWhole() const { return reads && writes && usesChannel; }
};

bool RightsQuestion::isKnownTo(const redis::ServerInfo& server) {
    return QVersionNumber::fromString(QLatin1String(server.version)) >= QVersionNumber(7);
}

RightsQuestion::RightsQuestion(const LockName& sample, bool isSharded)
    : RightsQuestion(sample, commandsForWriting(isSharded)) {}

RightsQuestion::RightsQuestion(const LockName& sample, std::vector<NeededCommand> commands)
    : m_sample(sample), m_commands(std::move(commands)) {}

QByteArrayList RightsQuestion::wordsOf(const NeededCommand& command) const {
    QByteArrayList words = QByteArray(command.name).split('|');
    for (const QByteArray& argument : QByteArray(command.arguments).split(' ')) {
        if (argument == "*")
            words << (command.reach == CommandReach::Channel ? locks::LockKeys(m_sample).channel() : m_sample.bytes());
        else if (!argument.isEmpty())
            words << argument;
    }
    return words;
}

redis::Command RightsQuestion::command() const {
    static const auto script = redis::Script::embedded(QStringLiteral("control/lua/ask_rights.lua"));
    redis::Arguments arguments;
    for (const NeededCommand& command : m_commands) {
        const QByteArrayList words = wordsOf(command);
        arguments.add(words.size());
        arguments.add(redis::Arguments(words));
    }
    return redis::ScriptCall(script, {}, arguments).evalReadOnly();
}

RightsQuestion::Proof RightsQuestion::proofIn(const std::vector<RespValue>& verdicts) const {
    Proof proof;
    for (size_t i = 0; i < m_commands.size(); ++i) {
        if (verdicts[i].integer == verdictAllowed)
            proof.add(m_commands[i].reach);
    }
    return proof;
}

bool RightsQuestion::isWhole(const Result<RespValue>& answer) const {
    return answer && answer->items.size() == m_commands.size();
}

std::vector<RightsVerdict> RightsQuestion::verdictsIn(const Result<RespValue>& answer) const {
    std::vector<RightsVerdict> verdicts(m_commands.size(), RightsVerdict::Unknown);
    if (!isWhole(answer))
        return verdicts;
    const Proof proof = proofIn(answer->items);
    for (size_t i = 0; i < m_commands.size(); ++i) {
        const qint64 verdict = answer->items[i].integer;
        if (verdict == verdictAllowed)
            verdicts[i] = RightsVerdict::Allowed;
        else if (verdict == verdictRefused)
            verdicts[i] = proof.blames(m_commands[i].reach) ? RightsVerdict::Refused : RightsVerdict::RefusedHere;
        else if (verdict == verdictNotHad)
            verdicts[i] = RightsVerdict::NotHad;
    }
    return verdicts;
}

AnsweredRights RightsQuestion::rightsIn(const Result<RespValue>& answer) const {
    const bool isNotOffered = answer ? answer->isNull() : answer.error().reply == ReplyKind::UnknownCommand;
    if (isNotOffered)
        return {RightsInAdvance::NotOffered, {}};
    if (!isWhole(answer))
        return {};
    AnsweredRights rights{proofIn(answer->items).isWhole() ? RightsInAdvance::Known : RightsInAdvance::Unknown, {}};
    const std::vector<RightsVerdict> verdicts = verdictsIn(answer);
    for (size_t i = 0; i < m_commands.size(); ++i) {
        if (verdicts[i] != RightsVerdict::Refused && verdicts[i] != RightsVerdict::NotHad)
            continue;
        const RefusedRight what =
            verdicts[i] == RightsVerdict::Refused ? RefusedRight::Command : RefusedRight::UnknownCommand;
        if (const auto denial = WritingDenials::ofCommand(what, QString::fromLatin1(m_commands[i].name)))
            rights.denied << *denial;
    }
    return rights;
}

}  // namespace lockkeeper::control
