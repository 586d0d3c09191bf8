// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/redissoncause.h"
#include "profile/redissonconfig.h"

#include <QSet>

#include <yaml-cpp/yaml.h>

namespace lockkeeper::profile {

// One setting of a Redisson configuration, without an interpretation.
struct RedissonSetting {
    QString name;  // made safe to show
    int line = 0;  // from 1
    YAML::Node value;

    // Whether the value is the one that Redisson's toYAML() writes for an unset setting.
    [[nodiscard]] bool isUsual() const;
};

using RedissonGroup = QList<RedissonSetting>;

// The setting; null if it is missing or has the value null.
[[nodiscard]] const RedissonSetting* settingOf(const RedissonGroup& group, QLatin1String name);

// The settings of one file with their variables resolved. The first fault is noted, and reading continues, so that all
// variables are found. It remembers which settings were used.
class RedissonFile {
public:
    // Errors: InvalidArgument with a cause Redisson... variables: must outlive this object.
    [[nodiscard]] static Result<RedissonFile> parse(const QByteArray& file, const RedissonVariables& variables);

    [[nodiscard]] const RedissonGroup& root() const noexcept { return m_root; }
    // From now on the settings of this group are used, and those of the root that the group does not have, because
    // recent versions have some of them there.
    void beginGroup(const RedissonSetting& group) { m_group = groupOf(group); }

    // The setting, which counts as used from now on; null if it is missing or has the value null.
    const RedissonSetting* use(QLatin1String name);
    // The text of the setting; empty if it is missing.
    [[nodiscard]] QString textOf(QLatin1String name);
    // The texts of the setting. A single text counts as a list of one.
    [[nodiscard]] QStringList listOf(QLatin1String name);
    [[nodiscard]] QString valueOf(const RedissonSetting& setting);
    [[nodiscard]] RedissonGroup groupOf(const RedissonSetting& setting);
    void markUsed(const QString& name) { m_used += name; }
    // Names of settings with a value that were not used.
    [[nodiscard]] QStringList unused() const;

    void fault(RedissonCause cause, const QStringList& arguments);
    // Notes a fault whose arguments are the setting's line and name.
    void faultAt(const RedissonSetting& setting, RedissonCause cause);
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
