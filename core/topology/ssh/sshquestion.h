// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QByteArray>
#include <QMetaType>
#include <QString>

#include <optional>

namespace lockkeeper::topology {

// Identifies a question; a session never uses a number twice.
enum class SshQuestionId : quint64 {};

// A question of ssh to the user. Immutable value.
struct LOCKKEEPER_EXPORT SshQuestion {
    enum class Kind {
        Secret,  // a password, a pass phrase or a code
        YesNo,   // for example whether an unknown host is the right one; the answers are "yes" and "no"
        Notice   // for example that a security key must be touched; needs no answer, and ends without one
    };

    SshQuestionId id{};
    Kind kind = Kind::Secret;
    QString words;  // ssh's own words, unchanged except for a limit on the length
    QString jumpHost;

    // hint: the kind of the question as ssh passes it in SSH_ASKPASS_PROMPT.
    [[nodiscard]] static Kind kindOf(const QByteArray& hint, const QString& words);

    friend bool operator==(const SshQuestion&, const SshQuestion&) = default;
};

// Nothing: the user does not want to answer, and the attempt to connect ends.
using SshAnswer = std::optional<QByteArray>;

}  // namespace lockkeeper::topology

Q_DECLARE_METATYPE(lockkeeper::topology::SshQuestionId)
Q_DECLARE_METATYPE(lockkeeper::topology::SshQuestion)
