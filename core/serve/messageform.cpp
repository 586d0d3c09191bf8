// SPDX-License-Identifier: Apache-2.0
#include "serve/messageform.h"

#include "base/safetext.h"
#include "serve/servecause.h"

#include <QJsonDocument>

#include <array>

namespace lockkeeper::serve {

namespace {

constexpr qsizetype largestTemplate = 65'536;  // bytes
constexpr char32_t wordJoiner = 0x2060;
const auto textName = QStringLiteral("text");
const auto markdownName = QStringLiteral("markdown");

qsizetype sizeOf(const QJsonObject& object) {
    return QJsonDocument(object).toJson(QJsonDocument::Compact).size();
}

// "@all", "<!channel>", "<at ...>", "https://host", "host.com", "#channel", ":emoji:", "/command", "mailto:"
bool mayBeginMore(char32_t character) {
    switch (character) {
        case U'@':
        case U'<':
        case U'&':
        case U'#':
        case U':':
        case U'/':
        case U'.':
        case U'＠':
        case U'＃':
        case U'。':
            return true;
        default:
            return false;
    }
}

bool isPunctuation(char32_t character) {
    return character < 0x80 && character > U' ' && !QChar::isLetterOrNumber(character);
}

// What ${...} stands at this place of the text, and its end; nothing: no placeholder.
std::optional<std::pair<QString, qsizetype>> placeholderAt(const QString& text, qsizetype place) {
    if (!QStringView(text).sliced(place).startsWith(u"${"))
        return std::nullopt;
    const qsizetype end = text.indexOf(u'}', place);
    if (end < 0)
        return std::nullopt;
    return std::pair(text.sliced(place + 2, end - place - 2), end + 1);
}

// The value of a placeholder is text: what it holds is never a placeholder again.
QString replaced(const QString& text, const std::function<QString(const QString& name)>& valueOf) {
    QString result;
    for (qsizetype place = 0; place < text.size();) {
        if (const auto found = placeholderAt(text, place)) {
            result += valueOf(found->first);
            place = found->second;
        } else {
            result += text[place++];
        }
    }
    return result;
}

const QStringList& placeholders() {
    static const QStringList names{textName,
                                   markdownName,
                                   QStringLiteral("summary"),
                                   QStringLiteral("id"),
                                   QStringLiteral("attempt"),
                                   QStringLiteral("begun"),
                                   QStringLiteral("ended")};
    return names;
}

// The first placeholder that there is not.
QString unknownPlaceholder(const QJsonValue& value) {
    QString unknown;
    if (value.isString()) {
        (void)replaced(value.toString(), [&unknown](const QString& name) {
            if (!placeholders().contains(name))
                unknown = name;
            return QString();
        });
    }
    const QJsonArray array = value.toArray();
    for (const QJsonValue& one : array)
        unknown = unknown.isEmpty() ? unknownPlaceholder(one) : unknown;
    const QJsonObject object = value.toObject();
    for (const QJsonValue& one : object)
        unknown = unknown.isEmpty() ? unknownPlaceholder(one) : unknown;
    return unknown;
}

// Plain text has neither links nor markup there. The text beside it, for notifications, is the summary, without names.
QJsonObject slackForm(const QString& summary, const QString& text) {
    const QJsonObject plain{
        {QStringLiteral("type"), QStringLiteral("plain_text")}, {textName, text}, {QStringLiteral("emoji"), false}};
    const QJsonObject section{{QStringLiteral("type"), QStringLiteral("section")}, {textName, plain}};
    return {{textName, summary},
            {QStringLiteral("blocks"), QJsonArray{section}},
            {QStringLiteral("unfurl_links"), false},
            {QStringLiteral("unfurl_media"), false}};
}

// An adaptive card. A text run knows no Markdown, unlike a text block.
QJsonObject teamsForm(const QString& text) {
    QJsonArray paragraphs;
    for (const QString& line : text.split(u'\n')) {
        const QJsonObject run{{QStringLiteral("type"), QStringLiteral("TextRun")}, {textName, line}};
        paragraphs.append(QJsonObject{{QStringLiteral("type"), QStringLiteral("RichTextBlock")},
                                      {QStringLiteral("inlines"), QJsonArray{run}}});
    }
    const QJsonObject card{
        {QStringLiteral("$schema"), QStringLiteral("http://adaptivecards.io/schemas/adaptive-card.json")},
        {QStringLiteral("type"), QStringLiteral("AdaptiveCard")},
        {QStringLiteral("version"), QStringLiteral("1.2")},
        {QStringLiteral("body"), paragraphs}};
    const QJsonObject attachment{
        {QStringLiteral("contentType"), QStringLiteral("application/vnd.microsoft.card.adaptive")},
        {QStringLiteral("content"), card}};
    return {{QStringLiteral("type"), QStringLiteral("message")},
            {QStringLiteral("attachments"), QJsonArray{attachment}}};
}

QJsonObject dingTalkForm(const QString& text) {
    return {{QStringLiteral("msgtype"), textName},
            {textName, QJsonObject{{QStringLiteral("content"), text}}},
            {QStringLiteral("at"), QJsonObject{{QStringLiteral("isAtAll"), false}}}};
}

// A post is made of elements, so that a tag in a text is no tag, as it would be in a message of the kind "text".
QJsonObject feishuForm(const QString& summary, const QString& text) {
    QJsonArray lines;
    for (const QString& line : text.split(u'\n'))
        lines.append(QJsonArray{QJsonObject{{QStringLiteral("tag"), textName}, {textName, line}}});
    const QJsonObject post{{QStringLiteral("title"), summary}, {QStringLiteral("content"), lines}};
    const QJsonObject languages{{QStringLiteral("zh_cn"), post}};
    return {{QStringLiteral("msg_type"), QStringLiteral("post")},
            {QStringLiteral("content"), QJsonObject{{QStringLiteral("post"), languages}}}};
}

QStringList linesOf(const Message& message) {
    QStringList lines;
    for (const QJsonValue& event : message.events)
        lines << chatText(event.toObject().value(textName).toString());
    return lines;
}

}  // namespace

QString wordFor(ChatService service) {
    switch (service) {
        case ChatService::None:
            return QStringLiteral("json");
        case ChatService::Slack:
            return QStringLiteral("slack");
        case ChatService::Teams:
            return QStringLiteral("teams");
        case ChatService::DingTalk:
            return QStringLiteral("dingtalk");
        case ChatService::Feishu:
            return QStringLiteral("feishu");
    }
    return {};
}

QString chatText(const QString& text) {
    QString result;
    for (const char32_t character : safeText(text).toUcs4()) {
        result += QString::fromUcs4(&character, 1);
        if (mayBeginMore(character))
            result += QString::fromUcs4(&wordJoiner, 1);
    }
    return result;
}

QString markdownText(const QString& text) {
    QString result;
    for (const char32_t character : chatText(text).toUcs4()) {
        if (isPunctuation(character))
            result += u'\\';
        result += QString::fromUcs4(&character, 1);
    }
    return result;
}

Result<MessageForm> MessageForm::fromTemplate(const QByteArray& json) {
    if (json.size() > largestTemplate)
        return Error(ErrorCode::InvalidArgument, ServeCause::TemplateTooLarge, {QString::number(largestTemplate)});
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (!document.isObject())
        return Error(ErrorCode::InvalidArgument, ServeCause::TemplateNotJson, {error.errorString()});
    if (const QString unknown = unknownPlaceholder(document.object()); !unknown.isEmpty())
        return Error(ErrorCode::InvalidArgument, ServeCause::TemplatePlaceholder, {bounded(safeText(unknown))});
    MessageForm form;
    form.m_template = document.object();
    return form;
}

QJsonValue MessageForm::filled(const QJsonValue& value, const QHash<QString, QString>& values) const {
    if (value.isString())
        return replaced(value.toString(), [&values](const QString& name) { return values.value(name); });
    if (value.isArray()) {
        QJsonArray array;
        for (const QJsonValue& one : value.toArray())
            array.append(filled(one, values));
        return array;
    }
    if (!value.isObject())
        return value;
    QJsonObject object;
    const QJsonObject before = value.toObject();
    for (auto one = before.begin(); one != before.end(); ++one)
        object.insert(one.key(), filled(one.value(), values));
    return object;
}

QJsonObject MessageForm::writeWith(const Message& message, int attempt, const QStringList& lines) const {
    const QString text = lines.join(u'\n');
    const QString summary = chatText(message.summary);
    switch (m_service) {
        case ChatService::Slack:
            return slackForm(summary, text);
        case ChatService::Teams:
            return teamsForm(text);
        case ChatService::DingTalk:
            return dingTalkForm(text);
        case ChatService::Feishu:
            return feishuForm(summary, text);
        case ChatService::None:
            break;
    }
    QStringList markdown;
    for (const QString& line : lines)
        markdown << markdownText(QString(line).remove(QString::fromUcs4(&wordJoiner, 1)));
    qint64 begun = message.moreBegun;
    qint64 ended = message.moreEnded;
    for (const QJsonValue& event : message.events)
        ++(event.toObject().value(QStringLiteral("phase")).toString() == QLatin1String("ended") ? ended : begun);
    return filled(*m_template, {{textName, text},
                                {markdownName, markdown.join(QStringLiteral("\n\n"))},
                                {QStringLiteral("summary"), summary},
                                {QStringLiteral("id"), QString::fromLatin1(message.id)},
                                {QStringLiteral("attempt"), QString::number(attempt)},
                                {QStringLiteral("begun"), QString::number(begun)},
                                {QStringLiteral("ended"), QString::number(ended)}})
        .toObject();
}

QJsonObject MessageForm::write(const Message& message, int attempt,
                               const std::function<QString(qint64 more)>& more) const {
    if (m_service == ChatService::None && !m_template)
        return toJson(message, attempt);
    QStringList lines = linesOf(message);
    qint64 left = message.moreBegun + message.moreEnded;
    for (;;) {
        QStringList all{chatText(message.summary)};
        all += lines;
        if (left > 0)
            all << chatText(more(left));
        const QJsonObject object = writeWith(message, attempt, all);
        if (lines.isEmpty() || sizeOf(object) <= largestMessage)
            return object;
        lines.removeLast();
        ++left;
    }
}

std::optional<Result<Done>> answerOf(ChatService service, const QByteArray& body) {
    if (service != ChatService::DingTalk && service != ChatService::Feishu)
        return std::nullopt;
    const QJsonObject answer = QJsonDocument::fromJson(body).object();
    // Feishu has had two spellings.
    for (const QString& name : {QStringLiteral("errcode"), QStringLiteral("code"), QStringLiteral("StatusCode")}) {
        const QJsonValue code = answer.value(name);
        if (!code.isDouble())
            continue;
        if (code.toInteger() == 0)
            return Result<Done>(Done());
        return Result<Done>(
            Error(ErrorCode::ServerReply, ServeCause::NotAccepted, {QString::number(code.toInteger())}));
    }
    return Result<Done>(Error(ErrorCode::Protocol, ServeCause::NotAccepted, {QStringLiteral("-")}));
}

}  // namespace lockkeeper::serve
