// SPDX-License-Identifier: Apache-2.0
#include "ui/base/storedvalues.h"

#include <algorithm>

namespace lockkeeper::ui {

namespace {

// In the settings themselves: a command that shows no window may have removed a value, too.
const auto droppedKey = QStringLiteral("settings/dropped");
constexpr qsizetype mostDropped = 100;
constexpr qsizetype longestKey = 100;

bool isText(const QVariant& value) {
    return value.typeId() == QMetaType::QString;
}

// As QSettings reads it from a file, or as this program has set it.
bool isWholeNumber(const QVariant& value) {
    switch (value.typeId()) {
        case QMetaType::QString:
        case QMetaType::Int:
        case QMetaType::UInt:
        case QMetaType::LongLong:
        case QMetaType::ULongLong:
            return true;
        default:
            return false;
    }
}

bool isSwitch(const QVariant& value) {
    return value.typeId() == QMetaType::Bool || (isText(value) && (value.toString() == QStringLiteral("true") ||
                                                                   value.toString() == QStringLiteral("false")));
}

// A list of one is written as a text.
bool isList(const QVariant& value) {
    return isText(value) || value.typeId() == QMetaType::QStringList || value.typeId() == QMetaType::QVariantList;
}

// Nothing: there is none, or it had to be removed.
template <typename Value, typename Read>
std::optional<Value> checked(QSettings& settings, const QString& key, Read read) {
    const QVariant value = settings.value(key);
    if (!value.isValid())
        return std::nullopt;
    const std::optional<Value> plausible = read(value);
    if (!plausible)
        dropStored(settings, key);
    return plausible;
}

void list(QSettings& settings, const QString& key) {
    QStringList dropped = settings.value(droppedKey).toStringList().mid(0, mostDropped - 1);
    if (!dropped.contains(key))
        settings.setValue(droppedKey, dropped << key);
}

}  // namespace

std::optional<qint64> storedNumber(QSettings& settings, const QString& key, qint64 least, qint64 most) {
    return checked<qint64>(settings, key, [least, most](const QVariant& value) {
        bool isNumber = false;
        const qint64 number = value.toLongLong(&isNumber);
        const bool isPlausible = isNumber && isWholeNumber(value) && number >= least && number <= most;
        return isPlausible ? std::optional(number) : std::nullopt;
    });
}

std::optional<bool> storedSwitch(QSettings& settings, const QString& key) {
    return checked<bool>(settings, key, [](const QVariant& value) {
        return isSwitch(value) ? std::optional(value.toBool()) : std::nullopt;
    });
}

std::optional<QString> storedText(QSettings& settings, const QString& key, const IsPlausibleText& isPlausible) {
    return checked<QString>(settings, key, [&isPlausible](const QVariant& value) {
        const QString text = value.toString();
        return isText(value) && isPlausible(text) ? std::optional(text) : std::nullopt;
    });
}

QStringList storedTexts(QSettings& settings, const QString& key, qsizetype most, const IsPlausibleText& isPlausible) {
    const QStringList all = checked<QStringList>(settings, key, [](const QVariant& value) {
                                return isList(value) ? std::optional(value.toStringList()) : std::nullopt;
                            }).value_or(QStringList());
    QStringList kept;
    for (const QString& text : all) {
        if (kept.size() < most && isPlausible(text))
            kept << text;
    }
    if (kept.size() < all.size())
        dropPartOfStored(settings, key, kept);
    return kept;
}

std::optional<QByteArray> storedBytes(QSettings& settings, const QString& key, const IsPlausibleBytes& isPlausible) {
    return checked<QByteArray>(settings, key, [&isPlausible](const QVariant& value) {
        const QByteArray bytes = value.toByteArray();
        return value.typeId() == QMetaType::QByteArray && isPlausible(bytes) ? std::optional(bytes) : std::nullopt;
    });
}

void dropStored(QSettings& settings, const QString& key) {
    settings.remove(key);
    list(settings, key);
}

void dropPartOfStored(QSettings& settings, const QString& key, const QStringList& kept) {
    settings.setValue(key, kept);
    list(settings, key);
}

QStringList takeDropped(QSettings& settings) {
    QStringList dropped = settings.value(droppedKey).toStringList().mid(0, mostDropped);
    settings.remove(droppedKey);
    dropped.removeIf([](const QString& key) { return key.isEmpty() || key.size() > longestKey; });
    return dropped;
}

}  // namespace lockkeeper::ui
