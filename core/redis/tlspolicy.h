// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "redis/connectionoptions.h"

#include <QSsl>
#include <QSslConfiguration>

class QSslCertificate;
class QSslError;

// What TLS requires of the two sides of a connection.
namespace lockkeeper::redis {

// The authorities, the own certificate with its key, and the lowest version. Errors: Tls.
[[nodiscard]] Result<QSslConfiguration> tlsConfiguration(const Endpoint& endpoint);
// The name to send as SNI and to verify first.
[[nodiscard]] QString tlsPeerName(const Endpoint& endpoint);
// Why the certificate of the server is not accepted, or nothing. found: by Qt, with tlsPeerName().
// There is deliberately no way to switch verification off.
[[nodiscard]] std::optional<Error> tlsRefusal(const Endpoint& endpoint, const QSslCertificate& certificate,
                                              const QList<QSslError>& found);
// What the server means by an alert; None if the alert says too little.
[[nodiscard]] Cause tlsAlertCause(QSsl::AlertType alert);

}  // namespace lockkeeper::redis
