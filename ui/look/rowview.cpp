// SPDX-License-Identifier: Apache-2.0
#include "ui/look/rowview.h"

#include <QHeaderView>
#include <QTableView>

namespace lockkeeper::ui {

void showAsRows(QTableView& view) {
    constexpr int rowPadding = 6;
    view.setSelectionBehavior(QTableView::SelectRows);
    view.setEditTriggers(QTableView::NoEditTriggers);
    view.setTabKeyNavigation(false);
    view.setShowGrid(false);
    view.setWordWrap(false);
    view.setTextElideMode(Qt::ElideMiddle);
    view.setFrameShape(QFrame::NoFrame);
    view.verticalHeader()->hide();
    view.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    view.verticalHeader()->setDefaultSectionSize(view.fontMetrics().height() + rowPadding);
    view.horizontalHeader()->setHighlightSections(false);
}

}  // namespace lockkeeper::ui
