#pragma once

#include "support/testprogram.h"

#include <QApplication>

namespace lockkeeper::test {

// As QTEST_MAIN has it.
struct Gui : QApplication {
    Gui(int& argc, char** argv) : QApplication(argc, argv) { setAttribute(Qt::AA_Use96Dpi, true); }
};

}  // namespace lockkeeper::test
