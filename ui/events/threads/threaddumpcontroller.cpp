// SPDX-License-Identifier: Apache-2.0
#include "ui/events/threads/threaddumpcontroller.h"

#include "base/regularfile.h"
#include "jvm/dumpreader.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/words/causetext.h"

#include <QFile>

#include <algorithm>
#include <iterator>

namespace lockkeeper::ui {

namespace {

using SharedDumps = ThreadDumpDialog::Dumps;

// The dumps of each text, in their order.
Result<SharedDumps> dumpsIn(const QByteArrayList& texts) {
    std::vector<jvm::ThreadDump> all;
    for (const QByteArray& text : texts) {
        Result<std::vector<jvm::ThreadDump>> dumps = jvm::threadDumpsIn(text, QTimeZone::systemTimeZone());
        if (!dumps)
            return dumps.error();
        std::ranges::move(dumps.value(), std::back_inserter(all));
    }
    return SharedDumps(std::make_shared<std::vector<jvm::ThreadDump>>(std::move(all)));
}

Result<SharedDumps> dumpsOf(const QString& path) {
    QFile file(path);
    const Result<Done> opened = openRegularFile(file);
    // One byte more than the limit, so that a larger file is noticed.
    return opened ? dumpsIn(QByteArrayList{file.read(jvm::largestDumpFile + 1)}) : Result<SharedDumps>(opened.error());
}

}  // namespace

ThreadDumpController::ThreadDumpController(FileThread& files, const LockTableModel& locks, QWidget& window)
    : QObject(&window), m_files(files), m_locks(locks), m_window(window) {}

void ThreadDumpController::open() {
    if (!m_dialog) {
        m_dumps.reset();
        m_dialog = new ThreadDumpDialog(&m_window);
        m_dialog->setObjectName(QStringLiteral("threadDumpDialog"));
        m_dialog->setAttribute(Qt::WA_DeleteOnClose);
        m_dialog->setAliases(m_aliases);
        connect(m_dialog, &ThreadDumpDialog::fileChosen, this, &ThreadDumpController::readFile);
        connect(m_dialog, &ThreadDumpDialog::textPasted, this, &ThreadDumpController::readText);
        connect(m_dialog, &ThreadDumpDialog::clientChosen, this, [this](const std::optional<ClientId>& client) {
            read([dumps = m_dumps] { return Result<Dumps>(dumps); }, client);
        });
        connect(m_dialog, &ThreadDumpDialog::lockChosen, this, &ThreadDumpController::lockChosen);
    }
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

void ThreadDumpController::setAliases(const HolderAliases& aliases) {
    m_aliases = aliases;
    if (m_dialog)
        m_dialog->setAliases(aliases);
}

void ThreadDumpController::readFile(const QString& path) {
    read([path] { return dumpsOf(path); }, std::nullopt);
}

void ThreadDumpController::readText(const QByteArray& text) {
    read([text] { return dumpsIn(QByteArrayList{text}); }, std::nullopt);
}

void ThreadDumpController::readTaken(const QByteArrayList& dumps, const ClientId& client) {
    open();
    m_dialog->beginTaken(client);
    read([dumps] { return dumpsIn(dumps); }, client);
}

std::vector<monitor::SharedRow> ThreadDumpController::rows() const {
    std::vector<monitor::SharedRow> rows;
    rows.reserve(static_cast<size_t>(m_locks.rowCount()));
    for (int row = 0; row < m_locks.rowCount(); ++row)
        rows.push_back(m_locks.sharedRowAt(row));
    return rows;
}

void ThreadDumpController::read(const std::function<Result<Dumps>()>& dumps, const std::optional<ClientId>& client) {
    const auto work = [dumps, client, rows = rows()]() -> Result<Answer> {
        const Result<Dumps> found = dumps();
        if (!found)
            return found.error();
        return Answer{*found, std::make_shared<jvm::DumpReading>(jvm::readDumps(**found, rows, client, {}))};
    };
    onAnswer(m_files.run<Result<Answer>>(work), this,
             [this, number = ++m_reading](const Result<Answer>& answer) { show(number, answer); });
}

void ThreadDumpController::show(quint64 number, const Result<Answer>& answer) {
    if (!m_dialog || number != m_reading)
        return;
    if (!answer)
        return m_dialog->showUnreadable(reasonText(answer.error()));
    m_dumps = answer->dumps;
    m_dialog->showReading(m_dumps, *answer->reading);
}

}  // namespace lockkeeper::ui

#include "moc_threaddumpcontroller.cpp"
