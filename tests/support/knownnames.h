// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/knownlocks.h"
#include "monitor/observe/read/trackedreads.h"

#include <QSet>

namespace lockkeeper::test {

class KnownNames final : public monitor::KnownLocks {
public:
    [[nodiscard]] bool knows(const LockName& name) const override { return names.contains(name); }
    QSet<LockName> names;
};

class NothingTracked final : public monitor::TrackedReads {
public:
    [[nodiscard]] monitor::BulkReader* trackedBulk() noexcept override { return nullptr; }
};

}  // namespace lockkeeper::test
