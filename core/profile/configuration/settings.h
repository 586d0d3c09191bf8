// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

namespace lockkeeper::profile {

struct Setting;

// A value of a configuration file, without an interpretation. Copies are cheap, so that an alias costs nothing.
struct SettingValue {
    enum class Type { None, Text, List, Group };

    Type type = Type::None;
    QString text;              // Text: as in the file, with its variables
    bool isFinal = false;      // Text: its variables are replaced
    QString tag;               // the class, in YAML
    int line = 0;              // from 1
    QList<SettingValue> list;  // List
    QList<Setting> group;      // Group, in the order of the file; a name may be there twice

    [[nodiscard]] bool isNone() const noexcept { return type == Type::None; }
    [[nodiscard]] bool isText() const noexcept { return type == Type::Text; }
    [[nodiscard]] bool isGroup() const noexcept { return type == Type::Group; }
    // Whether it is the one that Redisson's toYAML() writes for an unset setting.
    [[nodiscard]] bool isUsual() const;
};

struct Setting {
    QString name;  // as in the file, with its variables; not made safe to show
    QString key;   // comparableName() of the name that decides its meaning
    int line = 0;  // from 1
    QString file;  // the file's name; empty: the one that was opened
    SettingValue value;
};

using SettingGroup = QList<Setting>;

// Names that differ only in case, dashes and underscores are the same, as in Spring: single-server-config.
[[nodiscard]] QString comparableName(const QString& name);
[[nodiscard]] SettingValue textValue(const QString& text, int line);
[[nodiscard]] SettingValue finalText(const QString& text, int line);
// The last setting of that name; null if there is none, or if it has no value.
[[nodiscard]] const Setting* settingOf(const SettingGroup& group, const QString& name);

}  // namespace lockkeeper::profile
