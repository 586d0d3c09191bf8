// SPDX-License-Identifier: Apache-2.0
#include "support/forgedrecording.h"
#include "support/guitestprogram.h"
#include "support/places.h"
#include "support/recordingsample.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/base/badge.h"
#include "ui/base/inlinemessage.h"
#include "ui/base/statusfield.h"
#include "ui/locks/lockspage.h"
#include "ui/session/sessionpage.h"
#include "ui/session/sessiontools.h"
#include "ui/window/notices/noticecontroller.h"
#include "ui/window/tabs/sessiontabs.h"

#include <QAbstractItemView>
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDateTimeEdit>
#include <QDialog>
#include <QDropEvent>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>
#include <QTreeWidget>

namespace tst_replaywindow {

using namespace lockkeeper;
using namespace lockkeeper::recording;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

namespace {

// Alice takes L; after a minute Bob has it.
std::vector<std::vector<Record>> story() {
    return {{linkAt(0ms, LinkStatus::Phase::Connecting), linkAt(5ms, LinkStatus::Phase::Connected),
             readAt(10ms, held(10ms, alice)), batchAt(20ms)},
            {readAt(60s, free(60s), 1), batchAt(60s), readAt(61s, held(61s, bob)), batchAt(61s)}};
}

}  // namespace

// A recording in the window: a session without a server, at a time of the user's choice.
class TestReplayWindow : public WindowTest {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        begin();
        makeWindow();
        m_file = m_directory->filePath(QStringLiteral("story.lkrec"));
        m_part = m_directory->filePath(QStringLiteral("part.lkrec"));
    }
    void cleanup() { end(); }

    void itShowsTheLocksOfItsTime() {
        open(story());
        QTRY_COMPARE(holder(), alice);
        QVERIFY(isMarked());
        moveTo(slider().maximum());
        QTRY_COMPARE(holder(), bob);
        moveTo(0);
        QTRY_COMPARE(rows(), 0);
        moveTo(1);
        QTRY_COMPARE(holder(), alice);
        QVERIFY(isMarked());
    }

    void itStepsFromBatchToBatch() {
        open(story());
        QTRY_COMPARE(holder(), alice);
        find<QToolButton>("replayForward").click();
        QTRY_COMPARE(rows() == 1 && !row().lock.isHeld(), true);
        find<QToolButton>("replayForward").click();
        QTRY_COMPARE(holder(), bob);
        find<QToolButton>("replayBack").click();
        QTRY_COMPARE(rows() == 1 && !row().lock.isHeld(), true);
        find<QToolButton>("replayBack").click();
        QTRY_COMPARE(holder(), alice);
    }

    // Also when going back. The caption is plain text, and a long one is shortened.
    void theCaptionIsThatOfItsTime() {
        const QString first = QStringLiteral("<b>A.lock L</b>");
        open({{captionAt(1s, first), batchAt(1s), deliveredAt(1s), captionAt(3s, QString(5000, u'x')), batchAt(3s),
               deliveredAt(3s)}});
        QTRY_VERIFY(slider().isEnabled());
        moveTo(10);
        QTRY_COMPARE(caption().text(), first);
        QVERIFY(caption().isVisible());
        QCOMPARE(caption().textFormat(), Qt::PlainText);
        moveTo(slider().maximum());
        QTRY_COMPARE(caption().text(), QString(300, u'x'));
        moveTo(10);
        QTRY_COMPARE(caption().text(), first);
    }

    void aRecordingWithoutCaptionsHasNoRoomForThem() {
        open(story());
        QTRY_COMPARE(holder(), alice);
        QVERIFY(!caption().isVisible());
    }

    void figuresThatWereNotRecordedAreNotShown() {
        open(story());
        QTRY_COMPARE(holder(), alice);
        QCOMPARE(figures(), QString());
    }

    // The figures of a later time are not known then. The locks are counted: a live session may report figures later
    // than rows.
    void beforeItsFirstFiguresNoneAreShown() {
        std::vector<std::vector<Record>> blocks = story();
        std::get<BatchEnded>(blocks.back().back().entry).stats = monitor::MonitorStats();
        open(blocks);
        QTRY_COMPARE(holder(), alice);
        QCOMPARE(figures(), QString());
        moveTo(slider().maximum());
        QTRY_COMPARE(holder(), bob);
        QCOMPARE(figures(), QStringLiteral("1 held of 1 known"));
        moveTo(1);
        QTRY_COMPARE(holder(), alice);
        QCOMPARE(figures(), QString());
    }

    void itPlaysToTheEnd() {
        open(story());
        QTRY_COMPARE(holder(), alice);
        find<QComboBox>("replaySpeed").setCurrentIndex(5);
        find<QToolButton>("replayPlay").click();
        QTRY_COMPARE(holder(), bob);
        QTRY_COMPARE(slider().value(), slider().maximum());
    }

    // Moving back and forth must not list the same events twice.
    void theEventsAreThoseUpToItsTime() {
        open(story());
        QTRY_COMPARE(holder(), alice);
        const qsizetype first = events();
        moveTo(slider().maximum());
        QTRY_COMPARE(holder(), bob);
        const qsizetype all = events();
        QVERIFY(all > first);
        moveTo(1);
        QTRY_COMPARE(events(), first);
        moveTo(slider().maximum());
        QTRY_COMPARE(events(), all);
    }

    // Times left are as of that time, whatever the present clock says.
    void aTtlIsThatOfItsTime() {
        open(story());
        QTRY_COMPARE(holder(), alice);
        const QString before = find<QLabel>("replayTime").text();
        moveTo(slider().maximum());
        QTRY_VERIFY(find<QLabel>("replayTime").text() != before);
    }

    void nothingCanBeChanged_data() {
        QTest::addColumn<QString>("action");
        for (const char* action : {"actionAcquire", "actionRelease", "actionForceRelease", "actionWakeWaiters",
                                   "actionArm", "actionDisconnect", "actionPauseDiscovery", "actionRecord"})
            QTest::newRow(action) << QString::fromLatin1(action);
    }
    void nothingCanBeChanged() {
        QFETCH(QString, action);
        open(story());
        QTRY_COMPARE(holder(), alice);
        page().locksPage().selectFirst();
        QVERIFY(!m_window->findChild<QAction*>(action)->isEnabled());
        QVERIFY(!page().isFree());
    }

    void aDamagedFileIsShownUpToTheDamage() {
        writeRecording(m_file, story());
        damage(m_file);
        m_window->openRecording(m_file);
        QTRY_COMPARE(holder(), alice);
        QVERIFY(find<InlineMessage>("replayMessage").text().contains(QStringLiteral("damaged")));
        moveTo(slider().maximum());
        QTRY_COMPARE(holder(), alice);
    }

    void aFileThatWouldTakeTooMuchMemoryIsShownUpToThere() {
        writeRecording(m_file, story(), nullptr, SampleEnd::Killed);
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::Append));
        file.write(compressedBlock(recording::BlockKind::Data, QByteArray(32 * 1024 * 1024, '\0')));
        file.close();
        m_window->openRecording(m_file);
        QTRY_COMPARE(holder(), alice);
        QVERIFY(find<InlineMessage>("replayMessage").text().contains(QStringLiteral("more memory")));
    }

    void entriesOfANewerVersionAreReportedOnceTheyAreReached() {
        std::vector<std::vector<recording::Record>> blocks = story();
        const recording::Record last = blocks.back().back();
        recording::Record unknown = linkAt(0ms, static_cast<recording::LinkStatus::Phase>(99));
        unknown.at = last.at;
        blocks.back().push_back(unknown);
        writeRecording(m_file, blocks);
        m_window->openRecording(m_file);
        QTRY_COMPARE(holder(), alice);
        QVERIFY(!find<InlineMessage>("replayMessage").text().contains(QStringLiteral("newer version")));
        moveTo(slider().maximum());
        QTRY_VERIFY(find<InlineMessage>("replayMessage").text().contains(QStringLiteral("newer version")));
    }

    void anotherFileIsRefusedWithAReason() {
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{}");
        file.close();
        m_window->openRecording(m_file);
        QTRY_VERIFY(isRefusedOnStartPage(QStringLiteral("neither a recording")));
    }

    // The open page stays in front, with the message.
    void aFileThatIsMissingIsRefusedOverTheSession() {
        m_window->connectTo(*profile::ConnectionProfile::fromUrl(QStringLiteral("redis://one")));
        m_engine->report(connected());
        SessionPage* session = &page();
        m_window->openStartPage();
        m_window->findChild<SessionTabs*>()->bringToFront(*session);
        m_window->openRecording(m_file);
        QTRY_VERIFY(saysInFront(QStringLiteral("cannot be read")));
        QCOMPARE(tabs().count(), 2);
        QCOMPARE(&page(), session);
        QVERIFY(saysInFront(QStringLiteral("story.lkrec")));
    }

    // The reason is shown on a page that is in sight.
    void theTabThatWasInFrontMayBeClosedMeanwhile() {
        SessionPage& start = page();
        m_window->openRecording(m_file);
        m_window->closePage(start);
        QTRY_VERIFY(isRefusedOnStartPage(QStringLiteral("cannot be read")));
    }

    // The file may also be dropped on the parts of the start page: its list accepts connections that are moved in it.
    void aFileThatIsDroppedIsOpened_data() {
        QTest::addColumn<QByteArray>("part");
        QTest::newRow("on the start page") << QByteArray("startPage");
        QTest::newRow("on its list") << QByteArray("connectionList");
        QTest::newRow("on a button") << QByteArray("startDemo");
    }
    void aFileThatIsDroppedIsOpened() {
        QFETCH(const QByteArray, part);
        writeRecording(m_file, story());
        QVERIFY(drop(startPart(part), m_file));
        QTRY_COMPARE(holder(), alice);
    }

    void anotherFileThatIsDroppedIsRefusedWithAReason() {
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{}");
        file.close();
        QVERIFY(drop(startPart("startPage"), m_file));
        QTRY_VERIFY(isRefusedOnStartPage(QStringLiteral("neither a recording of Lockkeeper")));
        QVERIFY(saysInFront(QStringLiteral("story.lkrec")));
    }

    void aTraceOfMonitorOpensAndSaysWhatItDoesNotShow() {
        QVERIFY(drop(startPart("startPage"), places::data() + QStringLiteral("/monitor/expired.txt")));
        QTRY_COMPARE(rows(), 1);
        QVERIFY(row().lock.isHeld());
        QVERIFY(caption().text().contains(QStringLiteral("hincrby orders")));
        QVERIFY(replayMessage().contains(QStringLiteral("1 lease ended by the reckoning")));
        moveTo(slider().maximum());
        QTRY_VERIFY(rows() == 1 && !row().lock.isHeld());
    }

    // Those that led to the moment, and no later ones.
    void theCommandsOfATraceAreListed() {
        QVERIFY(drop(startPart("startPage"), places::data() + QStringLiteral("/monitor/reentrant.txt")));
        QTRY_VERIFY(caption().isVisible());
        auto& show = find<QToolButton>("replayShowSteps");
        auto& steps = find<QTreeWidget>("replaySteps");
        QVERIFY(!steps.isVisible());
        show.click();
        QVERIFY(steps.isVisible());
        QVERIFY(!caption().isVisible());  // its last row is the same
        QCOMPARE(steps.topLevelItemCount(), 1);
        QVERIFY(steps.topLevelItem(0)->text(1).contains(QStringLiteral("hincrby orders")));
        moveTo(slider().maximum());
        QTRY_VERIFY(steps.topLevelItemCount() > 8);
        QCOMPARE(steps.currentItem(), steps.topLevelItem(steps.topLevelItemCount() - 1));
        moveTo(0);
        QTRY_VERIFY(steps.topLevelItemCount() <= 1);
        show.click();
        QVERIFY(!steps.isVisible());
    }
    void otherRecordingsHaveNoCommands() {
        open(story());
        QTRY_COMPARE(holder(), alice);
        QVERIFY(!find<QToolButton>("replayShowSteps").isVisible());
    }

    void pastedTextOpens() {
        QFile trace(places::data() + QStringLiteral("/monitor/state.txt"));
        QVERIFY(trace.open(QIODevice::ReadOnly));
        QGuiApplication::clipboard()->setText(QString::fromUtf8(trace.readAll()));
        find<QAction>("actionOpenPasted").trigger();
        QTRY_COMPARE(rows(), 1);
        QCOMPARE(row().lock.name, LockName("orders:42"));
        QCOMPARE(row().lock.holders.first().count, 2);
        QVERIFY(replayMessage().contains(QStringLiteral("one state")));
    }

    void pastedTextOfAnotherKindIsRefused() {
        QGuiApplication::clipboard()->setText(QStringLiteral("a shopping list"));
        find<QAction>("actionOpenPasted").trigger();
        QTRY_VERIFY(isRefusedOnStartPage(QStringLiteral("neither a recording of Lockkeeper")));
    }

    void aFolderIsNotTaken() {
        QVERIFY(!drop(startPart("startPage"), m_directory->path()));
        QVERIFY(page().isFree());
    }

    void allOfItIsSavedUnlessAPartIsChosen() {
        open(story());
        savePart();
        const std::unique_ptr<RecordingFile> part = savedPart();
        QVERIFY(part);
        QCOMPARE(part->info().begun, WallTime(0ms));
        QCOMPARE(part->end().at, WallTime(61s));
        QVERIFY(!part->info().isMasked);
    }

    // While the dialog is open, the recording is moved to the time that is taken over.
    void aPartIsSavedAsARecordingOfItsOwn() {
        open(story());
        showPartDialog();
        moveTo(slider().maximum());
        QTRY_COMPARE(holder(), bob);
        find<QPushButton>("excerptFromShown").click();
        savePart();
        const std::unique_ptr<RecordingFile> part = savedPart();
        QVERIFY(part);
        QCOMPARE(part->info().begun, WallTime(61s));
    }

    void theLastTimeIsChosen() {
        open(story());
        showPartDialog();
        auto& to = find<QDateTimeEdit>("excerptTo");
        to.setDateTime(to.minimumDateTime().addSecs(1));
        savePart();
        const std::unique_ptr<RecordingFile> part = savedPart();
        QVERIFY(part);
        QCOMPARE(part->end().at, WallTime(20ms));
    }

    // The fields show milliseconds; records have more exact times.
    void whatIsShownAtTheChosenEndIsInThePart() {
        const auto inBetween = [](Record record) {
            record.at += 400us;
            return record;
        };
        open({{linkAt(5ms, LinkStatus::Phase::Connected), readAt(10ms, held(10ms, alice)), batchAt(20ms),
               inBetween(readAt(1s, free(1s), 1)), inBetween(batchAt(1s)), readAt(5s, held(5s, bob)), batchAt(5s)}});
        showPartDialog();
        find<QToolButton>("replayForward").click();
        QTRY_COMPARE(rows() == 1 && !row().lock.isHeld(), true);
        find<QPushButton>("excerptToShown").click();
        savePart();
        const std::unique_ptr<RecordingFile> part = savedPart();
        QVERIFY(part);
        QVERIFY(part->last() - part->first() > 900ms);
        QVERIFY(part->last() - part->first() < 4s);
    }

    void aPartIsMaskedOnWish() {
        open(story());
        showPartDialog();
        find<QCheckBox>("excerptMask").setChecked(true);
        savePart();
        const std::unique_ptr<RecordingFile> part = savedPart();
        QVERIFY(part);
        QVERIFY(part->info().isMasked);
        QVERIFY(!part->info().server.contains(QStringLiteral("redis.example")));
    }

    void aPartThatEndsBeforeItBeginsIsNotSaved() {
        open(story());
        showPartDialog();
        auto& to = find<QDateTimeEdit>("excerptTo");
        find<QDateTimeEdit>("excerptFrom").setDateTime(to.maximumDateTime());
        QVERIFY(find<QPushButton>("excerptSave").isEnabled());
        to.setDateTime(to.minimumDateTime());
        QVERIFY(!find<QPushButton>("excerptSave").isEnabled());
        QVERIFY(find<InlineMessage>("excerptMessage").text().contains(QStringLiteral("ends before it begins")));
    }

    void noFileIsWrittenOver() {
        open(story());
        QTRY_COMPARE(holder(), alice);
        QFile file(m_part);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("mine");
        file.close();
        savePart();
        QTRY_VERIFY(find<InlineMessage>("excerptMessage").text().contains(QStringLiteral("Not saved")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("mine"));
    }

    void theDialogGoesWithItsTab() {
        open(story());
        showPartDialog();
        const QPointer<QWidget> dialog = &find<QWidget>("excerptDialog");
        m_window->closePage(page());
        QTRY_VERIFY(!dialog);
    }

    void closingItsTabEndsIt() {
        open(story());
        QTRY_COMPARE(holder(), alice);
        QCOMPARE(find<QTabWidget>("sessionTabs").count(), 1);  // nothing was connected before
        m_window->closePage(page());
        QTRY_VERIFY(!page().status().isRecording);
        QVERIFY(page().isFree());
    }

    void aLiveSessionIsRecorded() {
        m_window->connectTo(*profile::ConnectionProfile::fromUrl(QStringLiteral("redis://one")));
        m_engine->report(connected());
        QAction& record = find<QAction>("actionRecord");
        QVERIFY(record.isEnabled());
        QVERIFY(!record.isChecked());
        RecordingStatus status;
        status.phase = RecordingPhase::Running;
        status.path = m_file;
        status.bytes = 5000;
        m_engine->report(status);
        QVERIFY(record.isChecked());
        QVERIFY(find<QWidget>("statusRecording").isVisible());
        record.trigger();
        QCOMPARE(m_engine->stoppedRecordings, 1);
        status.phase = RecordingPhase::Failed;
        status.error =
            Error(ErrorCode::Storage, Cause::FileNotWritten, {m_file, QStringLiteral("No space left on device")});
        m_engine->report(status);
        QVERIFY(!record.isChecked());
        QVERIFY(!find<QWidget>("statusRecording").isVisible());
        const auto messages = m_window->findChildren<InlineMessage*>();
        const auto saysSo = [](const InlineMessage* message) {
            return message->text().contains(QStringLiteral("No space left on device"));
        };
        QVERIFY(std::any_of(messages.begin(), messages.end(), saysSo));
    }

    // Only after a question that says what it costs.
    void aLiveSessionIsRecordedByMonitor() {
        QAction& capture = find<QAction>("actionCapture");
        QVERIFY(!capture.isEnabled());
        m_window->connectTo(*profile::ConnectionProfile::fromUrl(QStringLiteral("redis://one")));
        m_engine->report(connected());
        QVERIFY(capture.isEnabled());
        capture.trigger();
        QVERIFY(m_engine->captures.empty());
        QVERIFY(find<QLabel>("captureCost").text().contains(QStringLiteral("halve")));
        find<QPushButton>("captureRecord").click();
        QCOMPARE(m_engine->captures.size(), 1U);
        QCOMPARE(m_engine->captures.front().limit, 30s);
        QVERIFY(saysInFront(QStringLiteral("MONITOR runs")));
        writeRecording(m_file, story());
        QFile file(m_file);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const auto bytes = std::make_shared<const QByteArray>(file.readAll());
        m_engine->report(MonitorCaptured{m_engine->lastId, {bytes, TraceNotes(), std::nullopt}});
        QTRY_COMPARE(tabs().count(), 2);
        QTRY_COMPARE(holder(), alice);
        QVERIFY(page().replay());
    }

    void aMonitorThatIsRefusedSaysWhy() {
        m_window->connectTo(*profile::ConnectionProfile::fromUrl(QStringLiteral("redis://one")));
        m_engine->report(connected());
        find<QAction>("actionCapture").trigger();
        find<QPushButton>("captureRecord").click();
        const Error refused(ErrorCode::ConnectionLost, Cause::NotConnected);
        m_engine->report(MonitorCaptured{m_engine->lastId, {nullptr, TraceNotes(), refused}});
        QVERIFY(saysInFront(QStringLiteral("MONITOR has ended")));
        QTRY_VERIFY(!saysInFront(QStringLiteral("MONITOR runs")));
        QCOMPARE(tabs().count(), 1);
    }

    // ---- settings of the program ----

    // The engine of a replay keeps no history.
    void limitsOfTheHistoryReachTheLiveEngine() {
        open(story());
        QTRY_COMPARE(holder(), alice);
        find<QAction>("actionRetention").trigger();
        find<QSpinBox>("retentionDays").setValue(2);
        find<QPushButton>("settingsApplyRetention").click();
        QCOMPARE(m_engine->retentions.size(), 1U);
        QCOMPARE(m_engine->retentions.back().age, 48h);
        QVERIFY(!find<QPushButton>("retentionForget").isEnabled());  // a recording has no history on disk
    }

    void rulesThatAreChosenBesideItNotifyOfNothingInIt() {
        open(story());
        QTRY_COMPARE(holder(), alice);
        moveTo(slider().maximum());
        QTRY_COMPARE(holder(), bob);
        moveTo(slider().maximum() / 2);
        QTRY_COMPARE(holder(), alice);
        const QSignalSpy noticed(page().findChild<NoticeController*>(), &NoticeController::noticed);
        find<QAction>("actionSettings").trigger();
        find<QWidget>("noticeHeldTime").findChild<QSpinBox*>(QStringLiteral("number"))->setValue(1);
        find<QWidget>("noticeHeldTime").findChild<QComboBox*>(QStringLiteral("unit"))->setCurrentIndex(1);
        find<QCheckBox>("noticeHeld").setChecked(true);
        find<QDialog>("settingsDialog").reject();
        QCOMPARE(m_settings->value(QStringLiteral("notices/heldLongerMs")).toLongLong(), 1000);
        QVERIFY(noticed.isEmpty());
    }

private:
    void open(const std::vector<std::vector<Record>>& blocks) {
        writeRecording(m_file, blocks);
        m_window->openRecording(m_file);
    }
    void showPartDialog() {
        QTRY_COMPARE(holder(), alice);
        find<QToolButton>("replayExcerpt").click();
        QVERIFY(find<QWidget>("excerptDialog").isVisible());
    }
    void savePart() {
        if (!m_window->findChild<QWidget*>(QStringLiteral("excerptDialog")))
            showPartDialog();
        find<QPushButton>("excerptSave").click();
        Q_EMIT find<QFileDialog>("excerptFile").fileSelected(m_part);
    }
    std::unique_ptr<RecordingFile> savedPart() const {
        const auto& message = find<InlineMessage>("excerptMessage");
        return QTest::qWaitFor([&] { return message.text().contains(QStringLiteral("Saved into")); })
                   ? RecordingFile::open(m_part).file
                   : nullptr;
    }
    QWidget& startPart(const QByteArray& name) const {
        auto& part = find<QWidget>(name.constData());
        const auto* list = qobject_cast<QAbstractItemView*>(&part);
        return list ? *list->viewport() : part;
    }
    // Drops the file as the window system does. False: it may not be dropped there.
    static bool drop(QWidget& target, const QString& path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&target, &enter);
        if (!enter.isAccepted())
            return false;
        QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&target, &drop);
        return true;
    }
    SessionPage& page() const { return m_window->currentPage(); }
    const LockTableModel& table() const { return page().tools().locks(); }
    int rows() const { return table().rowCount(); }
    const monitor::LockRow& row() const { return table().rowAt(0); }
    HolderId holder() const { return rows() == 1 && row().lock.isHeld() ? row().lock.holders.first().id : HolderId(); }
    QTabWidget& tabs() const { return find<QTabWidget>("sessionTabs"); }
    bool saysInFront(const QString& text) const {
        const auto messages = tabs().currentWidget()->findChildren<InlineMessage*>();
        return std::ranges::any_of(messages, [&text](const InlineMessage* one) { return one->text().contains(text); });
    }
    // The file is refused without a page for it.
    bool isRefusedOnStartPage(const QString& reason) const {
        return tabs().count() == 1 && page().isFree() && page().status().phase == ConnectionPhase::Disconnected &&
               saysInFront(reason);
    }
    QSlider& slider() const { return *page().findChild<QSlider*>(QStringLiteral("replaySlider")); }
    QLabel& caption() const { return *page().findChild<QLabel*>(QStringLiteral("replayCaption")); }
    QString replayMessage() const { return page().findChild<InlineMessage*>(QStringLiteral("replayMessage"))->text(); }
    void moveTo(int value) const { slider().setValue(value); }
    QString figures() const { return page().findChild<StatusField*>(QStringLiteral("statusLocks"))->text(); }
    qsizetype events() const {
        return page().findChild<QAbstractItemView*>(QStringLiteral("eventTable"))->model()->rowCount();
    }
    bool isMarked() const {
        const QString title = m_window->windowTitle();
        return title.contains(QStringLiteral("Recording of redis.example:6379")) &&
               page().findChild<Badge*>(QStringLiteral("replayBadge"))->text() ==
                   QStringLiteral("RECORDING, NOT LIVE") &&
               page().status().isRecording;
    }

    QString m_file;
    QString m_part;
};

LOCKKEEPER_TEST(TestReplayWindow, Gui)

}  // namespace tst_replaywindow

#include "tst_replaywindow.moc"
