// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/servercommand.h"

namespace lockkeeper::control {
struct ServerCheck;
}

namespace lockkeeper::app {

// `lockkeeper check`: prints what the server does not have or refuses, and what locks cannot do without it. Writes
// nothing.
class CheckCommand : public ServerCommand {
    Q_OBJECT
public:
    explicit CheckCommand(Arguments arguments, QObject* parent = nullptr);
    ~CheckCommand() override;

private:
    // The check has connections of its own, which are read-only.
    Task<Result<Done>> connect() override;
    Task<void> work() override;
    void report(const control::ServerCheck& check);
};

}  // namespace lockkeeper::app
