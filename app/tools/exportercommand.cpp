// SPDX-License-Identifier: Apache-2.0
#include "app/tools/exportercommand.h"

#include "app/cli/commandline.h"
#include "app/cli/connectionwords.h"
#include "app/cli/options.h"
#include "app/cli/secretsource.h"
#include "app/cli/terminal.h"
#include "app/tools/exporterpage.h"
#include "app/tools/logform.h"
#include "platform/standarderror.h"
#include "serve/http/audience.h"
#include "ui/words/causetext.h"

#include <algorithm>

namespace lockkeeper::app {

ExporterCommand::ExporterCommand(Engine& engine, const ExporterRequest& request, ReadAgain readAgain)
    : m_engine(engine),
      m_request(request),
      m_readAgain(std::move(readAgain)),
      m_log({}, m_clock, [](const QByteArray& line) { (void)platform::writeToStandardError(line); }),
      m_exporter(engine, m_clock, QByteArrayLiteral(LOCKKEEPER_VERSION), &exporterPage) {
    connect(&m_exporter, &serve::Exporter::targetChanged, this, &ExporterCommand::follow);
    connect(&m_engine, &Engine::shutDownFinished, this, [this] { Q_EMIT finished(codeOf(m_exitCode)); });
}

Result<serve::ExporterSettings> ExporterCommand::settingsOf(const ExporterRequest& request) {
    serve::ExporterSettings settings;
    settings.address = request.address;
    settings.port = request.port;
    settings.figures = request.figures;
    for (const WatchedTarget& target : request.targets)
        settings.targets.push_back({target.name, target.profile, target.isDemo});
    if (request.webConfig.isEmpty())
        return settings;
    const Result<QString> path = filePath(request.webConfig);
    const Result<serve::WebConfig> web =
        path ? serve::readWebConfig(*path, filePath) : Result<serve::WebConfig>(path.error());
    if (!web)
        return usage(QStringLiteral("%1: %2").arg(request.webConfig, ui::reasonText(web.error())));
    settings.web = *web;
    return settings;
}

void ExporterCommand::start() {
    const Result<serve::ServiceLog::Form> form = logForm(m_request.logFormat, m_request.logLevel);
    if (!form) {
        complain(ui::errorClause(form.error()));
        return finish(ExitCode::Usage);
    }
    m_log.setForm(*form);
    m_secrets.take(m_request.targets,
                   [this](const QList<WatchedTarget>& targets, const TargetSecrets::NotRead& notRead) {
                       logNotRead(m_log, notRead);
                       ExporterRequest request = m_request;
                       request.targets = targets;
                       begin(request);
                   });
}

void ExporterCommand::begin(const ExporterRequest& request) {
    const Result<serve::ExporterSettings> wanted = settingsOf(request);
    if (!wanted) {
        complain(ui::errorClause(wanted.error()));
        return finish(ExitCode::NotReadable);
    }
    if (const Result<Done> applied = apply(*wanted); !applied) {
        complain(ui::errorClause(applied.error()));
        return finish(ExitCode::NotListening);
    }
    logApplied("started", *wanted);
    m_service.ready();
}

void ExporterCommand::reload() {
    if (m_isFinishing)
        return;
    m_service.reloading();
    const Result<Arguments> arguments = m_readAgain();
    if (!arguments)
        return keepSettings(ui::errorClause(arguments.error()));
    m_secrets.take(arguments->exporter.targets,
                   [this, request = arguments->exporter](const QList<WatchedTarget>& targets,
                                                         const TargetSecrets::NotRead& notRead) mutable {
                       logNotRead(m_log, notRead);
                       request.targets = targets;
                       change(request);
                   });
}

void ExporterCommand::change(const ExporterRequest& request) {
    const Result<serve::ServiceLog::Form> form = logForm(request.logFormat, request.logLevel);
    if (!form)
        return keepSettings(ui::errorClause(form.error()));
    const Result<serve::ExporterSettings> wanted = settingsOf(request);
    if (!wanted)
        return keepSettings(ui::errorClause(wanted.error()));
    if (const Result<Done> applied = apply(*wanted); !applied)
        return keepSettings(ui::errorClause(applied.error()));
    m_log.setForm(*form);
    logApplied("reloaded", *wanted);
    m_service.ready();
}

void ExporterCommand::keepSettings(const QString& why) {
    m_log.write(serve::LogLevel::Error, "not_reloaded", {{"error", why}});
    m_service.ready();
}

Result<Done> ExporterCommand::apply(const serve::ExporterSettings& settings) {
    const Result<Done> applied = m_exporter.apply(settings);
    if (!applied)
        return usage(CommandLine::tr("cannot listen on %1 port %2: %3; --listen names another one")
                         .arg(settings.address.toString())
                         .arg(settings.port)
                         .arg(ui::reasonText(applied.error())));
    const QHash<QString, Told> before = std::exchange(m_told, {});
    for (const serve::ExportedTarget& target : settings.targets)
        m_told.insert(target.name, before.value(target.name));
    showStatus();
    return Done();
}

void ExporterCommand::logApplied(const char* event, const serve::ExporterSettings& settings) {
    const QHostAddress address = m_exporter.server().address();
    const bool isV6 = address.protocol() == QAbstractSocket::IPv6Protocol;
    const QString url = QStringLiteral("%1://%2:%3/metrics")
                            .arg(settings.web.tls ? QStringLiteral("https") : QStringLiteral("http"),
                                 isV6 ? QStringLiteral("[%1]").arg(address.toString()) : address.toString())
                            .arg(m_exporter.server().port());
    warnIfOpen(settings.web);
    m_log.write(serve::LogLevel::Info, event, {{"targets", QString::number(settings.targets.size())}, {"url", url}});
}

// Names of locks are not in the metrics by default, but those of servers and groups are.
void ExporterCommand::warnIfOpen(const serve::WebConfig& web) const {
    if (serve::isForOwnMachine(m_exporter.server().address()) || web.isWhole())
        return;
    const QString text =
        web.tls ? CommandLine::tr(
                      "everybody who reaches this address can read the metrics: give it passwords by "
                      "--web-config")
        : web.users.isEmpty()
            ? CommandLine::tr(
                  "everybody who reaches this address can read the metrics, and on the way others can, "
                  "too: give it TLS and passwords by --web-config")
            : CommandLine::tr(
                  "without TLS, passwords and metrics can be read on the way: give it a certificate by "
                  "--web-config");
    m_log.write(serve::LogLevel::Warning, "readable_by_others", {{"text", text}});
}

// Each connection, and each problem once until the next connection.
void ExporterCommand::follow(const QString& target, const ConnectionStatus& status) {
    if (m_isFinishing || !m_told.contains(target))
        return;
    Told& told = m_told[target];
    const QString problem = connectionWords(status);
    if (isLive(status) && !told.isLive)
        m_log.write(serve::LogLevel::Info, "connected", {{"target", target}, {"version", status.serverVersion}});
    else if (!problem.isEmpty() && problem != told.problem)
        m_log.write(serve::LogLevel::Warning, "not_connected",
                    {{"target", target}, {"code", wordFor(status.error.value_or(Error()).code)}, {"error", problem}});
    const bool wasLive = std::exchange(told.isLive, isLive(status));
    if (told.isLive)
        told.problem.clear();
    else if (!problem.isEmpty())
        told.problem = problem;
    if (wasLive != told.isLive)
        showStatus();
}

void ExporterCommand::showStatus() {
    const auto live = std::ranges::count_if(m_told, [](const Told& told) { return told.isLive; });
    m_service.setStatus(QStringLiteral("%1 of %2 targets watched").arg(live).arg(m_told.size()));
}

void ExporterCommand::finish(ExitCode code) {
    if (std::exchange(m_isFinishing, true))
        return;
    m_exitCode = code;
    m_secrets.stop();
    m_service.stopping();
    m_log.write(serve::LogLevel::Info, "stopped");
    m_engine.shutDown(control::OwnLocksAtExit::Release);
}

}  // namespace lockkeeper::app

#include "moc_exportercommand.cpp"
