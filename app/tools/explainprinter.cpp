// SPDX-License-Identifier: Apache-2.0
#include "app/tools/explainprinter.h"

#include "app/cli/commandline.h"
#include "app/cli/terminal.h"
#include "monitor/analyse/explain/errorreader.h"
#include "monitor/format/explainjson.h"
#include "platform/standardoutput.h"
#include "platform/terminalinput.h"
#include "ui/words/explaintext.h"
#include "ui/words/lookupwords.h"
#include "ui/words/timetext.h"

#include <QDateTime>
#include <QFile>
#include <QSettings>

namespace lockkeeper::app {

namespace {

constexpr size_t holdsPrinted = 5;

bool isStandardInput(const QString& path) {
    return path.isEmpty() || path == QLatin1String("-");
}

QString timeText(WallTime at, const QTimeZone& zone) {
    const auto sinceEpoch = std::chrono::floor<Milliseconds>(at.time_since_epoch());
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(sinceEpoch.count(), zone);
    return time.toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz ")) + QString::fromLatin1(zone.id());
}

class Printer {
public:
    Printer(const QTimeZone& zone, Arguments::Source source, const locks::NameMapper& mapper)
        : m_zone(zone),
          m_source(source),
          m_names(mapper),
          m_clock([zone](WallTime at) { return timeText(at, zone); }) {}

    QStringList lines(const monitor::ErrorReport& report, const std::vector<monitor::ErrorState>& states) const {
        QStringList all;
        for (size_t i = 0; i < report.findings.size(); ++i)
            all << linesOf(i + 1, report.findings[i], states[i]) << QString();
        all << ui::reportLines(report);
        const QString zone = ui::zoneText(report, QString::fromLatin1(m_zone.id()));
        if (!zone.isEmpty())
            all << zone;
        if (!report.findings.empty() && m_source == Arguments::Source::None)
            all << CommandLine::tr(
                "With the URL of the server, explain also reads these locks now: lockkeeper explain URL FILE");
        return all;
    }

private:
    QStringList linesOf(size_t number, const monitor::ErrorFinding& finding, const monitor::ErrorState& state) const {
        QStringList all;
        all << QStringLiteral("%1. %2").arg(number).arg(ui::findingTitle(finding, m_aliases));
        const QStringList parts = ui::findingSubjects(finding, m_clock, m_aliases) + ui::findingExplanation(finding) +
                                  ui::presentLines(finding, state, m_aliases, m_names) + pastLines(state) +
                                  QStringList{ui::findingCertainty(finding)};
        for (const QString& part : parts)
            all << QStringLiteral("   ") + part;
        all << QStringLiteral("   > ") + finding.excerpt;
        return all;
    }

    QStringList pastLines(const monitor::ErrorState& state) const {
        if (!state.past)
            return {};
        QStringList all{CommandLine::tr("History: %1").arg(ui::lookupHeadline(*state.past, {}))};
        for (size_t i = 0; i < std::min(holdsPrinted, state.past->holds.size()); ++i)
            all << QStringLiteral("  ") + holdText(state.past->holds[i]);
        return all;
    }

    QString holdText(const monitor::PastHold& hold) const {
        const QString to = hold.isOpen() ? QString() : m_clock(hold.to);
        return CommandLine::tr("%1 by %2: from %3 to %4, %5", "a lock, its holder, times, how the hold ended")
            .arg(m_names.shown(hold.lock), hold.holder.id.display(), m_clock(hold.from), to, ui::holdEndText(hold.end));
    }

    const QTimeZone m_zone;
    const Arguments::Source m_source;
    const ui::ProgramNames m_names;
    const ui::WriteTime m_clock;
    const ui::HolderAliases m_aliases = ui::HolderAliases::load(QSettings());
};

QByteArray jsonOf(const monitor::ErrorReport& report, const std::vector<monitor::ErrorState>& states) {
    QByteArray lines;
    for (size_t i = 0; i < report.findings.size(); ++i)
        lines += jsonForTerminal(monitor::toJsonLine(report.findings[i], states[i])) + '\n';
    return lines + jsonForTerminal(monitor::toJsonLine(report)) + '\n';
}

}  // namespace

Result<monitor::ErrorReport> readErrors(const QString& path, const QTimeZone& zone) {
    QFile file(path);
    const bool isInput = isStandardInput(path);
    const QString name = isInput ? CommandLine::tr("the standard input") : path;
    if (isInput && platform::isInputTerminal())
        complain(CommandLine::tr("paste the text of the error, then press Ctrl+D in a line of its own"));
    const bool isOpen = isInput ? file.open(stdin, QIODevice::ReadOnly | QIODevice::Unbuffered)
                                : file.open(QIODevice::ReadOnly | QIODevice::Unbuffered);
    if (!isOpen)
        return Error(ErrorCode::Storage, Cause::FileNotRead, {name, file.errorString()});
    return monitor::readErrors(file, name, zone);
}

ExitCode printExplanation(const Arguments& arguments, const monitor::ErrorReport& report,
                          const std::vector<monitor::ErrorState>& states, const std::function<bool()>& isToEnd) {
    QByteArray text;
    if (arguments.json) {
        text = jsonOf(report, states);
    } else {
        for (const QString& line :
             Printer(arguments.zone, arguments.source, arguments.profile.locks.names).lines(report, states))
            text += textForTerminal(line) + '\n';
    }
    if (platform::writeToStandardOutput(text, isToEnd) == platform::Written::Failed) {
        complain(CommandLine::tr("the output cannot be written: %1").arg(qt_error_string()));
        return ExitCode::OutputFailed;
    }
    return report.findings.empty() ? ExitCode::NothingFound : ExitCode::Done;
}

}  // namespace lockkeeper::app
