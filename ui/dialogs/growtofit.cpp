// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/growtofit.h"

#include "ui/look/tallarea.h"

#include <QDialog>
#include <QLayout>
#include <QScreen>
#include <QStyle>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

int neededHeight(QDialog& dialog) {
    for (TallArea* area : dialog.findChildren<TallArea*>())
        area->measure();
    QLayout& layout = *dialog.layout();
    layout.activate();
    return layout.hasHeightForWidth() ? layout.totalHeightForWidth(dialog.width()) : layout.totalMinimumSize().height();
}

// Before the first show the frame is not known; the title bar is nearly all of it.
int frameHeight(const QDialog& dialog) {
    return dialog.isVisible() ? dialog.frameGeometry().height() - dialog.height()
                              : dialog.style()->pixelMetric(QStyle::PM_TitleBarHeight, nullptr, &dialog);
}

void setHeight(QDialog& dialog, int wanted) {
    const QRect screen = dialog.screen()->availableGeometry();
    const int frame = frameHeight(dialog);
    const int height = std::min(wanted, screen.height() - frame);
    dialog.resize(dialog.width(), height);
    // Qt places the dialog at its first show.
    const int lowest = screen.y() + screen.height() - frame - height;
    if (dialog.isVisible() && dialog.y() > lowest)
        dialog.move(dialog.x(), lowest);
}

}  // namespace

void growToFit(QDialog& dialog) {
    const int before = dialog.height();
    const int needed = neededHeight(dialog);
    // Once the dialog is open and high enough, it stays where the user has put it, also partly below the screen.
    if (needed > before || !dialog.isVisible())
        setHeight(dialog, std::max(needed, before));
}

void shrinkToFit(QDialog& dialog) {
    setHeight(dialog, neededHeight(dialog));
}

}  // namespace lockkeeper::ui
