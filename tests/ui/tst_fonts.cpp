// SPDX-License-Identifier: Apache-2.0
#include "support/dialogchecks.h"
#include "support/guitestprogram.h"
#include "support/layoutfonts.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/connections/springprofiledialog.h"
#include "ui/connections/sshquestiondialog.h"
#include "ui/connections/variablesdialog.h"
#include "ui/events/threads/fetchdumpdialog.h"
#include "ui/locks/lockspage.h"
#include "ui/operate/givebackdialog.h"
#include "ui/operate/removeplacesdialog.h"
#include "ui/replay/capturedialog.h"
#include "ui/replay/excerptdialog.h"
#include "ui/session/sessionpage.h"

#include <QAction>
#include <QDirIterator>
#include <QDockWidget>
#include <QListWidget>
#include <QRegularExpression>

namespace tst_fonts {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

namespace {

constexpr QSize screenSize(1024, 700);

// The action or button of the window that opens it, and the dialog's name.
struct Opened {
    const char* opener;
    const char* dialog;
};
constexpr std::array dialogsOfTheWindow{
    Opened{"actionConnect", "connectDialog"},
    Opened{"actionAcquire", "acquireDialog"},
    Opened{"actionForceRelease", "forceReleaseDialog"},
    Opened{"actionRights", "rightsDialog"},
    Opened{"actionCheck", "checkDialog"},
    Opened{"actionWaits", "waitDialog"},
    Opened{"actionAbout", "aboutBox"},
    Opened{"actionLookup", "lookupDialog"},
    Opened{"actionThreadDump", "threadDumpDialog"},
    Opened{"actionNotices", "settingsDialog"},
    Opened{"actionNoticeHistory", "noticeHistoryDialog"},
    Opened{"actionRetention", "settingsDialog"},
    Opened{"actionAudit", "auditDialog"},
    Opened{"actionSettings", "settingsDialog"},
    Opened{"actionShortcuts", "shortcutsDialog"},
    Opened{"actionPalette", "paletteDialog"},
    Opened{"actionManual", "manualWindow"},
    Opened{"holderFind", "identifyDialog"},
    Opened{"holderDump", "fetchDumpDialog"},
    Opened{"actionClosePage", "exitDialog"},
    Opened{"actionArm", "armDialog"},
};

QWidget* topLevel(const char* name) {
    for (QWidget* top : QApplication::topLevelWidgets()) {
        if (top->objectName() == QLatin1String(name) && top->isVisible())
            return top;
    }
    return nullptr;
}

}  // namespace

// Dialogs and panels fit on a screen of 1024x700 pixels with the fonts of the usual desktops, also large.
class TestFonts : public WindowTest {
    Q_OBJECT

private:
    void connectWithLocks() {
        begin();
        // Without this setting the window takes the font of the desktop.
        m_settings->setValue(QStringLiteral("view/fontSize"), QApplication::font().pointSize());
        makeWindow();
        m_engine->report(connected());
        m_window->resize(screenSize);
        monitor::MonitorBatch batch =
            batchOf({renewedRow(m_clock, lockName("orders/{42}")),
                     heldRow(m_clock, lockName("stock"), 20s, holder(clientB, 1)), freeRow(m_clock, lockName("idle"))});
        monitor::ClientRow client;
        client.id = ClientId(clientA);
        client.held = 1;
        batch.clients.push_back(std::make_shared<const monitor::ClientRow>(client));
        m_engine->report(batch);
        m_engine->report(QList<control::OwnLock>{control::OwnLock{lockName("stock"), holder(clientB, 1).id, 1, true}});
        m_window->currentPage().locksPage().table().setCurrentLock(lockName("orders/{42}"));
        QCoreApplication::processEvents();
    }
    void open(const char* opener) const {
        if (auto* action = m_window->findChild<QAction*>(QLatin1String(opener)))
            action->trigger();
        else
            find<QAbstractButton>(opener).click();
    }
    void note(const QString& what, const QString& fault) {
        if (!fault.isEmpty())
            m_faults << what + QStringLiteral(": ") + fault;
    }
    void check(const QString& what, QWidget& shown) {
        QVERIFY(QTest::qWaitForWindowExposed(&shown));
        // Wrapped texts and frames are known after the first events.
        QCoreApplication::processEvents();
        note(what, whatDoesNotFit(shown));
        m_seen << QString::fromLatin1(shown.metaObject()->className()).section(QStringLiteral("::"), -1);
    }
    void checkDialogsOfTheWindow() {
        for (const auto& [opener, dialog] : dialogsOfTheWindow) {
            // Lockkeeper asks for this one on production alone.
            if (opener == QLatin1String("actionArm"))
                m_engine->report(Arming());
            open(opener);
            QWidget* shown = topLevel(dialog);
            QVERIFY2(shown, dialog);
            check(QLatin1String(dialog), *shown);
            checkPages(*shown);
            shown->close();
            QCoreApplication::processEvents();
        }
    }
    void checkPages(QWidget& dialog) {
        auto* pages = dialog.findChild<QListWidget*>(QStringLiteral("settingsPages"));
        for (int page = 1; pages && page < pages->count(); ++page) {
            pages->setCurrentRow(page);
            check(QStringLiteral("settings, ") + pages->item(page)->text(), dialog);
        }
    }
    void checkOtherDialogs() {
        const QStringList variables{QStringLiteral("REDIS_HOST"), QStringLiteral("REDIS_PORT"),
                                    QStringLiteral("REDIS_PASSWORD")};
        checkAlone(std::make_unique<VariablesDialog>(variables));
        checkAlone(std::make_unique<SpringProfileDialog>(QStringList{QStringLiteral("staging"), QStringLiteral("prod")},
                                                         SpringProfileDialog::Without::HasServers));
        checkAlone(std::make_unique<ExcerptDialog>(QStringLiteral("/tmp/incident.lockkeeper"), m_engine->files(),
                                                   recording::RecordingInfo(), ReplayCourse()));
        checkAlone(std::make_unique<CaptureDialog>(QStringLiteral("redis://cache.example.com:6379/0"), 30s));
        topology::SshQuestion question;
        question.jumpHost = QStringLiteral("ann@bastion.example.com");
        question.kind = topology::SshQuestion::Kind::YesNo;
        question.words = QStringLiteral(
            "The authenticity of host 'bastion.example.com (192.0.2.1)' can't be established.\n"
            "ED25519 key fingerprint is SHA256:uNiVztksCsDhcc0u9e8BrV2mkj3yYHRnpM1Hn7Nx3yE.\n"
            "Are you sure you want to continue connecting (yes/no/[fingerprint])?");
        checkAlone(std::make_unique<SshQuestionDialog>(question));
        monitor::Synchronizer semaphore;
        semaphore.name = LockName("CURRENTLY_PROCESSED_ITEMS:{42}:of-one-of-our-warehouses");
        semaphore.leases = {{"0123456789abcdef", m_clock.wallNow() - 1min}};
        checkFetchDialogs();
        const ViewTime time(m_clock);
        checkAlone(std::make_unique<GiveBackDialog>(semaphore, time));
        checkAlone(std::make_unique<RemovePlacesDialog>(ClientId(clientA), deadPlaces(), HolderAliases()));
    }
    void checkFetchDialogs() {
        FetchSubject subject;
        subject.client = ClientId(clientA);
        subject.name = QString::fromLatin1(clientA);
        subject.place = QStringLiteral("[2001:db8:0:1:2:3:4:5]:53422");
        subject.settings.way = profile::DumpWay::Actuator;
        subject.settings.url = QStringLiteral("https://{host}:8081/management/actuator/threaddump?format=json");
        subject.settings.credentials.user = "monitoring";
        checkAlone(std::make_unique<FetchDumpDialog>(subject));
        subject.settings.way = profile::DumpWay::Ssh;
        auto found = std::make_unique<FetchDumpDialog>(subject);
        found->showProcesses({{1234567, QStringLiteral("java"), 1000}});
        checkAlone(std::move(found));
    }
    // More than there is room for.
    QList<DeadPlace> deadPlaces() const {
        QList<DeadPlace> places;
        for (int i = 0; i < 40; ++i) {
            const QByteArray name = "CURRENTLY_PROCESSED_ITEMS:" + QByteArray::number(i);
            monitor::LockRow row = freeRow(m_clock, LockName(name));
            row.lock.fairQueue = {{holder(clientA, 1).id, {}}};
            row.queueFacts = deadOf(row.lock.fairQueue);
            places += deadPlacesOf(ClientId(clientA), row);
        }
        return places;
    }
    void checkAlone(std::unique_ptr<QDialog> dialog) {
        dialog->setAttribute(Qt::WA_DeleteOnClose, false);
        dialog->show();
        check(QString::fromLatin1(dialog->metaObject()->className()), *dialog);
    }
    void verifyAllFits() const { QVERIFY2(m_faults.isEmpty(), qPrintable(u'\n' + m_faults.join(u'\n'))); }

    QStringList m_faults;
    QSet<QString> m_seen;

private Q_SLOTS:
    void init() {
        m_faults.clear();
        m_seen.clear();
    }
    void cleanup() { end(); }

    void theScreenIsSmall() { QCOMPARE(QGuiApplication::primaryScreen()->availableSize(), screenSize); }

    void theFontOfTheTestsIsFixed() {
        QCOMPARE(QFontInfo(QApplication::font()).family(), QStringLiteral("DejaVu Sans"));
        QCOMPARE(QFontInfo(QFont(QStringLiteral("sans-serif"))).family(), QStringLiteral("DejaVu Sans"));
        QCOMPARE(QFontInfo(QFont(QStringLiteral("monospace"))).family(), QStringLiteral("DejaVu Sans Mono"));
    }

    void everyDialogFits_data() { addFontRows(); }
    void everyDialogFits() {
        QFETCH(const QFont, font);
        const LayoutFont chosen(font);
        QVERIFY(chosen.isInstalled());
        connectWithLocks();
        checkDialogsOfTheWindow();
        checkOtherDialogs();
        verifyAllFits();
    }

    // A new dialog is to be opened here, too.
    void everyDialogIsAmongThem() {
        connectWithLocks();
        checkDialogsOfTheWindow();
        checkOtherDialogs();
        static const QRegularExpression dialogs(QStringLiteral(
            "class (\\w+)[^;{]*: public (FittedDialog|ChangeDialog|QuestionDialog|QDialog|QMessageBox)\\b"));
        // The other two fit as FittedDialog does, which they are made of.
        const QStringList bases{QStringLiteral("FittedDialog"), QStringLiteral("ChangeDialog"),
                                QStringLiteral("QuestionDialog")};
        int count = 0;
        for (QDirIterator headers(places::ui(), {QStringLiteral("*.h")}, QDir::Files, QDirIterator::Subdirectories);
             headers.hasNext();) {
            QFile header(headers.next());
            QVERIFY(header.open(QIODevice::ReadOnly));
            const QRegularExpressionMatch match = dialogs.match(QString::fromUtf8(header.readAll()));
            if (!match.hasMatch() || bases.contains(match.captured(1)))
                continue;
            QVERIFY2(m_seen.contains(match.captured(1)), qPrintable(match.captured(1)));
            QVERIFY2(bases.contains(match.captured(2)), qPrintable(match.captured(2)));
            ++count;
        }
        QVERIFY(count > 15);
    }

    void everyPanelFits_data() { addFontRows(); }
    void everyPanelFits() {
        QFETCH(const QFont, font);
        const LayoutFont chosen(font);
        QVERIFY(chosen.isInstalled());
        connectWithLocks();
        const QList<QDockWidget*> docks = m_window->currentPage().findChildren<QDockWidget*>();
        QCOMPARE(docks.size(), 7);
        for (QDockWidget* dock : docks) {
            if (dock->isHidden() || dock->visibleRegion().isEmpty())
                dock->toggleViewAction()->trigger();
            // A scroll bar that appears changes the layout.
            QCoreApplication::processEvents();
            QCoreApplication::processEvents();
            QVERIFY2(!dock->visibleRegion().isEmpty(), qPrintable(dock->objectName()));
            note(dock->objectName(), whatIsOutOfReach(*m_window));
        }
        QCOMPARE(m_window->size(), screenSize);
        verifyAllFits();
    }
};

LOCKKEEPER_TEST(TestFonts, GuiOnSmallScreen)

}  // namespace tst_fonts

#include "tst_fonts.moc"
