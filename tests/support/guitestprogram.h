// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/places.h"
#include "support/testprogram.h"
#include "ui/words/translation.h"

#include <QApplication>

namespace lockkeeper::test {

// The same application class that QTEST_MAIN uses, with the program's texts.
struct Gui : QApplication {
    Gui(int& argc, char** argv) : QApplication(argc, argv) {
        setAttribute(Qt::AA_Use96Dpi, true);
        ui::installTranslation(*this);
    }
};

// The screen must be known before the application is made.
struct SmallScreen {
    SmallScreen() { qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + places::smallScreen().toLocal8Bit()); }
};

// On a screen of 1024x700 pixels.
struct GuiOnSmallScreen : private SmallScreen, Gui {
    using Gui::Gui;
};

}  // namespace lockkeeper::test
