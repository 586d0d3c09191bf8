// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

#include <vector>

namespace lockkeeper::test {

// The memory of a process, sampled over time, and the straight line through the samples.
class MemoryCourse {
public:
    // Resident memory of this process now, in megabytes; 0 if it has ended.
    [[nodiscard]] static double residentMegabytes(qint64 processId);

    void add(double second, double megabytes) { m_samples.push_back({second, megabytes}); }
    [[nodiscard]] double megabytesAt(double second) const;  // of the first sample from then on
    [[nodiscard]] double most() const;
    [[nodiscard]] double last() const { return m_samples.empty() ? 0 : m_samples.back().megabytes; }
    // Megabytes a minute: the slope of the line with the least squares through the samples from this second on.
    [[nodiscard]] double slopeFrom(double second) const;

private:
    struct Sample {
        double second;
        double megabytes;
    };
    std::vector<Sample> m_samples;
};

}  // namespace lockkeeper::test
