// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/configuration/placeholders.h"
#include "profile/configuration/redissoncause.h"
#include "profile/configuration/settings.h"
#include "profile/configuration/settingsparser.h"

#include <QSet>

namespace lockkeeper::profile {

// The settings of Redisson with their variables replaced. The first fault is noted, and reading continues, so that all
// variables are found. It remembers which settings were used.
class RedissonFile {
public:
    // variables: must outlive this object.
    RedissonFile(const SettingValue& root, CommentedSettings commented, Placeholders& variables);

    [[nodiscard]] const SettingGroup& root() const noexcept { return m_root; }
    // From now on the settings of this group are used, and those of the root that the group does not have, because
    // recent versions have some of them there.
    void beginGroup(const Setting& group);

    // Where the key store is that a setting names; nothing if it is not to be opened.
    // begin: the first bytes of such a store.
    using KeyStores = std::function<std::optional<QString>(const QString& name, const QByteArray& begin)>;
    void setKeyStores(KeyStores keyStores) { m_keyStores = std::move(keyStores); }
    [[nodiscard]] std::optional<QString> keyStoreAt(const QString& name, const QByteArray& begin) const {
        return m_keyStores ? m_keyStores(name, begin) : std::nullopt;
    }

    // The setting, which counts as used from now on; null if it is missing or has the value null.
    const Setting* use(QLatin1String name);
    // The text of the setting; empty if it is missing.
    [[nodiscard]] QString textOf(QLatin1String name);
    // The texts of the setting. A single text counts as a list of one, or of several with commas between.
    [[nodiscard]] QStringList listOf(QLatin1String name);
    [[nodiscard]] QString valueOf(const Setting& setting);
    [[nodiscard]] QString valueOf(const QString& text);
    // The group of the setting, each name once: the last one counts.
    [[nodiscard]] SettingGroup groupOf(const Setting& setting);
    void markUsed(const QString& name) { m_used += comparableName(name); }
    // Names of settings with a value that were not used and concern locks or the connection.
    [[nodiscard]] QStringList unused() const;
    // Names of settings that are there twice.
    [[nodiscard]] const QStringList& repeated() const noexcept { return m_repeated; }
    // Names of settings whose value is a comment.
    [[nodiscard]] QStringList emptied() const;

    void fault(RedissonCause cause, const QStringList& arguments);
    // Notes a fault whose arguments are the setting's line and name, and others.
    void faultAt(const Setting& setting, RedissonCause cause, const QStringList& others = {});
    // Notes that a setting of this group is missing.
    void faultMissing(const Setting& group, QLatin1String name);
    // Notes that no setting names servers. names: of such settings.
    void faultNoServers(const QStringList& names);
    // The variables without a value, or the first fault.
    [[nodiscard]] std::optional<Error> error() const;

private:
    [[nodiscard]] SettingGroup onceEach(const SettingGroup& group);

    Placeholders* m_variables;
    CommentedSettings m_commented;
    KeyStores m_keyStores;
    SettingGroup m_root;
    SettingGroup m_group;
    QSet<QString> m_used;
    QStringList m_repeated;
    std::optional<Error> m_fault;
};

// In one list.
constexpr qsizetype mostAddresses = 1000;

// Why texts with these variables cannot be used.
[[nodiscard]] std::optional<Error> variablesError(const Placeholders& variables);

// The setting's name for a message: one line, without control characters. A name may contain variables; their values
// are not in it.
[[nodiscard]] QString shownName(const Setting& setting);
// The setting's line for a message, with its file if that is not the one that was opened.
[[nodiscard]] QString placeOf(const Setting& setting);

}  // namespace lockkeeper::profile
