// SPDX-License-Identifier: Apache-2.0
#include "app/cli/forcerequest.h"

#include "app/cli/commandline.h"

namespace lockkeeper::app {

namespace {

Error unusable(const QString& what) {
    return Error(ErrorCode::InvalidArgument, what);
}

// Nothing for a text that is no number; std::nullopt inside if no text was given.
std::optional<std::optional<qint64>> numberOf(const std::optional<QString>& text) {
    if (!text)
        return std::optional<qint64>();
    bool ok = false;
    const qint64 number = text->toLongLong(&ok);
    if (!ok || number < 1)
        return std::nullopt;
    return number;
}

QString wordOf(control::ChangeKind kind) {
    if (kind == control::ChangeKind::WakeWaiters)
        return QStringLiteral("wake");
    return kind == control::ChangeKind::SetExpiry ? QStringLiteral("set-ttl") : QStringLiteral("force-release");
}

// Why the options do not fit the word on the command line; nothing if they fit.
std::optional<Error> misfit(const ForceOptions& given, control::ChangeKind kind) {
    const bool namesHold = !given.holder.isEmpty() || given.count || given.token || given.isReader;
    if (given.waiter && (kind != control::ChangeKind::ReleaseLock || namesHold))
        return unusable(CommandLine::tr(
            "--waiter goes with force-release, and in place of --holder, --count, --token and --reader"));
    if (given.client && (kind != control::ChangeKind::ReleaseLock || namesHold || given.waiter))
        return unusable(CommandLine::tr(
            "--client goes with force-release, and in place of NAME, --holder, --count, --token, --reader "
            "and --waiter"));
    if (given.isWithDeadWaiters &&
        (kind != control::ChangeKind::ReleaseLock || given.isReader || given.waiter || given.client))
        return unusable(CommandLine::tr(
            "--with-dead-waiters goes with force-release, and not with --reader, --waiter and --client"));
    const bool namesWaiters = given.waiter || given.client || given.isWithDeadWaiters;
    if (given.permit && (kind != control::ChangeKind::ReleaseLock || namesHold || namesWaiters))
        return unusable(
            CommandLine::tr("--permit goes with force-release, and in place of --holder, --count, --token, --reader, "
                            "--waiter, --client and --with-dead-waiters"));
    if (kind == control::ChangeKind::WakeWaiters && namesHold)
        return unusable(
            CommandLine::tr("wake is about a free lock: --holder, --count, --token and --reader do not go with it"));
    if (given.isReader && (kind != control::ChangeKind::ReleaseLock || given.token))
        return unusable(CommandLine::tr("--reader goes with force-release, and not with --token"));
    if (given.ttl && kind != control::ChangeKind::SetExpiry)
        return unusable(CommandLine::tr("--ttl goes with set-ttl"));
    return std::nullopt;
}

control::ChangeKind requestedChange(const ForceOptions& given, control::ChangeKind kind) {
    if (given.waiter || given.client)
        return control::ChangeKind::RemoveWaiter;
    if (given.permit)
        return control::ChangeKind::GiveBackPermit;
    return given.isReader ? control::ChangeKind::ReleaseReader : kind;
}

// Each may be the name that the program uses, or the key that its NameMapper makes of it.
bool isSameLock(const LockName& one, const LockName& other, const locks::NameMapper& names) {
    return one == other || names.onServer(names.inProgram(one)) == names.onServer(names.inProgram(other));
}

// Nothing for a text that is no id of a permit.
std::optional<QByteArray> permitOf(const std::optional<QString>& text) {
    if (!text)
        return QByteArray();
    const QByteArray id = QByteArray::fromHex(text->toLatin1());
    return !id.isEmpty() && QString::fromLatin1(id.toHex()) == text->toLower() ? std::optional(id) : std::nullopt;
}

// The TTL that was given in seconds; nothing for a text that is no such number.
std::optional<Milliseconds> ttlOf(const std::optional<QString>& text) {
    constexpr double longest = 100.0 * 365 * 24 * 3600;
    bool ok = false;
    const double seconds = text.value_or(QString()).toDouble(&ok);
    if (!ok || !(seconds >= 0.001 && seconds <= longest))
        return std::nullopt;
    return Milliseconds(static_cast<qint64>(seconds * 1000));
}

}  // namespace

Result<ForceRequest> ForceRequest::parse(const LockName& lock, const ForceOptions& given, control::ChangeKind kind) {
    if (const std::optional<Error> error = misfit(given, kind))
        return *error;
    const std::optional<Milliseconds> ttl = ttlOf(given.ttl);
    if (kind == control::ChangeKind::SetExpiry && !ttl)
        return unusable(CommandLine::tr("set-ttl needs --ttl SECONDS, a number above 0"));
    const std::optional<HolderId> holder =
        given.waiter ? HolderId::parse(given.waiter->toLatin1()) : HolderId::parseAny(given.holder.toLatin1());
    const auto count = numberOf(given.count);
    const auto token = numberOf(given.token);
    const QString reason = given.reason.trimmed();
    if (!holder && given.waiter)
        return unusable(CommandLine::tr("--waiter takes UUID:THREAD, as list prints it"));
    const std::optional<ClientId> client =
        given.client ? std::optional(ClientId(given.client->toLatin1())) : std::nullopt;
    if (client && !HolderId::parse(client->bytes() + ":1"))
        return unusable(CommandLine::tr("--client takes the UUID of a client, as list --clients prints it"));
    if (client && lock.bytes() != client->bytes())  // what is confirmed
        return unusable(CommandLine::tr("--client goes in place of NAME, and not with --name"));
    const std::optional<QByteArray> permit = permitOf(given.permit);
    if (!permit)
        return unusable(CommandLine::tr("--permit takes the id of a permit, in hex digits as watch prints it"));
    if (!holder && !client && !given.permit && kind != control::ChangeKind::WakeWaiters)
        return unusable(CommandLine::tr("%1 needs --holder UUID:THREAD, as list prints it").arg(wordOf(kind)));
    if (!count || !token)
        return unusable(CommandLine::tr("--count and --token take a number above 0"));
    if (reason.isEmpty())
        return unusable(CommandLine::tr("%1 needs --reason TEXT, which the audit keeps").arg(wordOf(kind)));
    if (given.confirm && !isSameLock(LockName(given.confirm->toLocal8Bit()), lock, given.names))
        return unusable(client ? CommandLine::tr("--confirm '%1' is not the UUID of the client").arg(*given.confirm)
                        : given.permit
                            ? CommandLine::tr("--confirm '%1' is not the name of the semaphore").arg(*given.confirm)
                            : CommandLine::tr("--confirm '%1' is not the name of the lock").arg(*given.confirm));
    const bool isYesEnough = given.target == ForceOptions::Target::Other;
    if (given.isYes && !given.confirm && !isYesEnough)
        return unusable(
            given.permit
                ? CommandLine::tr("on production, and where nothing else is known, --yes is not enough: repeat "
                                  "the name of the semaphore with --confirm")
                : CommandLine::tr("on production, and where nothing else is known, --yes is not enough: repeat "
                                  "the name of the lock with --confirm"));
    return ForceRequest{requestedChange(given, kind),
                        holder,
                        *count,
                        *token,
                        reason,
                        given.confirm || given.isYes,
                        ttl.value_or(Milliseconds(0)),
                        client,
                        given.isWithDeadWaiters,
                        *permit};
}

}  // namespace lockkeeper::app
