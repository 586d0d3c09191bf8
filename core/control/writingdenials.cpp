// SPDX-License-Identifier: Apache-2.0
#include "control/writingdenials.h"

#include "redis/replyerrors.h"

#include <QHash>

#include <algorithm>

namespace lockkeeper::control {

namespace {

// The consequences of refused commands outside the scripts; nothing for commands without consequences.
const QHash<QString, std::optional<WritingCost>>& costs() {
    using enum WritingCost;
    static const QHash<QString, std::optional<WritingCost>> known{
        {QStringLiteral("eval"), NothingChanged},
        {QStringLiteral("evalsha"), NothingChanged},
        {QStringLiteral("publish"), WaitersNotWoken},
        {QStringLiteral("spublish"), WaitersNotWoken},
        {QStringLiteral("subscribe"), WaitsRefused},
        {QStringLiteral("ssubscribe"), WaitsRefused},
        {QStringLiteral("hello"), LossesSeenLate},
        {QStringLiteral("client|tracking"), LossesSeenLate},
        {QStringLiteral("client|caching"), LossesSeenLate},
        {QStringLiteral("client|list"), FormerConnectionStays},
        {QStringLiteral("client|kill"), FormerConnectionStays},
        {QStringLiteral("info"), ReplicasNotAwaited},
        {QStringLiteral("wait"), ReplicasNotAwaited},
        {QStringLiteral("eval_ro"), ReadsCostMore},
        {QStringLiteral("evalsha_ro"), ReadsCostMore},
        {QStringLiteral("multi"), ReadsCostMore},
        {QStringLiteral("ping"), std::nullopt},
        {QStringLiteral("role"), std::nullopt},  // a demoted server itself refuses writes
        {QStringLiteral("client|setname"), std::nullopt}};
    return known;
}

// named, nameless: the refused right, depending on whether the server has named the command.
std::optional<WritingDenial> ofCommand(RefusedRight named, RefusedRight nameless, const Error& error) {
    const QString command = error.arguments.value(0).toLower();
    if (command.isEmpty())
        return WritingDenial{nameless, {}, WritingCost::OperationsRefused};
    return WritingDenials::ofCommand(named, command);
}

// The script was executed, and answers with the words of the refusal.
WritingDenial ofMessage(const Error& refusal) {
    switch (refusal.reply) {
        case ReplyKind::CommandDenied:
            return {RefusedRight::Command, QStringLiteral("publish"), WritingCost::WaitersNotWoken};
        case ReplyKind::UnknownCommand:
            return {RefusedRight::UnknownCommand, QStringLiteral("publish"), WritingCost::WaitersNotWoken};
        default:
            return {RefusedRight::Channel, {}, WritingCost::WaitersNotWoken};
    }
}

std::optional<WritingDenial> denialIn(const Error& error) {
    if (error.code == ErrorCode::NotAnnounced)
        return ofMessage(redis::denialOf(error.arguments.value(0).toUtf8()));
    switch (error.reply) {
        case ReplyKind::CommandDenied:
            return ofCommand(RefusedRight::Command, RefusedRight::ScriptCommand, error);
        case ReplyKind::UnknownCommand:
            return ofCommand(RefusedRight::UnknownCommand, RefusedRight::UnknownScriptCommand, error);
        case ReplyKind::KeyDenied:
            return WritingDenial{RefusedRight::Keys, {}, WritingCost::NamesRefused};
        case ReplyKind::ChannelDenied:
            return WritingDenial{RefusedRight::Channel, {}, WritingCost::WaitsRefused};
        default:
            return std::nullopt;
    }
}

}  // namespace

std::optional<WritingDenial> WritingDenials::ofCommand(RefusedRight what, const QString& command) {
    const std::optional<WritingCost> cost = costs().value(command, WritingCost::OperationsRefused);
    return cost ? std::optional(WritingDenial{what, command, *cost}) : std::nullopt;
}

bool WritingDenials::note(const Error& error) {
    const std::optional<WritingDenial> denial = denialIn(error);
    return denial && note(*denial);
}

bool WritingDenials::note(const WritingDenial& denial) {
    const bool isNameless = denial.command.isEmpty() && denial.cost == WritingCost::OperationsRefused;
    const bool isKnown = std::ranges::any_of(m_denials, [&](const WritingDenial& known) {
        return known == denial || (isNameless && known.cost == denial.cost);
    });
    if (!isKnown)
        m_denials << denial;
    return !isKnown;
}

}  // namespace lockkeeper::control
