// SPDX-License-Identifier: Apache-2.0
#include "serve/webhookreceiver.h"

#include "serve/servecause.h"
#include "serve/signature.h"

#include <QJsonDocument>

#include <algorithm>

namespace lockkeeper::serve {

namespace {

constexpr int multipleChoices = 300;
constexpr int badRequest = 400;
constexpr int contentTooLarge = 413;
constexpr int unprocessable = 422;
constexpr int successes = 200;

std::optional<Milliseconds> pauseFrom(const QByteArray& retryAfter) {
    constexpr qint64 longest = 3600;
    bool ok = false;
    const qint64 seconds = retryAfter.toLongLong(&ok);
    return ok && seconds > 0 ? std::optional<Milliseconds>(std::chrono::seconds(std::min(seconds, longest)))
                             : std::nullopt;
}

Error statusError(int status) {
    const bool isRedirect = status >= multipleChoices && status < badRequest;
    return Error(ErrorCode::ServerReply, isRedirect ? ServeCause::Redirected : ServeCause::HttpRefused,
                 {QString::number(status)});
}

}  // namespace

Result<QUrl> webhookUrl(const QByteArray& text, PlainHttp plain) {
    const QUrl url = QUrl::fromEncoded(text.trimmed(), QUrl::StrictMode);
    const bool isPlain = url.scheme() == QLatin1String("http");
    if (!url.isValid() || url.host().isEmpty() || (!isPlain && url.scheme() != QLatin1String("https")) ||
        !url.userInfo().isEmpty() || url.hasFragment())
        return Error(ErrorCode::InvalidArgument, ServeCause::WebhookInvalid);
    if (isPlain && plain == PlainHttp::Refused)
        return Error(ErrorCode::InvalidArgument, ServeCause::WebhookNotHttps);
    return url;
}

WebhookReceiver::WebhookReceiver(Webhook webhook, std::function<QString(qint64 more)> more, Clock& clock)
    : m_webhook(std::move(webhook)), m_more(std::move(more)), m_clock(clock) {}

WebRequest WebhookReceiver::requestFor(const Message& message, int attempt) const {
    const WallTime now = m_clock.wallNow();
    const ChatService service = m_webhook.form.service();
    const bool isSigned = !m_webhook.secret.isEmpty();
    QJsonObject object = m_webhook.form.write(message, attempt, m_more);
    WebRequest request;
    request.url = m_webhook.url;
    request.patience = m_webhook.patience;
    request.needsBody = answerOf(service, {}).has_value();
    if (!m_webhook.authorities.isEmpty())
        request.tls.setCaCertificates(m_webhook.authorities);
    if (isSigned && service == ChatService::Feishu) {
        object.insert(QStringLiteral("timestamp"), QString::fromLatin1(signedTime(now)));
        object.insert(QStringLiteral("sign"), QString::fromLatin1(feishuSign(m_webhook.secret, now)));
    }
    if (isSigned && service == ChatService::DingTalk) {
        const QByteArray before = request.url.query(QUrl::FullyEncoded).toLatin1();
        const QByteArray query =
            (before.isEmpty() ? QByteArray() : before + '&') + dingTalkQuery(m_webhook.secret, now);
        request.url.setQuery(QString::fromLatin1(query), QUrl::StrictMode);
    }
    request.body = QJsonDocument(object).toJson(QJsonDocument::Compact);
    request.headers = {{"User-Agent", "lockkeeper-notify"},
                       {"X-Lockkeeper-Id", message.id},
                       {"X-Lockkeeper-Attempt", QByteArray::number(attempt)}};
    if (isSigned && service != ChatService::Feishu && service != ChatService::DingTalk) {
        request.headers.append({"X-Lockkeeper-Timestamp", signedTime(now)});
        request.headers.append({"X-Lockkeeper-Signature", signatureOf(m_webhook.secret, now, request.body)});
    }
    return request;
}

void WebhookReceiver::deliver(const Message& message, int attempt, std::function<void(const DeliveryEnd& end)> done) {
    auto* post = new WebPost(requestFor(message, attempt), m_clock, this);
    connect(post, &WebPost::finished, this, [this, post, done = std::move(done)](const Result<WebAnswer>& answer) {
        const DeliveryEnd end = endOf(answer);
        const std::function<void(const DeliveryEnd&)> call = done;
        post->deleteLater();
        call(end);
    });
    post->start();
}

DeliveryEnd WebhookReceiver::endOf(const Result<WebAnswer>& answer) const {
    if (!answer)
        return {DeliveryEnd::Kind::Failed, answer.error()};
    if (answer->status < successes || answer->status >= multipleChoices) {
        const bool isRefused =
            answer->status == badRequest || answer->status == contentTooLarge || answer->status == unprocessable;
        return {isRefused ? DeliveryEnd::Kind::Refused : DeliveryEnd::Kind::Failed, statusError(answer->status),
                pauseFrom(answer->retryAfter)};
    }
    const std::optional<Result<Done>> ownAnswer = answerOf(m_webhook.form.service(), answer->body);
    if (ownAnswer && !*ownAnswer)
        return {DeliveryEnd::Kind::Failed, ownAnswer->error()};
    return {DeliveryEnd::Kind::Taken, std::nullopt};
}

}  // namespace lockkeeper::serve

#include "serve/moc_webhookreceiver.cpp"
