// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

#include <vector>

namespace lockkeeper::metrics {

// Upper bounds of a histogram's buckets, in seconds: ascending, finite, without the last one, which has no bound.
using Buckets = std::vector<double>;

constexpr size_t mostBuckets = 30;

// Lengths of time, counted in buckets. A value.
class Histogram {
public:
    explicit Histogram(const Buckets& bounds) : m_counts(bounds.size() + 1, 0) {}

    // bounds: those of the constructor.
    void observe(const Buckets& bounds, double seconds) {
        size_t bucket = 0;
        while (bucket < bounds.size() && seconds > bounds[bucket])
            ++bucket;
        ++m_counts[bucket];
        ++m_count;
        m_sum += seconds;
    }

    // How many lay in this bucket, without those below it.
    [[nodiscard]] quint64 countIn(size_t bucket) const { return m_counts[bucket]; }
    [[nodiscard]] quint64 count() const noexcept { return m_count; }
    [[nodiscard]] double sum() const noexcept { return m_sum; }

private:
    std::vector<quint64> m_counts;
    quint64 m_count = 0;
    double m_sum = 0;
};

}  // namespace lockkeeper::metrics
