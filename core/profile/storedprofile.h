// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "profile/connectionprofile.h"
#include "profile/profilelabel.h"

#include <optional>

namespace lockkeeper::profile {

// A profile as it is in the file. The file has no secrets: see SecretStore.
struct StoredProfile {
    // Recent: remembered because it was used. Saved: stays until the user removes it.
    enum class Keeping { Recent, Saved };
    enum class Secrets { InKeychain, AskedEachTime };

    // A saved profile has an id of its own, independent of its address: the address may be changed, and two profiles
    // may have the same one.
    ConnectionProfile profile;
    ProfileLabel label;
    Keeping keeping = Keeping::Recent;
    Secrets secrets = Secrets::InKeychain;
    QString group;  // may be empty
    QString note;
    std::optional<WallTime> lastUsed;  // in milliseconds; nothing if unknown

    [[nodiscard]] bool isSaved() const noexcept { return keeping == Keeping::Saved; }

    friend bool operator==(const StoredProfile&, const StoredProfile&) = default;
};

}  // namespace lockkeeper::profile

Q_DECLARE_METATYPE(lockkeeper::profile::StoredProfile)
