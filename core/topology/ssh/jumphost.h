// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QString>

#include <optional>

namespace lockkeeper::topology {

// A machine that ssh can log in to, as the user names it to ssh: an alias of ssh's configuration, too.
struct LOCKKEEPER_EXPORT JumpHost {
    QString user;      // empty: as ssh's configuration says
    QString host;      // IPv6 without brackets
    quint16 port = 0;  // 0: as ssh's configuration says

    // "host", "user@host", "user@host:port", "user@[::1]:port". Nothing for any other text, for one with a password,
    // and for one that ssh or a shell in its configuration could take for something else, such as "-oProxyCommand=...".
    [[nodiscard]] static std::optional<JumpHost> parse(const QString& text);
    // As parse() reads it.
    [[nodiscard]] QString display() const;

    friend bool operator==(const JumpHost&, const JumpHost&) = default;
};

}  // namespace lockkeeper::topology
