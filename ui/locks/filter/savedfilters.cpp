// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/filter/savedfilters.h"

#include "ui/base/storedvalues.h"

#include <QSettings>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

// The value lists names and texts in turn.
const auto filtersKey = QStringLiteral("filters/saved");

bool isPossible(const SavedFilter& filter) {
    return !filter.name.isEmpty() && filter.name.size() <= longestFilterName && !filter.text.trimmed().isEmpty() &&
           filter.text.size() <= longestSavedFilter;
}

QStringList wordsOf(const QList<SavedFilter>& filters) {
    QStringList words;
    for (const SavedFilter& filter : filters)
        words << filter.name << filter.text;
    return words;
}

void store(QSettings& settings, const QList<SavedFilter>& filters) {
    settings.setValue(filtersKey, wordsOf(filters));
}

}  // namespace

QList<SavedFilter> savedFilters(QSettings& settings) {
    // Any word: each has its place.
    const QStringList words =
        storedTexts(settings, filtersKey, 2 * mostSavedFilters, [](const QString&) { return true; });
    QList<SavedFilter> filters;
    for (qsizetype i = 0; i + 1 < words.size(); i += 2) {
        const SavedFilter filter{words.at(i), words.at(i + 1)};
        if (isPossible(filter))
            filters << filter;
    }
    if (2 * filters.size() < words.size())
        dropPartOfStored(settings, filtersKey, wordsOf(filters));
    std::ranges::sort(filters,
                      [](const SavedFilter& a, const SavedFilter& b) { return a.name.localeAwareCompare(b.name) < 0; });
    return filters;
}

bool saveFilter(QSettings& settings, const SavedFilter& filter) {
    QList<SavedFilter> filters = savedFilters(settings);
    filters.removeIf([&filter](const SavedFilter& known) { return known.name == filter.name; });
    if (!isPossible(filter) || filters.size() >= mostSavedFilters)
        return false;
    store(settings, filters << filter);
    return true;
}

void removeFilter(QSettings& settings, const QString& name) {
    QList<SavedFilter> filters = savedFilters(settings);
    filters.removeIf([&name](const SavedFilter& known) { return known.name == name; });
    store(settings, filters);
}

}  // namespace lockkeeper::ui
