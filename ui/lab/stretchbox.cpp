// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/stretchbox.h"

#include "ui/base/helptip.h"
#include "ui/base/retranslating.h"
#include "ui/words/timetext.h"

#include <algorithm>
#include <array>

namespace lockkeeper::ui {

namespace {

constexpr std::array<int, 4> stretches{1, 2, 5, lab::mostStretch};

}  // namespace

StretchBox::StretchBox(QWidget* parent) : QComboBox(parent) {
    setObjectName(QStringLiteral("labStretch"));
    // The text must not be cut where room is short.
    setSizeAdjustPolicy(AdjustToContents);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    for (const int stretch : stretches)
        addItem(QString(), stretch);
    connect(this, &QComboBox::activated, this, &StretchBox::stretchChanged);
    keepTranslated(*this, [this] { retranslate(); });
}

void StretchBox::showScenario(const lab::Scenario& scenario) {
    m_watchdog = std::ranges::min(scenario.actors, {}, &lab::ActorPlan::watchdogTimeout).watchdogTimeout;
    retranslate();
}

int StretchBox::stretch() const {
    return currentData().toInt();
}

void StretchBox::retranslate() {
    for (int row = 0; row < count(); ++row) {
        const int stretch = itemData(row).toInt();
        setItemText(row, tr("× %1 (watchdog %2)").arg(stretch).arg(durationText(m_watchdog * stretch)));
    }
    setToolTip(helpTip(tr(
        "How many times as long its leases, waits, pauses and watchdog timeouts are in the next run, so that you can "
        "follow it. It ends in the same way. The watchdog timeout is the shortest of its actors.")));
}

}  // namespace lockkeeper::ui

#include "moc_stretchbox.cpp"
