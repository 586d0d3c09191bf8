// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/notifyrequest.h"
#include "serve/messageform.h"
#include "serve/receiver.h"
#include "serve/servicelog.h"

#include <memory>

namespace lockkeeper::app {

// What the options of `notify` mean, checked as far as that is possible without a server.
struct NotifyPlan {
    std::vector<monitor::NoticeRules> rules;
    serve::ServiceLog::Form log;
    QString stateFolder;
    // A receiver for each call: one that is under way must not be used twice.
    std::function<std::unique_ptr<serve::Receiver>(Clock& clock)> makeReceiver;
};

// Errors: InvalidArgument with a sentence for stderr.
[[nodiscard]] Result<NotifyPlan> planOf(const NotifyRequest& request);
// Sentences of the messages.
[[nodiscard]] serve::MessageWords messageWords();

}  // namespace lockkeeper::app
