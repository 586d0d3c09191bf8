// SPDX-License-Identifier: Apache-2.0
#include "serve/exporter.h"

#include "metrics/ownfigures.h"
#include "serve/http/acceptedform.h"
#include "serve/http/audience.h"

#include <algorithm>

namespace lockkeeper::serve {

struct Exporter::Target {
    Target(Exporter& exporter, ExportedTarget watched, const metrics::FigureOptions& options)
        : target(std::move(watched)),
          figures(target.name.toUtf8(), options, exporter.m_clock.now()),
          retry(exporter.m_clock, [this, &exporter] { exporter.open(*this); }) {}

    const ExportedTarget target;
    metrics::TargetFigures figures;
    SessionId session = SessionId::None;
    ClockTimer retry;
    Milliseconds pause = firstPause;
};

Exporter::Exporter(Engine& engine, Clock& clock, QByteArray version, Page page)
    : m_engine(engine),
      m_clock(clock),
      m_version(std::move(version)),
      m_page(std::move(page)),
      m_auth(clock),
      m_server([this](const HttpRequest& request, const HttpServer::Answer& answer) { handle(request, answer); },
               clock) {
    m_engine.onReport<ConnectionStatus>(
        this, [this](SessionId session, const ConnectionStatus& status) { onStatus(session, status); });
    m_engine.onReport<BatchReady>(
        this, [this](SessionId session, const BatchReady& ready) { onBatch(session, *ready.batch); });
}

Exporter::~Exporter() = default;

Result<Done> Exporter::apply(const ExporterSettings& settings) {
    const Place wanted{settings.address, settings.port};
    if (m_place != wanted && (m_server.address() != settings.address || m_server.port() != settings.port)) {
        if (const Result<Done> listening = m_server.listen(settings.address, settings.port); !listening)
            return listening.error();
    }
    m_place = wanted;
    m_server.setTls(settings.web.tls);
    m_auth.setUsers(settings.web.users);
    setTargets(settings);
    return Done();
}

// ---- targets ----

void Exporter::setTargets(const ExporterSettings& settings) {
    std::vector<std::unique_ptr<Target>> before = std::exchange(m_targets, {});
    const bool areOtherFigures = std::exchange(m_figures, settings.figures) != settings.figures;
    for (const ExportedTarget& wanted : settings.targets) {
        const auto known =
            std::ranges::find_if(before, [&wanted](const auto& one) { return one && one->target == wanted; });
        if (known != before.end() && !areOtherFigures)
            m_targets.push_back(std::move(*known));
        else
            m_targets.push_back(std::make_unique<Target>(*this, wanted, m_figures));
    }
    for (const auto& ended : before) {
        if (ended && ended->session != SessionId::None)
            m_engine.close(ended->session, control::OwnLocksAtExit::Release);
    }
    for (const auto& target : m_targets) {
        if (target->session == SessionId::None && !target->retry.isRunning())
            open(*target);
    }
}

void Exporter::open(Target& target) {
    if (target.target.isDemo) {
        target.session = m_engine.openDemo(redis::AccessMode::ReadOnly);
        return;
    }
    profile::ConnectionProfile profile = target.target.profile;
    profile.access = redis::AccessMode::ReadOnly;
    target.session = m_engine.open(profile, {});
}

Exporter::Target* Exporter::targetOf(SessionId session) const {
    const auto found =
        std::ranges::find_if(m_targets, [session](const auto& target) { return target->session == session; });
    return found == m_targets.end() ? nullptr : found->get();
}

void Exporter::onStatus(SessionId session, const ConnectionStatus& status) {
    Target* target = targetOf(session);
    if (!target)
        return;
    target->figures.apply(status, m_clock.now());
    if (status.phase == ConnectionPhase::Connected)
        target->pause = firstPause;
    if (status.phase == ConnectionPhase::Failed) {
        // Such a session tries nothing more.
        m_engine.close(std::exchange(target->session, SessionId::None), control::OwnLocksAtExit::Release);
        target->retry.start(target->pause);
        target->pause = std::min(target->pause * 2, longestPause);
    }
    Q_EMIT targetChanged(target->target.name, status);
}

void Exporter::onBatch(SessionId session, const monitor::MonitorBatch& batch) {
    if (Target* target = targetOf(session))
        target->figures.apply(batch, m_clock.now());
}

// ---- requests ----

void Exporter::handle(const HttpRequest& request, const HttpServer::Answer& answer) {
    const QByteArray host = request.header("host");
    if (isForOwnMachine(m_server.address()) && !host.isEmpty() && !isOwnHost(host))
        return answer(plainResponse(HttpStatus::MisdirectedRequest));
    m_auth.check(request.header("authorization"), [this, request, answer](BasicAuth::Verdict verdict) {
        switch (verdict) {
            case BasicAuth::Verdict::Accepted:
                return answer(responseTo(request));
            case BasicAuth::Verdict::Busy:
                return answer(plainResponse(HttpStatus::TooManyRequests));
            case BasicAuth::Verdict::NotPossible:
                return answer(plainResponse(HttpStatus::Unavailable));
            case BasicAuth::Verdict::Refused:
                break;
        }
        HttpResponse refused = plainResponse(HttpStatus::Unauthorized);
        refused.headers.emplace_back("WWW-Authenticate", "Basic realm=\"lockkeeper\", charset=\"UTF-8\"");
        answer(refused);
    });
}

HttpResponse Exporter::responseTo(const HttpRequest& request) const {
    if (request.path == "/metrics") {
        const metrics::TextForm form = acceptedForm(request.header("accept"));
        HttpResponse response;
        response.contentType = contentTypeOf(form);
        response.body = metricsText(form);
        response.headers.emplace_back("Vary", "Accept");
        return response;
    }
    // Whether the exporter works, not whether its targets do: a restart would not help them.
    if (request.path == "/health")
        return plainResponse(HttpStatus::Ok);
    return request.path == "/" ? page() : plainResponse(HttpStatus::NotFound);
}

HttpResponse Exporter::page() const {
    std::vector<TargetState> states;
    for (const auto& target : m_targets)
        states.push_back({target->target.name, target->figures.status(), target->figures.isComplete()});
    HttpResponse response;
    response.contentType = "text/html; charset=utf-8";
    response.body = m_page(states);
    response.headers.emplace_back("Content-Security-Policy",
                                  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
    response.headers.emplace_back("Referrer-Policy", "no-referrer");
    return response;
}

QByteArray Exporter::metricsText(metrics::TextForm form) const {
    using metrics::Labels;
    using metrics::Metric;
    metrics::Samples samples;
    for (const auto& target : m_targets)
        target->figures.write(samples, m_clock.now());
    for (const auto& [status, count] : m_server.answers())
        samples.add(Metric::Requests, Labels().with("code", QByteArray::number(static_cast<int>(status))),
                    static_cast<double>(count));
    samples.add(Metric::RefusedConnections, Labels(), static_cast<double>(m_server.refusedConnections()));
    metrics::writeOwnFigures(samples, m_version);
    return samples.text(form);
}

}  // namespace lockkeeper::serve

#include "moc_exporter.cpp"
