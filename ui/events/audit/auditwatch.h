// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "ui/events/audit/auditentry.h"
#include "ui/words/utctext.h"

#include <QFileSystemWatcher>
#include <QObject>

namespace lockkeeper::ui {

// What operators of this machine did to the locks of one server in the last month, whichever program they used. Reads
// the audit again, on another thread, when one of its files has changed. Thread: the GUI's.
class AuditWatch final : public QObject {
    Q_OBJECT
public:
    // clock: outlives it.
    explicit AuditWatch(const Clock& clock, QObject* parent = nullptr);

    void setFolder(const QString& folder);
    // server: as the audit names it; empty: none.
    void setServer(const QString& server);
    void read();

    // The newest first.
    [[nodiscard]] const std::vector<AuditEntry>& entries() const noexcept { return m_entries; }
    // What was done to this lock: a line for each action, with its time, the newest first.
    [[nodiscard]] QStringList linesOf(const LockName& lock, const HolderAliases& aliases, const WriteTime& clock) const;

Q_SIGNALS:
    void changed();

private:
    void take(const Result<control::AuditReading>& reading);
    void watchFiles();

    const Clock& m_clock;
    QString m_folder;
    QString m_server;
    QFileSystemWatcher m_files;
    std::vector<AuditEntry> m_entries;
    bool m_isReading = false;
    bool m_isOutOfDate = false;  // since the reading began
};

}  // namespace lockkeeper::ui
