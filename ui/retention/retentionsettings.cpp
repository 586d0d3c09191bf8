// SPDX-License-Identifier: Apache-2.0
#include "ui/retention/retentionsettings.h"

#include <QSettings>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

const auto daysKey = QStringLiteral("history/days");
const auto rowsKey = QStringLiteral("history/rows");
constexpr qint64 hoursInDay = 24;

}  // namespace

history::Retention retentionFrom(const QSettings& settings) {
    history::Retention retention;
    const qint64 days = settings.value(daysKey, qint64{retention.age.count()} / hoursInDay).toLongLong();
    retention.age = std::chrono::hours(std::max(days, qint64{0}) * hoursInDay);
    retention.rows = std::max(settings.value(rowsKey, retention.rows).toLongLong(), qint64{0});
    return retention;
}

void saveRetention(QSettings& settings, const history::Retention& retention) {
    settings.setValue(daysKey, qint64{retention.age.count()} / hoursInDay);
    settings.setValue(rowsKey, retention.rows);
}

}  // namespace lockkeeper::ui
