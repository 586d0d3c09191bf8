// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QString>

class QSettings;

namespace lockkeeper::ui {

// A filter of the table of locks under the user's name for it.
struct SavedFilter {
    QString name;
    QString text;  // as typed, see LockFilter

    friend bool operator==(const SavedFilter&, const SavedFilter&) = default;
};

constexpr qsizetype mostSavedFilters = 50;
constexpr qsizetype longestFilterName = 60;  // characters
constexpr qsizetype longestSavedFilter = 1000;

// Ordered by name. What is in the settings and is no filter is left out.
[[nodiscard]] QList<SavedFilter> savedFilters(QSettings& settings);
// Replaces the filter of the same name. False if there are too many filters, or if this one is empty or too long.
[[nodiscard]] bool saveFilter(QSettings& settings, const SavedFilter& filter);
void removeFilter(QSettings& settings, const QString& name);

}  // namespace lockkeeper::ui
