// SPDX-License-Identifier: Apache-2.0
#include "app/tools/lookups.h"

#include "app/tools/savedprofile.h"
#include "lab/experiment/catalogue.h"
#include "profile/configuration.h"

#include <QRegularExpression>

#include <algorithm>

namespace lockkeeper::app {

namespace {

Result<profile::StoredProfile> profileNamed(const QString& name) {
    profile::ProfileStore profiles(profilesPath());
    return savedProfile(profiles, name);
}

// A text of the same kind as the value of a variable, so that it can be read in its place.
QString standInFor(const QString& value, qsizetype number) {
    constexpr int firstNumber = 61'001;  // a port, too
    static const QRegularExpression digits(QStringLiteral("^\\d+$"));
    static const QStringList switches{QStringLiteral("true"), QStringLiteral("false")};
    if (switches.contains(value.toLower()))
        return value;
    if (digits.match(value).hasMatch())
        return QString::number(firstNumber + std::min<qsizetype>(number, 4000));
    const QString text = QStringLiteral("lk%1env").arg(number);
    const qsizetype scheme = value.indexOf(QLatin1String("://"));
    return scheme < 0 ? text : value.left(scheme + 3) + text;
}

Result<profile::RedissonConnection> redissonFile(const ConfigurationRequest& request) {
    const Result<profile::ConfigurationFiles> files = profile::openConfiguration(request.path);
    if (!files)
        return files.error();
    profile::ConfigurationChoice choice{request.springProfile, {}};
    if (request.takesEnvironment && !request.standIns)
        choice.variables = profile::environmentVariable;
    if (request.takesEnvironment && request.standIns) {
        choice.variables = [standIns = request.standIns](const QString& name) {
            const std::optional<QString> value = profile::environmentVariable(name);
            if (!value || value->isEmpty())
                return value;
            const QString standIn = standInFor(*value, standIns->size());
            if (standIn != *value)
                standIns->insert(standIn.section(QLatin1String("://"), -1), name);
            return std::optional(standIn);
        };
    }
    return profile::connectionOf(*files, choice);
}

bool isExperiment(const QByteArray& id) {
    return lab::experimentOf(id).has_value();
}

}  // namespace

Lookups allLookups() {
    return {&profileNamed, &redissonFile, &isExperiment};
}

}  // namespace lockkeeper::app
