// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

#include <QString>

namespace lockkeeper::ui {

// What a user types to confirm which lock is meant.
struct NameProof {
    QString expected;
    bool isCode =
        false;  // of six characters, to be shown beside the field: the name cannot be typed, or has over 64 bytes
};

// The code depends on each byte of the name, and is the same each time.
[[nodiscard]] NameProof nameProof(const LockName& name);

}  // namespace lockkeeper::ui
