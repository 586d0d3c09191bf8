// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "profile/profilestore.h"

namespace lockkeeper::app {

// Where the window keeps the profiles. To be called once the application has its name.
[[nodiscard]] QString profilesPath();

// The saved connection with that name. Errors: InvalidArgument with a sentence for stderr.
[[nodiscard]] Result<profile::StoredProfile> savedProfile(profile::ProfileStore& profiles, const QString& name);

// The arguments with the secrets of their saved connection that the keychain has. Runs the event loop of the
// application until the keychain has answered, so it is called before the application's own exec().
[[nodiscard]] Arguments withKeychain(Arguments arguments);

}  // namespace lockkeeper::app
