// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/redissonconfig.h"

#include <QSet>

#include <yaml-cpp/yaml.h>

namespace lockkeeper::profile {

// One setting of a Redisson configuration, without what it means.
struct RedissonSetting {
    QString name;  // made safe to show
    int line = 0;  // from 1
    YAML::Node value;

    // Has the value that Redisson's toYAML() writes for a setting that nobody gave.
    [[nodiscard]] bool isUsual() const;
};

using RedissonGroup = QList<RedissonSetting>;

// Null if it is missing or null.
[[nodiscard]] const RedissonSetting* settingOf(const RedissonGroup& group, QLatin1String name);

// The settings of one file with their variables resolved. What is wrong is noted, and the first fault counts; reading
// goes on, so that all variables are found. It remembers which settings were asked for.
class RedissonFile {
public:
    // Errors: InvalidArgument with a cause Redisson... variables: outlives this object.
    [[nodiscard]] static Result<RedissonFile> parse(const QByteArray& file, const RedissonVariables& variables);

    [[nodiscard]] const RedissonGroup& root() const noexcept { return m_root; }
    // From now on settings of this group count, and those of the root that it does not have: recent versions have some
    // of them there.
    void beginGroup(const RedissonSetting& group) { m_group = groupOf(group); }

    // Null if it is missing or null.
    const RedissonSetting* use(QLatin1String name);
    // Empty if it is missing.
    [[nodiscard]] QString textOf(QLatin1String name);
    // A single text counts as a list of one.
    [[nodiscard]] QStringList listOf(QLatin1String name);
    [[nodiscard]] QString valueOf(const RedissonSetting& setting);
    [[nodiscard]] RedissonGroup groupOf(const RedissonSetting& setting);
    void markUsed(const QString& name) { m_used += name; }
    // Names of settings with a value that nobody used.
    [[nodiscard]] QStringList unused() const;

    void fault(Cause cause, const QStringList& arguments);
    // Its arguments are the setting's line and name.
    void faultAt(const RedissonSetting& setting, Cause cause);
    // The variables without a value, or the first fault.
    [[nodiscard]] std::optional<Error> error() const;

private:
    struct Variable {
        QString name;
        std::optional<QString> usual;
    };

    explicit RedissonFile(const RedissonVariables& values) : m_values(&values) {}
    [[nodiscard]] QString withoutVariables(const QString& file);
    [[nodiscard]] QString resolved(const std::string& text);

    const RedissonVariables* m_values;
    QList<Variable> m_variables;
    RedissonGroup m_root;
    RedissonGroup m_group;
    QSet<QString> m_used;
    QStringList m_missing;  // variables without a value
    std::optional<Error> m_fault;
};

}  // namespace lockkeeper::profile
