// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/servercommand.h"
#include "app/cli/terminal.h"
#include "platform/terminationsignals.h"

#include <QCoreApplication>

#include <concepts>

// What the programs of this folder's neighbours have in common.
namespace lockkeeper::app {

// Decides where the files of settings and saved connections are.
void nameApplication();

// Without the program's name. Errors: InvalidArgument with a sentence for stderr.
[[nodiscard]] Result<QStringList> wordsOf(int argc, char* argv[]);
// Takes the passwords out of the environment.
[[nodiscard]] Passwords takePasswords();
// The same. Errors: as above.
[[nodiscard]] Result<Arguments> readArguments(const QStringList& words, const Lookups& lookups);
// Prints why the arguments are refused. Returns the exit code.
[[nodiscard]] int refuse(const Error& why);
// Prints Arguments::printInstead. Returns the exit code.
[[nodiscard]] int print(const QString& text);
void printNotes(const Arguments& arguments);

// Runs the command until its end. arguments: called when the application exists. Returns the exit code.
template <std::derived_from<ServerCommand> Command, std::invocable ReadArguments>
[[nodiscard]] int runCommand(int argc, char* argv[], const ReadArguments& arguments) {
    const QCoreApplication application(argc, argv);
    Command command(arguments());
    const platform::TerminationSignals signalsOfSystem(platform::TerminationSignals::Taken::ForCommand);
    QObject::connect(&signalsOfSystem, &platform::TerminationSignals::received, &command, &ServerCommand::onSignal);
    QObject::connect(&signalsOfSystem, &platform::TerminationSignals::passedOn, &command, &ServerCommand::passOn);
    QObject::connect(&signalsOfSystem, &platform::TerminationSignals::stopRequested, &command,
                     &ServerCommand::onStopRequested);
    QObject::connect(&signalsOfSystem, &platform::TerminationSignals::continued, &command, &ServerCommand::onContinued);
    QObject::connect(&command, &ServerCommand::finished, &application, &QCoreApplication::exit, Qt::QueuedConnection);
    command.start();
    return QCoreApplication::exec();
}

}  // namespace lockkeeper::app
