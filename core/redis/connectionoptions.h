#pragma once

#include "base/clock.h"
#include "redis/respparser.h"

#include <QByteArray>
#include <QString>

namespace lockkeeper::redis {

enum class Security { Plain, Tls };
// ReadOnly: no command that writes can leave, whoever asks; Connection refuses it before it is encoded.
enum class AccessMode { ReadOnly, ReadWrite };

// Where a server listens. unixPath, when set, counts instead of host and port.
struct LOCKKEEPER_EXPORT Endpoint {
    QString host = QStringLiteral("127.0.0.1");
    quint16 port = 6379;
    QString unixPath;
    Security security = Security::Plain;
    QString caFile;           // PEM with the authorities to trust instead of the system's
    QString certificateFile;  // PEM, client certificate
    QString privateKeyFile;   // PEM
    QString serverName;       // SNI and the name to verify; empty: host

    // "host:port" or the socket's path; no secrets.
    [[nodiscard]] QString display() const;
    friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

struct Credentials {
    QByteArray user;      // empty: the server's default user
    QByteArray password;  // only ever in memory

    [[nodiscard]] bool isEmpty() const noexcept { return user.isEmpty() && password.isEmpty(); }
    friend bool operator==(const Credentials&, const Credentials&) = default;
};

// Everything one connection needs to know.
struct LOCKKEEPER_EXPORT ConnectionOptions {
    Endpoint endpoint;
    Credentials credentials;
    int database = 0;
    QByteArray clientName = QByteArrayLiteral("lockkeeper");
    AccessMode access = AccessMode::ReadWrite;

    Milliseconds openTimeout{5000};       // from open to a finished handshake
    Milliseconds commandTimeout{10000};   // the oldest unanswered command may be this old before the connection counts as dead
    Milliseconds keepaliveInterval{15000};  // silence after which a PING asks whether the server is still there
    Milliseconds firstRetry{100};         // back-off doubles from here, with jitter,
    Milliseconds lastRetry{10000};        // up to here
    int maxPending = 100000;              // commands waiting for an answer
    RespLimits limits;
};

}  // namespace lockkeeper::redis
