// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QSettings>

#include <functional>
#include <optional>

namespace lockkeeper::ui {

// Reads the settings. Their file may be damaged, edited by hand, or written by another version: a value of another kind
// or beyond its bounds counts as not set. It is removed, and its key is listed until takeDropped().

[[nodiscard]] std::optional<qint64> storedNumber(QSettings& settings, const QString& key, qint64 least, qint64 most);
[[nodiscard]] std::optional<bool> storedSwitch(QSettings& settings, const QString& key);

using IsPlausibleText = std::function<bool(const QString& text)>;
[[nodiscard]] std::optional<QString> storedText(QSettings& settings, const QString& key,
                                                const IsPlausibleText& isPlausible);
// At most so many texts; only those that are not plausible are removed.
[[nodiscard]] QStringList storedTexts(QSettings& settings, const QString& key, qsizetype most,
                                      const IsPlausibleText& isPlausible);

using IsPlausibleBytes = std::function<bool(const QByteArray& bytes)>;
[[nodiscard]] std::optional<QByteArray> storedBytes(QSettings& settings, const QString& key,
                                                    const IsPlausibleBytes& isPlausible);

// For what only the caller can check: removes the value and lists its key.
void dropStored(QSettings& settings, const QString& key);
// As dropStored(), but a part of the value is plausible and stays.
void dropPartOfStored(QSettings& settings, const QString& key, const QStringList& kept);

// The keys of what was removed since the last call, by this program or an earlier one.
[[nodiscard]] QStringList takeDropped(QSettings& settings);

}  // namespace lockkeeper::ui
