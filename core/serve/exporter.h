// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clocktimer.h"
#include "engine/engine.h"
#include "metrics/targetfigures.h"
#include "serve/http/basicauth.h"
#include "serve/http/httpserver.h"
#include "serve/http/webconfig.h"

#include <map>
#include <memory>

namespace lockkeeper::serve {

// A deployment that is watched, under the name of its label.
struct ExportedTarget {
    QString name;  // without secrets, and no other target's
    profile::ConnectionProfile profile;
    bool isDemo = false;  // a private server with simulated clients; the profile is not used

    friend bool operator==(const ExportedTarget&, const ExportedTarget&) = default;
};

// All settings of an exporter. A value that can be replaced while it runs.
struct ExporterSettings {
    QHostAddress address = QHostAddress(QHostAddress::LocalHost);
    quint16 port = 0;
    std::vector<ExportedTarget> targets;
    metrics::FigureOptions figures;
    WebConfig web;
};

// What the page of an exporter shows of one target.
struct TargetState {
    QString name;
    ConnectionStatus status;
    bool isComplete = false;
};

// Watches deployments through the engine, and serves what it knows of them at /metrics; a scrape asks no server
// anything. It reads only: each session is opened as ReadOnly and none is ever armed. A server that cannot be reached
// is tried again, with growing pauses. Thread: that of the engine's receiver, which is not the one that watches:
// neither a scrape nor a client that is slow keeps the engine from its work.
class Exporter : public QObject {
    Q_OBJECT
public:
    // The content of the page at /, in HTML.
    using Page = std::function<QByteArray(const std::vector<TargetState>& targets)>;

    static constexpr Milliseconds firstPause{1000};
    static constexpr Milliseconds longestPause{60000};

    // version: of the program. The engine and the clock must outlive it.
    Exporter(Engine& engine, Clock& clock, QByteArray version, Page page);
    ~Exporter() override;

    // Takes the settings in place of those before: targets that stay are watched on, unless their figures are made of
    // other options. Errors: as HttpServer::listen(); the settings before then stay.
    [[nodiscard]] Result<Done> apply(const ExporterSettings& settings);

    [[nodiscard]] const HttpServer& server() const noexcept { return m_server; }
    [[nodiscard]] QByteArray metricsText(metrics::TextForm form) const;

Q_SIGNALS:
    // Also while the target stays in the same phase.
    void targetChanged(const QString& name, const lockkeeper::ConnectionStatus& status);

private:
    struct Target;
    using Place = std::pair<QHostAddress, quint16>;

    void handle(const HttpRequest& request, const HttpServer::Answer& answer);
    [[nodiscard]] HttpResponse responseTo(const HttpRequest& request) const;
    [[nodiscard]] HttpResponse page() const;
    void setTargets(const ExporterSettings& settings);
    void open(Target& target);
    void onStatus(SessionId session, const ConnectionStatus& status);
    void onBatch(SessionId session, const monitor::MonitorBatch& batch);
    [[nodiscard]] Target* targetOf(SessionId session) const;

    Engine& m_engine;
    Clock& m_clock;
    const QByteArray m_version;
    const Page m_page;
    std::optional<Place> m_place;  // the wanted address; of port 0 the system has chosen one
    BasicAuth m_auth;
    HttpServer m_server;
    metrics::FigureOptions m_figures;
    std::vector<std::unique_ptr<Target>> m_targets;
};

}  // namespace lockkeeper::serve
