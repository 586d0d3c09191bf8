// SPDX-License-Identifier: Apache-2.0
#include "ui/events/lookup/lookupcontroller.h"

#include "monitor/analyse/explain/errorreader.h"
#include "ui/events/log/eventlogmodel.h"
#include "ui/events/lookup/lookupinput.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/words/causetext.h"

#include <QClipboard>
#include <QFile>
#include <QGuiApplication>

namespace lockkeeper::ui {

namespace {

constexpr qsizetype atOnce = 256 * 1024;  // characters

// The zone of times that name none.
QTimeZone ownZone() {
    return QTimeZone::systemTimeZone();
}

monitor::ErrorReport errorsInText(const QString& text) {
    monitor::ErrorReader reader(ownZone());
    for (qsizetype from = 0; from < text.size(); from += atOnce)
        reader.feed(QStringView(text).sliced(from, std::min(atOnce, text.size() - from)).toUtf8());
    return reader.finish();
}

Result<monitor::ErrorReport> errorsInFile(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return Error(ErrorCode::Storage, Cause::FileNotRead, {path, file.errorString()});
    return monitor::readErrors(file, path, ownZone());
}

}  // namespace

LookupController::LookupController(Engine& engine, const LockTableModel& locks, const EventLogModel& log,
                                   const ViewTime& time, QWidget& window)
    : QObject(&window), m_engine(engine), m_locks(locks), m_log(log), m_time(time), m_window(window) {
    connect(&m_engine, &Engine::historyRead, this, &LookupController::answer);
}

void LookupController::open() {
    if (!m_dialog) {
        makeDialog();
        const QString pasted = QGuiApplication::clipboard()->text();
        // A large text is searched on another thread; its begin says whether it is of interest.
        if (!monitor::readLookupText(pasted.left(LookupInput::longestInserted)).subjects.isEmpty())
            m_dialog->setText(pasted);
    }
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

void LookupController::makeDialog() {
    m_dialog = new LookupDialog(m_time, &m_window);
    m_dialog->setObjectName(QStringLiteral("lookupDialog"));
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_dialog->setKnowledge(m_knowledge);
    connect(m_dialog, &LookupDialog::subjectWanted, this, &LookupController::ask);
    connect(m_dialog, &LookupDialog::lockChosen, this, &LookupController::lockChosen);
    connect(m_dialog, &LookupDialog::textEntered, this, &LookupController::explainText);
    connect(m_dialog, &LookupDialog::fileChosen, this, &LookupController::explainFile);
    m_dialog->setServer(m_server.isEmpty() ? LookupDialog::Server::Missing : LookupDialog::Server::Known);
}

void LookupController::setStatus(const ConnectionStatus& status) {
    if (status.server.isEmpty() || status.server == m_server)
        return;
    m_server = status.server;
    m_profile = status.profile;
    if (m_dialog)
        m_dialog->setServer(LookupDialog::Server::Known);
}

void LookupController::setKnowledge(const HolderKnowledge& knowledge) {
    m_knowledge = knowledge;
    if (m_dialog)
        m_dialog->setKnowledge(knowledge);
}

// A text or a file of any size is searched on the thread for files.
void LookupController::explainText(const QString& text) {
    const auto search = [text]() -> Result<monitor::ErrorReport> { return errorsInText(text); };
    onAnswer(m_engine.files().run<Result<monitor::ErrorReport>>(search), this,
             [this, number = ++m_search](const Result<monitor::ErrorReport>& report) { showErrors(number, report); });
}

void LookupController::explainFile(const QString& path) {
    const auto search = [path] { return errorsInFile(path); };
    onAnswer(m_engine.files().run<Result<monitor::ErrorReport>>(search), this,
             [this, number = ++m_search](const Result<monitor::ErrorReport>& report) { showErrors(number, report); });
}

void LookupController::showErrors(quint64 search, const Result<monitor::ErrorReport>& report) {
    if (!m_dialog || search != m_search)
        return;
    if (report)
        m_dialog->showErrors(*report, QString::fromLatin1(ownZone().id()));
    else
        m_dialog->showUnreadable(reasonText(report.error()));
}

void LookupController::ask(const monitor::LookupSubject& subject) {
    m_subject = subject;
    // Somebody who knows the program types its name for the lock.
    if (auto* name = std::get_if<LockName>(&m_subject->whom); name && !m_locks.find(*name))
        *name = m_knowledge.names.keyOf(*name);
    history::HistoryQuery query;
    query.profile = m_profile;
    if (const std::optional<ClientId> client = subject.client())
        query.about = *client;
    else
        query.about = std::get<LockName>(m_subject->whom);
    m_reading = m_engine.readHistory(query);
}

void LookupController::answer(OperationId operation, const history::HistoryExcerpt& excerpt) {
    if (m_reading != operation)
        return;
    m_reading.reset();
    if (!m_dialog || !m_subject)
        return;
    LookupLimits limits;
    limits.isLive = m_time.isLive();
    limits.isComplete = excerpt.complete;
    limits.isKept = excerpt.reachesNow || !m_time.isLive();
    limits.error = excerpt.error;
    const monitor::LookupSources known = sources(excerpt);
    for (const monitor::LockRow& row : known.rows) {
        const ViewTime& time = m_time.of(row.lock);
        if (limits.isLive && !time.isLive())
            limits.oldLocks.insert(row.lock.name, time.wallMoment());
    }
    m_dialog->showReport(monitor::lookUp(*m_subject, known), limits);
}

monitor::LookupSources LookupController::sources(const history::HistoryExcerpt& excerpt) const {
    monitor::LookupSources sources;
    sources.events = excerpt.events;
    sources.eventsReachTo = excerpt.reachesTo;
    sources.now = m_time.wallMoment();
    if (!excerpt.reachesNow)
        addSession(sources);
    sources.rows = rowsAbout(sources.events);
    return sources;
}

// Events that are not kept on disk are in the log of the window, as far back as the log goes.
void LookupController::addSession(monitor::LookupSources& sources) const {
    const int count = m_log.rowCount();
    if (count == 0)
        return;
    const WallTime first = m_log.eventAt(count - 1).at;
    const WallTime kept = sources.events.empty() ? WallTime::min() : sources.events.back().at;
    if (sources.events.empty())
        sources.eventsReachTo = first;
    else if (kept < first)
        sources.events.push_back(monitor::notWatchedSince(kept, first));
    for (int row = count - 1; row >= 0; --row) {
        if (m_log.eventAt(row).at > kept)
            sources.events.push_back(m_log.eventAt(row));
    }
}

// The locks that the subject holds now, and those that it may hold by the events.
std::vector<monitor::LockRow> LookupController::rowsAbout(const std::vector<monitor::LockEvent>& events) const {
    const std::optional<ClientId> client = m_subject->client();
    const auto concerns = [&](const monitor::LockSnapshot& lock) {
        if (!client)
            return lock.name == std::get<LockName>(m_subject->whom);
        return std::any_of(lock.holders.begin(), lock.holders.end(),
                           [&](const monitor::Holder& holder) { return holder.id.client() == *client; });
    };
    QSet<LockName> named;
    for (const monitor::LockEvent& event : events)
        named.insert(event.lock.name);
    std::vector<monitor::LockRow> rows;
    for (int row = 0; row < m_locks.rowCount(); ++row) {
        const monitor::LockRow& lock = m_locks.rowAt(row);
        if (named.contains(lock.lock.name) || concerns(lock.lock))
            rows.push_back(lock);
    }
    return rows;
}

}  // namespace lockkeeper::ui

#include "moc_lookupcontroller.cpp"
