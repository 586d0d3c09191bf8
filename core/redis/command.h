#pragma once

#include "lockkeeper_export.h"

#include <QByteArray>
#include <QByteArrayList>

#include <initializer_list>

namespace lockkeeper::redis {

// What a command can do to the server. Anything not known to be harmless counts as a write.
enum class Effect {
    Read,       // changes no key and no setting of the server; only this connection's own state
    Subscribe,  // as Read, and answered by a confirmation in the manner of pub/sub; one channel or pattern a command
    Monitor,    // as Read, and followed by a line for each command of every client; only on the user's request
    Write
};

// Parts of a command, encoded as bulk strings as they are added.
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
    // Not for the subcommand of a container command, which is looked at.
    Command& args(const Arguments& arguments);

    // Upper case; for a container command with its subcommand: "CLIENT TRACKING".
    [[nodiscard]] QByteArray name() const;
    [[nodiscard]] Effect effect() const;
    // As it goes over the wire: an array of bulk strings.
    void appendTo(QByteArray& bytes) const;

private:
    QByteArray m_name;
    QByteArray m_subcommand;
    Arguments m_parts;
};

}  // namespace lockkeeper::redis
