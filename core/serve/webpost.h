// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "base/result.h"

#include <QObject>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QUrl>

namespace lockkeeper::serve {

struct WebRequest {
    QUrl url;  // http or https
    QByteArray body;
    QList<std::pair<QByteArray, QByteArray>> headers{};
    QSslConfiguration tls = QSslConfiguration::defaultConfiguration();
    Milliseconds patience{10'000};  // for all of it
    bool needsBody = false;         // of the answer
};

struct WebAnswer {
    int status = 0;
    QByteArray retryAfter{};
    QByteArray body{};  // if it is needed

    friend bool operator==(const WebAnswer&, const WebAnswer&) = default;
};

// One POST over a connection of its own. QNetworkAccessManager is not used: it sends a request again by itself when the
// connection closes before the answer, and the receiver would have a message twice that is not marked. Redirects are
// not followed, certificates are verified, the answer is bounded. Use once. Thread: the clock's.
class WebPost : public QObject {
    Q_OBJECT
public:
    static constexpr qsizetype largestHead = 16'384;
    static constexpr qsizetype largestBody = 65'536;

    WebPost(WebRequest request, Clock& clock, QObject* parent = nullptr);

    void start();

Q_SIGNALS:
    // Once, from the event loop.
    void finished(const lockkeeper::Result<lockkeeper::serve::WebAnswer>& answer);

private:
    void send();
    void read();
    void onDisconnected();
    void onSocketError(QAbstractSocket::SocketError error);
    [[nodiscard]] bool readHead();
    void readBody();
    void finish(const Result<WebAnswer>& answer);

    const WebRequest m_request;
    QSslSocket m_socket;
    ClockTimer m_patience;
    QByteArray m_received;  // of the head, later of the body
    WebAnswer m_answer;
    std::optional<qint64> m_length;  // of the body
    bool m_isChunked = false;
    bool m_isInBody = false;
    bool m_isFinished = false;
    std::optional<Error> m_tlsError;
};

}  // namespace lockkeeper::serve
