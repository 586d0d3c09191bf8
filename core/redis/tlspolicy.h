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

// The trusted authorities, the own certificate with its key, and the lowest version of TLS. Errors: Tls.
[[nodiscard]] LOCKKEEPER_EXPORT Result<QSslConfiguration> tlsConfiguration(const Endpoint& endpoint);
// The name to send as SNI and to verify first.
[[nodiscard]] QString tlsPeerName(const Endpoint& endpoint);
// Why the server's certificate is refused; nothing if it is accepted. found: the errors that Qt found with
// tlsPeerName().
// There is deliberately no way to switch verification off.
[[nodiscard]] LOCKKEEPER_EXPORT std::optional<Error> tlsRefusal(const Endpoint& endpoint,
                                                                const QSslCertificate& certificate,
                                                                const QList<QSslError>& found);
// What the server means by a TLS alert; None if the alert has no clear cause.
[[nodiscard]] Cause tlsAlertCause(QSsl::AlertType alert);

}  // namespace lockkeeper::redis
