// SPDX-License-Identifier: Apache-2.0
#include "app/forcerequest.h"

namespace lockkeeper::app {

namespace {

Error unusable(const QString& what) {
    return Error(ErrorCode::InvalidArgument, what);
}

// Nothing for a text that is no number; std::nullopt inside if none was given.
std::optional<std::optional<qint64>> numberOf(const std::optional<QString>& text) {
    if (!text)
        return std::optional<qint64>();
    bool ok = false;
    const qint64 number = text->toLongLong(&ok);
    if (!ok || number < 1)
        return std::nullopt;
    return number;
}

}  // namespace

Result<ForceRequest> ForceRequest::parse(const LockName& lock, const ForceOptions& given) {
    const std::optional<HolderId> holder = HolderId::parse(given.holder.toLatin1());
    const auto count = numberOf(given.count);
    const auto token = numberOf(given.token);
    const QString reason = given.reason.trimmed();
    if (!holder)
        return unusable(QStringLiteral("force-release needs --holder UUID:THREAD, as list prints it"));
    if (!count || !token)
        return unusable(QStringLiteral("--count and --token take a number above 0"));
    if (reason.isEmpty())
        return unusable(QStringLiteral("force-release needs --reason TEXT, which the audit keeps"));
    if (given.confirm && LockName(given.confirm->toLocal8Bit()) != lock)
        return unusable(QStringLiteral("--confirm '%1' is not the name of the lock").arg(*given.confirm));
    const bool isYesEnough = given.target == ForceOptions::Target::Other;
    if (given.isYes && !given.confirm && !isYesEnough)
        return unusable(
            QStringLiteral("on production, and where nothing else is known, --yes is not enough: repeat the "
                           "name of the lock with --confirm"));
    return ForceRequest{*holder, *count, *token, reason, given.confirm || given.isYes};
}

}  // namespace lockkeeper::app
