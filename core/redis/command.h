#pragma once

#include "lockkeeper_export.h"

#include <QByteArray>
#include <QByteArrayList>

namespace lockkeeper::redis {

// What a command can do to the server. Anything not known to be harmless counts as a write.
enum class Effect {
    Read,       // changes no key and no setting of the server; only this connection's own state
    Subscribe,  // as Read, and answered by a confirmation in the manner of pub/sub; one channel or pattern a command
    Write
};

// One command with its arguments, encoded as it is built.
class LOCKKEEPER_EXPORT Command {
public:
    explicit Command(QByteArrayView name);
    Command(QByteArrayView name, const QByteArrayList& arguments);

    Command& arg(QByteArrayView argument);
    Command& arg(qint64 argument);

    // Upper case; for a container command with its subcommand: "CLIENT TRACKING".
    [[nodiscard]] QByteArray name() const;
    [[nodiscard]] Effect effect() const;
    // As it goes over the wire: an array of bulk strings.
    void appendTo(QByteArray& bytes) const;

private:
    QByteArray m_name;
    QByteArray m_subcommand;
    QByteArray m_body;
    int m_parts = 0;
};

}  // namespace lockkeeper::redis
