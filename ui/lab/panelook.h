// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/lab/labrecording.h"

class QTreeWidget;
class QTreeWidgetItem;

namespace lockkeeper::ui {

// How the panes of the lab show rows: no editing, whole rows, the columns as wide as their texts.
void showAsLabPane(QTreeWidget& tree, const QString& objectName, int columns);
// The tool tip of the row: all its texts, because a narrow pane cuts them, and `more` below.
void explainRow(QTreeWidgetItem& item, const QString& more = {});
// Marks a change by color and font: what is new or has changed is bold, what is gone is struck out. The tool tip of
// the row has the word for the change at its end.
void markChange(QTreeWidgetItem& item, Change change);
// Marks an actor or a server that is cut off or has a slow network; its text has the word for it.
void markNetworkFault(QTreeWidgetItem& item);
// Makes the columns as wide as their texts, at most the width of the pane.
void fitColumns(QTreeWidget& tree);

}  // namespace lockkeeper::ui
