// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/growtofit.h"

#include <QDialog>
#include <QLayout>

#include <algorithm>

namespace lockkeeper::ui {

void growToFit(QDialog& dialog) {
    QLayout& layout = *dialog.layout();
    layout.activate();
    const int width = dialog.width();
    const int needed =
        layout.hasHeightForWidth() ? layout.totalHeightForWidth(width) : layout.totalMinimumSize().height();
    dialog.resize(width, std::max(dialog.height(), needed));
}

}  // namespace lockkeeper::ui
