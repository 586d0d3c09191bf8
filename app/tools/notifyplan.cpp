// SPDX-License-Identifier: Apache-2.0
#include "app/tools/notifyplan.h"

#include "app/cli/commandline.h"
#include "app/cli/options.h"
#include "app/cli/secretsource.h"
#include "app/tools/logform.h"
#include "base/isotime.h"
#include "base/regularfile.h"
#include "monitor/analyse/notice/noticeruletext.h"
#include "serve/commandreceiver.h"
#include "serve/servecause.h"
#include "serve/webhookreceiver.h"
#include "ui/words/causetext.h"
#include "ui/words/noticetext.h"

#include <QFile>
#include <QStandardPaths>

namespace lockkeeper::app {

namespace {

using namespace std::chrono_literals;

constexpr qsizetype mostRules = 50;
constexpr Milliseconds commandLimit = 10s;
constexpr qint64 largestFile = 1024 * 1024;
// Without --rule.
const auto usualRule = QStringLiteral("diagnosis=any certainty=likely");

Result<std::vector<monitor::NoticeRules>> rulesOf(QStringList texts) {
    if (texts.isEmpty())
        texts << usualRule;
    if (texts.size() > mostRules)
        return usage(CommandLine::tr("at most %1 rules, not %2").arg(mostRules).arg(texts.size()));
    std::vector<monitor::NoticeRules> rules;
    for (const QString& text : texts) {
        const Result<monitor::NoticeRules> one = monitor::noticeRulesFrom(text);
        if (!one)
            return usage(CommandLine::tr("--rule: %1").arg(ui::reasonText(one.error())));
        rules.push_back(*one);
    }
    return rules;
}

Result<QByteArray> contentOf(const QString& option, const QString& value) {
    const Result<QString> path = filePath(value);
    if (!path)
        return path.error();
    QFile file(*path);
    if (const Result<Done> opened = openRegularFile(file); !opened)
        return usage(QStringLiteral("%1: %2").arg(option, ui::errorClause(opened.error())));
    return file.read(largestFile);
}

Result<serve::MessageForm> formOf(const QString& name) {
    if (name.isEmpty())
        return serve::MessageForm();
    if (const auto service = fromWord<serve::ChatService>(name))
        return serve::MessageForm(*service);
    const Result<QByteArray> text = contentOf(QStringLiteral("--template"), name);
    if (!text)
        return text.error();
    const Result<serve::MessageForm> form = serve::MessageForm::fromTemplate(*text);
    return form ? form : usage(CommandLine::tr("--template: %1: %2").arg(name, ui::reasonText(form.error())));
}

Result<QList<QSslCertificate>> authoritiesOf(const QString& file) {
    if (file.isEmpty())
        return QList<QSslCertificate>();
    const Result<QByteArray> pem = contentOf(QStringLiteral("--webhook-ca"), file);
    if (!pem)
        return pem.error();
    QList<QSslCertificate> authorities = QSslCertificate::fromData(*pem, QSsl::Pem);
    if (authorities.isEmpty())
        return usage(CommandLine::tr("--webhook-ca: %1")
                         .arg(ui::reasonText(
                             Error(ErrorCode::InvalidArgument, serve::ServeCause::NoCertificateInFile, {file}))));
    return authorities;
}

using MakeReceiver = std::function<std::unique_ptr<serve::Receiver>(Clock& clock)>;

Result<MakeReceiver> commandReceiver(const QString& text) {
    const QStringList words = serve::commandWords(text);
    if (words.isEmpty())
        return usage(CommandLine::tr("--exec: %1")
                         .arg(ui::reasonText(Error(ErrorCode::InvalidArgument, serve::ServeCause::CommandEmpty))));
    return MakeReceiver(
        [words](Clock& clock) { return std::make_unique<serve::CommandReceiver>(words, commandLimit, clock); });
}

Result<MakeReceiver> webhookReceiver(const NotifyRequest& request) {
    const Result<QUrl> url =
        serve::webhookUrl(request.webhook, request.isInsecure ? serve::PlainHttp::Allowed : serve::PlainHttp::Refused);
    if (!url)
        return usage(ui::reasonText(url.error()));
    const Result<serve::MessageForm> form = formOf(request.formName);
    if (!form)
        return form.error();
    const Result<QList<QSslCertificate>> authorities = authoritiesOf(request.webhookCa);
    if (!authorities)
        return authorities.error();
    const serve::Webhook webhook{*url, *form, request.secret, *authorities};
    return MakeReceiver([webhook](Clock& clock) {
        return std::make_unique<serve::WebhookReceiver>(webhook, messageWords().more, clock);
    });
}

// systemd names the folder of a unit, or several.
QString stateFolderOf(const QString& chosen) {
    if (!chosen.isEmpty())
        return chosen;
    const QString ofUnit = qEnvironmentVariable("STATE_DIRECTORY").section(u':', 0, 0);
    return ofUnit.isEmpty()
               ? QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/notify")
               : ofUnit;
}

QString subjectText(const serve::Case& subject) {
    if (subject.notice)
        return ui::noticeText(*subject.notice, ui::HolderAliases());
    const QString since = isoTime(subject.begunAt);
    return subject.node.isEmpty() ? CommandLine::tr("not watched since %1").arg(since)
                                  : CommandLine::tr("node %1 not watched since %2").arg(subject.node, since);
}

QString eventText(const serve::CaseEvent& event) {
    const QString& target = event.subject.target;
    const QString subject = subjectText(event.subject);
    if (event.phase == serve::NoticeChange::Phase::Ended)
        return CommandLine::tr("%1: ended: %2", "a server, what has ended").arg(target, subject);
    return CommandLine::tr("%1: %2", "a server, what has begun").arg(target, subject);
}

QString summaryText(const serve::Message& message) {
    qint64 ended = message.moreEnded;
    for (const QJsonValue& event : message.events)
        ended += event.toObject().value(QStringLiteral("phase")).toString() == QLatin1String("ended") ? 1 : 0;
    const qint64 begun = message.events.size() + message.moreBegun + message.moreEnded - ended;
    const QString text = CommandLine::tr("Lockkeeper: %1 begun, %2 ended").arg(begun).arg(ended);
    if (message.dropped == 0)
        return text;
    return text + u' ' +
           CommandLine::tr("(%Ln earlier message(s) could not be delivered)", nullptr,
                           static_cast<int>(message.dropped));
}

}  // namespace

Result<NotifyPlan> planOf(const NotifyRequest& request) {
    const Result<std::vector<monitor::NoticeRules>> rules = rulesOf(request.rules);
    if (!rules)
        return rules.error();
    const Result<serve::ServiceLog::Form> log = logForm(request.logFormat, request.logLevel);
    if (!log)
        return log.error();
    const Result<MakeReceiver> receiver =
        request.exec.isEmpty() && !request.webhook.isEmpty() ? webhookReceiver(request) : commandReceiver(request.exec);
    if (!receiver)
        return receiver.error();
    return NotifyPlan{*rules, *log, stateFolderOf(request.stateFolder), *receiver};
}

serve::MessageWords messageWords() {
    return {eventText, summaryText,
            [](qint64 more) { return CommandLine::tr("and %Ln more", nullptr, static_cast<int>(more)); }};
}

}  // namespace lockkeeper::app
