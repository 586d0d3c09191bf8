// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/excerptdialog.h"

#include "recording/excerpt.h"
#include "ui/base/helptip.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/connections/recordingfiledialog.h"
#include "ui/words/clockzone.h"
#include "ui/words/recordingtext.h"

#include <QCheckBox>
#include <QDateTimeEdit>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

#include <functional>
#include <utility>

namespace lockkeeper::ui {

namespace {

// A field can show milliseconds at most.
WallTime inMilliseconds(WallTime time) {
    return std::chrono::floor<Milliseconds>(time);
}

WallTime timeOf(const QDateTimeEdit& field) {
    return WallTime(Milliseconds(field.dateTime().toMSecsSinceEpoch()));
}

struct Excerpt {
    recording::RecordingSource of;
    recording::RecordingRequest request;
    std::optional<WallTime> from;
    std::optional<WallTime> to;
};

using Saved = Result<recording::RecordingPhase>;

Saved saved(const Excerpt& excerpt, const std::stop_token& stop, const std::function<void(int)>& progressed) {
    const recording::RecordingFile::Opened opened = recording::RecordingFile::open(excerpt.of);
    if (!opened.file)
        return Error(ErrorCode::Storage, openProblemText(excerpt.of.path, opened.problem));
    return recording::saveExcerpt(*opened.file, excerpt.request, excerpt.from, excerpt.to, stop, progressed);
}

}  // namespace

ExcerptDialog::ExcerptDialog(recording::RecordingSource source, FileThread& thread,
                             const recording::RecordingInfo& info, const ReplayCourse& course, QWidget* parent)
    : FittedDialog(parent),
      m_source(std::move(source)),
      m_thread(thread),
      m_begin(inMilliseconds(info.begun)),
      m_end(std::max(m_begin, inMilliseconds(course.end.at))),
      m_isMasked(info.isMasked),
      m_isLab(info.experiment.has_value()),
      m_moment(course.wall),
      m_from(makeRow(QStringLiteral("excerptFrom"), m_begin)),
      m_to(makeRow(QStringLiteral("excerptTo"), m_end)),
      m_mask(new QCheckBox(this)),
      m_message(new InlineMessage(this)),
      m_progress(new QProgressBar(this)),
      m_save(new QPushButton(this)),
      m_close(new QPushButton(this)) {
    setObjectName(QStringLiteral("excerptDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_mask->setObjectName(QStringLiteral("excerptMask"));
    m_mask->setChecked(m_isMasked);
    m_message->setObjectName(QStringLiteral("excerptMessage"));
    m_progress->setObjectName(QStringLiteral("excerptProgress"));
    m_save->setObjectName(QStringLiteral("excerptSave"));
    m_close->setObjectName(QStringLiteral("excerptClose"));
    m_save->setDefault(true);
    makeLayout();
    connect(m_save, &QPushButton::clicked, this, &ExcerptDialog::askForFile);
    connect(m_close, &QPushButton::clicked, this, &QDialog::reject);
    connect(&m_saving, &QFutureWatcherBase::progressRangeChanged, m_progress, &QProgressBar::setRange);
    connect(&m_saving, &QFutureWatcherBase::progressValueChanged, m_progress, &QProgressBar::setValue);
    connect(&m_saving, &QFutureWatcherBase::finished, this, &ExcerptDialog::report);
    keepTranslated(*this, [this] { retranslate(); });
}

ExcerptDialog::~ExcerptDialog() {
    m_stop.request_stop();
}

ExcerptDialog::Row ExcerptDialog::makeRow(const QString& objectName, WallTime time) {
    const Row row{plainLabel(this), new QDateTimeEdit(this), new QPushButton(this)};
    row.time->setObjectName(objectName);
    row.shown->setObjectName(objectName + QStringLiteral("Shown"));
    row.shown->setAutoDefault(false);
    row.time->setTimeSpec(clockZone() == ClockZone::Utc ? Qt::UTC : Qt::LocalTime);
    row.time->setDisplayFormat(clockZone() == ClockZone::Utc ? QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz'Z'")
                                                             : QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
    row.time->setDateTimeRange(zonedTime(m_begin), zonedTime(m_end));
    row.time->setDateTime(zonedTime(time));
    row.label->setBuddy(row.time);
    connect(row.time, &QDateTimeEdit::dateTimeChanged, this, [this] { showState(); });
    connect(row.shown, &QPushButton::clicked, this,
            [this, field = row.time] { field->setDateTime(zonedTime(inMilliseconds(m_moment))); });
    return row;
}

void ExcerptDialog::makeLayout() {
    auto* layout = new QGridLayout;
    int line = 0;
    for (const Row& row : {m_from, m_to}) {
        layout->addWidget(row.label, line, 0);
        layout->addWidget(row.time, line, 1);
        layout->addWidget(row.shown, line++, 2);
    }
    layout->addWidget(m_mask, line++, 1, 1, 2);
    layout->addWidget(m_message, line++, 0, 1, 3);
    layout->addWidget(m_progress, line++, 0, 1, 3);
    layout->setRowStretch(line, 1);
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(m_save, QDialogButtonBox::AcceptRole);
    buttons->addButton(m_close, QDialogButtonBox::RejectRole);
    setContent(layout, {buttons});
}

void ExcerptDialog::retranslate() {
    setWindowTitle(tr("Save a part of the recording"));
    m_from.label->setText(tr("&From:"));
    m_to.label->setText(tr("&To:"));
    m_from.shown->setText(tr("Time &shown"));
    m_to.shown->setText(tr("Time sho&wn"));
    m_from.shown->setToolTip(helpTip(tr("From the time that the recording shows now")));
    m_to.shown->setToolTip(helpTip(tr("Up to the time that the recording shows now")));
    m_mask->setText(m_isLab ? tr("&Mask the ids of clients") : tr("&Mask names, ids and addresses"));
    m_mask->setToolTip(helpTip(maskHelp()));
    m_progress->setAccessibleName(tr("How much is read and saved"));
    m_save->setText(tr("Sa&ve as…"));
    showState();
}

QString ExcerptDialog::maskHelp() const {
    if (m_isMasked)
        return tr("They are masked in this recording, so they are in its parts.");
    if (m_isLab)
        return tr(
            "Each gets another one in its place, the same one in the whole file. The names stay: they are those of the "
            "experiment.");
    return tr(
        "Each gets another word in its place, the same one in the whole file. The words cannot be computed back.");
}

void ExcerptDialog::showState() {
    const bool isInOrder = timeOf(*m_from.time) <= timeOf(*m_to.time);
    for (const Row& row : {m_from, m_to}) {
        row.time->setEnabled(!isSaving());
        row.shown->setEnabled(!isSaving());
    }
    m_mask->setEnabled(!isSaving() && !m_isMasked);
    m_save->setEnabled(!isSaving() && isInOrder);
    m_progress->setVisible(isSaving());
    m_close->setText(isSaving() ? tr("Cancel") : tr("Close"));
    if (isSaving())
        m_message->setMessage({Tone::Info, tr("Saving into %1…").arg(QDir::toNativeSeparators(m_savedTo))});
    else if (!isInOrder)
        m_message->setMessage({Tone::Warning, tr("The part ends before it begins. Choose a later time to end at.")});
    else
        m_message->setMessage({});
}

void ExcerptDialog::askForFile() {
    if (m_file)
        return;
    m_file = makeRecordingFileDialog(
        QStringLiteral("excerptFile"), [] { return tr("Save a part of the recording"); }, this);
    m_file->setAcceptMode(QFileDialog::AcceptSave);
    m_file->selectFile(recordingFileName(QFileInfo(m_source.path).completeBaseName() + QStringLiteral("-part")));
    connect(m_file, &QFileDialog::fileSelected, this, &ExcerptDialog::save);
    m_file->open();
}

// Saves up to the end of the millisecond that is shown, because all that was recorded within it is shown.
void ExcerptDialog::save(const QString& path) {
    Excerpt excerpt{m_source, {}, {}, {}};
    excerpt.request.path = path;
    excerpt.request.masking = m_mask->isChecked() && !m_isMasked ? recording::Masking::On : recording::Masking::Off;
    if (timeOf(*m_from.time) > m_begin)
        excerpt.from = timeOf(*m_from.time);
    if (timeOf(*m_to.time) < m_end)
        excerpt.to = timeOf(*m_to.time) + Milliseconds(1) - WallTime::duration(1);
    m_savedTo = path;
    m_progress->setRange(0, 0);
    m_saving.setFuture(m_thread.run<Saved>([excerpt, stop = m_stop.get_token()](QPromise<Saved>& promise) {
        return saved(excerpt, stop, [&promise](int percent) {
            promise.setProgressRange(0, 100);  // until then the progress is busy: the file is opened
            promise.setProgressValue(percent);
        });
    }));
    showState();
}

void ExcerptDialog::report() {
    const Saved saved = m_saving.result();
    showState();
    m_message->setMessage(excerptMessage(m_savedTo, saved));
}

}  // namespace lockkeeper::ui

#include "moc_excerptdialog.cpp"
