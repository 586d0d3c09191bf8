// SPDX-License-Identifier: Apache-2.0
#include "support/eventstory.h"
#include "support/fakeengine.h"
#include "support/guitestprogram.h"
#include "support/samplenodes.h"
#include "support/widgettest.h"
#include "ui/events/log/eventlogmodel.h"
#include "ui/events/lookup/lookupcontroller.h"
#include "ui/events/lookup/lookupinput.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/words/timetext.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTemporaryFile>
#include <QTest>
#include <QTreeWidget>

namespace tst_lookupcontroller {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;
using monitor::EventType;

namespace {

const QString error =
    QStringLiteral("attempt to unlock lock, not locked by current thread by node id: %1 thread-id: 33")
        .arg(QString::fromLatin1(clientA));

}  // namespace

// A pasted error message, answered from the disk, the window's own events and the table.
class TestLookupController : public WidgetTest {
    Q_OBJECT

private:
    const QWidget& top() const override { return *m_window; }
    QString text(const char* label) const {
        const auto& widget = find<QLabel>(label);
        return widget.isVisible() ? widget.text() : QString();
    }
    void paste(const QString& pasted) const { find<QPlainTextEdit>("lookupText").setPlainText(pasted); }
    // "group: lock thread how | lock thread how".
    QStringList holds() const {
        QStringList groups;
        const auto& tree = find<QTreeWidget>("lookupHolds");
        for (int i = 0; i < tree.topLevelItemCount(); ++i) {
            QStringList lines;
            for (int j = 0; j < tree.topLevelItem(i)->childCount(); ++j) {
                const QTreeWidgetItem& line = *tree.topLevelItem(i)->child(j);
                lines << QStringLiteral("%1 %2 %3").arg(line.text(0), line.text(1), line.text(4));
            }
            groups << tree.topLevelItem(i)->text(0) + QStringLiteral(" = ") + lines.join(QStringLiteral(" | "));
        }
        return groups;
    }
    LookupDialog& lookup() const { return find<LookupDialog>("lookupDialog"); }
    void connectHere() {
        m_time.follow(connected());
        m_controller->setStatus(connected());
    }
    history::HistoryExcerpt excerpt(const std::vector<monitor::LockEvent>& events) const {
        history::HistoryExcerpt excerpt;
        excerpt.events = events;
        excerpt.reachesTo = m_clock.wallNow() - 1h;
        excerpt.reachesNow = true;
        return excerpt;
    }

    ManualClock m_clock;
    FakeEngine m_engine;
    ViewTime m_time{m_clock};
    std::unique_ptr<LockTableModel> m_locks;
    std::unique_ptr<EventLogModel> m_log;
    std::unique_ptr<QWidget> m_window;
    LookupController* m_controller = nullptr;

private Q_SLOTS:
    void init() {
        QGuiApplication::clipboard()->clear();
        m_engine.historyQueries.clear();
        m_locks = std::make_unique<LockTableModel>(m_time);
        m_log = std::make_unique<EventLogModel>(m_time);
        m_window = std::make_unique<QWidget>();
        m_window->show();
        m_controller = new LookupController(m_engine, *m_locks, *m_log, m_time, *m_window);
    }
    void cleanup() { m_window.reset(); }

    void asksForTheHistoryOfTheClientThatTheTextNames() {
        connectHere();
        m_controller->open();
        paste(error);
        QCOMPARE(m_engine.historyQueries.size(), size_t{1});
        QCOMPARE(m_engine.historyQueries[0].profile, connected().profile);
        QCOMPARE(std::get<ClientId>(m_engine.historyQueries[0].about), ClientId(clientA));
        QVERIFY2(text("lookupFound").startsWith(QStringLiteral("Thread 33 of client 8f14")),
                 qPrintable(text("lookupFound")));
        paste(QStringLiteral("redisson_lock__channel:{orders}"));
        QCOMPARE(std::get<LockName>(m_engine.historyQueries[1].about), lockName("orders"));
    }

    // A key that the table has is meant, whatever it looks like.
    void aNameOfTheProgramIsLookedUpByItsKey() {
        connectHere();
        HolderKnowledge knowledge;
        knowledge.names = ProgramNames({QByteArrayLiteral("app:"), {}});
        m_controller->setKnowledge(knowledge);
        m_locks->apply(batchOf({heldRow(m_clock, lockName("plain"), 12s)}));
        m_controller->open();
        const auto askedFor = [this](const char* channel) {
            paste(QString::fromLatin1(channel));
            return std::get<LockName>(m_engine.historyQueries.back().about);
        };
        QCOMPARE(askedFor("redisson_lock__channel:{orders}"), lockName("app:orders"));
        QCOMPARE(askedFor("redisson_lock__channel:{app:stock}"), lockName("app:stock"));
        QCOMPARE(askedFor("redisson_lock__channel:{plain}"), lockName("plain"));
    }

    void saysWhatItFoundNothingIn() {
        connectHere();
        m_controller->open();
        QVERIFY(text("lookupFound").contains(QStringLiteral("Nothing is sent")));
        paste(QStringLiteral("no id"));
        QVERIFY(text("lookupFound").contains(QStringLiteral("No client's id")));
        QVERIFY(m_engine.historyQueries.empty());
        QVERIFY(!find<QPushButton>("lookupAgain").isEnabled());
    }

    void takesWhatIsInTheClipboardOnlyWhenItNamesSomebody() {
        connectHere();
        QGuiApplication::clipboard()->setText(error);
        m_controller->open();
        QCOMPARE(find<QPlainTextEdit>("lookupText").toPlainText(), error);
        QCOMPARE(m_engine.historyQueries.size(), size_t{1});
        cleanup();
        init();
        connectHere();
        QGuiApplication::clipboard()->setText(QStringLiteral("a password"));
        m_controller->open();
        QVERIFY(find<QPlainTextEdit>("lookupText").toPlainText().isEmpty());
    }

    void showsWhatTheThreadHeldAndHowItLostIt() {
        connectHere();
        m_controller->open();
        paste(error);
        const WallTime then = m_clock.wallNow() - 60s;
        std::vector<monitor::LockEvent> events = EventStory("job", then)
                                                     .event(EventType::Acquired, 0s, {holder(clientA, 33)})
                                                     .ends(EventType::Expired, 30s, holder(clientA, 33))
                                                     .events();
        m_locks->apply(batchOf({heldRow(m_clock, lockName("other"), 9s, holder(clientA, 7))}));
        m_engine.finishLast(excerpt(events));
        QVERIFY2(text("lookupHeadline").contains(QStringLiteral("expired")), qPrintable(text("lookupHeadline")));
        QCOMPARE(holds(), (QStringList{QStringLiteral("Held now by other threads of the same client: 1 = other 7 held"),
                                       QStringLiteral("Held before: 1 = job 33 expired")}));
        QVERIFY(find<QScrollArea>("lookupDiagnoses").isVisible());
        QVERIFY(text("lookupLimits").contains(QStringLiteral("Known from")));
    }

    void callsAClientByTheNameThatItIsGivenMeanwhile() {
        connectHere();
        m_controller->open();
        paste(error);
        m_engine.finishLast(excerpt(EventStory("job", m_clock.wallNow() - 60s)
                                        .event(EventType::Acquired, 0s, {holder(clientA, 33)})
                                        .ends(EventType::Expired, 30s, holder(clientA, 33))
                                        .events()));
        const auto evidence = [this] { return find<QPlainTextEdit>("diagnosisEvidence").toPlainText(); };
        QVERIFY2(evidence().startsWith(QString::fromLatin1(clientA)), qPrintable(evidence()));
        HolderKnowledge knowledge;
        knowledge.aliases.set(ClientId(clientA), QStringLiteral("orders-a"));
        m_controller->setKnowledge(knowledge);
        QVERIFY2(evidence().startsWith(QStringLiteral("orders-a (")), qPrintable(evidence()));
        QCOMPARE(m_engine.historyQueries.size(), size_t{1});
    }

    void suspectsAnotherThreadAndSaysHowSure() {
        connectHere();
        m_controller->open();
        paste(error);
        m_locks->apply(batchOf({heldRow(m_clock, lockName("orders"), 9s, holder(clientA, 7))}));
        m_engine.finishLast(excerpt({}));
        const auto titles =
            find<QScrollArea>("lookupDiagnoses").findChildren<QLabel*>(QStringLiteral("diagnosisTitle"));
        QCOMPARE(titles.size(), 1);
        QCOMPARE(titles.front()->text(), QStringLiteral("Unlocked from another thread (suspected)"));
        // An id alone is not an error message.
        paste(QString::fromLatin1(clientA) + QStringLiteral(":33"));
        QVERIFY(!find<QScrollArea>("lookupDiagnoses").isVisible());
        m_engine.finishLast(excerpt({}));
        QVERIFY(!find<QScrollArea>("lookupDiagnoses").isVisible());
    }

    void withoutADiskTheWindowsOwnEventsCount() {
        connectHere();
        m_controller->open();
        m_log->append(EventStory("job", m_clock.wallNow() - 60s)
                          .event(EventType::Acquired, 0s, {holder(clientA, 33)})
                          .ends(EventType::Released, 5s, holder(clientA, 33))
                          .events());
        paste(error);
        m_engine.finishLast(history::HistoryExcerpt());
        QCOMPARE(holds().size(), 1);
        QVERIFY(holds().front().startsWith(QStringLiteral("Held before: 1 = job 33")));
        QVERIFY(text("lookupLimits").contains(QStringLiteral("not kept on disk")));
    }

    void aLockOfALostNodeIsHeldWhenLastSeen() {
        connectHere();
        const monitor::NodeStatus lost = lostNode(7001, m_clock.wallNow());
        m_locks->apply(batchOf({onNode(heldRow(m_clock, lockName("job"), 9s), watchedNode(7001)),
                                onNode(heldRow(m_clock, lockName("other"), 9s), watchedNode(7002))}));
        m_clock.advance(5s);
        (void)m_time.follow({lost, watchedNode(7002)});
        m_controller->open();
        paste(error);
        m_engine.finishLast(excerpt({}));
        const QString at = clockText(lost.lastHeard, m_clock.wallNow());
        const QStringList lines = holds();
        QCOMPARE(lines.size(), 1);
        QVERIFY2(lines[0].startsWith(QStringLiteral("Held now, or when last seen: 2")), qPrintable(lines[0]));
        QVERIFY2(
            lines[0].contains(QStringLiteral("job 33 held when last seen, at %1; its node cannot be reached").arg(at)),
            qPrintable(lines[0]));
        QVERIFY2(lines[0].contains(QStringLiteral("other 33 held")), qPrintable(lines[0]));
        QVERIFY2(text("lookupHeadline").contains(QStringLiteral("As last seen: 1 of them")),
                 qPrintable(text("lookupHeadline")));
    }

    void betweenTheDiskAndTheWindowNobodyKnows() {
        connectHere();
        m_controller->open();
        const WallTime now = m_clock.wallNow();
        m_log->append(EventStory("job", now - 10s).event(EventType::Renewed, 0s, {holder(clientA, 33)}).events());
        m_locks->apply(batchOf({heldRow(m_clock, lockName("job"), 9s)}));
        paste(error);
        history::HistoryExcerpt old =
            excerpt(EventStory("job", now - 1h).event(EventType::Acquired, 0s, {holder(clientA, 33)}).events());
        old.reachesNow = false;
        m_engine.finishLast(old);
        QCOMPARE(holds(), (QStringList{QStringLiteral("Held now: 1 = job 33 held"),
                                       QStringLiteral("Held before: 1 = job 33 still held when watching stopped")}));
        QVERIFY(text("lookupLimits").contains(QStringLiteral("Not watched: from")));
    }

    void aLateAnswerToAnEarlierTextIsNotShown() {
        connectHere();
        m_controller->open();
        paste(error);
        const OperationId first = m_engine.lastId;
        paste(QStringLiteral("redisson_lock__channel:{orders}"));
        Q_EMIT m_engine.historyRead(first, excerpt({}));
        QVERIFY(text("lookupHeadline").isEmpty());
        m_engine.finishLast(excerpt({}));
        QVERIFY(text("lookupHeadline").startsWith(QStringLiteral("Nothing is known")));
    }

    void ofSeveralTheReaderChooses() {
        connectHere();
        m_controller->open();
        paste(error + QLatin1Char('\n') + QString::fromLatin1(clientB) + QStringLiteral(":7"));
        auto& choice = find<QComboBox>("lookupChoice");
        QVERIFY(choice.isVisible());
        QCOMPARE(choice.count(), 2);
        choice.setCurrentIndex(1);
        QCOMPARE(std::get<ClientId>(m_engine.historyQueries.back().about), ClientId(clientB));
    }

    void saysThatItMustBeConnectedFirst() {
        m_controller->open();
        paste(error);
        QVERIFY(m_engine.historyQueries.empty());
        QVERIFY(text("lookupFound").startsWith(QStringLiteral("Connect to a server first")));
        connectHere();
        QCOMPARE(m_engine.historyQueries.size(), size_t{1});
    }

    void saysWhatCouldNotBeRead() {
        connectHere();
        m_controller->open();
        paste(error);
        history::HistoryExcerpt failed;
        failed.error = Error(ErrorCode::Storage, QStringLiteral("disk I/O error"));
        m_engine.finishLast(failed);
        QVERIFY(text("lookupLimits").contains(QStringLiteral("disk I/O error")));
    }

    void namesTheHostWhereItIsKnownAndSaysWhenItIsAGuess() {
        connectHere();
        m_controller->open();
        paste(error);
        QVERIFY(text("lookupIdentity").isEmpty());
        HolderKnowledge knowledge;
        monitor::HolderIdentity identity;
        identity.client = ClientId(clientA);
        identity.basis = monitor::IdentityBasis::OnlyHost;
        identity.address = "10.0.0.7:5123";
        knowledge.identities.insert(identity.client, identity);
        knowledge.aliases.set(identity.client, QStringLiteral("orders-a"));
        m_controller->setKnowledge(knowledge);
        QVERIFY2(text("lookupIdentity").contains(QStringLiteral("perhaps 10.0.0.7")),
                 qPrintable(text("lookupIdentity")));
        QVERIFY(text("lookupFound").contains(QStringLiteral("orders-a (8f14")));
    }

    // Read on the thread for files, so the answer comes later.
    void explainsTheErrorsOfTheText() {
        connectHere();
        m_controller->open();
        paste(
            QStringLiteral("2026-01-31T12:00:00Z Can't update lock orders expiration\n"
                           "2026-01-31T12:00:01Z Can't update lock bills expiration\n"));
        QVERIFY(!find<QListWidget>("lookupFindings").isVisible());
        QTRY_VERIFY(find<QListWidget>("lookupFindings").isVisible());
        auto& list = find<QListWidget>("lookupFindings");
        QCOMPARE(list.count(), 2);
        const auto explanation = [this] { return find<QPlainTextEdit>("lookupExplanation").toPlainText(); };
        QVERIFY2(explanation().startsWith(QStringLiteral("Lock: orders")), qPrintable(explanation()));
        QCOMPARE(std::get<LockName>(m_engine.historyQueries.back().about), lockName("orders"));
        list.setCurrentRow(1);
        QVERIFY2(explanation().startsWith(QStringLiteral("Lock: bills")), qPrintable(explanation()));
        QCOMPARE(std::get<LockName>(m_engine.historyQueries.back().about), lockName("bills"));
        m_locks->apply(batchOf({heldRow(m_clock, lockName("bills"), 9s)}));
        m_engine.finishLast(excerpt({}));
        QVERIFY2(text("lookupHeadline").startsWith(QStringLiteral("Holders now: 1")),
                 qPrintable(text("lookupHeadline")));
        // With the diagnoses, which take up to 130 pixels more, it fits on a screen of 700.
        const int height = lookup().minimumSizeHint().height();
        QVERIFY2(height <= 530, qPrintable(QString::number(height)));
        QSignalSpy chosen(m_controller, &LookupController::lockChosen);
        find<QPushButton>("lookupToLock").click();
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.front().front().value<LockName>(), lockName("bills"));
        paste(QStringLiteral("nothing"));
        QVERIFY(!list.isVisible());
    }

    void explainsAFile() {
        connectHere();
        m_controller->open();
        QTemporaryFile file;
        QVERIFY(file.open() && file.write("Can't update lock orders expiration\n") > 0 && file.flush());
        Q_EMIT lookup().fileChosen(file.fileName());
        QTRY_VERIFY(find<QListWidget>("lookupFindings").isVisible());
        Q_EMIT lookup().fileChosen(QStringLiteral("/no/such/file"));
        QTRY_VERIFY2(text("lookupFound").contains(QStringLiteral("/no/such/file")), qPrintable(text("lookupFound")));
    }

    // Laying it out would take the window minutes.
    void aLargeTextIsExplainedWithoutBeingShown() {
        connectHere();
        m_controller->open();
        const QString large = QString(LookupInput::longestInserted, u'x') + QStringLiteral("\n") + error;
        QGuiApplication::clipboard()->setText(large);
        auto& input = find<LookupInput>("lookupText");
        input.paste();
        QVERIFY(input.toPlainText().isEmpty());
        QVERIFY2(text("lookupFound").contains(QStringLiteral("too large to be shown")),
                 qPrintable(text("lookupFound")));
        QTRY_VERIFY(find<QListWidget>("lookupFindings").isVisible());
        QCOMPARE(find<QListWidget>("lookupFindings").count(), 1);
        QGuiApplication::clipboard()->clear();
    }

    void aLargeClipboardIsNotShownEither() {
        connectHere();
        QGuiApplication::clipboard()->setText(error + u'\n' + QString(LookupInput::longestInserted, u'x'));
        m_controller->open();
        QVERIFY(find<LookupInput>("lookupText").toPlainText().isEmpty());
        QTRY_VERIFY(find<QListWidget>("lookupFindings").isVisible());
        QGuiApplication::clipboard()->clear();
    }

    void aLineLeadsToItsLock() {
        connectHere();
        m_controller->open();
        paste(error);
        m_locks->apply(batchOf({heldRow(m_clock, lockName("orders"), 9s, holder(clientA, 33))}));
        m_engine.finishLast(excerpt({}));
        QSignalSpy chosen(m_controller, &LookupController::lockChosen);
        auto& tree = find<QTreeWidget>("lookupHolds");
        Q_EMIT tree.itemActivated(tree.topLevelItem(0)->child(0), 0);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.front().front().value<LockName>(), lockName("orders"));
    }
};

LOCKKEEPER_TEST(TestLookupController, Gui)

}  // namespace tst_lookupcontroller

#include "tst_lookupcontroller.moc"
