#pragma once

#include "base/clock.h"
#include "ui/export/exportformat.h"
#include "ui/words/holderaliases.h"

#include <QObject>
#include <QPointer>

#include <functional>

class QFileDialog;
class QIODevice;
class QSettings;
class QWidget;

namespace lockkeeper::ui {

class EventLogPanel;
class LocksPage;
class MessageBar;
class SynchronizerPanel;

// Writes what the window shows into a file of the user's choice: asks for the name, takes a copy, writes it on another
// thread, and says what became of it.
class ExportController final : public QObject {
    Q_OBJECT
public:
    // All outlive the desk. timeline: the widget of which a picture is taken.
    ExportController(const LocksPage& page, const EventLogPanel& events, const SynchronizerPanel& synchronizers,
               QWidget& timeline, MessageBar& messages, QSettings& settings, const Clock& clock, QWidget& window);

    // For the default name of a file.
    void setServer(const QString& server) { m_server = server; }
    // Written beside the holders.
    void setAliases(const HolderAliases& aliases) { m_aliases = aliases; }
    void exportLocks();
    void exportEvents();
    void exportSynchronizers();
    void exportTimeline();
    void exportWindow();

private:
    struct Content {
        QString title;                // of the dialog
        QString what;                 // in the name of the file
        QList<ExportFormat> formats;  // the first is offered
        // Takes the copy, and answers what writes it; called once the file is chosen.
        std::function<std::function<bool(QIODevice&)>(ExportFormat format, QString* count)> take;
    };

    template <typename Take>
    void askForRecords(const QString& title, const QString& what, const QString& written, const QByteArray& csvHeader,
                       Take take);
    void ask(const Content& content);
    void askForPicture(const QString& title, const QString& what, QWidget& widget);
    void write(const Content& content, const QString& path, const QString& filter);
    [[nodiscard]] QString proposedFile(const Content& content) const;

    const LocksPage& m_page;
    const EventLogPanel& m_events;
    const SynchronizerPanel& m_synchronizers;
    QWidget& m_timeline;
    MessageBar& m_messages;
    QSettings& m_settings;
    const Clock& m_clock;
    QWidget& m_window;
    QString m_server;
    HolderAliases m_aliases;
    QPointer<QFileDialog> m_dialog;
};

}  // namespace lockkeeper::ui
