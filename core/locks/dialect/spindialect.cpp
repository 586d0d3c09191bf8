// SPDX-License-Identifier: Apache-2.0
#include "locks/dialect/spindialect.h"

namespace lockkeeper::locks {

QByteArray SpinDialect::channelOf(const LockName& name) const {
    Q_UNUSED(name)
    return {};
}

const LockDialect& spinDialect() {
    static const SpinDialect dialect;
    return dialect;
}

}  // namespace lockkeeper::locks
