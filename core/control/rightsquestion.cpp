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

QByteArrayList wordsOf(const NeededCommand& command, const LockName& sample) {
    QByteArrayList words = QByteArray(command.name).split('|');
    for (const QByteArray& argument : QByteArray(command.arguments).split(' ')) {
        if (argument == "*")
            words << (command.reach == CommandReach::Channel ? locks::LockKeys(sample).channel() : sample.bytes());
        else if (!argument.isEmpty())
            words << argument;
    }
    return words;
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
            case CommandReach::Channel:
                return usesChannel;
            default:
                return reads && writes;
        }
    }
    [[nodiscard]] bool isWhole() const { return reads && writes && usesChannel; }
};

bool RightsQuestion::isKnownTo(const redis::ServerInfo& server) {
    return QVersionNumber::fromString(QLatin1String(server.version)) >= QVersionNumber(7);
}

RightsQuestion::RightsQuestion(const LockName& sample, bool isSharded) : m_sample(sample) {
    for (const NeededCommand& command : profile::neededCommands()) {
        if (isAsked(command, isSharded))
            m_commands.push_back(command);
    }
}

redis::Command RightsQuestion::command() const {
    static const auto script = redis::Script::embedded(QStringLiteral("control/lua/ask_rights.lua"));
    redis::Arguments arguments;
    for (const NeededCommand& command : m_commands) {
        const QByteArrayList words = wordsOf(command, m_sample);
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

AnsweredRights RightsQuestion::rightsIn(const Result<RespValue>& answer) const {
    if (!answer && answer.error().reply == ReplyKind::UnknownCommand)
        return {RightsInAdvance::NotOffered, {}};
    if (!answer)
        return {};
    if (answer->isNull())
        return {RightsInAdvance::NotOffered, {}};
    if (answer->items.size() != m_commands.size())
        return {};
    const Proof proof = proofIn(answer->items);
    AnsweredRights rights{proof.isWhole() ? RightsInAdvance::Known : RightsInAdvance::Unknown, {}};
    for (size_t i = 0; i < m_commands.size(); ++i) {
        const qint64 verdict = answer->items[i].integer;
        const bool isRefused = verdict == verdictRefused && proof.blames(m_commands[i].reach);
        if (!isRefused && verdict != verdictNotHad)
            continue;
        const RefusedRight what = isRefused ? RefusedRight::Command : RefusedRight::UnknownCommand;
        if (const auto denial = WritingDenials::ofCommand(what, QString::fromLatin1(m_commands[i].name)))
            rights.denied << *denial;
    }
    return rights;
}

}  // namespace lockkeeper::control
