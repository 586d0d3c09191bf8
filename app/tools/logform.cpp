// SPDX-License-Identifier: Apache-2.0
#include "app/tools/logform.h"

#include "app/cli/commandline.h"
#include "app/cli/options.h"
#include "base/fromword.h"
#include "platform/standarderror.h"
#include "ui/words/causetext.h"

namespace lockkeeper::app {

Result<serve::ServiceLog::Form> logForm(const QString& format, const QString& level) {
    serve::ServiceLog::Form form;
    form.receiver = platform::isStandardErrorJournal() ? serve::LogReceiver::Journal : serve::LogReceiver::Terminal;
    const auto chosenFormat = fromWord<serve::LogForm>(format);
    const auto chosenLevel = fromWord<serve::LogLevel>(level);
    if (!chosenFormat && !format.isEmpty())
        return usage(CommandLine::tr("--log-format is logfmt or json"));
    if (!chosenLevel && !level.isEmpty())
        return usage(CommandLine::tr("--log-level is debug, info, warning or error"));
    form.form = chosenFormat.value_or(form.form);
    form.least = chosenLevel.value_or(form.least);
    return form;
}

void logNotRead(const serve::ServiceLog& log, const QHash<QString, Error>& notRead) {
    for (auto one = notRead.cbegin(); one != notRead.cend(); ++one)
        log.write(serve::LogLevel::Warning, "keychain_not_read",
                  {{"target", one.key()}, {"error", ui::errorClause(one.value())}});
}

}  // namespace lockkeeper::app
