// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/labsample.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/help/manualpages.h"
#include "ui/help/manualsearch.h"
#include "ui/help/manualwindow.h"
#include "ui/locks/lockspage.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDesktopServices>
#include <QDir>
#include <QImage>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QVersionNumber>

namespace tst_manualwindow {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

namespace {

QStringList anchorsOf(const QString& file) {
    QTextDocument document;
    readManualPage(file, document);
    QStringList anchors;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        if (block.blockFormat().headingLevel() > 0)
            anchors << anchorOf(block.text());
    return anchors;
}

QStringList linksOf(const QString& file) {
    QTextDocument document;
    readManualPage(file, document);
    QStringList links;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        for (auto part = block.begin(); !part.atEnd(); ++part)
            if (const QString link = part.fragment().charFormat().anchorHref(); !link.isEmpty())
                links << link;
    return links;
}

// Empty when the place is there.
QString whyMissing(const QString& place) {
    const QString file = place.section(QLatin1Char('#'), 0, 0);
    const QString anchor = place.section(QLatin1Char('#'), 1);
    if (anchorsOf(file).isEmpty())
        return QStringLiteral("no page ") + file;
    if (!anchor.isEmpty() && !anchorsOf(file).contains(anchor))
        return QStringLiteral("no heading for ") + place;
    return {};
}

}  // namespace

// The manual is complete, is found by its words, and opens at the place that explains what the keyboard is in.
class TestManualWindow : public WindowTest {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        begin();
        makeWindow();
        activate();
        m_engine->report(connected());
        m_engine->report(batchOf({heldRow(m_clock, lockName("L"), 12s)}));
        table().setCurrentLock(lockName("L"));
    }
    void cleanup() {
        end();
        QVERIFY(!manual());
    }

    void everyFileIsAPageWithATitle() {
        QStringList files;
        for (const ManualPage& page : manualPages()) {
            QVERIFY2(!page.title.isEmpty(), qPrintable(page.file));
            files << page.file;
        }
        files.sort();
        QCOMPARE(files, QDir(QStringLiteral(":/lockkeeper/manual")).entryList(QDir::Files, QDir::Name));
    }

    void everyPageIsShown() {
        ManualWindow window;
        for (const ManualPage& page : manualPages()) {
            window.showPlace(page.file);
            const auto* text = window.findChild<QTextBrowser*>();
            QCOMPARE(text->document()->firstBlock().text(), page.title);
            QVERIFY2(text->toPlainText().size() > 500, qPrintable(page.file));
        }
    }

    void everyPictureIsThereAndFitsThePage() {
        ManualWindow window;
        window.showPlace(QStringLiteral("incident.md"));
        const auto* page = window.findChild<QTextBrowser*>();
        int pictures = 0;
        for (QTextBlock block = page->document()->begin(); block.isValid(); block = block.next()) {
            for (auto part = block.begin(); !part.atEnd(); ++part) {
                const QTextCharFormat format = part.fragment().charFormat();
                if (!format.isImageFormat())
                    continue;
                ++pictures;
                const QUrl name(format.toImageFormat().name());
                const auto picture = page->document()->resource(QTextDocument::ImageResource, name).value<QImage>();
                QVERIFY2(!picture.isNull(), qPrintable(name.toString()));
                QVERIFY(picture.width() / picture.devicePixelRatio() < 720);
            }
        }
        QCOMPARE(pictures, 3);
    }

    void everyLinkLeadsSomewhere() {
        for (const ManualPage& page : manualPages()) {
            const QStringList anchors = anchorsOf(page.file);
            QVERIFY2(anchors.size() == QSet<QString>(anchors.begin(), anchors.end()).size(), qPrintable(page.file));
            for (const QString& link : linksOf(page.file)) {
                if (QUrl(link).scheme() == QLatin1String("https"))
                    continue;
                const QString place = link.startsWith(QLatin1Char('#')) ? page.file + link : link;
                QVERIFY2(whyMissing(place).isEmpty(), qPrintable(page.file + QStringLiteral(": ") + whyMissing(place)));
            }
        }
    }

    void everyPageIsReachedFromTheContents() {
        const QStringList links = linksOf(QStringLiteral("index.md"));
        for (const ManualPage& page : manualPages().mid(1))
            QVERIFY2(links.contains(page.file), qPrintable(page.file));
    }

    void theChangesBeginWithThisVersion() {
        const QVersionNumber version = QVersionNumber::fromString(QStringLiteral(LOCKKEEPER_VERSION));
        const QString heading = QStringLiteral("%1.%2").arg(version.majorVersion()).arg(version.minorVersion());
        QCOMPARE(anchorsOf(QStringLiteral("changes.md")).at(1), anchorOf(heading));
    }

    void everyTopicHasItsPlace() {
        for (const ManualTopic& topic : manualTopics())
            QVERIFY2(whyMissing(topic.place).isEmpty(), qPrintable(whyMissing(topic.place)));
    }

    // The names are those of the window's parts, and of the dialogs that its actions open.
    void everyTopicIsAPartOfTheWindow() {
        action("actionSettings").trigger();
        m_window->openLab();
        const QString recordedLab = m_directory->filePath(QStringLiteral("lab.lkrec"));
        writeRecording(recordedLab, labStory(), nullptr, SampleEnd::InOrder, labInfo());
        m_window->openRecording(recordedLab);
        QTRY_VERIFY(m_window->findChild<QWidget*>(QStringLiteral("labReplayPage")));
        for (const ManualTopic& topic : manualTopics()) {
            const bool isDialog = topic.objectName.endsWith(QLatin1String("Dialog"));
            const bool isThere =
                m_window->objectName() == topic.objectName || m_window->findChild<QWidget*>(topic.objectName);
            QVERIFY2(isDialog || isThere, qPrintable(topic.objectName));
        }
    }

    void f1OpensThePageOfTheFocus_data() {
        QTest::addColumn<QString>("widget");
        QTest::addColumn<QString>("place");
        QTest::newRow("table") << "lockTable"
                               << "window.md#the-table-of-locks";
        QTest::newRow("filter") << "lockFilter"
                                << "window.md#filter-and-sort";
        QTest::newRow("timeline, by the panel around it") << "timeline"
                                                          << "history.md#the-timeline";
        QTest::newRow("events, by the panel around it") << "eventTable"
                                                        << "window.md#the-event-log";
    }
    void f1OpensThePageOfTheFocus() {
        QFETCH(QString, widget);
        QFETCH(QString, place);
        auto& focus = find<QWidget>(widget);
        focus.setFocus();
        QTest::keyClick(&focus, Qt::Key_F1);
        QVERIFY(manual());
        QVERIFY(manual()->isVisible());
        QCOMPARE(page().source(), manualUrl(place));
    }

    void f1OpensThePageOfTheLab() {
        action("actionLab").trigger();
        auto& focus = find<QWidget>("labKeys");
        focus.setFocus();
        QTest::keyClick(&focus, Qt::Key_F1);
        QVERIFY(manual());
        QCOMPARE(page().source(), manualUrl(QStringLiteral("lab.md#in-the-window")));
    }

    void f1OpensThePageOfADialog_data() {
        QTest::addColumn<QString>("action");
        QTest::addColumn<QString>("dialog");
        QTest::newRow("connect") << "actionConnect"
                                 << "connectDialog";
        QTest::newRow("rights") << "actionRights"
                                << "rightsDialog";
        QTest::newRow("check") << "actionCheck"
                               << "checkDialog";
        QTest::newRow("acquire") << "actionAcquire"
                                 << "acquireDialog";
        QTest::newRow("force-release") << "actionForceRelease"
                                       << "forceReleaseDialog";
        QTest::newRow("look up") << "actionLookup"
                                 << "lookupDialog";
        QTest::newRow("waits") << "actionWaits"
                               << "waitDialog";
        QTest::newRow("notifications") << "actionNotices"
                                       << "noticeForm";
        QTest::newRow("history") << "actionRetention"
                                 << "historyPage";
        QTest::newRow("find out who this is") << "holderFind"
                                              << "identifyDialog";
        QTest::newRow("get a thread dump") << "holderDump"
                                           << "fetchDumpDialog";
        QTest::newRow("name this client") << "holderAlias"
                                          << "aliasDialog";
    }
    void f1OpensThePageOfADialog() {
        QFETCH(QString, action);
        QFETCH(QString, dialog);
        if (auto* menu = m_window->findChild<QAction*>(action))
            menu->trigger();
        else
            find<QAbstractButton>(action).click();
        auto* opened = m_window->findChild<QWidget*>(dialog);
        QVERIFY(opened);
        // Not qWaitForWindowActive(): a dialog counts as active there as soon as its parent is.
        QWidget* dialogOfIt = opened->window();
        dialogOfIt->activateWindow();
        QTRY_COMPARE(QApplication::activeWindow(), dialogOfIt);
        QTest::keyClick(dialogOfIt->focusWidget() ? dialogOfIt->focusWidget() : dialogOfIt, Qt::Key_F1);
        QVERIFY(manual());
        QCOMPARE(page().source(), manualUrl(placeOf(dialog)));
        // A modal dialog does not block it: keys that the window system delivers arrive.
        QVERIFY(QTest::qWaitForWindowActive(manual()));
        auto* words = manual()->findChild<QLineEdit*>(QStringLiteral("manualSearch"));
        words->setFocus();
        QTest::keyClick(manual()->windowHandle(), Qt::Key_X);
        QCOMPARE(words->text(), QStringLiteral("x"));
    }

    void theExitDialogHasAPage() {
        m_engine->report(QList<control::OwnLock>{{lockName("L"), holder(clientA, 1).id}});
        m_window->close();
        QVERIFY(dialog("exitDialog"));
        QCOMPARE(whyMissing(placeOf(QStringLiteral("exitDialog"))), QString());
    }

    void theMenuOpensTheManual() {
        action("actionManual").trigger();
        QVERIFY(manual() && manual()->isVisible());
    }

    void searchFindsSectionsWithEveryWord() {
        const QList<ManualHit> hits = ManualSearch().find({QStringLiteral("MONITOR"), QStringLiteral("unix")});
        QCOMPARE(hits.size(), 1);
        QCOMPARE(hits.first().place, QStringLiteral("who-holds-it.md#find-out-who-this-is"));
        QVERIFY(ManualSearch().find({QStringLiteral("watchdog"), QStringLiteral("xyzzy")}).isEmpty());
    }

    void enterInTheSearchOpensTheFirstHit() {
        ManualWindow window;
        window.showPlace(QStringLiteral("index.md"));
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto* words = window.findChild<QLineEdit*>(QStringLiteral("manualSearch"));
        auto* list = window.findChild<QListWidget*>();
        auto* text = window.findChild<QTextBrowser*>();
        QTest::keyClicks(words, QStringLiteral("flock"));
        QCOMPARE(list->count(), 1);
        QVERIFY(list->item(0)->text().contains(QLatin1String("flock")));
        QTest::keyClick(words, Qt::Key_Return);
        QCOMPARE(text->source(), manualUrl(QStringLiteral("command-line.md#run-a-command-under-a-lock")));
        QVERIFY(text->verticalScrollBar()->value() > 0);
        QVERIFY(!text->extraSelections().isEmpty());
        QTest::keyClick(words, Qt::Key_Escape);
        QCOMPARE(list->count(), manualPages().size());
        QVERIFY(window.isVisible());
        QTest::keyClick(words, Qt::Key_Escape);
        QVERIFY(!window.isVisible());
    }

    void wordsThatAreNowhereAreReported() {
        ManualWindow window;
        window.showPlace(QStringLiteral("index.md"));
        window.findChild<QLineEdit*>(QStringLiteral("manualSearch"))->setText(QStringLiteral("xyzzy"));
        auto* list = window.findChild<QListWidget*>();
        QCOMPARE(list->count(), 1);
        QVERIFY(!(list->item(0)->flags() & Qt::ItemIsSelectable));
    }

    void backAndForwardFollowThePages() {
        ManualWindow window;
        window.showPlace(QStringLiteral("index.md"));
        window.showPlace(QStringLiteral("json.md"));
        const auto* text = window.findChild<QTextBrowser*>();
        window.findChild<QAction*>(QStringLiteral("manualBack"))->trigger();
        QCOMPARE(text->source(), manualUrl(QStringLiteral("index.md")));
        QCOMPARE(window.findChild<QListWidget*>()->currentRow(), 0);
        window.findChild<QAction*>(QStringLiteral("manualForward"))->trigger();
        QCOMPARE(text->source(), manualUrl(QStringLiteral("json.md")));
    }

    void theKeyboardFollowsLinks() {
        QDesktopServices::setUrlHandler(QStringLiteral("https"), this, "openOutside");
        ManualWindow window;
        window.showPlace(QStringLiteral("index.md"));
        QVERIFY(QTest::qWaitForWindowActive(&window));
        auto* text = window.findChild<QTextBrowser*>();
        QTest::keyClick(text, Qt::Key_Tab);
        QTest::keyClick(text, Qt::Key_Return);
        QDesktopServices::unsetUrlHandler(QStringLiteral("https"));
        QCOMPARE(m_openedOutside, QUrl(QStringLiteral("https://redisson.org")));
        QCOMPARE(text->source(), manualUrl(QStringLiteral("index.md")));
        QTest::keyClick(text, Qt::Key_Tab);
        QTest::keyClick(text, Qt::Key_Return);
        QCOMPARE(text->source(), manualUrl(QStringLiteral("connecting.md")));
    }

public Q_SLOTS:
    void openOutside(const QUrl& url) { m_openedOutside = url; }

private:
    static ManualWindow* manual() {
        for (QWidget* window : QApplication::topLevelWidgets())
            if (auto* manual = qobject_cast<ManualWindow*>(window))
                return manual;
        return nullptr;
    }
    static const QTextBrowser& page() { return *manual()->findChild<QTextBrowser*>(); }
    static QString placeOf(const QString& objectName) {
        for (const ManualTopic& topic : manualTopics())
            if (topic.objectName == objectName)
                return topic.place;
        return {};
    }

    QUrl m_openedOutside;
};

LOCKKEEPER_TEST(TestManualWindow, Gui)

}  // namespace tst_manualwindow

#include "tst_manualwindow.moc"
