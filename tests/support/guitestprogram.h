#pragma once

#include "support/testprogram.h"

#include <QApplication>

namespace lockkeeper::test {

// The same application class that QTEST_MAIN uses.
struct Gui : QApplication {
    Gui(int& argc, char** argv) : QApplication(argc, argv) { setAttribute(Qt::AA_Use96Dpi, true); }
};

}  // namespace lockkeeper::test
