// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/lab/labrecording.h"

class QTreeWidget;
class QTreeWidgetItem;

namespace lockkeeper::ui {

// How the panes of the lab show rows: no editing, whole rows, the columns as wide as their texts.
void showAsLabPane(QTreeWidget& tree, const QString& objectName, int columns);
// By color and font: what is new or has changed is bold, what is gone is struck out. The word for it is in the tool tip.
void markChange(QTreeWidgetItem& item, Change change);
// Of an actor or a server that is cut off or has a slow network: its text says so. If that is cut short, the tool tip has it,
// with the word for the change.
void markNetworkFault(QTreeWidgetItem& item, Change change);
// As wide as the texts, at most the width of the pane.
void fitColumns(QTreeWidget& tree);

}  // namespace lockkeeper::ui
