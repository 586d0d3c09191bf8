// SPDX-License-Identifier: Apache-2.0
#include "ui/events/export/exportcontroller.h"

#include "base/regularfile.h"
#include "monitor/format/csv/recordcsv.h"
#include "monitor/format/eventjson.h"
#include "monitor/format/synchronizerjson.h"
#include "ui/base/messagebar.h"
#include "ui/base/retranslating.h"
#include "ui/base/storedvalues.h"
#include "ui/events/export/eventlines.h"
#include "ui/events/export/incidentreport.h"
#include "ui/events/log/eventlogpanel.h"
#include "ui/locks/lockspage.h"
#include "ui/locks/synchronizers/synchronizerpanel.h"
#include "ui/words/causetext.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QImage>
#include <QPixmap>
#include <QSettings>

#include <functional>

namespace lockkeeper::ui {

namespace {

const auto directoryKey = QStringLiteral("export/directory");

// One function for each type of record.
QByteArray csvRecord(const monitor::LockRow& row, const monitor::AliasOf& aliasOf) {
    return monitor::toCsvLine(row, aliasOf);
}

QByteArray csvRecord(const LoggedEvent& event, const monitor::AliasOf& aliasOf) {
    return toCsvLine(event, aliasOf);
}

QByteArray csvRecord(const monitor::Synchronizer& synchronizer, const monitor::AliasOf&) {
    return monitor::toCsvLine(synchronizer);
}

QByteArray jsonLine(const monitor::LockRow& row, const monitor::AliasOf& aliasOf) {
    return monitor::toJsonLine(monitor::foundEvent(row.lock), aliasOf);
}

QByteArray jsonLine(const LoggedEvent& event, const monitor::AliasOf& aliasOf) {
    return toJsonLine(event, aliasOf);
}

QByteArray jsonLine(const monitor::Synchronizer& synchronizer, const monitor::AliasOf&) {
    return monitor::toJsonLine({monitor::SynchronizerPhase::Begun, synchronizer}, synchronizer.seenAtWall);
}

template <typename Record>
std::function<bool(QIODevice&)> linesOf(std::vector<Record> records, ExportFormat format, const QByteArray& csvHeader,
                                        const HolderAliases& aliases) {
    return [records = std::move(records), format, csvHeader, aliases](QIODevice& file) {
        const auto aliasOf = [&aliases](const ClientId& client) { return aliases.of(client); };
        const bool isCsv = format == ExportFormat::Csv;
        if (isCsv && !writeWhole(file, csvHeader))
            return false;
        for (const Record& record : records) {
            const QByteArray line = isCsv ? csvRecord(record, aliasOf) : jsonLine(record, aliasOf) + '\n';
            if (!writeWhole(file, line))
                return false;
        }
        return true;
    };
}

}  // namespace

ExportController::ExportController(FileThread& thread, const LocksPage& page, const EventLogPanel& events,
                                   const SynchronizerPanel& synchronizers, MessageBar& messages, QSettings& settings,
                                   const Clock& clock, QWidget& window)
    : QObject(&window),
      m_thread(thread),
      m_page(page),
      m_events(events),
      m_synchronizers(synchronizers),
      m_messages(messages),
      m_settings(settings),
      m_clock(clock),
      m_window(window) {}

// take: returns a copy of what is shown.
template <typename Take, typename Written>
void ExportController::askForRecords(const MakeText& title, const QString& what, const QByteArray& csvHeader, Take take,
                                     Written written) {
    ask({title,
         what,
         {ExportFormat::Csv, ExportFormat::JsonLines},
         [this, csvHeader, take](ExportFormat format, const QString&) {
             auto records = take();
             const auto count = static_cast<qint64>(records.size());
             return Copy{linesOf(std::move(records), format, csvHeader, m_aliases), count};
         },
         written});
}

void ExportController::exportLocks() {
    askForRecords(
        [] { return tr("Export the locks shown"); }, QStringLiteral("locks"), monitor::lockCsvHeader(),
        [this] { return m_page.shownLocks(); },
        [](const QString& count, const QString& path) { return tr("Locks written: %1, to %2").arg(count, path); });
}

void ExportController::exportEvents() {
    askForRecords(
        [] { return tr("Export the events shown"); }, QStringLiteral("events"), loggedEventCsvHeader(),
        [this] { return m_events.shownEvents(); },
        [](const QString& count, const QString& path) { return tr("Events written: %1, to %2").arg(count, path); });
}

void ExportController::exportSynchronizers() {
    askForRecords([] { return tr("Export the semaphores and latches"); }, QStringLiteral("synchronizers"),
                  monitor::synchronizerCsvHeader(), [this] { return m_synchronizers.shownSynchronizers(); },
                  [](const QString& count, const QString& path) {
                      return tr("Semaphores and latches written: %1, to %2").arg(count, path);
                  });
}

void ExportController::exportTimeline(const QImage& picture) {
    askForPicture([] { return tr("Export the timeline as a picture"); }, QStringLiteral("timeline"), picture);
}

// The picture is taken now: the file dialog, and what happens while it is open, must not be in it.
void ExportController::exportWindow() {
    askForPicture([] { return tr("Export the window as a picture"); }, QStringLiteral("window"),
                  m_window.window()->grab().toImage());
}

void ExportController::askForPicture(const MakeText& title, const QString& what, const QImage& picture) {
    ask({title,
         what,
         {ExportFormat::Png},
         [picture](ExportFormat, const QString&) {
             return Copy{[picture](QIODevice& file) { return picture.save(&file, "PNG"); }};
         },
         [](const QString&, const QString& path) { return tr("Picture written, to %1").arg(path); }});
}

void ExportController::exportReport(const Incident& incident, const QImage& picture) {
    ask({[] { return tr("Save the incident report"); },
         QStringLiteral("incident"),
         {ExportFormat::Markdown},
         [incident, picture](ExportFormat, const QString& path) {
             const QFileInfo file(path);
             const QString beside = picture.isNull() ? QString() : file.completeBaseName() + QStringLiteral(".png");
             const QByteArray report = incidentReport(incident, beside).toUtf8();
             const auto writePicture = [picture](QIODevice& to) { return picture.save(&to, "PNG"); };
             return Copy{[report, picture, writePicture, path = file.dir().filePath(beside)](QIODevice& text) {
                 return (picture.isNull() || saveFile(path, writePicture)) && text.write(report) == report.size();
             }};
         },
         [](const QString&, const QString& path) { return tr("Incident report written, to %1").arg(path); }});
}

void ExportController::ask(const Content& content) {
    if (m_dialog)
        return;
    m_dialog = new QFileDialog(&m_window);
    m_dialog->setObjectName(QStringLiteral("exportDialog"));
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_dialog->setAcceptMode(QFileDialog::AcceptSave);
    keepTranslated(*m_dialog, [dialog = m_dialog.data(), title = content.title, formats = content.formats] {
        const qsizetype chosen = dialog->nameFilters().indexOf(dialog->selectedNameFilter());
        QStringList filters;
        for (const ExportFormat format : formats)
            filters << nameFilterOf(format);
        dialog->setWindowTitle(title());
        dialog->setNameFilters(filters);
        dialog->selectNameFilter(filters.value(chosen, filters.first()));
    });
    m_dialog->setDefaultSuffix(suffixOf(content.formats.first()));
    m_dialog->setDirectory(QFileInfo(proposedFile(content)).absolutePath());
    m_dialog->selectFile(proposedFile(content));
    // The suffix of the proposed name follows the format. The suffix that the user types decides the format.
    connect(m_dialog, &QFileDialog::filterSelected, this, [this, content](const QString& filter) {
        const qsizetype chosenFormat = m_dialog->nameFilters().indexOf(filter);
        m_dialog->setDefaultSuffix(suffixOf(content.formats.value(chosenFormat, content.formats.first())));
        const QStringList chosen = m_dialog->selectedFiles();
        if (!chosen.isEmpty() && !QFileInfo(chosen.first()).isDir())
            m_dialog->selectFile(QFileInfo(chosen.first()).completeBaseName() + QLatin1Char('.') +
                                 m_dialog->defaultSuffix());
    });
    connect(m_dialog, &QFileDialog::fileSelected, this, [this, content](const QString& path) {
        m_settings.setValue(directoryKey, QFileInfo(path).absolutePath());
        write(content, path, m_dialog->nameFilters().indexOf(m_dialog->selectedNameFilter()));
    });
    m_dialog->open();
}

QString ExportController::proposedFile(const Content& content) const {
    constexpr qsizetype longestPath = 4096;
    const auto isPath = [](const QString& text) { return !text.isEmpty() && text.size() <= longestPath; };
    const QString directory = folderForFiles(storedText(m_settings, directoryKey, isPath).value_or(QString()));
    const QString time = QDateTime::fromMSecsSinceEpoch(toMilliseconds(m_clock.wallNow().time_since_epoch()).count())
                             .toString(QStringLiteral("yyyyMMdd-HHmmss"));
    return QDir(directory).filePath(exportFileName(content.what, m_server, time, content.formats.first()));
}

void ExportController::write(const Content& content, const QString& path, qsizetype filter) {
    ExportFormat format = content.formats.value(filter, content.formats.first());
    const std::optional<ExportFormat> named = formatOfFile(path);
    if (named && content.formats.contains(*named))
        format = *named;
    const Copy copy = content.take(format, path);
    const QString shown = QDir::toNativeSeparators(path);
    const auto success = [text = content.written, records = copy.records, shown] {
        return Message{Tone::Good, text(numberText(records), shown)};
    };
    const auto report = [this, shown, success](const Result<Done>& written) {
        if (written)
            return m_messages.post(success);
        m_messages.post([shown, error = written.error()] {
            return Message{Tone::Danger, tr("%1 could not be written, and nothing of it was: %2. Choose another "
                                            "folder, or make room.")
                                             .arg(shown, reasonText(error))};
        });
    };
    const auto save = [path, content = copy.write] { return saveFile(path, content); };
    onAnswer(m_thread.run<Result<Done>>(save), this, report);
}

}  // namespace lockkeeper::ui

#include "moc_exportcontroller.cpp"
