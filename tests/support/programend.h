// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProcess>
#include <QTest>

namespace lockkeeper::test {

// Waits for the end. -1: it runs on; -2: a signal has ended it.
inline int exitCodeOf(const QProcess& program, int milliseconds = 15000) {
    if (!QTest::qWaitFor([&program] { return program.state() == QProcess::NotRunning; }, milliseconds))
        return -1;
    return program.exitStatus() == QProcess::NormalExit ? program.exitCode() : -2;
}

}  // namespace lockkeeper::test
