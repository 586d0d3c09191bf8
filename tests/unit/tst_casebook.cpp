// SPDX-License-Identifier: Apache-2.0
#include "serve/casebook.h"
#include "serve/gathering.h"
#include "support/manualclock.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_casebook {

using namespace lockkeeper;
using namespace lockkeeper::serve;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// Each begin and each end is reported once, also over a new start of the program.
class TestCaseBook : public QObject {
    Q_OBJECT

private:
    Case held(const QByteArray& name, const QString& target = QStringLiteral("a")) const {
        monitor::NoticeFacts notice;
        notice.lock = LockName(name);
        notice.limit = 5s;
        notice.holder = HolderId(ClientId("8f14e45f-ceea-467f-a5d1-09c4ed2b1c33"), ThreadId(33));
        return {target, notice, {}, m_clock.wallNow()};
    }
    Case away() const { return {QStringLiteral("a"), std::nullopt, {}, m_clock.wallNow()}; }
    bool begins(const Case& subject) { return m_book.begin(subject, m_clock.wallNow()).has_value(); }
    bool ends(const Case& subject) { return m_book.end(subject, m_clock.wallNow()).has_value(); }

    ManualClock m_clock;
    CaseBook m_book;

private Q_SLOTS:
    void init() { m_book = CaseBook(); }

    void onceEach() {
        QVERIFY(!ends(held("L")));
        QVERIFY(begins(held("L")));
        QVERIFY(!begins(held("L")));
        QVERIFY(begins(held("M")));
        QVERIFY(begins(held("L", QStringLiteral("b"))));
        QVERIFY(ends(held("L")));
        QVERIFY(!ends(held("L")));
        QVERIFY(begins(held("L")));
    }

    void anEndHasTheTimeOfItsBegin() {
        const Case subject = held("L");
        QVERIFY(begins(subject));
        m_clock.advance(1h);
        const std::optional<CaseEvent> event = m_book.end(held("L"), m_clock.wallNow());
        QVERIFY(event.has_value());
        QVERIFY(event->subject.begunAt == subject.begunAt);
    }

    void theyAreKeptOnDisk() {
        QVERIFY(begins(held("L\xff\n")));
        QVERIFY(begins(away()));
        CaseBook later;
        later.read(m_book.lines() + "damaged\n{\"target\":\"a\"}\n");
        QCOMPARE(later.count(), 2);
        QVERIFY(!later.begin(held("L\xff\n"), m_clock.wallNow()));
        const std::optional<CaseEvent> event = later.end(held("L\xff\n"), m_clock.wallNow());
        QVERIFY(event.has_value());
        QVERIFY(event->subject.notice == held("L\xff\n").notice);
    }

    // A file that was cut at any byte: what is whole in it counts.
    void aCutFileIsRead() {
        QVERIFY(begins(held("L")));
        QVERIFY(begins(held("M")));
        const QByteArray lines = m_book.lines();
        for (qsizetype size = 0; size <= lines.size(); ++size) {
            CaseBook cut;
            cut.read(lines.first(size));
            const qsizetype whole = lines.first(size).count('\n');
            QVERIFY(cut.count() >= whole && cut.count() <= whole + 1);
        }
    }

    void whatIsNotSeenAgainHasEnded() {
        QVERIFY(begins(held("L")));
        QVERIFY(begins(held("M")));
        QVERIFY(begins(held("M", QStringLiteral("b"))));
        QVERIFY(begins(away()));
        m_book.unconfirm(QStringLiteral("a"));
        QCOMPARE(m_book.unconfirmed(QStringLiteral("a")).size(), size_t(2));
        QVERIFY(!begins(held("M")));
        QCOMPARE(m_book.unconfirmed(QStringLiteral("a")).size(), size_t(1));
        const std::vector<CaseEvent> ended = m_book.endUnconfirmed(QStringLiteral("a"), m_clock.wallNow());
        QCOMPARE(ended.size(), size_t(1));
        QVERIFY(ended.front().inferred);
        QCOMPARE(ended.front().subject.notice->lock, LockName("L"));
        QVERIFY(m_book.endUnconfirmed(QStringLiteral("a"), m_clock.wallNow()).empty());
        QCOMPARE(m_book.endAll(QStringLiteral("b"), m_clock.wallNow()).size(), size_t(1));
    }

    void itIsBounded() {
        for (qsizetype i = 0; i < CaseBook::most; ++i)
            QVERIFY(begins(held(QByteArray::number(i))));
        QVERIFY(!begins(held("one more")));
        QVERIFY(!ends(held("one more")));
        QCOMPARE(m_book.takeNotKept(), 1);
        QCOMPARE(m_book.takeNotKept(), 0);
    }

    // Two notifiers of one server that see the same in the same minute give it the same id.
    void theSameEventHasTheSameId() {
        Case later = held("L");
        later.begunAt += 2s;
        later.notice->holder.reset();  // one of them saw another holder last
        const CaseEvent one{NoticeChange::Phase::Begun, held("L"), m_clock.wallNow(), false};
        const CaseEvent other{NoticeChange::Phase::Begun, later, m_clock.wallNow() + 2s, false};
        QCOMPARE(one.id(), other.id());
        QCOMPARE(one.id().size(), 32);
        const CaseEvent end{NoticeChange::Phase::Ended, held("L"), m_clock.wallNow(), false};
        QVERIFY(one.id() != end.id());
        QCOMPARE(one.subject.key(), end.subject.key());
        QVERIFY(held("L").key() != held("M").key());
        QVERIFY(held("L").key() != held("L", QStringLiteral("b")).key());
        later.begunAt += 1h;
        QVERIFY((CaseEvent{NoticeChange::Phase::Begun, later, {}, false}.id()) != one.id());
        QCOMPARE(later.key(), one.subject.key());  // and the same case in any case
    }

    // Also in the same minute, over a new start, and with a clock that is set back.
    void differentEventsHaveDifferentIds() {
        QSet<QByteArray> ids;
        for (int i = 0; i < 6; ++i) {
            const std::optional<CaseEvent> begun = m_book.begin(held("L"), m_clock.wallNow());
            const std::optional<CaseEvent> ended = m_book.end(held("L"), m_clock.wallNow());
            QVERIFY(begun && ended);
            QCOMPARE(begun->subject.key(), held("L").key());
            ids << begun->id() << ended->id();
            m_clock.advance(7s);
            if (i == 2) {
                const QByteArray lines = m_book.lines();
                m_book = CaseBook();
                m_book.read(lines);
            }
            if (i == 3)
                m_clock.jumpWall(-7s);
        }
        QCOMPARE(ids.size(), 12);
    }

    // A receiver that drops an event with the same case and phase must not drop the next loss.
    void eachLossIsACase() {
        Case lost = held("L");
        lost.notice->kind = monitor::NoticeKind::Lost;
        CaseBook other;
        QSet<QByteArray> keys;
        QSet<QByteArray> ids;
        for (int i = 0; i < 3; ++i) {
            lost.begunAt = m_clock.wallNow();
            const CaseEvent one = m_book.happen(lost, m_clock.wallNow());
            lost.begunAt += 20ms;  // as another notifier sees it
            const CaseEvent two = other.happen(lost, m_clock.wallNow() + 1s);
            QCOMPARE(one.id(), two.id());
            QCOMPARE(one.subject.key(), two.subject.key());
            keys << one.subject.key();
            ids << one.id();
            m_clock.advance(7s);
        }
        QCOMPARE(keys.size(), 3);
        QCOMPARE(ids.size(), 3);
    }

    void tenThousandAreOneMessage() {
        Gathering gathering;
        for (int i = 0; i < 10'000; ++i)
            gathering.add({NoticeChange::Phase::Begun, held(QByteArray::number(i)), m_clock.wallNow(), false},
                          m_clock.now());
        QVERIFY(!gathering.take(m_clock.now()));
        m_clock.advance(Gathering::quiet);
        const std::optional<Gathered> gathered = gathering.take(m_clock.now());
        QVERIFY(gathered.has_value());
        QCOMPARE(gathered->named.size(), Gathering::mostNamed);
        QCOMPARE(gathered->moreBegun, 10'000 - static_cast<qint64>(Gathering::mostNamed));
        QVERIFY(!gathering.nextDue());
    }

    void messagesHaveAPause() {
        Gathering gathering;
        const CaseEvent event{NoticeChange::Phase::Begun, held("L"), m_clock.wallNow(), false};
        // They go on without a pause: a message all the same.
        const SteadyTime begin = m_clock.now();
        while (!gathering.take(m_clock.now())) {
            gathering.add(event, m_clock.now());
            m_clock.advance(500ms);
            m_clock.jumpWall(10h);  // is of no concern
        }
        QCOMPARE(m_clock.now() - begin, SteadyTime::duration(Gathering::longest));
        gathering.add(event, m_clock.now());
        QCOMPARE(*gathering.nextDue(), m_clock.now() + Gathering::interval);
    }
};

LOCKKEEPER_TEST(TestCaseBook, Appless)

}  // namespace tst_casebook

#include "tst_casebook.moc"
