// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QByteArray>
#include <QMetaType>
#include <QString>

#include <optional>

namespace lockkeeper::topology {

// Never used twice by a session.
enum class SshQuestionId : quint64 {};

// What ssh wants to know of the user. Immutable value.
struct LOCKKEEPER_EXPORT SshQuestion {
    enum class Kind {
        Secret,  // a password, a pass phrase or a code
        YesNo,   // for example whether an unknown host is the right one; the answers are "yes" and "no"
        Notice   // for example that a security key must be touched; needs no answer, and is over by itself
    };

    SshQuestionId id{};
    Kind kind = Kind::Secret;
    QString words;  // ssh's own, as they came; bounded
    QString jumpHost;

    // hint: what ssh says of the kind in SSH_ASKPASS_PROMPT.
    [[nodiscard]] static Kind kindOf(const QByteArray& hint, const QString& words);

    friend bool operator==(const SshQuestion&, const SshQuestion&) = default;
};

// Nothing: the user does not want to answer, and the attempt to connect ends.
using SshAnswer = std::optional<QByteArray>;

}  // namespace lockkeeper::topology

Q_DECLARE_METATYPE(lockkeeper::topology::SshQuestionId)
Q_DECLARE_METATYPE(lockkeeper::topology::SshQuestion)
