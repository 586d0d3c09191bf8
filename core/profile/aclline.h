// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"
#include "profile/connectionprofile.h"

namespace lockkeeper::profile {

// What a user of the server needs the rights for.
enum class RightsFor { Watching, Writing };

// One line of ACL SETUSER with the least rights of a user.
struct AclLine {
    RightsFor use = RightsFor::Watching;
    QByteArray user;
    QString line;  // with "PASSWORD" in place of the password

    friend bool operator==(const AclLine&, const AclLine&) = default;
};

// The users of a profile with their rights, as resources/manual/connecting.md ("Rights") explains them: the user that
// watches and, unless the profile never writes, the user that writes; one line if both are the same user.
// serverVersion: "7.2.4"; empty if not known.
[[nodiscard]] LOCKKEEPER_MONITOR_EXPORT QList<AclLine> aclLines(const ConnectionProfile& profile,
                                                                const QString& serverVersion);

}  // namespace lockkeeper::profile
