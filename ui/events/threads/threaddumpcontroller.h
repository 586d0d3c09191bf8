// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "engine/filethread.h"
#include "ui/events/threads/threaddumpdialog.h"

#include <QObject>
#include <QPointer>

namespace lockkeeper::ui {

class LockTableModel;

// Reads a thread dump beside the locks of the table. A dump is read on the thread for files, and kept as a whole as
// long as the dialog is open. What the session needs of it, it keeps: see dumpsKept().
class ThreadDumpController final : public QObject {
    Q_OBJECT
public:
    // All outlive the controller. The window owns the dialog.
    ThreadDumpController(FileThread& files, const LockTableModel& locks, const Clock& clock, QWidget& window);

    void open();
    // Reads dumps that were taken of the JVM of a client.
    void readTaken(const jvm::TakenDumps& taken);
    void setAliases(const HolderAliases& aliases);

Q_SIGNALS:
    void lockChosen(const lockkeeper::LockName& name);
    // A dump is of these clients. For the session.
    void dumpsKept(const std::vector<lockkeeper::monitor::SharedDump>& dumps);

private:
    using Dumps = ThreadDumpDialog::Dumps;
    struct Answer {
        Dumps dumps;
        std::shared_ptr<const jvm::DumpReading> reading;
    };

    void readFile(const QString& path);
    void readText(const QByteArray& text);
    // dumps: makes or returns them, on the thread for files.
    void read(const std::function<Result<Dumps>()>& dumps, const std::optional<ClientId>& client,
              const jvm::DumpClock& clock, jvm::ClientBy by = jvm::ClientBy::User);
    [[nodiscard]] jvm::DumpClock readNow() const;
    void show(quint64 number, const Result<Answer>& answer);
    [[nodiscard]] std::vector<monitor::SharedRow> rows() const;

    FileThread& m_files;
    const LockTableModel& m_locks;
    const Clock& m_time;
    QWidget& m_window;
    HolderAliases m_aliases;
    Dumps m_dumps;           // that are shown
    jvm::DumpClock m_clock;  // of them
    quint64 m_reading = 0;   // the last one; only its answer is shown
    QPointer<ThreadDumpDialog> m_dialog;
};

}  // namespace lockkeeper::ui
