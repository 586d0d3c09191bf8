// SPDX-License-Identifier: Apache-2.0
#include "soak/reading.h"
#include "soak/soaktime.h"
#include "support/locksnapshots.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_readinglines {

using namespace lockkeeper;
using namespace lockkeeper::soak;
using namespace std::chrono_literals;
using monitor::EventType;
using test::alice;
using test::bob;

namespace {

monitor::LockEvent lineOf(EventType type, std::optional<HolderId> of, Milliseconds time,
                          std::optional<HolderId> heldBy = {}) {
    monitor::LockEvent event;
    event.type = type;
    event.at = at(time);
    if (of)
        event.holder = test::exclusive(*of);
    event.lock = heldBy ? test::held(time, *heldBy) : test::free(time);
    return event;
}

}  // namespace

class TestReadingLines : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eventsOfOneReadStayTogether_data() {
        using Events = std::vector<monitor::LockEvent>;
        QTest::addColumn<Events>("events");
        QTest::addColumn<QList<qsizetype>>("sizes");
        QTest::newRow("released and acquired between two reads")
            << Events{lineOf(EventType::Released, alice, 5ms, alice), lineOf(EventType::Acquired, alice, 5ms, alice)}
            << QList<qsizetype>{2};
        QTest::newRow("a later read") << Events{lineOf(EventType::Acquired, alice, 5ms, alice),
                                                lineOf(EventType::Renewed, alice, 6ms, alice)}
                                      << QList<qsizetype>{1, 1};
        QTest::newRow("another state in the same millisecond")
            << Events{lineOf(EventType::Acquired, alice, 5ms, alice), lineOf(EventType::HandedOver, bob, 5ms, bob)}
            << QList<qsizetype>{1, 1};
        QTest::newRow("two messages alone in a millisecond")
            << Events{lineOf(EventType::Released, {}, 5ms), lineOf(EventType::Released, {}, 5ms)}
            << QList<qsizetype>{1, 1};
        QTest::newRow("waiters after a message alone")
            << Events{lineOf(EventType::Released, {}, 5ms), lineOf(EventType::Waiters, {}, 5ms)} << QList<qsizetype>{2};
        QTest::newRow("a diagnosis is not of the read")
            << Events{lineOf(EventType::Acquired, alice, 5ms, alice), lineOf(EventType::Diagnosed, {}, 5ms, alice)}
            << QList<qsizetype>{1, 1};
        QTest::newRow("a message alone is of a read of its own, also in the same millisecond")
            << Events{lineOf(EventType::Released, alice, 5ms), lineOf(EventType::Released, {}, 5ms)}
            << QList<qsizetype>{1, 1};
    }
    void eventsOfOneReadStayTogether() {
        QFETCH(const std::vector<monitor::LockEvent>, events);
        QFETCH(const QList<qsizetype>, sizes);
        ReadingLines lines;
        QList<qsizetype> found;
        for (const monitor::LockEvent& event : events) {
            if (const std::optional<Reading> reading = lines.add(event, at(10ms)))
                found += std::ssize(reading->events);
        }
        if (const std::optional<Reading> last = lines.takeLast())
            found += std::ssize(last->events);
        QCOMPARE(found, sizes);
    }
};

LOCKKEEPER_TEST(TestReadingLines, Appless)

}  // namespace tst_readinglines

#include "tst_readinglines.moc"
