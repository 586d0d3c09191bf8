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

ThreadDumpController::ThreadDumpController(FileThread& files, const LockTableModel& locks, const Clock& clock,
                                           QWidget& window)
    : QObject(&window), m_files(files), m_locks(locks), m_time(clock), m_window(window) {}

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
            read([dumps = m_dumps] { return Result<Dumps>(dumps); }, client, m_clock);
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

// The time is that of this machine, as that of the holds.
jvm::DumpClock ThreadDumpController::readNow() const {
    jvm::DumpClock clock;
    clock.readAt = m_time.wallNow();
    return clock;
}

void ThreadDumpController::readFile(const QString& path) {
    read([path] { return dumpsOf(path); }, std::nullopt, readNow());
}

void ThreadDumpController::readText(const QByteArray& text) {
    read([text] { return dumpsIn(QByteArrayList{text}); }, std::nullopt, readNow());
}

void ThreadDumpController::readTaken(const jvm::TakenDumps& taken) {
    open();
    m_dialog->beginTaken(taken.client);
    jvm::DumpClock clock = readNow();
    clock.askedAt = taken.askedAt;
    clock.receivedAt = taken.receivedAt;
    read([texts = taken.texts] { return dumpsIn(texts); }, taken.client, clock, taken.by);
}

std::vector<monitor::SharedRow> ThreadDumpController::rows() const {
    std::vector<monitor::SharedRow> rows;
    rows.reserve(static_cast<size_t>(m_locks.rowCount()));
    for (int row = 0; row < m_locks.rowCount(); ++row)
        rows.push_back(m_locks.sharedRowAt(row));
    return rows;
}

void ThreadDumpController::read(const std::function<Result<Dumps>()>& dumps, const std::optional<ClientId>& client,
                                const jvm::DumpClock& clock, jvm::ClientBy by) {
    m_clock = clock;
    const auto work = [dumps, client, clock, by, rows = rows()]() -> Result<Answer> {
        const Result<Dumps> found = dumps();
        if (!found)
            return found.error();
        return Answer{*found, std::make_shared<jvm::DumpReading>(jvm::readDumps(**found, rows, client, {}, clock, by))};
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
    if (!answer->reading->kept.empty())
        Q_EMIT dumpsKept(answer->reading->kept);
}

}  // namespace lockkeeper::ui

#include "moc_threaddumpcontroller.cpp"
