// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>

class QAction;

namespace lockkeeper::ui {

// What a page offers in the window's menus. Owned by the page.
struct PageActions {
    QList<QAction*> sort;     // by a column
    QList<QAction*> columns;  // shown or hidden
    QList<QAction*> groups;   // of the table: a menu
    QList<QAction*> panels;   // shown or hidden
    QList<QAction*> events;   // of the event log and the timeline
    QList<QAction*> holder;   // about who holds the selected lock
};

}  // namespace lockkeeper::ui
