// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QString>

#include <optional>

namespace lockkeeper::topology {

// A machine that ssh can log in to, named as the user names it to ssh; it may be an alias of ssh's configuration.
struct LOCKKEEPER_EXPORT JumpHost {
    QString user;      // empty: from ssh's configuration
    QString host;      // IPv6 without brackets
    quint16 port = 0;  // 0: from ssh's configuration

    // Reads "host", "user@host", "user@host:port", "user@[::1]:port". Nothing for any other text, for one with a
    // password, and for one that ssh or a shell in its configuration could misread, such as "-oProxyCommand=...".
    [[nodiscard]] static std::optional<JumpHost> parse(const QString& text);
    // The text that parse() reads.
    [[nodiscard]] QString display() const;

    friend bool operator==(const JumpHost&, const JumpHost&) = default;
};

}  // namespace lockkeeper::topology
