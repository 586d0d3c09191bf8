// SPDX-License-Identifier: Apache-2.0
#include "ui/window/recordingcontroller.h"

#include "engine/replayengine.h"
#include "ui/base/helptip.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/messagebar.h"
#include "ui/base/retranslating.h"
#include "ui/connections/recordingfiledialog.h"
#include "ui/replay/capturedialog.h"
#include "ui/replay/recordable.h"
#include "ui/session/sessionpage.h"
#include "ui/window/mainwindow.h"
#include "ui/window/tabs/sessiontabs.h"
#include "ui/words/causetext.h"
#include "ui/words/recordingtext.h"
#include "ui/words/timetext.h"

#include <QAction>
#include <QClipboard>
#include <QDateTime>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>
#include <QPointer>

namespace lockkeeper::ui {

namespace {

// The dropped files; none if anything else is dropped with them.
QStringList filesIn(const QMimeData* dropped) {
    QStringList files;
    for (const QUrl& url : dropped->urls()) {
        if (!url.isLocalFile() || !QFileInfo(url.toLocalFile()).isFile())
            return {};
        files << url.toLocalFile();
    }
    return files;
}

}  // namespace

RecordingController::RecordingController(MainWindow& window)
    : QObject(&window),
      m_window(window),
      m_open(new QAction(this)),
      m_paste(new QAction(this)),
      m_record(new QAction(this)),
      m_capture(new QAction(this)) {
    m_open->setObjectName(QStringLiteral("actionOpenRecording"));
    m_paste->setObjectName(QStringLiteral("actionOpenPasted"));
    m_record->setObjectName(QStringLiteral("actionRecord"));
    m_record->setCheckable(true);
    m_capture->setObjectName(QStringLiteral("actionCapture"));
    connect(m_capture, &QAction::triggered, this, &RecordingController::askToCapture);
    connect(m_open, &QAction::triggered, this, &RecordingController::askForFile);
    connect(m_paste, &QAction::triggered, this, &RecordingController::openPasted);
    connect(m_record, &QAction::triggered, this, &RecordingController::toggle);
    m_window.setAcceptDrops(true);
    m_window.installEventFilter(this);
    keepTranslated(m_window, [this] { retranslate(); });
}

void RecordingController::retranslate() {
    m_open->setText(tr("Open recordin&g…"));
    m_open->setStatusTip(
        tr("Show a recorded session as it was, without a server; or what MONITOR or redis-cli has printed"));
    m_open->setToolTip(helpTip(m_open->statusTip()));
    m_paste->setText(tr("Open pa&sted text"));
    m_paste->setStatusTip(tr("Show the text of the clipboard, what MONITOR or redis-cli has printed, as a recording"));
    m_paste->setToolTip(helpTip(m_paste->statusTip()));
    m_record->setText(tr("Rec&ord into a file…"));
    m_record->setStatusTip(
        tr("Keep what this session shows now, and what it sees from now on, in a file that can be opened later"));
    m_record->setToolTip(helpTip(m_record->statusTip()));
    m_capture->setText(tr("Record %1 by MO&NITOR…").arg(durationText(recording::CaptureRequest().limit)));
    m_capture->setStatusTip(
        tr("Run MONITOR on this server for a short time, and open what it shows of locks as a recording"));
    m_capture->setToolTip(helpTip(m_capture->statusTip()));
}

void RecordingController::update() {
    const SessionPage& front = m_window.currentPage();
    m_capture->setEnabled(front.isLive() && front.status().phase == ConnectionPhase::Connected);
    const Recordable& page = m_window.recordable();
    m_record->setEnabled(page.canBeRecorded());
    m_record->setChecked(page.recording().phase == recording::RecordingPhase::Running);
}

void RecordingController::askForFile() {
    if (m_dialog)
        return;
    m_dialog = makeRecordingFileDialog(
        QStringLiteral("openRecordingDialog"), [] { return tr("Open recording"); }, &m_window);
    m_dialog->setFileMode(QFileDialog::ExistingFile);
    connect(m_dialog, &QFileDialog::fileSelected, &m_window, &MainWindow::openRecording);
    m_dialog->open();
}

void RecordingController::openPasted() {
    m_window.openPastedText(QGuiApplication::clipboard()->text().toUtf8());
}

void RecordingController::toggle() {
    Recordable& page = m_window.recordable();
    if (page.recording().phase == recording::RecordingPhase::Running)
        page.stopRecording();
    else
        askWhereTo();
    update();
}

// By the time the file is chosen, another page may be in front, or the page may be gone.
void RecordingController::askWhereTo() {
    if (m_dialog)
        return;
    m_dialog = makeRecordingFileDialog(
        QStringLiteral("recordDialog"), [] { return tr("Record into a file"); }, &m_window);
    m_dialog->setAcceptMode(QFileDialog::AcceptSave);
    const QString now = QDateTime::currentDateTime().toString(QStringLiteral("yyyy-MM-dd-HHmmss"));
    m_dialog->selectFile(recordingFileName(QStringLiteral("lockkeeper-") + now));
    Recordable& page = m_window.recordable();
    connect(m_dialog, &QFileDialog::fileSelected, &page.asObject(), [&page](const QString& path) {
        recording::RecordingRequest request;
        request.path = path;
        page.record(request);
    });
    m_dialog->open();
}

void RecordingController::askToCapture() {
    if (m_question)
        return;
    SessionPage& page = m_window.currentPage();
    const recording::CaptureRequest usual;
    m_question = new CaptureDialog(page.server(), usual.limit, &m_window);
    m_question->setObjectName(QStringLiteral("captureDialog"));
    m_question->setAttribute(Qt::WA_DeleteOnClose);
    const LockName lock = page.selectedLock();
    connect(m_question, &QDialog::accepted, &page, [this, &page, lock] { capture(page, lock); });
    m_question->open();
}

// By the time the result is there, another page may be in front, or the page may be gone.
void RecordingController::capture(SessionPage& page, const LockName& lock) {
    recording::CaptureRequest request;
    request.lock = lock;
    request.server = page.server();
    const OperationId id = page.link().request(request);
    const auto wasCancelled = std::make_shared<bool>(false);
    const QPointer<InlineMessage> running = page.messages().postWaiting(
        [limit = request.limit] {
            return Message{Tone::Info,
                           tr("MONITOR runs for at most %1, and costs the server time.").arg(durationText(limit))};
        },
        [&page, id, wasCancelled] {
            *wasCancelled = true;
            page.link().request(CancelOperation{id});
        });
    auto* receiver = new QObject(&page);
    page.link().onReport<MonitorCaptured>(
        receiver, [this, &page, id, running, receiver, wasCancelled](const MonitorCaptured& made) {
            if (made.operation != id)
                return;
            receiver->deleteLater();
            if (running)
                page.messages().withdraw(running);
            const recording::MonitorCapture captured = made.captured;
            if (captured.error)
                page.messages().post([error = *captured.error] {
                    return Message{Tone::Warning, tr("MONITOR has ended: %1.").arg(reasonText(error))};
                });
            if (captured.recording)
                m_window.openReplay({*captured.recording, tr("MONITOR at %1").arg(page.server()), captured.notes});
            else if (!captured.error && !*wasCancelled)
                page.messages().post([] { return Message{Tone::Info, tr("No command came in that time.")}; });
        });
}

bool RecordingController::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::DragEnter && event->type() != QEvent::Drop)
        return QObject::eventFilter(watched, event);
    auto* drop = static_cast<QDropEvent*>(event);
    const QStringList files = filesIn(drop->mimeData());
    if (files.isEmpty())
        return false;
    drop->acceptProposedAction();
    if (event->type() == QEvent::Drop) {
        for (const QString& file : files)
            m_window.openRecording(file);
    }
    return true;
}

namespace {

bool isUnused(SessionTab& tab) {
    return tab.isFree() && tab.page().server().isEmpty();
}

}  // namespace

void followOpening(ReplayEngine& recording, SessionPage& page, SessionTab& before, SessionTabs& tabs) {
    const QPointer<SessionTab> earlier(&before);  // it may be closed meanwhile
    QObject::connect(&recording, &ReplayEngine::loaded, &page, [earlier, &tabs] {
        if (earlier && isUnused(*earlier))
            Q_EMIT tabs.closeWanted(earlier->page());
    });
    const auto refuse = [earlier, &tabs, &page, path = recording.path()](const recording::OpenProblem& problem) {
        const auto report = [earlier, &tabs, path, problem] {
            SessionTab& shown = tabs.indexOf(earlier) < 0 ? tabs.currentTab() : *earlier;
            shown.messages().post([path, problem] { return Message{Tone::Danger, openProblemText(path, problem)}; });
        };
        if (&tabs.currentPage() == &page && tabs.indexOf(earlier) >= 0)
            tabs.setCurrentWidget(earlier);
        // Queued: the page's tab is gone by then.
        QObject::connect(&page, &SessionPage::closed, &tabs, report, Qt::QueuedConnection);
        Q_EMIT tabs.closeWanted(page);
    };
    QObject::connect(&recording, &ReplayEngine::loadFailed, &page, refuse);
}

}  // namespace lockkeeper::ui

#include "moc_recordingcontroller.cpp"
