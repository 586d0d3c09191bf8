// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "redis/respvalue.h"

#include <QByteArray>
#include <QByteArrayList>
#include <QString>
#include <QStringList>

namespace lockkeeper::redis {

enum class Security { Plain, Tls };
enum class TlsVersion { Tls12, Tls13 };
// ReadOnly: Connection refuses every write command before it is encoded, for every caller.
enum class AccessMode { ReadOnly, ReadWrite };

// Which role the server must have. Any: every role, and ROLE is not sent.
//
// Known: every role. A replica is asked for its master. When the role changes, the connection ends, so that the next
// one reads the new role; the host name may then lead to another server.
//
// Master: a server in another role is not used. The handshake reads the role, and a timer reads it again, because a
// demoted master keeps its connections.
enum class WantedRole { Any, Known, Master };

// Where a server listens. If unixPath is set, it is used instead of host and port.
struct LOCKKEEPER_EXPORT Endpoint {
    QString host = QStringLiteral("127.0.0.1");
    quint16 port = 6379;
    QString unixPath;
    Security security = Security::Plain;
    QString caFile;            // PEM with the authorities to trust instead of the system's
    QString certificateFile;   // PEM, client certificate
    QString privateKeyFile;    // PEM
    QByteArray keyPassphrase;  // kept in memory only
    TlsVersion leastTls = TlsVersion::Tls12;
    // SHA-256 fingerprints, 32 bytes each. If there are any, a certificate is accepted only if it has one of them; its
    // name, its dates and its authority do not count.
    QByteArrayList pinned;
    QString serverName;  // SNI and the name to verify; if empty, host is used
    // For a node of a topology: its host names and addresses. A certificate for one of them, or for serverName, is
    // accepted.
    QStringList announcedNames;

    // "host:port" or the path of the socket; contains no secrets.
    [[nodiscard]] QString display() const;
    friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

// How a connection logs in.
struct Credentials {
    QByteArray user;      // empty: the server's default user
    QByteArray password;  // kept in memory only

    [[nodiscard]] bool isEmpty() const noexcept { return user.isEmpty() && password.isEmpty(); }
    friend bool operator==(const Credentials&, const Credentials&) = default;
};

// The complete options of one connection.
struct LOCKKEEPER_EXPORT ConnectionOptions {
    Endpoint endpoint;
    Credentials credentials;
    int database = 0;
    QByteArray clientName = QByteArrayLiteral("lockkeeper");
    AccessMode access = AccessMode::ReadWrite;
    WantedRole role = WantedRole::Any;

    Milliseconds openTimeout{5000};         // from open() to a finished handshake
    Milliseconds commandTimeout{10000};     // maximum age of the oldest unanswered command; beyond it the connection
                                            // counts as dead
    Milliseconds keepaliveInterval{15000};  // after this silence a PING checks whether the server still answers
    Milliseconds roleInterval{10000};       // Known and Master: between two readings of the role
    Milliseconds firstRetry{100};           // the first back-off; it doubles, with jitter,
    Milliseconds lastRetry{10000};          // up to this limit
    int maxPending = 100000;                // maximum number of commands that wait for an answer
    RespLimits limits;
};

}  // namespace lockkeeper::redis
