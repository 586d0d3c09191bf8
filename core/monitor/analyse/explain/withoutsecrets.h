// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace lockkeeper::monitor {

// A line of a log without what may be a password: the user of a URL, values that are named so, and what AUTH and HELLO
// were sent with.
[[nodiscard]] QString withoutSecrets(QString line);

}  // namespace lockkeeper::monitor
