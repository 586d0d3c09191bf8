// SPDX-License-Identifier: Apache-2.0
#include "support/lanestory.h"
#include "support/testprogram.h"
#include "ui/timeline/timelinelanes.h"

#include <QTest>

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
        QCOMPARE(chosen(std::nullopt, {}, static_cast<size_t>(room)), lanes);
    }

    void theSelectedAndThePinnedStandAboveAndOnce() {
        QCOMPARE(chosen(LockName("gone"), {LockName("busier"), LockName("unheard of"), LockName("quiet a")}, 5),
                 (QByteArrayList{"gone", "busier", "quiet a", "as busy", "busy"}));
        QCOMPARE(chosen(LockName("gone"), {LockName("busier")}, 1), QByteArrayList{"gone"});
    }

private:
    QByteArrayList chosen(const std::optional<LockName>& selected, const QList<LockName>& pinned, size_t room) const {
        QByteArrayList names;
        for (const LockName& name : chooseLanes(m_history, range, selected, pinned, room))
            names << name.bytes();
        return names;
    }

    TimelineHistory m_history;
};

LOCKKEEPER_TEST(TestTimelineLanes, Guiless)
#include "tst_timelinelanes.moc"
