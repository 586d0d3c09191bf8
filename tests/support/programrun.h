// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/places.h"
#include "support/programend.h"

#include <QHash>

#include <functional>
#include <memory>

namespace lockkeeper::test {

// How a run of the program has ended, and what it has printed.
struct ProgramRun {
    int exitCode = -1;  // see exitCodeOf()
    QByteArray out;
    QByteArray err;
};

constexpr int programPatience = 30'000;  // milliseconds

// meanwhile: called again and again until the end.
inline ProgramRun endOf(
    QProcess& program, int patience = programPatience, const std::function<void()>& meanwhile = [] {}) {
    const auto hasEnded = [&] {
        meanwhile();
        return program.state() == QProcess::NotRunning;
    };
    if (!QTest::qWaitFor(hasEnded, patience))
        return {};
    return {exitCodeOf(program), program.readAllStandardOutput(), program.readAllStandardError()};
}

using Variables = QHash<QString, QString>;

// Starts the built program. variables: in its environment, beside those of this process.
inline std::unique_ptr<QProcess> startProgram(const QStringList& arguments, const Variables& variables = {}) {
    auto program = std::make_unique<QProcess>();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (auto variable = variables.cbegin(); variable != variables.cend(); ++variable)
        environment.insert(variable.key(), variable.value());
    program->setProcessEnvironment(environment);
    program->start(places::program(), arguments);
    return program;
}

// Runs the built program until its end. It must not need a server that runs on this event loop, unless the test plays
// it.
inline ProgramRun runProgram(const QStringList& arguments, const Variables& variables = {}) {
    return endOf(*startProgram(arguments, variables));
}

}  // namespace lockkeeper::test
