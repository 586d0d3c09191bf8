// SPDX-License-Identifier: Apache-2.0
#include "app/cli/understoodsource.h"

#include "app/cli/commandline.h"
#include "base/safetext.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

namespace lockkeeper::app {

namespace {

// A number that stands for milliseconds may be printed as seconds. A text cannot be anything else, so it may be within
// another one; its port may be encoded.
QString withNames(QString text, const QHash<QString, QString>& standIns) {
    for (auto one = standIns.cbegin(); one != standIns.cend(); ++one) {
        bool isNumber = false;
        const int number = one.key().toInt(&isNumber);
        QStringList forms{one.key()};
        if (isNumber)
            forms += QString::number(number / 1000.0, 'g', 12);
        for (const QString& form : forms) {
            QString pattern = QRegularExpression::escape(form);
            pattern.replace(QLatin1String("\\:"), QLatin1String("(?::|%3A)"));
            if (isNumber)
                pattern = QStringLiteral("(?<![\\w.])%1(?![\\w.])").arg(pattern);
            const QRegularExpression whole(pattern, QRegularExpression::CaseInsensitiveOption);
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

QString givenText(bool isGiven) {
    return isGiven ? CommandLine::tr("given, not printed") : CommandLine::tr("none");
}

QString lines(const profile::ConnectionProfile& profile) {
    const profile::LockSettings& locks = profile.locks;
    const bool hasPassword = !profile.credentials.password.isEmpty();
    QList<std::pair<QString, QString>> rows{
        {QStringLiteral("url"), profile.urlWithoutPassword()},
        {QStringLiteral("password"), givenText(hasPassword)},
        {QStringLiteral("lockWatchdogTimeout"),
         timeText(locks.watchdogTimeout, profile::LockSettings::redissonWatchdog)},
        {QStringLiteral("fairLockWaitTimeout"), timeText(locks.fairWait, profile::LockSettings::redissonFairWait)},
        {QStringLiteral("name prefix"), partText(locks.names.prefix)},
        {QStringLiteral("name suffix"), partText(locks.names.suffix)},
        {QStringLiteral("checkLockSyncedSlaves"),
         locks.awaitsReplicas.value_or(true) ? QStringLiteral("true") : QStringLiteral("false")}};
    if (profile.deployment.sentinels)
        rows.insert(2, {QStringLiteral("sentinelPassword"),
                        givenText(!profile.deployment.sentinels->credentials.password.isEmpty())});
    QString text;
    for (const auto& [name, value] : rows)
        text += QStringLiteral("%1 %2\n").arg(name + QLatin1Char(':'), -22).arg(value);
    return text;
}

// A time of the environment is the name of its variable, and so a text.
QJsonValue timeValue(Milliseconds time, const QHash<QString, QString>& standIns) {
    const QString number = QString::number(time.count());
    const QString shown = withNames(number, standIns);
    return shown == number ? QJsonValue(qint64{time.count()}) : QJsonValue(shown);
}

QString json(const profile::ConnectionProfile& profile, const QHash<QString, QString>& standIns) {
    const profile::LockSettings& locks = profile.locks;
    QJsonObject object{{QStringLiteral("url"), withNames(profile.urlWithoutPassword(), standIns)},
                       {QStringLiteral("has_password"), !profile.credentials.password.isEmpty()}};
    if (profile.deployment.sentinels)
        object.insert(QStringLiteral("has_sentinel_password"),
                      !profile.deployment.sentinels->credentials.password.isEmpty());
    if (locks.watchdogTimeout)
        object.insert(QStringLiteral("watchdog_timeout_ms"), timeValue(*locks.watchdogTimeout, standIns));
    if (locks.fairWait)
        object.insert(QStringLiteral("fair_wait_ms"), timeValue(*locks.fairWait, standIns));
    if (!locks.names.prefix.isEmpty())
        object.insert(QStringLiteral("name_prefix"), withNames(QString::fromUtf8(locks.names.prefix), standIns));
    if (!locks.names.suffix.isEmpty())
        object.insert(QStringLiteral("name_suffix"), withNames(QString::fromUtf8(locks.names.suffix), standIns));
    if (locks.awaitsReplicas)
        object.insert(QStringLiteral("awaits_replicas"), *locks.awaitsReplicas);
    return QString::fromUtf8(QJsonDocument(object).toJson(QJsonDocument::Compact)) + QLatin1Char('\n');
}

}  // namespace

QString understoodSource(const profile::ConnectionProfile& profile, const QHash<QString, QString>& standIns,
                         bool asJson) {
    return asJson ? json(profile, standIns) : withNames(lines(profile), standIns);
}

}  // namespace lockkeeper::app
