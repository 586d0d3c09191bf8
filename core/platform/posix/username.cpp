// SPDX-License-Identifier: Apache-2.0
#include "platform/username.h"

#include <pwd.h>
#include <unistd.h>

#include <array>

namespace lockkeeper::platform {

QString userName() {
    std::array<char, 16384> buffer{};
    passwd entry{};
    passwd* found = nullptr;
    const uid_t user = ::geteuid();
    if (::getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found) == 0 && found)
        return QString::fromLocal8Bit(found->pw_name);
    return QString::number(user);
}

}  // namespace lockkeeper::platform
