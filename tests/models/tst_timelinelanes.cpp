// SPDX-License-Identifier: Apache-2.0
#include "support/lanestory.h"
#include "support/testprogram.h"
#include "ui/timeline/timelinelanes.h"

#include <QTest>

namespace tst_timelinelanes {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;
using monitor::EventType;

namespace {

const TimeRange range{laneStart + 10s, laneStart + 40s};

}  // namespace

// Which locks get a lane.
class TestTimelineLanes : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_history.clear();
        for (const char* held : {"quiet b", "quiet a", "quiet c"})
            m_history.append(EventStory(held, laneStart).event(EventType::Acquired, 1s, {alice}).events());
        m_history.append(EventStory("gone", laneStart)
                             .event(EventType::Acquired, 1s, {alice})
                             .ends(EventType::Released, 2s, alice)
                             .events());
        m_history.append(EventStory("busy", laneStart)
                             .event(EventType::Acquired, 11s, {alice})
                             .ends(EventType::Released, 12s, alice)
                             .events());
        m_history.append(EventStory("busier", laneStart)
                             .event(EventType::Acquired, 9s, {alice})
                             .event(EventType::Renewed, 13s, {alice})
                             .event(EventType::Renewed, 14s, {alice})
                             .ends(EventType::Released, 15s, alice)
                             .events());
        m_history.append(EventStory("as busy", laneStart)
                             .event(EventType::Acquired, 39s, {alice})
                             .event(EventType::Renewed, 40s, {alice})
                             .events());
    }

    void theBusiestStandByName_data() {
        QTest::addColumn<int>("room");
        QTest::addColumn<QByteArrayList>("lanes");
        QTest::newRow("none") << 0 << QByteArrayList();
        QTest::newRow("one") << 1 << QByteArrayList{"busier"};
        QTest::newRow("two") << 2 << QByteArrayList{"busier", "busy"};
        QTest::newRow("three") << 3 << QByteArrayList{"as busy", "busier", "busy"};
        QTest::newRow("then who is held") << 4 << QByteArrayList{"as busy", "busier", "busy", "quiet a"};
        QTest::newRow("all but what is over")
            << 9 << QByteArrayList{"as busy", "busier", "busy", "quiet a", "quiet b", "quiet c"};
    }
    void theBusiestStandByName() {
        QFETCH(const int, room);
        QFETCH(const QByteArrayList, lanes);
        QCOMPARE(chosen({}, {}, static_cast<size_t>(room)), lanes);
    }

    // Being found is no change: such a lock stands below those that have changed, among those that are held.
    void whatWasOnlyFoundStandsBelowTheBusy() {
        m_history.append(EventStory("a found", laneStart).event(EventType::Found, 20s, {alice}).events());
        m_history.append(EventStory("a free one", laneStart).event(EventType::Found, 20s, {}).events());
        m_history.append(EventStory("earlier", laneStart).event(EventType::Found, 5s, {}).events());
        QCOMPARE(chosen({}, {}, 4), (QByteArrayList{"as busy", "busier", "busy", "a found"}));
        QCOMPARE(chosen({}, {}, 9), (QByteArrayList{"as busy", "busier", "busy", "a found", "a free one", "quiet a",
                                                    "quiet b", "quiet c"}));
    }

    void whatIsFoundLaterStandsBelowWhatWasFoundBefore() {
        m_history.clear();
        for (const char* name : {"c", "b", "a"})
            m_history.append(EventStory(name, laneStart).event(EventType::Found, 20s, {alice}).events());
        QCOMPARE(chosen({}, {{LockName("c"), LockName("b")}, PresentLanes::Order::Free}, 3),
                 (QByteArrayList{"c", "b", "a"}));
        QCOMPARE(chosen({}, {{LockName("c"), LockName("b")}, PresentLanes::Order::Free}, 2),
                 (QByteArrayList{"c", "b"}));
    }

    void requestedOnesStandAboveInTheirOrderAndOnce() {
        LaneRequests requests;
        requests.pinned = {LockName("busier"), LockName("unheard of"), LockName("quiet a")};
        requests.selected = LockName("gone");
        requests.diagnosed = {LockName("quiet b"), LockName("busier")};
        requests.contended = {LockName("quiet c"), LockName("quiet b")};
        QCOMPARE(chosen(requests, {}, 9),
                 (QByteArrayList{"busier", "quiet a", "gone", "quiet b", "quiet c", "as busy", "busy"}));
        QCOMPARE(chosen(requests, {}, 2), (QByteArrayList{"busier", "quiet a"}));
    }

    void theBusiestStandInSightAndTheOthersBelow() {
        QByteArrayList names;
        for (const LockName& name : chooseLanes(m_history, range, {}, {}, 1, 9))
            names << name.bytes();
        QCOMPARE(names, (QByteArrayList{"busier", "as busy", "busy", "quiet a", "quiet b", "quiet c"}));
    }

    void aLaneThatIsThereKeepsItsPlace_data() {
        QTest::addColumn<PresentLanes>("present");
        QTest::addColumn<QByteArrayList>("lanes");
        using Order = PresentLanes::Order;
        QTest::newRow("in its group, before new ones")
            << PresentLanes{{LockName("quiet b"), LockName("busy"), LockName("as busy")}, Order::Free}
            << QByteArrayList{"quiet c", "busy", "as busy", "busier", "quiet a", "quiet b"};
        QTest::newRow("pointed at: all of them, whatever they are")
            << PresentLanes{{LockName("quiet b"), LockName("busy"), LockName("gone")}, Order::InPlace}
            << QByteArrayList{"quiet b", "busy", "gone", "quiet c", "as busy", "busier", "quiet a"};
        QTest::newRow("lasting: below what has a diagnosis, before what is busier")
            << PresentLanes{{LockName("quiet b"), LockName("busy"), LockName("gone")}, Order::Lasting}
            << QByteArrayList{"quiet c", "quiet b", "busy", "gone", "as busy", "busier", "quiet a"};
        QTest::newRow("pointed at, and not known any more")
            << PresentLanes{{LockName("forgotten"), LockName("busy")}, Order::InPlace}
            << QByteArrayList{"busy", "quiet c", "as busy", "busier", "quiet a", "quiet b"};
    }
    void aLaneThatIsThereKeepsItsPlace() {
        QFETCH(const PresentLanes, present);
        LaneRequests requests;
        requests.diagnosed = {LockName("quiet c")};
        QTEST(chosen(requests, present, 9), "lanes");
    }

    void belowSightALaneThatIsThereStaysBeforeABusierOne() {
        const auto below = [&](std::vector<LockName> present) {
            return chooseLanes(m_history, range, {}, {std::move(present), PresentLanes::Order::Free}, 1, 2)
                .back()
                .bytes();
        };
        QCOMPARE(below({}), QByteArray("busy"));
        QCOMPARE(below({LockName("as busy")}), QByteArray("as busy"));
    }

    void onlyAClearlyBusierOneReplacesALane() {
        EventStory four("four", laneStart);
        for (const Milliseconds at : {20s, 21s, 22s, 23s})
            four.event(EventType::Renewed, at, {alice});
        m_history.append(four.events());
        const auto first = [&](std::vector<LockName> present) {
            return chooseLanes(m_history, range, {}, {std::move(present), PresentLanes::Order::Free}, 1, 1)
                .front()
                .bytes();
        };
        QCOMPARE(first({}), QByteArray("four"));
        QCOMPARE(first({LockName("busier")}), QByteArray("busier"));  // three
        QCOMPARE(first({LockName("busy")}), QByteArray("four"));      // two
    }

private:
    QByteArrayList chosen(const LaneRequests& requests, const PresentLanes& present, size_t most) const {
        QByteArrayList names;
        for (const LockName& name : chooseLanes(m_history, range, requests, present, most, most))
            names << name.bytes();
        return names;
    }

    TimelineHistory m_history;
};

LOCKKEEPER_TEST(TestTimelineLanes, Guiless)

}  // namespace tst_timelinelanes

#include "tst_timelinelanes.moc"
