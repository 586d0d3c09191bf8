// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "serve/messageform.h"
#include "serve/receiver.h"
#include "serve/webpost.h"

#include <memory>

namespace lockkeeper::serve {

enum class PlainHttp { Refused, Allowed };

struct Webhook {
    QUrl url;  // may hold a secret: never shown
    MessageForm form{};
    QByteArray secret{};                   // empty: messages are not signed
    QList<QSslCertificate> authorities{};  // empty: those of the system
    Milliseconds patience{10'000};
};

// Errors: InvalidArgument with a ServeCause.
[[nodiscard]] Result<QUrl> webhookUrl(const QByteArray& text, PlainHttp plain);

// Posts messages to a URL.
class WebhookReceiver final : public QObject, public Receiver {
    Q_OBJECT
public:
    WebhookReceiver(Webhook webhook, std::function<QString(qint64 more)> more, Clock& clock);

    void deliver(const Message& message, int attempt, std::function<void(const DeliveryEnd& end)> done) override;

private:
    [[nodiscard]] WebRequest requestFor(const Message& message, int attempt) const;
    [[nodiscard]] DeliveryEnd endOf(const Result<WebAnswer>& answer) const;

    const Webhook m_webhook;
    const std::function<QString(qint64 more)> m_more;
    Clock& m_clock;
};

}  // namespace lockkeeper::serve
