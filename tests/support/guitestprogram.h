#pragma once

#include "support/testprogram.h"
#include "ui/translation.h"

#include <QApplication>

namespace lockkeeper::test {

// The same application class that QTEST_MAIN uses, with the program's texts.
struct Gui : QApplication {
    Gui(int& argc, char** argv) : QApplication(argc, argv) {
        setAttribute(Qt::AA_Use96Dpi, true);
        ui::installTranslation(*this);
    }
};

}  // namespace lockkeeper::test
