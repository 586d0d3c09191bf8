#pragma once

#include <QCoreApplication>
#include <QTest>

namespace lockkeeper::test {

// Several test classes share one program, because linking each on its own costs more than compiling it. Its first
// argument names the class to run; what follows is QTest's. One class a process: no class depends on another's leftovers.
class TestProgram {
public:
    using Main = int (*)(int argc, char* argv[]);

    // sourceFile: __FILE__ of tst_<class>.cpp, which the class is called by. Before main(), one call a class.
    static bool add(const char* sourceFile, Main main);
    // Exit code 2 and the list of classes when the first argument is none of them.
    static int run(int argc, char* argv[]);
};

struct Appless {
    Appless(int&, char**) {}
};
using Guiless = QCoreApplication;

template <typename Class, typename Application>
int runTest(int argc, char* argv[]) {
    const Application application(argc, argv);
    Class test;
    return QTest::qExec(&test, argc, argv);
}

}  // namespace lockkeeper::test

// Stands where QTEST_MAIN would. Application: Appless, Guiless, or Gui (of guitestprogram.h).
#define LOCKKEEPER_TEST(Class, Application)                 \
    [[maybe_unused]] static const bool isRegistered_##Class = \
        lockkeeper::test::TestProgram::add(__FILE__, &lockkeeper::test::runTest<Class, lockkeeper::test::Application>);
