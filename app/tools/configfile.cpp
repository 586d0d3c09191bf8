// SPDX-License-Identifier: Apache-2.0
#include "app/tools/configfile.h"

#include "app/cli/commandline.h"
#include "app/cli/notifyoptions.h"
#include "app/cli/options.h"
#include "app/cli/secretsource.h"
#include "base/regularfile.h"
#include "serve/optionsfile.h"
#include "ui/words/causetext.h"

#include <QFile>
#include <QFileInfo>

namespace lockkeeper::app {

namespace {

Result<QStringList> optionsIn(const QString& path) {
    if (path.isEmpty())
        return usage(CommandLine::tr("--config takes the name of a file"));
    QFile file(path);
    if (const Result<Done> opened = openRegularFile(file); !opened)
        return usage(CommandLine::tr("--config: %1").arg(ui::errorClause(opened.error())));
    const Result<QStringList> options = serve::argumentsOf(file.read(serve::largestOptionsFile + 1), takesValue);
    if (!options)
        return usage(QStringLiteral("%1: %2").arg(path, ui::reasonText(options.error())));
    return options;
}

}  // namespace

Result<QStringList> withConfigFile(const QStringList& words) {
    static const QString option = QStringLiteral("--config");
    const std::optional<Arguments::Face> face = faceOf(words.value(0));
    if (!face || !takesConfig(*face))
        return words;  // the option is refused where the others are
    QStringList rest = words.mid(1);
    QStringList fromFile;
    for (qsizetype place = 0; place < rest.size();) {
        const bool isSeparate = rest.at(place) == option && place + 1 < rest.size();
        if (!isSeparate && !rest.at(place).startsWith(option + u'=')) {
            ++place;
            continue;
        }
        const QString path = isSeparate ? rest.at(place + 1) : rest.at(place).sliced(option.size() + 1);
        const Result<QStringList> options = optionsIn(path);
        if (!options)
            return options.error();
        fromFile += *options;
        rest.remove(place, isSeparate ? 2 : 1);
    }
    return QStringList{words.first()} + fromFile + rest;
}

Result<QStringList> withConfigFileAgain(const QStringList& words) {
    Result<QStringList> whole = withConfigFile(words);
    const Options options;
    QCommandLineParser parser;
    if (!whole || !parseOptions(parser, options, *whole))
        return whole;  // parsed once more, what is wrong is said
    for (const QCommandLineOption* option : {&options.passwordFd, &options.secretFd}) {
        if (parser.isSet(*option))
            return usage(CommandLine::tr("--%1 can be read once only, at the start: restart the program")
                             .arg(option->names().constFirst()));
    }
    for (const QCommandLineOption* option : {&options.passwordFile, &options.secretFile, &options.webhookFile}) {
        const Result<QString> path = filePath(parser.value(*option));
        const QFileInfo file(path ? *path : QString());
        if (parser.isSet(*option) && file.exists() && !file.isFile())
            return usage(CommandLine::tr("--%1: %2 is no file that can be read again: restart the program")
                             .arg(option->names().constFirst(), parser.value(*option)));
    }
    return whole;
}

}  // namespace lockkeeper::app
