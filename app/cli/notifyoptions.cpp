// SPDX-License-Identifier: Apache-2.0
#include "app/cli/notifyoptions.h"

#include "app/cli/commandline.h"
#include "app/cli/secretsource.h"

namespace lockkeeper::app {

namespace {

// The webhook may be a secret, so it may come from a file.
std::optional<Error> takeWebhook(NotifyRequest& notify, const QCommandLineParser& parser, const Options& options) {
    const int ways = (parser.isSet(options.webhook) ? 1 : 0) + (parser.isSet(options.webhookFile) ? 1 : 0) +
                     (parser.isSet(options.exec) ? 1 : 0);
    if (ways != 1)
        return usage(
            CommandLine::tr("notify needs one receiver: --webhook URL, --webhook-file FILE or --exec COMMAND"));
    notify.exec = parser.value(options.exec);
    notify.webhook = parser.value(options.webhook).toUtf8();
    if (parser.isSet(options.webhookFile)) {
        const Result<QByteArray> line = firstLineOf(parser.value(options.webhookFile));
        if (!line)
            return line.error();
        notify.webhook = *line;
    }
    if (parser.isSet(options.exec) && isAnySet(parser, {&options.form, &options.secretFile, &options.secretFd,
                                                        &options.webhookCa, &options.insecure}))
        return usage(
            CommandLine::tr("--template, --secret-file, --secret-fd, --webhook-ca and --insecure go with a "
                            "webhook"));
    return std::nullopt;
}

std::optional<Error> takeSecret(NotifyRequest& notify, const QCommandLineParser& parser, const Options& options) {
    if (parser.isSet(options.secretFile) && parser.isSet(options.secretFd))
        return usage(CommandLine::tr("--secret-file or --secret-fd, not both"));
    if (!isAnySet(parser, {&options.secretFile, &options.secretFd}))
        return std::nullopt;
    const Result<QByteArray> secret =
        parser.isSet(options.secretFile) ? firstLineOf(parser.value(options.secretFile))
                                         : firstLineOfFd(QStringLiteral("--secret-fd"), parser.value(options.secretFd));
    if (!secret)
        return secret.error();
    notify.secret = *secret;
    return std::nullopt;
}

}  // namespace

bool isService(Arguments::Face face) {
    return face == Arguments::Face::Notify || face == Arguments::Face::Exporter;
}

bool takesConfig(Arguments::Face face) {
    return isService(face) || face == Arguments::Face::Watch;
}

std::optional<Error> takeNotify(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    if (result.face != Arguments::Face::Notify)
        return isAnySet(parser, {&options.rule, &options.webhook, &options.webhookFile, &options.webhookCa,
                                 &options.form, &options.secretFile, &options.secretFd, &options.insecure,
                                 &options.exec, &options.state, &options.test})
                   ? std::optional(usage(CommandLine::tr("--rule, --webhook, --exec and what belongs to them go with "
                                                         "notify")))
                   : std::nullopt;
    NotifyRequest& notify = result.notify;
    notify.rules = parser.values(options.rule);
    notify.webhookCa = parser.value(options.webhookCa);
    notify.isInsecure = parser.isSet(options.insecure);
    notify.formName = parser.value(options.form);
    notify.stateFolder = parser.value(options.state);
    notify.isTest = parser.isSet(options.test);
    notify.logFormat = parser.value(options.logFormat);
    notify.logLevel = parser.value(options.logLevel);
    if (parser.isSet(options.state) && notify.stateFolder.isEmpty())
        return usage(CommandLine::tr("--state takes a folder"));
    if (const std::optional<Error> error = takeWebhook(notify, parser, options))
        return error;
    return takeSecret(notify, parser, options);
}

}  // namespace lockkeeper::app
