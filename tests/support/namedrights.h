// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/aclline.h"

namespace lockkeeper::test {

// Arguments of ACL SETUSER: what profile::aclLines() names for this use, without the password. tst_aclline compares
// it with resources/manual/connecting.md.
inline QStringList rightsOf(const profile::ConnectionProfile& profile, profile::RightsFor use,
                            const QString& serverVersion = {}) {
    for (const profile::AclLine& acl : profile::aclLines(profile, serverVersion)) {
        if (acl.use == use)
            return acl.line.section(QStringLiteral(" >PASSWORD "), 1).split(QLatin1Char(' '));
    }
    return {};
}

inline profile::ConnectionProfile profileOfACluster() {
    profile::ConnectionProfile profile;
    profile.deployment.cluster = {{QStringLiteral("node"), 6379}};
    return profile;
}

// The profile with a user of its own who writes: there is one line for each user then.
inline profile::ConnectionProfile withWriter(profile::ConnectionProfile profile) {
    profile.writing.user = "writer";
    return profile;
}

inline QStringList without(QStringList rights, const QStringList& others) {
    rights.removeIf([&others](const QString& right) { return others.contains(right); });
    return rights;
}

// The rights that a Cluster needs in addition ("A Cluster").
inline QStringList rightsInACluster() {
    const auto use = profile::RightsFor::Watching;
    return without(rightsOf(withWriter(profileOfACluster()), use), rightsOf(withWriter({}), use));
}

// The rights that locks need in addition ("Rights"), also in a Cluster.
inline QStringList rightsToLock() {
    const profile::ConnectionProfile profile = withWriter({});
    return without(rightsOf(profile, profile::RightsFor::Writing), rightsOf(profile, profile::RightsFor::Watching));
}
inline QStringList rightsToLockInACluster() {
    const auto use = profile::RightsFor::Writing;
    return without(without(rightsOf(withWriter(profileOfACluster()), use), rightsOf(withWriter({}), use)),
                   rightsInACluster());
}

// The rights of the Sentinels' own user ("Behind Sentinel").
inline QStringList rightsAtSentinel() {
    return QStringLiteral(
               "on >pw resetchannels -@all +hello +ping +subscribe &+switch-master +sentinel|get-master-addr-by-name")
        .split(QLatin1Char(' '));
}

}  // namespace lockkeeper::test
