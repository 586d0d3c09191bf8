// SPDX-License-Identifier: Apache-2.0
#include "locks/kinds/spinlock.h"

#include "locks/dialect/reentrantdialect.h"

namespace lockkeeper::locks {

namespace {

// A reentrant lock that publishes no messages.
class SpinDialect final : public ReentrantDialect {
protected:
    [[nodiscard]] QByteArray channelOf(const LockName& name) const override {
        Q_UNUSED(name)
        return {};
    }
};

const LockDialect& spinDialect() {
    static const SpinDialect dialect;
    return dialect;
}

}  // namespace

SpinLock::SpinLock(LockClient& client, const LockName& name) : Lock(client, spinDialect(), name) {}

}  // namespace lockkeeper::locks
