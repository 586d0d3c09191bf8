// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/configuration/configurationfiles.h"
#include "profile/configuration/redissonconfig.h"

namespace lockkeeper::profile {

// What the user has said about a configuration.
struct ConfigurationChoice {
    QString springProfile;        // with commas between several; empty: those that the file itself makes active
    RedissonVariables variables;  // values from outside the file; empty: the environment is not asked
};

// The connection that a configuration describes: YAML or JSON as Redisson's Config.fromYAML() accepts it, the
// application.yml or application.properties of Spring, what a jar has of them, or a ConfigMap or Secret of Kubernetes.
// Variables are resolved only in the settings that are used, in the file first.
// Errors: InvalidArgument with a RedissonCause; Variables names the variables to ask for, Profiles the profiles to
// choose from.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT Result<RedissonConnection> connectionOf(const ConfigurationFiles& files,
                                                                                const ConfigurationChoice& choice);

}  // namespace lockkeeper::profile
