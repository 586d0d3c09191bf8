// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/storedprofile.h"

#include <QList>

#include <variant>

namespace lockkeeper::profile {

// The format of the file of profiles: JSON with a version, without secrets.

enum class ProfileFileFault { Damaged, LaterVersion };
using ProfileFileContent = std::variant<QList<StoredProfile>, ProfileFileFault>;

constexpr qsizetype largestProfileFile = 1 << 20;  // bytes

// Reads every version up to the current one.
[[nodiscard]] ProfileFileContent profileFileContent(const QByteArray& bytes);
// The content in the current version.
[[nodiscard]] QByteArray profileFileBytes(const QList<StoredProfile>& profiles);

}  // namespace lockkeeper::profile
