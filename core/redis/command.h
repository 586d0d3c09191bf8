// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QByteArray>
#include <QByteArrayList>

#include <initializer_list>

namespace lockkeeper::redis {

// What a command can do to the server. Anything not known to be harmless counts as a write.
enum class Effect {
    Read,       // changes no key and no server setting, only the state of this connection
    Subscribe,  // as Read; answered by a pub/sub confirmation; one channel or pattern a command
    Monitor,    // as Read; followed by a line for each command of every client; only when the user asks for it
    Write
};

// What the first argument of a command is, and what that means for its effect.
enum class CommandKind {
    Read,
    Subscription,  // its first argument is a channel or a pattern
    Monitor,
    Container,  // its first argument is a subcommand, as of CLIENT: the subcommand decides the effect
    Other       // counts as a write
};

// Parts of a command. Each is encoded as a bulk string when it is added.
class LOCKKEEPER_EXPORT Arguments {
public:
    Arguments() = default;
    Arguments(std::initializer_list<QByteArrayView> arguments);
    Arguments(const QByteArrayList& arguments);

    void add(QByteArrayView argument);
    void add(qint64 argument);
    void add(const Arguments& others);
    void reserve(qsizetype bytes) { m_encoded.reserve(bytes); }

    [[nodiscard]] int count() const noexcept { return m_count; }
    [[nodiscard]] const QByteArray& encoded() const noexcept { return m_encoded; }

private:
    QByteArray m_encoded;
    int m_count = 0;
};

// One command with its arguments.
class LOCKKEEPER_EXPORT Command {
public:
    explicit Command(QByteArrayView name);
    Command(QByteArrayView name, const QByteArrayList& arguments);

    Command& arg(QByteArrayView argument);
    Command& arg(qint64 argument);
    // The subcommand of a container command must not be part of these: use arg() for it, because arg() checks it.
    Command& args(const Arguments& arguments);

    // In upper case; a container command includes its subcommand: "CLIENT TRACKING".
    [[nodiscard]] QByteArray name() const;
    [[nodiscard]] Effect effect() const;
    // The channel or pattern of a command that changes a subscription; empty for other commands.
    [[nodiscard]] const QByteArray& channel() const noexcept { return m_channel; }
    // Appends the wire form: an array of bulk strings.
    void appendTo(QByteArray& bytes) const;

private:
    QByteArray m_name;
    CommandKind m_kind;
    QByteArray m_subcommand;
    QByteArray m_channel;
    Arguments m_parts;
};

}  // namespace lockkeeper::redis
