// SPDX-License-Identifier: Apache-2.0
#include "serve/messagequeue.h"
#include "serve/sender.h"
#include "serve/servecause.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QDir>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

namespace tst_messagequeue {

using namespace lockkeeper;
using namespace lockkeeper::serve;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

namespace {

// Ends each attempt as the test says.
class ScriptedReceiver final : public Receiver {
public:
    struct Attempt {
        QByteArray id;
        int number = 0;
    };

    explicit ScriptedReceiver(std::vector<Attempt>& attempts) : m_attempts(attempts) {}
    void deliver(const Message& message, int attempt, std::function<void(const DeliveryEnd& end)> done) override {
        m_attempts.push_back({message.id, attempt});
        m_done = std::move(done);
    }
    void end(DeliveryEnd::Kind kind, std::optional<Milliseconds> retryAfter = {}) {
        const auto done = std::exchange(m_done, nullptr);
        done({kind, Error(ErrorCode::ServerReply, ServeCause::HttpRefused, {QStringLiteral("500")}), retryAfter});
    }
    [[nodiscard]] bool isUnderWay() const { return m_done != nullptr; }

private:
    std::vector<Attempt>& m_attempts;
    std::function<void(const DeliveryEnd& end)> m_done;
};

}  // namespace

// Messages on the disk, and how they are sent: again after a failure, in their order, over ends of the program.
class TestMessageQueue : public QObject {
    Q_OBJECT

private:
    QString folder() const { return m_folder->filePath(QStringLiteral("queue")); }
    Message message(const char* id) const {
        Message message;
        message.id = id;
        message.at = m_clock->wallNow();
        message.summary = QStringLiteral("summary");
        return message;
    }
    QStringList files() const { return QDir(folder()).entryList(QDir::Files, QDir::Name); }
    static QByteArray idsOf(const MessageQueue& queue) {
        QByteArrayList ids;
        for (const MessageQueue::Waiting& waiting : queue.waiting())
            ids << waiting.message.id + ' ' + QByteArray::number(waiting.attempts);
        return ids.join(", ");
    }
    void makeSender(MessageQueue& queue) {
        m_sender = std::make_unique<Sender>(
            queue, *m_clock, [] { return 1.0; }, [this](const SenderEvent& event) { m_events.push_back(event); });
        auto receiver = std::make_unique<ScriptedReceiver>(m_attempts);
        m_receiver = receiver.get();
        m_sender->setReceiver(std::move(receiver));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<ManualClock> m_clock;
    std::unique_ptr<Sender> m_sender;
    ScriptedReceiver* m_receiver = nullptr;
    std::vector<ScriptedReceiver::Attempt> m_attempts;
    std::vector<SenderEvent> m_events;

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_clock = std::make_unique<ManualClock>();
        m_attempts.clear();
        m_events.clear();
    }
    void cleanup() { m_sender.reset(); }

    void messagesStayInTheirOrder() {
        {
            MessageQueue queue(folder());
            QVERIFY(queue.open().ok());
            for (int i = 0; i < 12; ++i)
                QVERIFY(queue.add(message(QByteArray::number(i).constData())).ok());
            QCOMPARE(queue.beginAttempt(), 1);
            QCOMPARE(queue.beginAttempt(), 2);
        }
        MessageQueue later(folder());
        QVERIFY(later.open().ok());
        QCOMPARE(idsOf(later), QByteArray("0 2, 1 0, 2 0, 3 0, 4 0, 5 0, 6 0, 7 0, 8 0, 9 0, 10 0, 11 0"));
        later.removeFirst();
        QVERIFY(later.add(message("last")).ok());
        MessageQueue last(folder());
        QVERIFY(last.open().ok());
        QCOMPARE(last.first().message.id, QByteArray("1"));
        QCOMPARE(last.waiting().back().message.id, QByteArray("last"));
    }

    void onlyTheOwnerReadsThem() {
        MessageQueue queue(folder());
        QVERIFY(queue.open().ok());
        QVERIFY(queue.add(message("a")).ok());
        constexpr QFile::Permissions owners = QFile::ReadOwner | QFile::WriteOwner | QFile::ReadUser | QFile::WriteUser;
        QCOMPARE(QFileInfo(folder() + u'/' + files().first()).permissions(), owners);
        QCOMPARE(QFileInfo(folder()).permissions(), owners | QFile::ExeOwner | QFile::ExeUser);
    }

    // The disk has only a part of a file: this message is lost, and no other.
    void cutAnywhere() {
        MessageQueue queue(folder());
        QVERIFY(queue.open().ok());
        QVERIFY(queue.add(message("a")).ok());
        QVERIFY(queue.add(message("b")).ok());
        const QString path = folder() + u'/' + files().first();
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray whole = file.readAll();
        file.close();
        for (qsizetype size = 0; size < whole.size() - 1; ++size) {  // without the line's end it is whole
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(whole.first(size));
            file.close();
            MessageQueue cut(folder());
            QVERIFY(cut.open().ok());
            QCOMPARE(idsOf(cut), QByteArray("b 0"));
            QCOMPARE(cut.damaged(), QStringList{path});
            QCOMPARE(cut.takeDropped(), 1);
        }
    }

    void filesOfOthersStay() {
        QVERIFY(QDir().mkpath(folder()));
        QFile other(folder() + QStringLiteral("/notes.json"));
        QVERIFY(other.open(QIODevice::WriteOnly));
        MessageQueue queue(folder());
        QVERIFY(queue.open().ok());
        QVERIFY(queue.isEmpty());
        QVERIFY(other.exists());
    }

    void aFolderThatIsGoneLosesNothing() {
        MessageQueue queue(folder());
        QVERIFY(queue.open().ok());
        QVERIFY(QDir(folder()).removeRecursively());
        QFile notAFolder(folder());
        QVERIFY(notAFolder.open(QIODevice::WriteOnly));
        const Result<Done> added = queue.add(message("a"));
        QVERIFY(!added.ok());
        QCOMPARE(added.error().code, ErrorCode::Storage);
        QCOMPARE(idsOf(queue), QByteArray("a 0"));
        QCOMPARE(queue.beginAttempt(), 1);
        queue.removeFirst();
        QVERIFY(queue.isEmpty());
    }

    void itIsBounded() {
        MessageQueue queue(folder());
        QVERIFY(queue.open().ok());
        for (size_t i = 0; i < MessageQueue::most; ++i)
            QVERIFY(queue.add(message(QByteArray::number(static_cast<qint64>(i)).constData())).ok());
        (void)queue.beginAttempt();
        const Result<Done> added = queue.add(message("more"));
        QVERIFY(!added.ok());
        QCOMPARE(added.error().code, ErrorCode::Overloaded);
        QCOMPARE(queue.count(), MessageQueue::most);
        QCOMPARE(files().size(), static_cast<qsizetype>(MessageQueue::most));
        QCOMPARE(queue.first().message.id, QByteArray("0"));  // it is under way
        QCOMPARE(queue.takeDropped(), 1);
    }

    void pausesGrow() {
        MessageQueue queue(folder());
        QVERIFY(queue.open().ok());
        makeSender(queue);
        QVERIFY(queue.add(message("a")).ok());
        QVERIFY(queue.add(message("b")).ok());
        m_sender->work();
        QList<qint64> pauses;
        for (int i = 0; i < 11; ++i) {
            QVERIFY(m_receiver->isUnderWay());
            m_receiver->end(DeliveryEnd::Kind::Failed);
            pauses << m_events.back().pause.count();
            m_clock->jumpWall(i % 2 == 0 ? -1h : 1h);  // the pauses are by the steady clock
            m_clock->advance(m_events.back().pause - 1ms);
            QVERIFY(!m_receiver->isUnderWay());
            m_clock->advance(1ms);
        }
        QCOMPARE(pauses, (QList<qint64>{1000, 2000, 4000, 8000, 16000, 32000, 64000, 128000, 256000, 300000, 300000}));
        QCOMPARE(m_attempts.back().number, 12);
        m_receiver->end(DeliveryEnd::Kind::Taken);
        QCOMPARE(m_attempts.back().id, QByteArray("b"));
        QCOMPARE(m_attempts.back().number, 1);
        m_receiver->end(DeliveryEnd::Kind::Failed);
        QCOMPARE(m_events.back().pause, Milliseconds(1000));  // from the start again
    }

    void theReceiverMayAskForALongerPause() {
        MessageQueue queue(folder());
        QVERIFY(queue.open().ok());
        makeSender(queue);
        QVERIFY(queue.add(message("a")).ok());
        m_sender->work();
        m_receiver->end(DeliveryEnd::Kind::Failed, Milliseconds(30s));
        QCOMPARE(m_events.back().pause, Milliseconds(30s));
    }

    void chanceMakesPausesShorter() {
        MessageQueue queue(folder());
        QVERIFY(queue.open().ok());
        QVERIFY(queue.add(message("a")).ok());
        Sender sender(
            queue, *m_clock, [] { return 0.0; }, [this](const SenderEvent& event) { m_events.push_back(event); });
        auto receiver = std::make_unique<ScriptedReceiver>(m_attempts);
        ScriptedReceiver& script = *receiver;
        sender.setReceiver(std::move(receiver));
        script.end(DeliveryEnd::Kind::Failed);
        QCOMPARE(m_events.back().pause, Milliseconds(500));
    }

    // The receiver is away for ten minutes, and this program is started again in between.
    void nothingIsLostWhileTheReceiverIsAway() {
        const SteadyTime begin = m_clock->now();
        auto queue = std::make_unique<MessageQueue>(folder());
        QVERIFY(queue->open().ok());
        makeSender(*queue);
        int sent = 0;
        while (m_clock->now() < begin + 10min) {
            QVERIFY(queue->add(message(QByteArray::number(sent++).constData())).ok());
            m_sender->work();
            if (m_receiver->isUnderWay())
                m_receiver->end(DeliveryEnd::Kind::Failed);
            m_clock->advance(10s);
        }
        m_sender.reset();
        queue = std::make_unique<MessageQueue>(folder());
        QVERIFY(queue->open().ok());
        m_attempts.clear();
        makeSender(*queue);
        while (m_receiver->isUnderWay())
            m_receiver->end(DeliveryEnd::Kind::Taken);
        QCOMPARE(m_attempts.size(), static_cast<size_t>(sent));
        for (int i = 0; i < sent; ++i)
            QCOMPARE(m_attempts[static_cast<size_t>(i)].id, QByteArray::number(i));
        QVERIFY(m_attempts.front().number > 1);  // marked: the receiver may have it
        QCOMPARE(m_attempts.back().number, 1);
        QVERIFY(files().isEmpty());
    }

    void aRefusedMessageDoesNotBlockTheOthers() {
        MessageQueue queue(folder());
        QVERIFY(queue.open().ok());
        makeSender(queue);
        QVERIFY(queue.add(message("bad")).ok());
        QVERIFY(queue.add(message("good")).ok());
        m_sender->work();
        for (int i = 0; i < Sender::mostRefusals; ++i) {
            QCOMPARE(m_attempts.back().id, QByteArray("bad"));
            m_receiver->end(DeliveryEnd::Kind::Refused);
            m_clock->advance(1min);
        }
        QCOMPARE(m_attempts.back().id, QByteArray("good"));
        QCOMPARE(queue.takeDropped(), 1);
        QCOMPARE(m_events.back().kind, SenderEvent::Kind::GivenUp);
    }

    void whatIsADayOldIsGivenUp() {
        MessageQueue queue(folder());
        QVERIFY(queue.open().ok());
        QVERIFY(queue.add(message("old")).ok());
        m_clock->advance(25h);
        QVERIFY(queue.add(message("new")).ok());
        makeSender(queue);
        QCOMPARE(m_attempts.back().id, QByteArray("new"));
        QCOMPARE(queue.takeDropped(), 1);
        m_clock->jumpWall(-48h);  // makes nothing old
        m_receiver->end(DeliveryEnd::Kind::Taken);
        QVERIFY(queue.isEmpty());
    }

    void anotherReceiverIsTriedAtOnce() {
        MessageQueue queue(folder());
        QVERIFY(queue.open().ok());
        makeSender(queue);
        QVERIFY(queue.add(message("a")).ok());
        m_sender->work();
        m_receiver->end(DeliveryEnd::Kind::Failed);
        auto other = std::make_unique<ScriptedReceiver>(m_attempts);
        ScriptedReceiver& script = *other;
        m_sender->setReceiver(std::move(other));
        QVERIFY(script.isUnderWay());
        QCOMPARE(m_attempts.back().number, 2);
    }
};

LOCKKEEPER_TEST(TestMessageQueue, Guiless)

}  // namespace tst_messagequeue

#include "tst_messagequeue.moc"
