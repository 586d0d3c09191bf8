// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace lockkeeper::platform {

enum class HashCheck { Matches, Differs, NotPossible };

// Whether the password has this hash of bcrypt ($2a$, $2b$ or $2y$). Takes as long as the hash's cost says: 40 ms with
// 10, and twice that for each one more. Any thread. Portable: not possible, because Qt has no bcrypt.
[[nodiscard]] HashCheck checkPassword(const QByteArray& password, const QByteArray& hash);

}  // namespace lockkeeper::platform
