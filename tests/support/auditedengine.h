// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/threadedengine.h"

#include <QTemporaryDir>

namespace lockkeeper::test {

struct AuditFolder {
    QTemporaryDir audit;
};

// An engine with an audit in a folder of its own: without one nothing is acquired.
class AuditedEngine final : private AuditFolder, public ThreadedEngine {
public:
    explicit AuditedEngine(const monitor::MonitorOptions& options = {}, const history::HistoryOptions& history = {})
        : ThreadedEngine(options, history, audit.path()) {}
};

}  // namespace lockkeeper::test
