// SPDX-License-Identifier: Apache-2.0
#include "app/tools/exporterpage.h"

#include "app/cli/commandline.h"
#include "app/cli/connectionwords.h"

namespace lockkeeper::app {

namespace {

QString stateText(const serve::TargetState& target) {
    if (const QString loss = connectionWords(target.status); !loss.isEmpty())
        return loss;
    if (!isLive(target.status))
        return CommandLine::tr("connecting");
    return target.isComplete
               ? CommandLine::tr("watched")
               : CommandLine::tr("watched in part: a server is missing, or was not yet searched for locks");
}

QString cell(const QString& text) {
    return QStringLiteral("<td>%1</td>").arg(text.toHtmlEscaped());
}

}  // namespace

QByteArray exporterPage(const std::vector<serve::TargetState>& targets) {
    QString rows;
    for (const serve::TargetState& target : targets)
        rows += QStringLiteral("<tr>%1%2%3</tr>\n")
                    .arg(cell(target.name), cell(target.status.serverVersion), cell(stateText(target)));
    const QString head = QStringLiteral("<tr><th>%1</th><th>%2</th><th>%3</th></tr>\n")
                             .arg(CommandLine::tr("Target").toHtmlEscaped(), CommandLine::tr("Version").toHtmlEscaped(),
                                  CommandLine::tr("State").toHtmlEscaped());
    return QStringLiteral(
               "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>%1</title>"
               "<style>body{font-family:sans-serif;margin:2em}td,th{padding:.3em 1em;text-align:left}"
               "</style></head>\n<body><h1>%1</h1>\n<p>%2</p>\n<table>\n%3%4</table>\n"
               "<p><a href=\"/metrics\">/metrics</a> <a href=\"/health\">/health</a></p>\n"
               "</body></html>\n")
        .arg(QStringLiteral("lockkeeper exporter %1").arg(QStringLiteral(LOCKKEEPER_VERSION)),
             CommandLine::tr("Locks of Redisson, for Prometheus.").toHtmlEscaped(), head, rows)
        .toUtf8();
}

}  // namespace lockkeeper::app
