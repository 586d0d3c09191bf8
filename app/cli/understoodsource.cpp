// SPDX-License-Identifier: Apache-2.0
#include "app/cli/understoodsource.h"

#include "app/cli/commandline.h"
#include "base/safetext.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

namespace lockkeeper::app {

namespace {

// A number that stands for milliseconds may be printed as seconds.
QString withNames(QString text, const QHash<QString, QString>& standIns) {
    for (auto one = standIns.cbegin(); one != standIns.cend(); ++one) {
        bool isNumber = false;
        const int number = one.key().toInt(&isNumber);
        QStringList forms{one.key()};
        if (isNumber)
            forms += QString::number(number / 1000.0, 'g', 12);
        for (const QString& form : forms) {
            const QRegularExpression whole(
                QStringLiteral("(?<![\\w.])%1(?![\\w.])").arg(QRegularExpression::escape(form)),
                QRegularExpression::CaseInsensitiveOption);
            text.replace(whole, QStringLiteral("${%1}").arg(one.value()));
        }
    }
    return text;
}

QString timeText(const std::optional<Milliseconds>& time, Milliseconds usual) {
    return time ? CommandLine::tr("%1 ms").arg(time->count())
                : CommandLine::tr("not set, Redisson's default is %1 ms").arg(usual.count());
}

QString partText(const QByteArray& part) {
    return part.isEmpty() ? CommandLine::tr("none")
                          : QStringLiteral("'%1'").arg(safeText(bounded(QString::fromUtf8(part))));
}

QString lines(const profile::ConnectionProfile& profile) {
    const profile::LockSettings& locks = profile.locks;
    const bool hasPassword = !profile.credentials.password.isEmpty();
    const QList<std::pair<QString, QString>> rows{
        {QStringLiteral("url"), profile.urlWithoutPassword()},
        {QStringLiteral("password"), hasPassword ? CommandLine::tr("given, not printed") : CommandLine::tr("none")},
        {QStringLiteral("lockWatchdogTimeout"),
         timeText(locks.watchdogTimeout, profile::LockSettings::redissonWatchdog)},
        {QStringLiteral("fairLockWaitTimeout"), timeText(locks.fairWait, profile::LockSettings::redissonFairWait)},
        {QStringLiteral("name prefix"), partText(locks.names.prefix)},
        {QStringLiteral("name suffix"), partText(locks.names.suffix)},
        {QStringLiteral("checkLockSyncedSlaves"),
         locks.awaitsReplicas.value_or(true) ? QStringLiteral("true") : QStringLiteral("false")}};
    QString text;
    for (const auto& [name, value] : rows)
        text += QStringLiteral("%1 %2\n").arg(name + QLatin1Char(':'), -22).arg(value);
    return text;
}

QString json(const profile::ConnectionProfile& profile) {
    const profile::LockSettings& locks = profile.locks;
    QJsonObject object{{QStringLiteral("url"), profile.urlWithoutPassword()},
                       {QStringLiteral("has_password"), !profile.credentials.password.isEmpty()}};
    if (locks.watchdogTimeout)
        object.insert(QStringLiteral("watchdog_timeout_ms"), qint64{locks.watchdogTimeout->count()});
    if (locks.fairWait)
        object.insert(QStringLiteral("fair_wait_ms"), qint64{locks.fairWait->count()});
    if (!locks.names.prefix.isEmpty())
        object.insert(QStringLiteral("name_prefix"), QString::fromUtf8(locks.names.prefix));
    if (!locks.names.suffix.isEmpty())
        object.insert(QStringLiteral("name_suffix"), QString::fromUtf8(locks.names.suffix));
    if (locks.awaitsReplicas)
        object.insert(QStringLiteral("awaits_replicas"), *locks.awaitsReplicas);
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact)) + QLatin1Char('\n');
}

}  // namespace

QString understoodSource(const profile::ConnectionProfile& profile, const QHash<QString, QString>& standIns,
                         bool asJson) {
    return withNames(asJson ? json(profile) : lines(profile), standIns);
}

}  // namespace lockkeeper::app
