// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "profile/connectionprofile.h"
#include "session/connectionstatus.h"

namespace lockkeeper::app {

// That a connection cannot be made or is lost, and why; empty if neither is so.
[[nodiscard]] QString connectionWords(const ConnectionStatus& status);
// What to do if a replica has refused a write; empty for any other error. replica: the profile of the connection to
// it.
[[nodiscard]] QString masterAdvice(const Error& error, const profile::ConnectionProfile& replica);
// That the one server of this profile is a node of a Cluster, and how all of it is reached.
[[nodiscard]] QString oneNodeWords(const profile::ConnectionProfile& node);

}  // namespace lockkeeper::app
