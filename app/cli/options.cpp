// SPDX-License-Identifier: Apache-2.0
#include "app/cli/options.h"

#include <QMap>

#include <algorithm>

namespace lockkeeper::app {

QList<QCommandLineOption> Options::all() const {
    return {demo,
            redisson,
            urlOptions,
            profile,
            readOnly,
            json,
            clients,
            watchFor,
            match,
            prefix,
            semaphores,
            share,
            kind,
            wait,
            lease,
            watchdog,
            fairWait,
            onLost,
            name,
            namePrefix,
            nameSuffix,
            redissonVersion,
            waitFor,
            expirable,
            grace,
            passwordFile,
            passwordFd,
            holder,
            count,
            token,
            reader,
            waiter,
            client,
            withDeadWaiters,
            permit,
            ttl,
            reason,
            yes,
            confirm,
            verify,
            lock,
            since,
            withoutCause,
            dump,
            getDump,
            actuator,
            actuatorUser,
            ssh,
            sudo,
            pid,
            kubectl,
            kubeNamespace,
            container,
            address,
            twice,
            print,
            application,
            stretch,
            record,
            recordLimit,
            mask,
            from,
            to,
            save,
            window,
            screenshot,
            listen,
            webConfig,
            groupBy,
            maxGroups,
            holdBuckets,
            waitBuckets,
            help,
            version,
            springProfile,
            env,
            printUrl,
            zone,
            config,
            url,
            rule,
            webhook,
            webhookFile,
            webhookCa,
            form,
            secretFile,
            secretFd,
            insecure,
            exec,
            state,
            test,
            logFormat,
            logLevel};
}

Error usage(const QString& what) {
    return Error(ErrorCode::InvalidArgument, what);
}

std::optional<std::chrono::milliseconds> secondsOf(const QString& text, double least) {
    constexpr double aYear = 365.0 * 24 * 3600;
    bool ok = false;
    const double seconds = text.toDouble(&ok);
    const bool isInRange = seconds >= least && seconds <= aYear;  // false for NaN
    if (!ok || !isInRange)
        return std::nullopt;
    return std::chrono::milliseconds(qRound64(seconds * 1000));
}

std::optional<Arguments::Face> faceOf(const QString& word) {
    using Face = Arguments::Face;
    static const QMap<QString, Face> faces{
        {QStringLiteral("list"), Face::List},         {QStringLiteral("watch"), Face::Watch},
        {QStringLiteral("lock"), Face::Lock},         {QStringLiteral("semaphore"), Face::Semaphore},
        {QStringLiteral("latch"), Face::Latch},       {QStringLiteral("force-release"), Face::ForceRelease},
        {QStringLiteral("wake"), Face::ForceRelease}, {QStringLiteral("set-ttl"), Face::ForceRelease},
        {QStringLiteral("audit"), Face::Audit},       {QStringLiteral("lab"), Face::Lab},
        {QStringLiteral("replay"), Face::Replay},     {QStringLiteral("check"), Face::Check},
        {QStringLiteral("threads"), Face::Threads},   {QStringLiteral("explain"), Face::Explain},
        {QStringLiteral("exporter"), Face::Exporter}, {QStringLiteral("notify"), Face::Notify}};
    const auto face = faces.constFind(word);
    return face == faces.cend() ? std::nullopt : std::optional(*face);
}

qsizetype separatorIn(const QStringList& arguments) {
    return arguments.indexOf(QStringLiteral("--"));
}

QStringList ownWords(const QStringList& arguments) {
    const qsizetype separator = separatorIn(arguments);
    return separator < 0 ? arguments : arguments.first(separator);
}

std::optional<bool> takesValue(const QString& name) {
    const QList<QCommandLineOption> all = Options().all();
    const auto found =
        std::ranges::find_if(all, [&name](const QCommandLineOption& option) { return option.names().contains(name); });
    return found == all.end() ? std::nullopt : std::optional(!found->valueName().isEmpty());
}

bool parseOptions(QCommandLineParser& parser, const Options& options, const QStringList& arguments) {
    parser.addOptions(options.all());
    return parser.parse(QStringList(QStringLiteral("lockkeeper")) + ownWords(arguments));
}

bool isSynchronizer(Arguments::Face face) {
    return face == Arguments::Face::Semaphore || face == Arguments::Face::Latch;
}

bool isLocking(Arguments::Face face) {
    return face == Arguments::Face::Lock || isSynchronizer(face);
}

bool takesName(Arguments::Face face) {
    return isLocking(face) || face == Arguments::Face::ForceRelease;
}

bool isAnySet(const QCommandLineParser& parser, std::initializer_list<const QCommandLineOption*> some) {
    return std::ranges::any_of(some, [&parser](const QCommandLineOption* option) { return parser.isSet(*option); });
}

}  // namespace lockkeeper::app
