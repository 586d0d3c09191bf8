// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "control/audit/readaudit.h"
#include "engine/filethread.h"
#include "ui/base/exportformat.h"
#include "ui/base/fitteddialog.h"
#include "ui/events/audit/auditmodel.h"

#include <QPointer>

class QComboBox;
class QFileDialog;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;

namespace lockkeeper::ui {

class InlineMessage;

// The audit of this machine: who did what to which lock and why, and whether its chain of lines holds. Reads and writes
// files on another thread.
class AuditDialog final : public FittedDialog {
    Q_OBJECT
public:
    static constexpr size_t mostLines = 20'000;  // shown at most; the chain is checked over all lines

    // thread: for its files. Both outlive it.
    AuditDialog(QString folder, FileThread& thread, const Clock& clock, QWidget* parent = nullptr);

    // Shown instead of UUIDs.
    void setAliases(const HolderAliases& aliases);
    // Shows only the entries that contain each of these words.
    void setWords(const QString& words);

private:
    void makeFilters();
    void makeTable();
    void makeLayout();
    void retranslate();
    void nameFilters();
    void read();
    void take(const Result<control::AuditReading>& reading);
    void showChain();
    void choose();
    void showCount();
    void showDetail();
    void askForFile();
    void write(const QString& path, ExportFormat format);
    void report(const QString& path, const Result<Done>& written);

    const QString m_folder;
    FileThread& m_thread;
    const Clock& m_clock;
    AuditModel m_model;
    std::optional<Result<control::AuditReading>> m_reading;  // without its lines; nothing while it is read
    InlineMessage* m_chain;
    QLineEdit* m_words;
    QComboBox* m_outcome;
    QComboBox* m_span;
    QLabel* m_count;
    QTableView* m_table;
    QLabel* m_detail;
    InlineMessage* m_written;
    QPushButton* m_again;
    QPushButton* m_export;
    QPointer<QFileDialog> m_file;
};

}  // namespace lockkeeper::ui
