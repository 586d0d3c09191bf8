// SPDX-License-Identifier: Apache-2.0
#include "serve/notifier.h"

#include "base/safetext.h"
#include "profile/wholefile.h"
#include "serve/servecause.h"

#include <QDir>

#include <algorithm>

namespace lockkeeper::serve {

namespace {

using namespace std::chrono_literals;

constexpr Milliseconds firstReopening = 1s;
constexpr Milliseconds longestReopening = 60s;
constexpr Milliseconds patienceAtEnd = 5s;
constexpr Milliseconds diagnosisPatience = 60s;       // most need two missed renewals of 30 s at most
constexpr qsizetype largestCases = 64 * 1024 * 1024;  // bytes
const auto casesName = QStringLiteral("/cases.jsonl");

QString numberOf(qint64 number) {
    return QString::number(number);
}

}  // namespace

Notifier::Notifier(Parts parts, MessageWords words, const QString& stateFolder, QObject* parent)
    : QObject(parent),
      m_engine(parts.engine),
      m_clock(parts.clock),
      m_log(parts.log),
      m_service(parts.service),
      m_words(std::move(words)),
      m_folder(stateFolder),
      m_lock(stateFolder + QStringLiteral("/lock")),
      m_queue(stateFolder + QStringLiteral("/queue")),
      m_sender(m_queue, m_clock, std::move(parts.share), [this](const SenderEvent& event) { onSender(event); }),
      m_due(m_clock, [this] { work(); }),
      m_patience(m_clock, [this] { shutDown(); }) {
    m_engine.onReport<ConnectionStatus>(
        this, [this](SessionId session, const ConnectionStatus& status) { onStatus(session, status); });
    m_engine.onReport<BatchReady>(this, [this](SessionId session, const BatchReady& ready) {
        Watched* watched = watchedOf(session);
        if (!watched || m_isStopping)
            return;
        watched->watch.apply(*ready.batch, m_clock.now(), m_clock.wallNow());
        work();
    });
    connect(&m_engine, &Engine::shutDownFinished, this, &Notifier::finished);
}

Notifier::~Notifier() = default;

Result<Done> Notifier::open() {
    constexpr QFile::Permissions ownersOnly = QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner;
    QDir().mkpath(QFileInfo(m_folder).path());
    if (!QDir(m_folder).exists() && !QDir().mkdir(m_folder, ownersOnly))
        return Error(ErrorCode::Storage, Cause::FolderNotMade, {m_folder});
    if (!m_lock.acquire(0ms))
        return Error(ErrorCode::Storage, ServeCause::StateInUse, {m_folder});
    if (const Result<Done> opened = m_queue.open(); !opened)
        return opened;
    for (const QString& path : m_queue.damaged())
        m_log.write(LogLevel::Error, "message_damaged", {{"file", path}});
    const Result<std::optional<QByteArray>> cases = profile::readWholeFile(m_folder + casesName, largestCases);
    if (!cases)
        return cases.error();
    m_cases.read(cases->value_or(QByteArray()));
    // The messages were written before the cases.
    for (const MessageQueue::Waiting& waiting : m_queue.waiting()) {
        for (const QJsonValue& event : waiting.message.events) {
            if (const std::optional<CaseEvent> restored = caseEventFrom(event.toObject()))
                m_cases.restore(*restored);
        }
    }
    m_log.write(LogLevel::Info, "state_read",
                {{"folder", m_folder},
                 {"open_cases", numberOf(m_cases.count())},
                 {"waiting_messages", numberOf(static_cast<qint64>(m_queue.count()))}});
    return Done();
}

void Notifier::apply(const NotifierSettings& settings, std::unique_ptr<Receiver> receiver) {
    const bool areOtherRules = settings.rules != m_settings.rules;
    removeTargets(settings.targets);
    m_settings = settings;
    for (const std::unique_ptr<Watched>& watched : m_targets) {
        if (areOtherRules)
            watched->watch.setRules(settings.rules);
    }
    for (const Target& target : settings.targets) {
        if (std::ranges::any_of(m_targets, [&](const auto& watched) { return watched->target == target; }))
            continue;
        m_targets.push_back(
            std::make_unique<Watched>(target, m_clock, [this](Watched& watched) { openSession(watched); }));
        Watched& watched = *m_targets.back();
        watched.watch.setRules(settings.rules);
        openSession(watched);
    }
    m_sender.setReceiver(std::move(receiver));
    work();
    showStatus();
}

void Notifier::removeTargets(const std::vector<Target>& kept) {
    std::erase_if(m_targets, [&](const std::unique_ptr<Watched>& watched) {
        if (std::ranges::find(kept, watched->target) != kept.end())
            return false;
        m_engine.close(watched->session, control::OwnLocksAtExit::Release);
        return true;
    });
    for (const QString& name : m_cases.targets()) {
        if (std::ranges::any_of(kept, [&name](const Target& target) { return target.name == name; }))
            continue;
        for (const CaseEvent& event : m_cases.endAll(name, m_clock.wallNow()))
            add(event, m_clock.now());
    }
}

void Notifier::openSession(Watched& watched) {
    profile::ConnectionProfile profile = watched.target.profile;
    profile.access = redis::AccessMode::ReadOnly;
    watched.session = m_engine.open(profile, {});
}

Notifier::Watched* Notifier::watchedOf(SessionId session) {
    const auto found = std::ranges::find(m_targets, session, [](const auto& watched) { return watched->session; });
    return found == m_targets.end() ? nullptr : found->get();
}

void Notifier::onStatus(SessionId session, const ConnectionStatus& status) {
    Watched* watched = watchedOf(session);
    if (!watched || m_isStopping)
        return;
    logStatus(*watched, status);
    watched->watch.setStatus(status, m_clock.now(), m_clock.wallNow());
    if (status.phase == ConnectionPhase::Connected)
        watched->failures = 0;
    if (status.phase == ConnectionPhase::Failed)
        reopenLater(*watched);
    showStatus();
    work();
}

// Each problem once, until the next connection.
void Notifier::logStatus(Watched& watched, const ConnectionStatus& status) {
    const QString target = watched.target.name;
    if (status.phase == ConnectionPhase::Connected && !status.watchesNothing) {
        if (!watched.watch.isLive())
            m_log.write(LogLevel::Info, "connected", {{"target", target}, {"version", status.serverVersion}});
        if (!watched.watch.isLive() && status.isClusterNode)
            m_log.write(LogLevel::Warning, "one_node_of_a_cluster", {{"target", target}});
        watched.lastProblem.clear();
        return;
    }
    const QString problem = status.error ? status.error->text : QString();
    if (!status.error || problem == watched.lastProblem)
        return;
    watched.lastProblem = problem;
    m_log.write(LogLevel::Warning, "not_connected",
                {{"target", target}, {"code", wordFor(status.error->code)}, {"error", problem}});
}

// A session whose first connection fails does not try again by itself.
void Notifier::reopenLater(Watched& watched) {
    m_engine.close(std::exchange(watched.session, SessionId::None), control::OwnLocksAtExit::Release);
    constexpr int mostDoublings = 6;
    const Milliseconds pause =
        std::min(longestReopening, firstReopening * (1 << std::min(watched.failures++, mostDoublings)));
    watched.again.start(pause);
}

void Notifier::work() {
    if (m_isStopping)
        return;
    const SteadyTime now = m_clock.now();
    std::optional<SteadyTime> next;
    for (const std::unique_ptr<Watched>& watched : m_targets) {
        take(*watched, now, m_clock.wallNow());
        if (const std::optional<SteadyTime> due = watched->watch.nextDue())
            next = std::min(*due, next.value_or(*due));
        if (watched->hasUnconfirmed && watched->confirmedBy && watched->watch.isWhole())
            next = std::min(*watched->confirmedBy, next.value_or(*watched->confirmedBy));
    }
    m_gathering.addCount(m_cases.takeNotKept(), now);
    if (const std::optional<Gathered> gathered = m_gathering.take(now))
        send(*gathered);
    if (const std::optional<SteadyTime> due = m_gathering.nextDue())
        next = std::min(*due, next.value_or(*due));
    if (next)
        m_due.start(*next);
    else
        m_due.stop();
}

void Notifier::take(Watched& watched, SteadyTime now, WallTime wall) {
    TargetWatch& watch = watched.watch;
    if (watch.takeReset()) {
        m_cases.unconfirm(watched.target.name);
        watched.hasUnconfirmed = true;
        watched.confirmedBy.reset();
    }
    for (const TargetChange& change : watch.take(now, wall)) {
        switch (change.phase) {
            case NoticeChange::Phase::Begun:
                add(m_cases.begin(change.subject, wall), now);
                break;
            case NoticeChange::Phase::Ended:
                add(m_cases.end(change.subject, wall), now);
                break;
            case NoticeChange::Phase::Happened:
                add(m_cases.happen(change.subject, wall), now);
                break;
        }
    }
    if (watched.hasUnconfirmed && watch.isWhole())
        endUnseen(watched, now, wall);
}

void Notifier::endUnseen(Watched& watched, SteadyTime now, WallTime wall) {
    if (watched.confirmedBy) {
        if (now < *watched.confirmedBy)
            return;
        watched.hasUnconfirmed = false;
        for (const CaseEvent& event : m_cases.endUnconfirmed(watched.target.name, wall))
            add(event, now);
        return;
    }
    watched.hasUnconfirmed = false;
    for (const Case& subject : m_cases.unconfirmed(watched.target.name)) {
        switch (watched.watch.standingOf(subject)) {
            case TargetWatch::Standing::GoesOn:
                m_cases.confirm(subject);
                break;
            case TargetWatch::Standing::Ended:
                add(m_cases.endUnseen(subject, wall), now);
                break;
            case TargetWatch::Standing::NotClear:
                watched.hasUnconfirmed = true;
                watched.confirmedBy = now + diagnosisPatience;
                break;
        }
    }
}

void Notifier::add(const std::optional<CaseEvent>& event, SteadyTime now) {
    if (!event)
        return;
    m_gathering.add(*event, now);
    m_log.write(LogLevel::Debug, "case", {{"id", QString::fromLatin1(event->id())}, {"text", m_words.event(*event)}});
}

// The messages first: after a crash between both, their events are read from them.
void Notifier::send(const Gathered& gathered) {
    const Message message = messageOf(gathered, m_clock.wallNow(), m_queue.takeDropped(), m_words);
    const Result<Done> added = m_queue.add(message);
    m_log.write(LogLevel::Info, "message_queued",
                {{"id", QString::fromLatin1(message.id)},
                 {"events", numberOf(message.events.size() + message.moreBegun + message.moreEnded)},
                 {"waiting", numberOf(static_cast<qint64>(m_queue.count()))}});
    if (!added)
        m_log.write(LogLevel::Error,
                    added.error().code == ErrorCode::Overloaded ? "queue_full" : "message_in_memory_only",
                    {{"error", added.error().text}});
    saveCases();
    m_sender.work();
    showStatus();
}

void Notifier::saveCases() {
    if (!m_cases.takeChanged() && !m_isDiskFull)
        return;
    const Result<Done> saved = profile::writeWholeFile(m_folder + casesName, m_cases.lines());
    if (std::exchange(m_isDiskFull, !saved) != saved.ok())
        return;  // as before
    if (saved)
        m_log.write(LogLevel::Info, "state_written_again");
    else
        m_log.write(LogLevel::Error, "state_not_written", {{"error", saved.error().text}});
}

void Notifier::onSender(const SenderEvent& event) {
    std::vector<LogField> fields{{"id", QString::fromLatin1(event.message)}, {"attempt", numberOf(event.attempt)}};
    if (event.error)
        fields.push_back({"error", event.error->text});
    switch (event.kind) {
        case SenderEvent::Kind::Sent:
            m_log.write(LogLevel::Info, "message_sent", fields);
            break;
        case SenderEvent::Kind::Failed:
            fields.push_back({"next_attempt_ms", numberOf(event.pause.count())});
            m_log.write(LogLevel::Warning, "message_not_sent", fields);
            break;
        case SenderEvent::Kind::GivenUp:
            m_log.write(LogLevel::Error, "message_given_up", fields);
            break;
    }
    if (!m_isStopping)
        return showStatus();
    // The sender has still to remove the message.
    m_patience.start(0ms);
}

void Notifier::showStatus() {
    const auto live = std::ranges::count_if(m_targets, [](const auto& watched) { return watched->watch.isLive(); });
    m_service.setStatus(QStringLiteral("%1 of %2 targets watched, %3 cases open, %4 messages wait")
                            .arg(live)
                            .arg(m_targets.size())
                            .arg(m_cases.count())
                            .arg(m_queue.count()));
}

void Notifier::stop() {
    if (std::exchange(m_isStopping, true))
        return;
    m_service.stopping();
    m_due.stop();
    for (const std::unique_ptr<Watched>& watched : m_targets)
        watched->again.stop();
    m_sender.stop();
    if (const std::optional<Gathered> gathered = m_gathering.takeAll())
        send(*gathered);
    saveCases();
    if (m_sender.isDelivering())
        m_patience.start(patienceAtEnd);
    else
        shutDown();
}

void Notifier::shutDown() {
    if (std::exchange(m_isShutDown, true))
        return;
    m_log.write(LogLevel::Info, "stopped", {{"waiting_messages", numberOf(static_cast<qint64>(m_queue.count()))}});
    m_engine.shutDown(control::OwnLocksAtExit::Release);
}

}  // namespace lockkeeper::serve

#include "serve/moc_notifier.cpp"
