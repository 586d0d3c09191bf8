// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTest>

#include <random>

namespace lockkeeper::test {

// Adds a test column "seed" for a randomized test: one fixed seed and one random seed; or only LOCKKEEPER_TEST_SEED, to
// repeat a run.
inline void addSeeds() {
    QTest::addColumn<uint>("seed");
    if (qEnvironmentVariableIsSet("LOCKKEEPER_TEST_SEED")) {
        QTest::newRow("as asked for") << qEnvironmentVariable("LOCKKEEPER_TEST_SEED").toUInt();
        return;
    }
    QTest::newRow("the same every time") << 20260131U;
    QTest::newRow("another every time") << std::random_device()();
}

// A random generator that prints its seed, so that a run can be repeated.
class Dice {
public:
    Dice() = default;
    explicit Dice(uint seed) : m_random(seed) { qInfo("seed %u", seed); }

    [[nodiscard]] size_t below(size_t limit) { return std::uniform_int_distribution<size_t>(0, limit - 1)(m_random); }
    [[nodiscard]] bool oneIn(size_t times) { return below(times) == 0; }
    template <typename List>
    [[nodiscard]] decltype(auto) oneOf(List& list) {
        return list[static_cast<decltype(std::size(list))>(below(static_cast<size_t>(std::size(list))))];
    }

private:
    std::mt19937 m_random;
};

}  // namespace lockkeeper::test
