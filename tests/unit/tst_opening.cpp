// SPDX-License-Identifier: Apache-2.0
#include "recording/opening.h"
#include "support/recordingsample.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_opening {

using namespace lockkeeper;
using namespace lockkeeper::recording;
using namespace lockkeeper::test;
using namespace std::chrono_literals;

// The state that is known when a recording begins is encoded in steps of a bounded size, before anything that comes
// later.
class TestOpening : public QObject {
    Q_OBJECT

private:
    static monitor::PresentInputs known(int locks) {
        monitor::LockRow row;
        row.lock = held(0s, alice);
        const std::vector<monitor::SharedRow> rows(static_cast<size_t>(locks),
                                                   std::make_shared<const monitor::LockRow>(row));
        return {{monitor::CommandRateRead{}}, rows, {monitor::ShardSwept{}}};
    }
    // The number of records in each step.
    static QList<qsizetype> steps(Opening& opening) {
        QList<qsizetype> sizes;
        bool isMore = true;
        while (isMore) {
            BlockBuilder block;
            isMore = opening.encodeNext(block);
            sizes += static_cast<qsizetype>(recordsIn(block.take().content)->size());
        }
        return sizes;
    }

private Q_SLOTS:
    void eachStepIsBounded() {
        Opening opening(known(2498), SteadyTime(1h), WallTime());
        for (int i = 0; i < 250; ++i)
            opening.add({SteadyTime(2h), BatchDelivered()}, WallTime());
        QCOMPARE(steps(opening), (QList<qsizetype>{1000, 1000, 500 + 100, 100, 50}));
    }

    void whatHasComeSinceIsLast() {
        Opening opening(known(1), SteadyTime(1h), WallTime());
        opening.add({SteadyTime(2h), BatchDelivered()}, WallTime());
        BlockBuilder block;
        QVERIFY(!opening.encodeNext(block));
        const std::vector<Record> records = *recordsIn(block.take().content);
        QCOMPARE(records.size(), size_t{4});
        QVERIFY(std::holds_alternative<monitor::CommandRateRead>(std::get<monitor::StoreInput>(records[0].entry)));
        const auto& read = std::get<monitor::LockRead>(std::get<monitor::StoreInput>(records[1].entry));
        QVERIFY(read.lock.isHeldBy(alice));
        QVERIFY(std::holds_alternative<monitor::ShardSwept>(std::get<monitor::StoreInput>(records[2].entry)));
        QCOMPARE(records[2].at, SteadyTime(1h));
        QVERIFY(std::holds_alternative<BatchDelivered>(records[3].entry));
        QCOMPARE(records[3].at, SteadyTime(2h));
    }

    void nothingIsKnown() {
        Opening opening({}, SteadyTime(1h), WallTime());
        BlockBuilder block;
        QVERIFY(!opening.encodeNext(block));
        QVERIFY(block.isEmpty());
    }
};

LOCKKEEPER_TEST(TestOpening, Guiless)

}  // namespace tst_opening

#include "tst_opening.moc"
