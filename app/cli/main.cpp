// SPDX-License-Identifier: Apache-2.0
#include "app/cli/lockcommand.h"
#include "app/cli/programs.h"
#include "app/cli/startup.h"
#include "app/cli/synchronizercommand.h"
#include "platform/memory.h"
#include "platform/standardoutput.h"

using namespace lockkeeper;

namespace {

int run(int argc, char* argv[], const QStringList& words) {
    const Result<app::Arguments> arguments = app::readArguments(words, {});
    if (!arguments)
        return app::refuse(arguments.error());
    if (!arguments->printInstead.isEmpty())
        return app::print(arguments->printInstead);
    const auto given = [&arguments] { return *arguments; };
    return arguments->face == app::Arguments::Face::Lock ? app::runCommand<app::LockCommand>(argc, argv, given)
                                                         : app::runCommand<app::SynchronizerCommand>(argc, argv, given);
}

}  // namespace

int main(int argc, char* argv[]) {
    platform::reserveStandardStreams();
    platform::returnLargeBlocks();
    app::nameApplication();
    const Result<QStringList> words = app::wordsOf(argc, argv);
    if (!words)
        return app::refuse(words.error());
    switch (app::programFor(*words)) {
        case app::Program::Itself:
            return run(argc, argv, *words);
        case app::Program::Tools:
            return app::becomeTools(argv);
        case app::Program::Gui:
            return app::becomeGui(argv);
    }
    return app::codeOf(app::ExitCode::Usage);
}
