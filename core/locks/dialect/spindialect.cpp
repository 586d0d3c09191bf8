// SPDX-License-Identifier: Apache-2.0
#include "locks/dialect/spindialect.h"

namespace lockkeeper::locks {

std::optional<QByteArray> SpinDialect::channel(const HoldKey& key) const {
    Q_UNUSED(key)
    return std::nullopt;
}

QByteArrayList SpinDialect::keysOf(const LockName& name) const {
    return {name.bytes()};
}

const LockDialect& spinDialect() {
    static const SpinDialect dialect;
    return dialect;
}

}  // namespace lockkeeper::locks
