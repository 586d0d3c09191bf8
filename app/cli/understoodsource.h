// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/connectionprofile.h"

#include <QHash>

namespace lockkeeper::app {

// What --print-url prints: the URL, and what the Java clients have set for their locks, without secrets. standIns:
// texts that stand for values of the environment, with the variables whose names are printed instead.
[[nodiscard]] QString understoodSource(const profile::ConnectionProfile& profile,
                                       const QHash<QString, QString>& standIns, bool asJson);

}  // namespace lockkeeper::app
