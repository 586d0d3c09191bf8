// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/storedprofile.h"

#include <QList>

#include <variant>

namespace lockkeeper::profile {

// The format of the file of profiles: JSON with a version. Never with a secret.

enum class ProfileFileFault { Damaged, LaterVersion };
using ProfileFileContent = std::variant<QList<StoredProfile>, ProfileFileFault>;

constexpr qsizetype largestProfileFile = 1 << 20;  // bytes

// Reads every version up to the present one.
[[nodiscard]] ProfileFileContent profileFileContent(const QByteArray& bytes);
// In the present version.
[[nodiscard]] QByteArray profileFileBytes(const QList<StoredProfile>& profiles);

}  // namespace lockkeeper::profile
