// SPDX-License-Identifier: Apache-2.0
#include "ui/events/audit/auditwatch.h"

#include <QFileInfo>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr auto watchedSpan = 31 * 24h;
// A change of a file is noticed before the engine has reported the line that this program wrote. Another program may
// append line after line, and each reading reads all files, because the chain is checked.
constexpr auto pauseBeforeReading = 500ms;

}  // namespace

AuditWatch::AuditWatch(Engine& engine, const Clock& clock, QObject* parent)
    : QObject(parent), m_thread(engine.files()), m_clock(clock) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(pauseBeforeReading);
    connect(&m_pause, &QTimer::timeout, this, &AuditWatch::readIfOthersWrote);
    connect(&m_watched, &QFileSystemWatcher::fileChanged, this, &AuditWatch::readLater);
    connect(&m_watched, &QFileSystemWatcher::directoryChanged, this, &AuditWatch::readLater);
    connect(&engine, &Engine::auditWritten, this, &AuditWatch::note);
}

void AuditWatch::setFolder(const QString& folder) {
    m_folder = folder;
    read();
}

void AuditWatch::setServer(const QString& server) {
    if (server == m_server)
        return;
    m_server = server;
    m_entries.clear();
    Q_EMIT changed();
    read();
}

// ---- lines of this program ----

void AuditWatch::note(const control::WrittenAuditLine& line) {
    if (m_isReading)
        m_writtenMeanwhile.push_back(line);
    // A reading may have found the line in the file before it is reported here.
    if (!m_server.isEmpty() && !isKnown(line))
        add(line);
}

void AuditWatch::add(const control::WrittenAuditLine& line) {
    const bool followsKnown = line.file == m_knownFile && line.begin == m_knownEnd;
    if (followsKnown || (m_knownFile.isEmpty() && line.begin == 0)) {
        m_knownFile = line.file;
        m_knownEnd = line.end;
    }
    if (line.record.place.server != m_server)
        return;
    addLine(m_entries, line.record, line.bytes);
    Q_EMIT changed();
}

bool AuditWatch::isKnown(const control::WrittenAuditLine& line) const {
    return line.file < m_knownFile || (line.file == m_knownFile && line.end <= m_knownEnd);
}

// ---- lines of others ----

void AuditWatch::readLater() {
    watchFiles();
    if (!m_pause.isActive())
        m_pause.start();
}

void AuditWatch::readIfOthersWrote() {
    const QStringList months = control::auditFiles(m_folder);
    const QFileInfo newest(months.isEmpty() ? QString() : months.last());
    if (newest.fileName() != m_knownFile || newest.size() != m_knownEnd)
        read();
}

void AuditWatch::read() {
    if (m_folder.isEmpty() || m_server.isEmpty())
        return;
    if (m_isReading)
        return m_pause.start();
    m_isReading = true;
    watchFiles();
    control::AuditFilter filter;
    filter.since = m_clock.wallNow() - watchedSpan;
    const auto read = [folder = m_folder, filter] { return control::readAudit(folder, filter); };
    onAnswer(m_thread.run<Result<control::AuditReading>>(read), this,
             [this](const Result<control::AuditReading>& reading) { take(reading); });
}

// An audit that cannot be read is reported where it is shown, and before each write.
void AuditWatch::take(const Result<control::AuditReading>& reading) {
    m_isReading = false;
    const std::vector<control::WrittenAuditLine> meanwhile = std::exchange(m_writtenMeanwhile, {});
    if (!reading)
        return;
    m_entries = auditEntries(reading->lines);
    std::erase_if(m_entries, [this](const AuditEntry& entry) { return entry.record.place.server != m_server; });
    m_knownFile = reading->lastFile;
    m_knownEnd = reading->lastFileEnd;
    Q_EMIT changed();
    for (const control::WrittenAuditLine& line : meanwhile) {
        if (!isKnown(line))
            add(line);
    }
}

// The folder and the file of a month are made with their first lines. Until the folder is there, the one above it is
// watched.
void AuditWatch::watchFiles() {
    const QStringList months = control::auditFiles(m_folder);
    QStringList paths = months.last(std::min<qsizetype>(1, months.size()));
    const QString above = QFileInfo(m_folder).path();
    const bool hasFolder = QFileInfo::exists(m_folder);
    if (hasFolder && m_watched.directories().contains(above))
        m_watched.removePath(above);
    if (hasFolder || QFileInfo::exists(above))
        paths << (hasFolder ? m_folder : above);
    for (const QString& path : std::as_const(paths)) {
        if (!m_watched.files().contains(path) && !m_watched.directories().contains(path))
            m_watched.addPath(path);
    }
}

QStringList AuditWatch::linesOf(const LockName& lock, const HolderAliases& aliases, const WriteTime& clock) const {
    QStringList lines;
    for (const AuditEntry& entry : m_entries) {
        if (entry.record.lock == lock)
            lines << clock(entry.record.at) + QStringLiteral("  ") + entryText(entry, aliases);
    }
    return lines;
}

}  // namespace lockkeeper::ui

#include "moc_auditwatch.cpp"
