// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/dialect/reentrantdialect.h"

namespace lockkeeper::locks {

// Redisson's RSpinLock: a reentrant lock that publishes no messages.
class SpinDialect final : public ReentrantDialect {
protected:
    [[nodiscard]] QByteArray channelOf(const LockName& name) const override;
};

[[nodiscard]] const LockDialect& spinDialect();

}  // namespace lockkeeper::locks
