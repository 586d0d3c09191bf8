// SPDX-License-Identifier: Apache-2.0
#include "ui/events/audit/auditwatch.h"

#include "control/audit/auditfile.h"
#include "ui/events/audit/auditfiles.h"

#include <QFileInfo>
#include <QTimer>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

constexpr auto watchedSpan = 31 * 24h;
// Each reading reads all files, because the chain is checked. Another program may append line after line.
constexpr auto pauseBetweenReadings = 500ms;

}  // namespace

AuditWatch::AuditWatch(const Clock& clock, QObject* parent) : QObject(parent), m_clock(clock) {
    connect(&m_files, &QFileSystemWatcher::fileChanged, this, &AuditWatch::read);
    connect(&m_files, &QFileSystemWatcher::directoryChanged, this, &AuditWatch::read);
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

void AuditWatch::read() {
    if (m_folder.isEmpty() || m_server.isEmpty())
        return;
    m_isOutOfDate = m_isReading;
    if (std::exchange(m_isReading, true))
        return;
    watchFiles();
    control::AuditFilter filter;
    filter.since = m_clock.wallNow() - watchedSpan;
    readAuditAside(m_folder, filter).then(this, [this](const Result<control::AuditReading>& reading) {
        take(reading);
    });
}

// An audit that cannot be read is reported where it is shown, and before each write.
void AuditWatch::take(const Result<control::AuditReading>& reading) {
    m_isReading = false;
    if (reading) {
        m_entries = auditEntries(reading->lines);
        std::erase_if(m_entries, [this](const AuditEntry& entry) { return entry.record.place.server != m_server; });
        Q_EMIT changed();
    }
    if (m_isOutOfDate)
        QTimer::singleShot(pauseBetweenReadings, this, &AuditWatch::read);
}

// The folder and the file of a month are made with their first lines. Until the folder is there, the one above it is
// watched.
void AuditWatch::watchFiles() {
    const QStringList months = control::auditFiles(m_folder);
    QStringList paths = months.last(std::min<qsizetype>(1, months.size()));
    const QString above = QFileInfo(m_folder).path();
    const bool hasFolder = QFileInfo::exists(m_folder);
    if (hasFolder && m_files.directories().contains(above))
        m_files.removePath(above);
    if (hasFolder || QFileInfo::exists(above))
        paths << (hasFolder ? m_folder : above);
    for (const QString& path : std::as_const(paths)) {
        if (!m_files.files().contains(path) && !m_files.directories().contains(path))
            m_files.addPath(path);
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
