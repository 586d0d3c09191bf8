// SPDX-License-Identifier: Apache-2.0
#include "app/tools/exportercommand.h"

#include "app/cli/commandline.h"
#include "app/cli/connectionwords.h"
#include "app/cli/terminal.h"
#include "app/tools/exporterpage.h"
#include "serve/http/audience.h"
#include "ui/words/causetext.h"

namespace lockkeeper::app {

ExporterCommand::ExporterCommand(Engine& engine, const ExporterRequest& request, ReadAgain readAgain)
    : m_engine(engine),
      m_request(request),
      m_readAgain(std::move(readAgain)),
      m_exporter(engine, m_clock, QByteArrayLiteral(LOCKKEEPER_VERSION), &exporterPage) {
    connect(&m_exporter, &serve::Exporter::targetChanged, this, &ExporterCommand::printChange);
    connect(&m_engine, &Engine::shutDownFinished, this, [this] { Q_EMIT finished(codeOf(m_exitCode)); });
}

std::optional<serve::ExporterSettings> ExporterCommand::settingsOf(const ExporterRequest& request) {
    serve::ExporterSettings settings;
    settings.address = request.address;
    settings.port = request.port;
    settings.figures = request.figures;
    for (const WatchedTarget& target : request.targets)
        settings.targets.push_back({target.name, target.profile, target.isDemo});
    if (request.webConfig.isEmpty())
        return settings;
    const Result<serve::WebConfig> web = serve::readWebConfig(request.webConfig);
    if (!web) {
        complain(QStringLiteral("%1: %2").arg(request.webConfig, ui::reasonText(web.error())));
        return std::nullopt;
    }
    settings.web = *web;
    return settings;
}

void ExporterCommand::start() {
    m_secrets.take(m_request.targets, [this](const QList<WatchedTarget>& targets) {
        ExporterRequest request = m_request;
        request.targets = targets;
        begin(request);
    });
}

void ExporterCommand::begin(const ExporterRequest& request) {
    const std::optional<serve::ExporterSettings> wanted = settingsOf(request);
    if (!wanted)
        return finish(ExitCode::NotReadable);
    if (!apply(*wanted))
        return finish(ExitCode::NotListening);
    m_service.ready();
}

void ExporterCommand::reload() {
    if (m_isFinishing)
        return;
    m_service.reloading();
    const Result<Arguments> arguments = m_readAgain();
    if (!arguments) {
        complain(ui::errorClause(arguments.error()));
        complain(CommandLine::tr("the settings are not changed"));
        return m_service.ready();
    }
    m_secrets.take(arguments->exporter.targets,
                   [this, request = arguments->exporter](const QList<WatchedTarget>& targets) mutable {
                       request.targets = targets;
                       change(request);
                   });
}

void ExporterCommand::change(const ExporterRequest& request) {
    const std::optional<serve::ExporterSettings> wanted = settingsOf(request);
    if (!wanted || !apply(*wanted))
        complain(CommandLine::tr("the settings are not changed"));
    m_service.ready();
}

bool ExporterCommand::apply(const serve::ExporterSettings& settings) {
    if (const Result<Done> applied = m_exporter.apply(settings); !applied) {
        complain(CommandLine::tr("cannot listen on %1 port %2: %3; --listen names another one")
                     .arg(settings.address.toString())
                     .arg(settings.port)
                     .arg(ui::reasonText(applied.error())));
        return false;
    }
    warnIfOpen(settings.web);
    const QHostAddress address = m_exporter.server().address();
    const bool isV6 = address.protocol() == QAbstractSocket::IPv6Protocol;
    complain(CommandLine::tr("metrics are at %1")
                 .arg(QStringLiteral("%1://%2:%3/metrics")
                          .arg(settings.web.tls ? QStringLiteral("https") : QStringLiteral("http"),
                               isV6 ? QStringLiteral("[%1]").arg(address.toString()) : address.toString())
                          .arg(m_exporter.server().port())));
    return true;
}

// Names of locks are not in the metrics by default, but those of servers and groups are.
void ExporterCommand::warnIfOpen(const serve::WebConfig& web) const {
    if (serve::isForOwnMachine(m_exporter.server().address()) || web.isWhole())
        return;
    if (!web.tls && web.users.isEmpty())
        complain(
            CommandLine::tr("everybody who reaches this address can read the metrics, and on the way others can, "
                            "too: give it TLS and passwords by --web-config"));
    else if (!web.tls)
        complain(
            CommandLine::tr("without TLS, passwords and metrics can be read on the way: give it a certificate by "
                            "--web-config"));
    else
        complain(
            CommandLine::tr("everybody who reaches this address can read the metrics: give it passwords by "
                            "--web-config"));
}

// Each change of a target once, not each attempt.
void ExporterCommand::printChange(const QString& target, const ConnectionStatus& status) {
    const bool isTold = status.phase == ConnectionPhase::Connected || status.phase == ConnectionPhase::Failed ||
                        status.phase == ConnectionPhase::Reconnecting;
    if (!isTold || m_isFinishing || m_printed.value(target, ConnectionPhase::Disconnected) == status.phase)
        return;
    m_printed.insert(target, status.phase);
    const QString loss = connectionWords(status);
    complain(QStringLiteral("%1: %2").arg(target, loss.isEmpty() ? CommandLine::tr("connected") : loss));
}

void ExporterCommand::finish(ExitCode code) {
    if (std::exchange(m_isFinishing, true))
        return;
    m_exitCode = code;
    m_secrets.stop();
    m_service.stopping();
    m_engine.shutDown(control::OwnLocksAtExit::Release);
}

}  // namespace lockkeeper::app

#include "moc_exportercommand.cpp"
