// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/replayengine.h"
#include "recording/recordingstatus.h"
#include "ui/base/fitteddialog.h"

#include <QFutureWatcher>
#include <QPointer>

#include <stop_token>

class QCheckBox;
class QDateTimeEdit;
class QFileDialog;
class QLabel;
class QProgressBar;
class QPushButton;

namespace lockkeeper::ui {

class InlineMessage;

// Saves a part of a recording, or all of it, as a recording of its own, with names masked if that is wanted. The
// recording can be moved through meanwhile: its moment is taken over by a button. Reads and writes the files on another
// thread.
class ExcerptDialog final : public FittedDialog {
    Q_OBJECT
public:
    // path: of the recording. thread: for the files; outlives it.
    ExcerptDialog(recording::RecordingSource source, FileThread& thread, const recording::RecordingInfo& info,
                  const ReplayCourse& course, QWidget* parent = nullptr);
    // Ends what it is saving; the file is removed then.
    ~ExcerptDialog() override;

    // The moment that is shown.
    void setMoment(WallTime moment) { m_moment = moment; }

private:
    struct Row {
        QLabel* label;
        QDateTimeEdit* time;
        QPushButton* shown;
    };

    [[nodiscard]] Row makeRow(const QString& objectName, WallTime time);
    void makeLayout();
    void retranslate();
    [[nodiscard]] QString maskHelp() const;
    void showState();
    [[nodiscard]] bool isSaving() const { return m_saving.isRunning(); }
    void askForFile();
    void save(const QString& path);
    void report();

    const recording::RecordingSource m_source;
    FileThread& m_thread;
    const WallTime m_begin;
    const WallTime m_end;
    const bool m_isMasked;  // the recording is masked already
    const bool m_isLab;
    WallTime m_moment;
    Row m_from;
    Row m_to;
    QCheckBox* m_mask;
    InlineMessage* m_message;
    QProgressBar* m_progress;
    QPushButton* m_save;
    QPushButton* m_close;
    QString m_savedTo;
    std::stop_source m_stop;
    QFutureWatcher<Result<recording::RecordingPhase>> m_saving;
    QPointer<QFileDialog> m_file;
};

}  // namespace lockkeeper::ui
