// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/exitcode.h"
#include "base/systemclock.h"
#include "serve/exporter.h"

#include <QHash>

namespace lockkeeper::app {

// `exporter`: watches the servers of the command line until it is ended, and serves their figures to Prometheus.
// Thread: that of the engine's receiver.
class ExporterCommand : public QObject {
    Q_OBJECT
public:
    // request: with the secrets of its saved connections. The engine must outlive it.
    ExporterCommand(Engine& engine, ExporterRequest request, QObject* parent = nullptr);

    // False if it cannot begin: a message was printed, and finished() follows.
    bool start();
    // Other settings while it runs; the files that they name are read again. False if they cannot be used: a message
    // was printed, and the settings before stay.
    bool reload(const ExporterRequest& request);
    void finish(ExitCode code);

Q_SIGNALS:
    void finished(int exitCode);

private:
    // Nothing, after a message, if a file cannot be used.
    [[nodiscard]] static std::optional<serve::ExporterSettings> settingsOf(const ExporterRequest& request);
    // After a message, false.
    [[nodiscard]] bool apply(const serve::ExporterSettings& settings);
    void warnIfOpen(const serve::WebConfig& web) const;
    void printChange(const QString& target, const ConnectionStatus& status);

    Engine& m_engine;
    const ExporterRequest m_request;
    SystemClock m_clock;
    serve::Exporter m_exporter;
    QHash<QString, ConnectionPhase> m_printed;  // by the target: the last state that was printed
    ExitCode m_exitCode = ExitCode::Done;
    bool m_isFinishing = false;
};

}  // namespace lockkeeper::app
