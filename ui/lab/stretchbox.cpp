// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/stretchbox.h"

#include "ui/help/helptip.h"
#include "ui/look/retranslating.h"
#include "ui/words/timetext.h"

#include <algorithm>
#include <array>

namespace lockkeeper::ui {

namespace {

constexpr std::array<int, 4> stretches{1, 2, 5, lab::mostStretch};

}  // namespace

StretchBox::StretchBox(QWidget* parent) : QComboBox(parent) {
    setObjectName(QStringLiteral("labStretch"));
    // Its text is not cut where room is short.
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
    setItemText(0, durationText(m_watchdog));
    for (int row = 1; row < count(); ++row) {
        const int stretch = itemData(row).toInt();
        setItemText(row, tr("%1 (× %2)").arg(durationText(m_watchdog * stretch)).arg(stretch));
    }
    setToolTip(helpTip(tr("The shortest watchdog timeout of its actors. All times of the experiment are stretched with it, its leases and "
                          "waits, too: it ends in the same way, and can be followed.")));
}

}  // namespace lockkeeper::ui

#include "moc_stretchbox.cpp"
