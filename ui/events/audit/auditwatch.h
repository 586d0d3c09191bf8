// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "engine/engine.h"
#include "ui/events/audit/auditentry.h"
#include "ui/words/utctext.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace lockkeeper::ui {

// What operators of this machine did to the locks of one server in the last month, whichever program they used. The
// engine reports the lines of this program; the files are read again only for lines of other programs. Thread: the
// GUI's.
class AuditWatch final : public QObject {
    Q_OBJECT
public:
    // Both outlive it.
    AuditWatch(Engine& engine, const Clock& clock, QObject* parent = nullptr);

    void setFolder(const QString& folder);
    // server: as the audit names it; empty: none.
    void setServer(const QString& server);

    // The newest first.
    [[nodiscard]] const std::vector<AuditEntry>& entries() const noexcept { return m_entries; }
    // What was done to this lock: a line for each action, with its time, the newest first.
    [[nodiscard]] QStringList linesOf(const LockName& lock, const HolderAliases& aliases, const WriteTime& clock) const;

Q_SIGNALS:
    void changed();

private:
    void read();
    void readLater();
    void readIfOthersWrote();
    void take(const Result<control::AuditReading>& reading);
    void note(const control::WrittenAuditLine& line);
    void add(const control::WrittenAuditLine& line);
    [[nodiscard]] bool isKnown(const control::WrittenAuditLine& line) const;
    void watchFiles();

    FileThread& m_thread;
    const Clock& m_clock;
    QString m_folder;
    QString m_server;
    QFileSystemWatcher m_watched;
    QTimer m_pause{this};
    std::vector<AuditEntry> m_entries;
    // Up to where the lines are known: the name of the newest file, and the offset in it.
    QString m_knownFile;
    qint64 m_knownEnd = 0;
    std::vector<control::WrittenAuditLine> m_writtenMeanwhile;  // since the reading began
    bool m_isReading = false;
};

}  // namespace lockkeeper::ui
