// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "serve/message.h"

namespace lockkeeper::serve {

enum class ChatService { None, Slack, Teams, DingTalk, Feishu };

[[nodiscard]] QString wordFor(ChatService service);

// A text for chat services that make links and mentions of what resembles them: an invisible word joiner (U+2060)
// stands behind each sign that could begin one. Characters that a reader would not see are escaped.
[[nodiscard]] QString chatText(const QString& text);
// chatText() for Markdown: each sign of ASCII that may be markup has a backslash in front.
[[nodiscard]] QString markdownText(const QString& text);

// How a message is written: as the documented JSON, for a chat service, or by a template of the user's. No name in it
// can become a mention, a link or markup. At most largestMessage bytes.
class MessageForm {
public:
    MessageForm() = default;  // the JSON of toJson(Message)
    explicit MessageForm(ChatService service) : m_service(service) {}
    // A JSON object. In its texts ${text}, ${markdown}, ${summary}, ${id}, ${attempt}, ${begun} and ${ended} are
    // replaced. Errors: InvalidArgument with a ServeCause.
    [[nodiscard]] static Result<MessageForm> fromTemplate(const QByteArray& json);

    [[nodiscard]] ChatService service() const noexcept { return m_service; }
    // more: words for how many events do not fit.
    [[nodiscard]] QJsonObject write(const Message& message, int attempt,
                                    const std::function<QString(qint64 more)>& more) const;

private:
    [[nodiscard]] QJsonObject writeWith(const Message& message, int attempt, const QStringList& lines) const;
    [[nodiscard]] QJsonValue filled(const QJsonValue& value, const QHash<QString, QString>& values) const;

    ChatService m_service = ChatService::None;
    std::optional<QJsonObject> m_template;
};

// Whether the answer of a chat service, which comes with HTTP 200 in any case, says that it has the message. Nothing:
// the service says it by the HTTP status alone. Errors: the service's own number.
[[nodiscard]] std::optional<Result<Done>> answerOf(ChatService service, const QByteArray& body);

}  // namespace lockkeeper::serve
