// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>

namespace lockkeeper::app {

// Lets only the user read and write this file; creates it, with its folders, if it does not exist. For QSettings,
// which keeps the permissions of an existing file and lets everybody read a new one. False if that is not possible.
bool keepPrivate(const QString& path);

}  // namespace lockkeeper::app
