// SPDX-License-Identifier: Apache-2.0
#include "profile/configuration/settings.h"

#include <algorithm>

namespace lockkeeper::profile {

namespace {

// The class of a value: the tag in YAML, and an entry in JSON.
QString classOf(const SettingValue& value) {
    const Setting* named = settingOf(value.group, QStringLiteral("class"));
    return named && named->value.isText() ? named->value.text : value.tag;
}

}  // namespace

bool SettingValue::isUsual() const {
    const QString name = classOf(*this).section(QLatin1Char('.'), -1);
    return name.startsWith(QLatin1String("Default")) || name.startsWith(QLatin1String("Direct"));
}

QString comparableName(const QString& name) {
    QString comparable = name.toLower();
    comparable.remove(QLatin1Char('-'));
    comparable.remove(QLatin1Char('_'));
    return comparable;
}

SettingValue textValue(const QString& text, int line) {
    SettingValue value;
    value.type = SettingValue::Type::Text;
    value.text = text;
    value.line = line;
    return value;
}

SettingValue finalText(const QString& text, int line) {
    SettingValue value = textValue(text, line);
    value.isFinal = true;
    return value;
}

const Setting* settingOf(const SettingGroup& group, const QString& name) {
    const QString key = comparableName(name);
    const auto found =
        std::find_if(group.crbegin(), group.crend(), [&key](const Setting& one) { return one.key == key; });
    return found == group.crend() || found->value.isNone() ? nullptr : &*found;
}

}  // namespace lockkeeper::profile
