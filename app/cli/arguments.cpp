// SPDX-License-Identifier: Apache-2.0
#include "app/cli/arguments.h"

#include "app/cli/auditoptions.h"
#include "app/cli/commandline.h"
#include "app/cli/explainoptions.h"
#include "app/cli/exporteroptions.h"
#include "app/cli/helptext.h"
#include "app/cli/laboptions.h"
#include "app/cli/lockoptions.h"
#include "app/cli/notifyoptions.h"
#include "app/cli/recordingoptions.h"
#include "app/cli/sourceoptions.h"
#include "app/cli/threadsoptions.h"

#include <algorithm>

namespace lockkeeper::app {

namespace {

// wake and set-ttl take the options of force-release, and change something else.
control::ChangeKind changeOf(const QString& word) {
    if (word == QLatin1String("wake"))
        return control::ChangeKind::WakeWaiters;
    return word == QLatin1String("set-ttl") ? control::ChangeKind::SetExpiry : control::ChangeKind::ReleaseLock;
}

Arguments::Face takeFace(QStringList& positional) {
    const std::optional<Arguments::Face> face = faceOf(positional.value(0));
    if (face)
        positional.removeFirst();
    return face.value_or(Arguments::Face::Window);
}

std::optional<Error> takeOptions(Arguments& result, const QCommandLineParser& parser, const Options& options) {
    result.json = parser.isSet(options.json);
    const bool printsLines = result.face == Arguments::Face::List || result.face == Arguments::Face::Watch ||
                             result.face == Arguments::Face::Audit || result.face == Arguments::Face::Lab ||
                             result.face == Arguments::Face::Replay || result.face == Arguments::Face::Check ||
                             result.face == Arguments::Face::Threads || result.face == Arguments::Face::Explain;
    if (result.json && !printsLines)
        return usage(CommandLine::tr("--json goes with list, watch, threads, replay, audit, lab, check or explain"));
    result.areClientsListed = parser.isSet(options.clients);
    if (result.areClientsListed && result.face != Arguments::Face::List)
        return usage(CommandLine::tr("--clients goes with list"));
    if (parser.isSet(options.watchFor)) {
        constexpr double shortest = 0.001;
        result.watchFor = secondsOf(parser.value(options.watchFor), shortest);
        if (!result.watchFor || (result.face != Arguments::Face::Watch && !result.areClientsListed))
            return usage(
                CommandLine::tr("--for takes a number of seconds above 0, and goes with watch, or list --clients"));
    }
    result.screenshotFile = parser.value(options.screenshot);
    if (parser.isSet(options.screenshot) && (result.screenshotFile.isEmpty() || result.face != Arguments::Face::Window))
        return usage(CommandLine::tr("--screenshot takes a file, and goes with the window"));
    return std::nullopt;
}

// Other Qt programs take these options, with one dash or two. With one dash each letter would be an option here.
QString qtAdvice(const QStringList& arguments) {
    static const QStringList options{QStringLiteral("style"),         QStringLiteral("stylesheet"),
                                     QStringLiteral("platform"),      QStringLiteral("geometry"),
                                     QStringLiteral("platformtheme"), QStringLiteral("qmljsdebugger")};
    const auto isOfQt = [](const QString& argument) {
        const qsizetype dashes = argument.startsWith(QStringLiteral("--")) ? 2 : argument.startsWith(u'-') ? 1 : 0;
        return dashes > 0 && options.contains(argument.sliced(dashes).section(u'=', 0, 0));
    };
    if (std::ranges::none_of(arguments, isOfQt))
        return {};
    return CommandLine::tr(
        " Options of Qt, such as -style, are not taken: set QT_QPA_PLATFORM and the like in the environment. The theme is "
        "chosen in the menu View.");
}

Error notParsed(const QCommandLineParser& parser, QStringList words) {
    const QString error = parser.errorText() + qtAdvice(words);
    const bool mayBeName = !parser.unknownOptionNames().isEmpty() && takesName(takeFace(words));
    return usage(mayBeName ? CommandLine::tr("%1 A name that begins with - follows --name").arg(error) : error);
}

}  // namespace

Result<Arguments> Arguments::parse(const QStringList& arguments, const Passwords& fromEnvironment,
                                   const Lookups& lookups) {
    const Options options;
    QCommandLineParser parser;
    if (!parseOptions(parser, options, arguments))
        return notParsed(parser, ownWords(arguments));
    const qsizetype separator = separatorIn(arguments);
    Arguments result;
    if (separator >= 0)
        result.command = arguments.mid(separator + 1);
    if (parser.isSet(options.help))
        result.printInstead = helpText();
    else if (parser.isSet(options.version))
        result.printInstead = QStringLiteral("lockkeeper %1\n").arg(QStringLiteral(LOCKKEEPER_VERSION));
    if (!result.printInstead.isEmpty())
        return result;
    QStringList positional = parser.positionalArguments();
    result.force.kind = changeOf(positional.value(0));
    result.face = takeFace(positional);
    const qsizetype beforeName = parser.isSet(options.redisson) || parser.isSet(options.profile) ? 0 : 1;  // the URL
    if (takesName(result.face) && parser.isSet(options.name))
        result.lockName = LockName(parser.value(options.name).toLocal8Bit());
    else if (result.face == Arguments::Face::ForceRelease && parser.isSet(options.client))
        result.lockName = LockName(parser.value(options.client).toLatin1());  // what is confirmed
    else if (takesName(result.face) && positional.size() > beforeName)
        result.lockName = LockName(positional.takeAt(beforeName).toLocal8Bit());
    if (!isLocking(result.face) && separator >= 0)
        return usage(CommandLine::tr("-- and a command go with lock or semaphore"));
    const QStringList labWords = result.face == Arguments::Face::Lab ? std::exchange(positional, {}) : QStringList();
    if (const std::optional<Error> error = takeLab(result, labWords, parser, options, lookups))
        return *error;
    result.json = parser.isSet(options.json);
    if (const std::optional<Error> error = takeRecording(result, positional, parser, options))
        return *error;
    if (const std::optional<Error> error = takeExplain(result, positional, parser, options))
        return *error;
    if (!isService(result.face) && isAnySet(parser, {&options.logFormat, &options.logLevel}))
        return usage(CommandLine::tr("--log-format and --log-level go with exporter and notify"));
    if (takesConfig(result.face))
        positional += parser.values(options.url);
    else if (isAnySet(parser, {&options.config, &options.url}))
        return usage(CommandLine::tr("--config and --url go with exporter, notify and watch"));
    QStringList behindName;
    while (isSynchronizer(result.face) && positional.size() > beforeName)
        behindName += positional.takeAt(beforeName);
    Passwords passwords = fromEnvironment;
    const Result<QByteArray> password = passwordOf(parser, options, fromEnvironment.server);
    if (!password)
        return password.error();
    passwords.server = *password;
    const bool isExporter = result.face == Arguments::Face::Exporter;
    std::optional<Error> error = takeExporter(result, positional, parser, options, passwords, lookups);
    if (!error && result.face == Arguments::Face::Notify)
        error = takeTargets(result, positional, parser, options, passwords, lookups);
    else if (!error && !isExporter)
        error = takeSource(result, positional, parser, options, passwords, lookups);
    if (!error)
        error = takeOptions(result, parser, options);
    if (!error)
        error = takeLockOptions(result, parser, options);
    if (!error && isSynchronizer(result.face))
        error = takeRequest(result, parser, options, behindName);
    if (!error)
        error = takeForce(result, parser, options);
    if (!error)
        error = takeThreads(result, parser, options, fromEnvironment.actuator);
    if (!error)
        error = takeNotify(result, parser, options);
    if (!error)
        error = takeAudit(result, parser, options);
    if (!error && !isExporter)
        error = takeDiscovery(result, parser, options);
    if (error)
        return *error;
    if (parser.isSet(options.readOnly))
        result.profile.access = redis::AccessMode::ReadOnly;
    return result;
}

}  // namespace lockkeeper::app
