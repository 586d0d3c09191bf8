// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "engine/filethread.h"
#include "ui/base/exportformat.h"
#include "ui/words/holderaliases.h"

#include <QObject>
#include <QPointer>

#include <functional>

class QFileDialog;
class QIODevice;
class QSettings;
class QImage;
class QWidget;

namespace lockkeeper::ui {

class EventLogPanel;
struct Incident;
class LocksPage;
class MessageBar;
class SynchronizerPanel;

// Writes what the window shows into a file of the user's choice: asks for the name, takes a copy, writes it on another
// thread, and reports the result.
class ExportController final : public QObject {
    Q_OBJECT
public:
    // All outlive the controller.
    ExportController(FileThread& thread, const LocksPage& page, const EventLogPanel& events,
                     const SynchronizerPanel& synchronizers, MessageBar& messages, QSettings& settings,
                     const Clock& clock, QWidget& window);

    // For the default name of a file.
    void setServer(const QString& server) { m_server = server; }
    // Written beside the holders.
    void setAliases(const HolderAliases& aliases) { m_aliases = aliases; }
    void exportLocks();
    void exportEvents();
    void exportSynchronizers();
    void exportTimeline(const QImage& picture);
    void exportWindow();
    // Writes a lock's report as Markdown; the picture, if there is one, is written beside it under the same name.
    void exportReport(const Incident& incident, const QImage& picture);

private:
    using MakeText = std::function<QString()>;
    struct Copy {
        std::function<bool(QIODevice&)> write;
        qint64 records = 1;
    };
    struct Content {
        MakeText title;               // of the dialog
        QString what;                 // in the name of the file
        QList<ExportFormat> formats;  // the first is offered
        // Takes the copy, and returns what writes it and how many records there are; called once the file is chosen.
        std::function<Copy(ExportFormat format, const QString& path)> take;
        // The message for so many records in that file.
        std::function<QString(const QString& count, const QString& path)> written;
    };

    template <typename Take, typename Written>
    void askForRecords(const MakeText& title, const QString& what, const QByteArray& csvHeader, Take take,
                       Written written);
    void ask(const Content& content);
    void askForPicture(const MakeText& title, const QString& what, const QImage& picture);
    // filter: the index of the chosen name filter, which is the index of its format.
    void write(const Content& content, const QString& path, qsizetype filter);
    [[nodiscard]] QString proposedFile(const Content& content) const;

    FileThread& m_thread;
    const LocksPage& m_page;
    const EventLogPanel& m_events;
    const SynchronizerPanel& m_synchronizers;
    MessageBar& m_messages;
    QSettings& m_settings;
    const Clock& m_clock;
    QWidget& m_window;
    QString m_server;
    HolderAliases m_aliases;
    QPointer<QFileDialog> m_dialog;
};

}  // namespace lockkeeper::ui
