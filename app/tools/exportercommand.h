// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/arguments.h"
#include "app/cli/exitcode.h"
#include "app/tools/targetsecrets.h"
#include "base/systemclock.h"
#include "serve/exporter.h"
#include "serve/service.h"
#include "serve/servicelog.h"

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

    // If it cannot begin, a sentence is printed, and finished() follows.
    void start();
    // SIGHUP: other settings from now on; the files that they name are read again. If they cannot be used, the log
    // says why, and the settings before stay.
    void reload();
    void finish(ExitCode code);

Q_SIGNALS:
    void finished(int exitCode);

private:
    void begin(const ExporterRequest& request);
    void change(const ExporterRequest& request);
    void keepSettings(const QString& why);
    [[nodiscard]] static Result<serve::ExporterSettings> settingsOf(const ExporterRequest& request);
    [[nodiscard]] Result<Done> apply(const serve::ExporterSettings& settings);
    void logApplied(const char* event, const serve::ExporterSettings& settings);
    void warnIfOpen(const serve::WebConfig& web) const;
    void follow(const QString& target, const ConnectionStatus& status);
    void showStatus();

    // What was logged of a target.
    struct Told {
        bool isLive = false;
        QString problem;
    };

    Engine& m_engine;
    const ExporterRequest m_request;
    const ReadAgain m_readAgain;
    SystemClock m_clock;
    serve::ServiceLog m_log;
    TargetSecrets m_secrets{m_clock};
    serve::Service m_service{serve::Service::takeManager(), m_clock};
    serve::Exporter m_exporter;
    QHash<QString, Told> m_told;  // by the names of the present targets
    ExitCode m_exitCode = ExitCode::Done;
    bool m_isFinishing = false;
};

}  // namespace lockkeeper::app
