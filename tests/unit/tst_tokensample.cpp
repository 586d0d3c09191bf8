// SPDX-License-Identifier: Apache-2.0
#include "monitor/discover/tokensample.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_tokensample {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace std::chrono_literals;

namespace {

// One sweep that read a fiftieth of the keys a second time.
TokenLitter swept(size_t found, int checked, int leftOver, qint64 keys = 5'000'000) {
    TokenSample sample;
    sample.beginSweep();
    sample.add(0.01, found / 2);
    sample.add(0.01, found - found / 2);
    for (int i = 0; i < checked; ++i)
        sample.addChecked(i < leftOver);
    sample.endSweep(keys, WallTime(1s));
    return sample.last().value_or(TokenLitter());
}

}  // namespace

class TestTokenSample : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFiftiethCallIsRepeated() {
        TokenSample sample;
        sample.beginSweep();
        int turns = 0;
        for (int call = 1; call <= 1000; ++call) {
            turns += sample.isTurn() ? 1 : 0;
            if (call == 24)
                QCOMPARE(turns, 0);  // a small keyspace is not read twice
        }
        QCOMPARE(turns, 20);
    }

    void theSampleStandsForTheRest() {
        const TokenLitter litter = swept(2000, 20, 20);
        QCOMPARE(litter.found, quint64{2000});
        QCOMPARE(litter.estimate, quint64{100'000});
        QCOMPARE(litter.sampledKeys, quint64{100'000});
        QCOMPARE(litter.at, WallTime(1s));
        QVERIFY(litter.isLitter());
    }

    void isNoLitter_data() {
        QTest::addColumn<TokenLitter>("litter");
        QTest::newRow("not in number") << swept(199, 20, 20);
        QTest::newRow("of locks that are held") << swept(2000, 20, 10);
        QTest::newRow("no closer sample was possible") << swept(2000, 0, 0);
    }
    void isNoLitter() {
        QFETCH(TokenLitter, litter);
        QVERIFY(!litter.isLitter());
    }

    void aFewFoundAreNoEstimate() { QCOMPARE(swept(19, 19, 19), TokenLitter()); }

    void withoutASampleNothingIsKnown() {
        TokenSample sample;
        sample.beginSweep();
        sample.add(0.5, 1000);
        sample.endSweep(1000, WallTime(1s));
        QVERIFY(sample.last());
        sample.beginSweep();
        sample.endSweep(1000, WallTime(2s));
        QVERIFY(!sample.last());
        sample.beginSweep();
        sample.add(0.5, 1000);
        sample.endSweep(std::nullopt, WallTime(3s));
        QVERIFY(!sample.last());
    }

    void whatLiesBetweenTwoCursors() {
        QCOMPARE(TokenSample::share("0", "0"), 1.0);
        QCOMPARE(TokenSample::share("0", "1"), 0.5);  // cursors count in reversed bits
        QCOMPARE(TokenSample::share("1", "3"), 0.25);
        QCOMPARE(TokenSample::share("3", "0"), 0.25);
        QCOMPARE(TokenSample::share("3", "1"), 0.0);
    }
};

LOCKKEEPER_TEST(TestTokenSample, Appless)

}  // namespace tst_tokensample

#include "tst_tokensample.moc"
