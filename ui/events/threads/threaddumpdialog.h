// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "jvm/holderthread.h"
#include "ui/base/fitteddialog.h"
#include "ui/words/holderaliases.h"

class QComboBox;
class QLabel;
class QPushButton;
class QTreeWidget;

namespace lockkeeper::ui {

// Takes a thread dump as a file (chosen, or dropped) or from the clipboard, and shows what the thread of each holder
// and each waiter of a fair lock does, with its frames. A reading is of one time: it does not follow the locks.
class ThreadDumpDialog final : public FittedDialog {
    Q_OBJECT
public:
    explicit ThreadDumpDialog(QWidget* parent = nullptr);

    void setAliases(const HolderAliases& aliases);
    // Dumps of this client's JVM were taken, and are being read.
    void beginTaken(const ClientId& client);
    using Dumps = std::shared_ptr<const std::vector<jvm::ThreadDump>>;
    // The last one of the dumps, which are not empty, with what it shows.
    void showReading(const Dumps& dumps, const jvm::DumpReading& reading);
    void showUnreadable(const QString& reason);

Q_SIGNALS:
    void fileChosen(const QString& path);
    void textPasted(const QByteArray& text);
    // Whose dump the user says it is; nothing: the numbers of the threads decide.
    void clientChosen(const std::optional<lockkeeper::ClientId>& client);
    void lockChosen(const lockkeeper::LockName& name);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    enum class Source { File, Clipboard, Jvm };

    void makeParts();
    void makeLayout();
    void retranslate();
    void chooseFile();
    void paste();
    void begin(Source source, const QString& name = {});
    [[nodiscard]] QString sourceText() const;
    void showResult();
    void fillClients();
    void fillThreads();
    void chooseLock();

    HolderAliases m_aliases;
    Source m_source = Source::Clipboard;
    QString m_fileName;
    QByteArray m_chosen;  // the client that the user says the dump is of; empty: the numbers of the threads decide
    Dumps m_dumps;        // null: none was read
    jvm::DumpReading m_reading;
    QString m_unreadable;  // why the last one could not be read
    bool m_isReading = false;
    QPushButton* m_file;
    QPushButton* m_paste;
    QLabel* m_state;
    QLabel* m_clientTitle;
    QComboBox* m_client;
    QTreeWidget* m_threads;
    QLabel* m_limits;
    QPushButton* m_toLock;
};

}  // namespace lockkeeper::ui
