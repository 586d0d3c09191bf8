// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "engine/filethread.h"
#include "ui/events/threads/threaddumpdialog.h"

#include <QObject>
#include <QPointer>

namespace lockkeeper::ui {

class LockTableModel;

// Reads a thread dump beside the locks of the table. A dump is read on the thread for files, and kept as long as the
// dialog is open. Nothing of it is written or sent anywhere.
class ThreadDumpController final : public QObject {
    Q_OBJECT
public:
    // All outlive the controller. The window owns the dialog.
    ThreadDumpController(FileThread& files, const LockTableModel& locks, QWidget& window);

    void open();
    // Reads dumps that were taken of the JVM of this client, the oldest first.
    void readTaken(const QByteArrayList& dumps, const ClientId& client);
    void setAliases(const HolderAliases& aliases);

Q_SIGNALS:
    void lockChosen(const lockkeeper::LockName& name);

private:
    using Dumps = ThreadDumpDialog::Dumps;
    struct Answer {
        Dumps dumps;
        std::shared_ptr<const jvm::DumpReading> reading;
    };

    void readFile(const QString& path);
    void readText(const QByteArray& text);
    // dumps: makes or returns them, on the thread for files.
    void read(const std::function<Result<Dumps>()>& dumps, const std::optional<ClientId>& client);
    void show(quint64 number, const Result<Answer>& answer);
    [[nodiscard]] std::vector<monitor::SharedRow> rows() const;

    FileThread& m_files;
    const LockTableModel& m_locks;
    QWidget& m_window;
    HolderAliases m_aliases;
    Dumps m_dumps;          // that are shown
    quint64 m_reading = 0;  // the last one; only its answer is shown
    QPointer<ThreadDumpDialog> m_dialog;
};

}  // namespace lockkeeper::ui
