// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/postponed.h"

#include <QCoreApplication>
#include <QTest>

namespace lockkeeper::test {

// Several test classes share one program, because linking each of them separately takes longer than compiling it. The
// first argument names the class to run; the other arguments are QTest's. Each process runs one class, so that classes
// cannot affect each other.
class TestProgram {
public:
    using Main = int (*)(int argc, char* argv[]);

    // sourceFile: __FILE__ of tst_<class>.cpp, whose name is the class's name. Called before main(), once for each
    // class.
    static bool add(const char* sourceFile, Main main);
    // Returns exit code 2 and prints the list of classes if the first argument is not one of them.
    static int run(int argc, char* argv[]);
};

struct Appless {
    Appless(int&, char**) {}
};
using Guiless = QCoreApplication;

template <typename Class, typename Application>
int runTest(int argc, char* argv[]) {
    const Application application(argc, argv);
    int failed = 0;
    {
        Class test;
        failed = QTest::qExec(&test, argc, argv);
    }
    if (QCoreApplication::instance())
        deletePostponed();
    return failed;
}

}  // namespace lockkeeper::test

// Used in place of QTEST_MAIN. Application: Appless, Guiless, or Gui (from guitestprogram.h).
#define LOCKKEEPER_TEST(Class, Application)                                                       \
    [[maybe_unused]] static const bool isRegistered_##Class = lockkeeper::test::TestProgram::add( \
        __FILE__, &lockkeeper::test::runTest<Class, lockkeeper::test::Application>);
