// SPDX-License-Identifier: Apache-2.0
#include "control/writingdenials.h"

#include "redis/replyerrors.h"

#include <QHash>

#include <optional>

namespace lockkeeper::control {

namespace {

// Of commands beside the scripts; nothing for those that cost nothing.
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
        {QStringLiteral("client|setname"), std::nullopt}};
    return known;
}

std::optional<WritingDenial> ofCommand(const QString& command) {
    if (command.isEmpty())
        return WritingDenial{RefusedRight::ScriptCommand, {}, WritingCost::OperationsRefused};
    const std::optional<WritingCost> cost = costs().value(command, WritingCost::OperationsRefused);
    return cost ? std::optional(WritingDenial{RefusedRight::Command, command, *cost}) : std::nullopt;
}

// The script has done its work, and answers the words of the refusal.
WritingDenial ofMessage(const Error& refusal) {
    if (refusal.reply == ReplyKind::CommandDenied)
        return {RefusedRight::Command, QStringLiteral("publish"), WritingCost::WaitersNotWoken};
    return {RefusedRight::Channel, {}, WritingCost::WaitersNotWoken};
}

std::optional<WritingDenial> denialIn(const Error& error) {
    if (error.code == ErrorCode::NotAnnounced)
        return ofMessage(redis::denialOf(error.arguments.value(0).toUtf8()));
    switch (error.reply) {
        case ReplyKind::CommandDenied:
            return ofCommand(error.arguments.value(0).toLower());
        case ReplyKind::KeyDenied:
            return WritingDenial{RefusedRight::Keys, {}, WritingCost::NamesRefused};
        case ReplyKind::ChannelDenied:
            return WritingDenial{RefusedRight::Channel, {}, WritingCost::WaitsRefused};
        default:
            return std::nullopt;
    }
}

}  // namespace

bool WritingDenials::note(const Error& error) {
    const std::optional<WritingDenial> denial = denialIn(error);
    if (!denial || m_denials.contains(*denial))
        return false;
    m_denials << *denial;
    return true;
}

}  // namespace lockkeeper::control
