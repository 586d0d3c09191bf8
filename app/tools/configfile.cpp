// SPDX-License-Identifier: Apache-2.0
#include "app/tools/configfile.h"

#include "app/cli/commandline.h"
#include "app/cli/notifyoptions.h"
#include "base/regularfile.h"
#include "serve/optionsfile.h"
#include "ui/words/causetext.h"

#include <QFile>

namespace lockkeeper::app {

namespace {

Result<QStringList> optionsIn(const QString& path) {
    QFile file(path);
    if (const Result<Done> opened = openRegularFile(file); !opened)
        return usage(CommandLine::tr("--config: %1").arg(ui::errorClause(opened.error())));
    const Result<QStringList> options = serve::argumentsOf(file.read(serve::largestOptionsFile + 1));
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

}  // namespace lockkeeper::app
