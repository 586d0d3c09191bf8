// SPDX-License-Identifier: Apache-2.0
#include "ui/window/tabs/tablook.h"

#include "ui/base/badge.h"
#include "ui/base/helptip.h"
#include "ui/base/icons.h"
#include "ui/connections/labelcolor.h"
#include "ui/connections/phaseicon.h"
#include "ui/operate/armingbadge.h"
#include "ui/session/sessionpage.h"
#include "ui/words/armingtext.h"
#include "ui/words/environmenttext.h"
#include "ui/words/locktext.h"
#include "ui/words/phasetext.h"

#include <QCoreApplication>
#include <QTabBar>
#include <QTabWidget>

namespace lockkeeper::ui {

namespace {

struct TabLook {
    Q_DECLARE_TR_FUNCTIONS(TabLook)
};

constexpr qsizetype longestName = 28;  // characters: several tabs beside each other in the smallest window

// "&" in the text of a tab would make a mnemonic.
QString tabText(const QString& name) {
    return withoutMnemonic(shortened(name, longestName));
}

// If the tab shows only a part of the name, the whole name comes first.
QString tabTip(const QString& name, const QString& tip) {
    return helpTip(name.size() > longestName ? name + u'\n' + tip : tip);
}

// The tab bar reads the badge's size when it gets the badge.
void showTabBadge(QTabBar& bar, int index, const SessionPage& page) {
    const profile::ProfileLabel& label = page.label();
    QStringList words{environmentText(label.environment), armingWord(page.status(), page.arming())};
    words.removeAll(QString());
    const QString text = words.join(QStringLiteral(" · "));
    const bool mayWrite = page.arming().state != ArmingState::ReadOnly;
    const QColor color = !labelColor(label).isValid() && mayWrite ? armedColor() : labelColor(label);
    auto* shown = qobject_cast<Badge*>(bar.tabButton(index, QTabBar::LeftSide));
    if ((shown ? shown->text() : QString()) == text && (!shown || shown->background() == color))
        return;
    Badge* badge = nullptr;
    if (!text.isEmpty()) {
        badge = new Badge(&bar);
        badge->setObjectName(QStringLiteral("tabBadge"));
        badge->set(text, color);
        badge->adjustSize();
    }
    bar.setTabButton(index, QTabBar::LeftSide, badge);
    delete shown;  // the tab bar has already hidden it
}

}  // namespace

QString titleOf(const SessionPage& page) {
    const QString environment = environmentText(page.label().environment);
    const QString name = connectionName(page.label(), page.server());
    if (name.isEmpty())
        return TabLook::tr("Lockkeeper");
    if (environment.isEmpty())
        return TabLook::tr("%1 - Lockkeeper").arg(name);
    return TabLook::tr("%1 (%2) - Lockkeeper").arg(name, environment);
}

QString labTitle() {
    return TabLook::tr("Lab - Lockkeeper");
}

void showLabTab(QTabWidget& tabs, int index) {
    tabs.setTabText(index, TabLook::tr("Lab"));
    tabs.setTabIcon(index, icon(QStringLiteral("play")));
    tabs.setTabToolTip(index, helpTip(TabLook::tr("Experiments on private servers")));
}

void showLabReplayTab(QTabWidget& tabs, int index, const SessionPage& page) {
    tabs.setTabText(index, tabText(page.server()));
    tabs.setTabIcon(index, phaseIcon(page.status()));
    tabs.setTabToolTip(index, tabTip(page.server(), TabLook::tr("A recorded lab, not live")));
}

void showTab(QTabWidget& tabs, int index, const SessionPage& page) {
    const QString name = connectionName(page.label(), page.server());
    showTabBadge(*tabs.tabBar(), index, page);
    tabs.setTabText(index, name.isEmpty() ? TabLook::tr("Not connected") : tabText(name));
    tabs.setTabIcon(index, page.hasLoss() ? icon(QStringLiteral("error"), Tone::Danger) : phaseIcon(page.status()));
    const QString phase = phaseText(page.status());
    tabs.setTabToolTip(
        index, tabTip(name, page.hasLoss() ? TabLook::tr("A lock of this console was lost.") + u'\n' + phase : phase));
}

}  // namespace lockkeeper::ui
