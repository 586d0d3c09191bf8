// SPDX-License-Identifier: Apache-2.0
#include "support/memorycourse.h"

#include "support/processmemory.h"

#include <algorithm>

namespace lockkeeper::test {

double MemoryCourse::residentMegabytes(qint64 processId) {
    return memoryOf(processId, "VmRSS").value_or(0);
}

double MemoryCourse::megabytesAt(double second) const {
    const auto found = std::ranges::lower_bound(m_samples, second, {}, &Sample::second);
    return found == m_samples.end() ? last() : found->megabytes;
}

double MemoryCourse::most() const {
    const auto most = std::ranges::max_element(m_samples, {}, &Sample::megabytes);
    return most == m_samples.end() ? 0 : most->megabytes;
}

double MemoryCourse::slopeFrom(double second) const {
    double count = 0;
    double seconds = 0;
    double megabytes = 0;
    double squares = 0;
    double products = 0;
    for (const Sample& sample : m_samples) {
        if (sample.second < second)
            continue;
        count += 1;
        seconds += sample.second;
        megabytes += sample.megabytes;
        squares += sample.second * sample.second;
        products += sample.second * sample.megabytes;
    }
    const double spread = count * squares - seconds * seconds;
    return spread > 0 ? 60 * (count * products - seconds * megabytes) / spread : 0;
}

}  // namespace lockkeeper::test
