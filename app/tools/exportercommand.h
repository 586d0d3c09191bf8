// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/exitcode.h"
#include "app/tools/targetsecrets.h"
#include "base/systemclock.h"
#include "serve/exporter.h"
#include "serve/service.h"

#include <QHash>

#include <functional>

namespace lockkeeper::app {

// `exporter`: watches the servers of the command line until it is ended, and serves their figures to Prometheus.
// Thread: main.
class ExporterCommand : public QObject {
    Q_OBJECT
public:
    using ReadAgain = std::function<Result<Arguments>()>;

    // readAgain: the command line with the present content of its file. The engine must outlive it.
    ExporterCommand(Engine& engine, const ExporterRequest& request, ReadAgain readAgain);

    // If it cannot begin, a message is printed, and finished() follows.
    void start();
    // SIGHUP: other settings from now on; the files that they name are read again. If they cannot be used, a message is
    // printed, and the settings before stay.
    void reload();
    void finish(ExitCode code);

Q_SIGNALS:
    void finished(int exitCode);

private:
    void begin(const ExporterRequest& request);
    void change(const ExporterRequest& request);
    // Nothing, after a message, if a file cannot be used.
    [[nodiscard]] static std::optional<serve::ExporterSettings> settingsOf(const ExporterRequest& request);
    // After a message, false.
    [[nodiscard]] bool apply(const serve::ExporterSettings& settings);
    void warnIfOpen(const serve::WebConfig& web) const;
    void printChange(const QString& target, const ConnectionStatus& status);

    Engine& m_engine;
    const ExporterRequest m_request;
    const ReadAgain m_readAgain;
    SystemClock m_clock;
    TargetSecrets m_secrets{m_clock};
    serve::Service m_service{serve::Service::takeManager(), m_clock};
    serve::Exporter m_exporter;
    QHash<QString, ConnectionPhase> m_printed;  // by the target: the last state that was printed
    ExitCode m_exitCode = ExitCode::Done;
    bool m_isFinishing = false;
};

}  // namespace lockkeeper::app
