// SPDX-License-Identifier: Apache-2.0
#include "ui/window/tabs/panecycle.h"

#include "ui/locks/lockspage.h"
#include "ui/session/sessionpage.h"
#include "ui/timeline/timelinewidget.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QDockWidget>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

bool takesKeyboard(const QWidget& widget) {
    return widget.isVisible() && widget.isEnabled() && (widget.focusPolicy() & Qt::TabFocus);
}

// The widget that had the keyboard last, else the list or picture of the pane, else its first field, else the pane
// itself.
QWidget* targetIn(QWidget& pane) {
    QWidget* last = pane.focusWidget();
    if (last && takesKeyboard(*last))
        return last;
    QWidget* first = nullptr;
    for (QWidget* part : pane.findChildren<QWidget*>()) {
        if (!takesKeyboard(*part))
            continue;
        if (qobject_cast<QAbstractItemView*>(part) || qobject_cast<TimelineWidget*>(part))
            return part;
        first = first ? first : part;
    }
    return first || !takesKeyboard(pane) ? first : &pane;
}

}  // namespace

// A panel behind another tab is no pane, because it is not visible.
QList<QWidget*> panesOf(SessionPage& page) {
    QList<QWidget*> docks;
    for (QDockWidget* dock : page.findChildren<QDockWidget*>()) {
        if (dock->isVisible() && !dock->visibleRegion().isEmpty())
            docks << dock->widget();
    }
    const auto place = [&page](const QWidget* pane) {
        const QPoint at = pane->mapTo(page.window(), QPoint());
        return std::pair(at.y(), at.x());
    };
    std::ranges::stable_sort(docks, {}, place);
    return QList<QWidget*>{&page.locksPage()} + docks;
}

void focusPane(const QList<QWidget*>& panes, PaneStep step) {
    const QWidget* focus = QApplication::focusWidget();
    const auto isHere = [focus](const QWidget* pane) { return pane == focus || (focus && pane->isAncestorOf(focus)); };
    const auto here = std::ranges::find_if(panes, isHere);
    const qsizetype count = panes.size();
    // From outside all panes, the next one is the first.
    qsizetype place = here == panes.end() ? (step == PaneStep::Next ? -1 : 0) : here - panes.begin();
    for (qsizetype tried = 0; tried < count; ++tried) {
        place = (place + (step == PaneStep::Next ? 1 : count - 1)) % count;
        if (QWidget* target = targetIn(*panes.at(place)))
            return target->setFocus(step == PaneStep::Next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
    }
}

}  // namespace lockkeeper::ui
