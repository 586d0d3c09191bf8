// SPDX-License-Identifier: Apache-2.0
#include "app/tools/lookups.h"

#include "app/tools/savedprofile.h"
#include "lab/experiment/catalogue.h"

namespace lockkeeper::app {

namespace {

Result<profile::StoredProfile> profileNamed(const QString& name) {
    profile::ProfileStore profiles(profilesPath());
    return savedProfile(profiles, name);
}

Result<profile::RedissonConnection> redissonFile(const QString& path) {
    const Result<QByteArray> file = profile::readRedissonFile(path);
    return file ? profile::redissonConnection(*file, profile::environmentVariable)
                : Result<profile::RedissonConnection>(file.error());
}

bool isExperiment(const QByteArray& id) {
    return lab::experimentOf(id).has_value();
}

}  // namespace

Lookups allLookups() {
    return {&profileNamed, &redissonFile, &isExperiment};
}

}  // namespace lockkeeper::app
