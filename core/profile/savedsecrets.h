// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/connectionprofile.h"
#include "profile/secretstore.h"

namespace lockkeeper::profile {

// The profile with the secrets that the keychain has for it. A secret that the profile already has stays. Without a
// keychain the profile is returned unchanged. The store must outlive the call.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Completion<ConnectionProfile> withSecrets(SecretStore& secrets,
                                                                                  const ConnectionProfile& profile);

}  // namespace lockkeeper::profile
