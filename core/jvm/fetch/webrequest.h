// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "async/completion.h"
#include "async/task.h"
#include "lockkeeper_monitor_export.h"
#include "redis/connectionoptions.h"

#include <QHostInfo>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QPointer>
#include <QUrl>

namespace lockkeeper::jvm {

// Gets one URL of http or https. The certificate is verified, no redirect is followed, no proxy and no cookie is used,
// and nothing is sent to a forbidden address, also if a name leads there. Use once. Thread: one with an event loop.
class LOCKKEEPER_MONITOR_EXPORT WebRequest final : public QObject {
public:
    // credentials: sent as they are, by Basic; without a user none are sent. caFile: PEM with the authorities to trust
    // instead of the system's; empty: the system's. limit: bytes.
    WebRequest(QUrl url, redis::Credentials credentials, const QString& caFile, qsizetype limit);
    ~WebRequest() override;

    // Errors: Tls, HostNotFound, ConnectionRefused, ConnectionLost, Auth, Protocol with a FetchCause.
    [[nodiscard]] Completion<QByteArray> start();

private:
    void finish(const Result<QByteArray>& result);
    void onFound(const QHostInfo& info);
    void send(const QHostAddress& address);
    void readBody();
    void onEnded();
    [[nodiscard]] std::optional<Error> refusalBy(int status) const;
    [[nodiscard]] Error failure() const;

    const QUrl m_url;
    const redis::Credentials m_credentials;
    redis::Endpoint m_tls;  // its settings of TLS alone
    const qsizetype m_limit;
    QNetworkAccessManager m_network;
    QPointer<QNetworkReply> m_reply;
    std::optional<Error> m_tlsError;
    QByteArray m_body;
    Completion<QByteArray> m_done;
};

}  // namespace lockkeeper::jvm
