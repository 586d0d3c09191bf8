// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/connectionprofile.h"
#include "profile/secretstore.h"

namespace lockkeeper::profile {

// The profile with those of its secrets that the keychain has; one that is there already stays. Without a keychain the
// profile as it is. The store outlives the call.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Completion<ConnectionProfile> withSecrets(SecretStore& secrets,
                                                                                  const ConnectionProfile& profile);

}  // namespace lockkeeper::profile
