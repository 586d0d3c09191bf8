// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "metrics/histogram.h"
#include "metrics/metric.h"

#include <QByteArray>

namespace lockkeeper::metrics {

// The form of the text: that of Prometheus (text/plain; version=0.0.4), or OpenMetrics 1.0.
enum class TextForm { Prometheus, OpenMetrics };

// Labels of a sample as they are written: target="cache",group="order". Values may be any bytes: what is no UTF-8 is
// replaced, as Prometheus refuses a whole page with one such byte. A value.
class Labels {
public:
    Labels() = default;
    // A label without a value is the same as none, so it is not written.
    [[nodiscard]] Labels with(std::string_view name, QByteArrayView value) const;
    [[nodiscard]] const QByteArray& text() const noexcept { return m_text; }

private:
    QByteArray m_text;
};

// The samples of one answer to a scrape, put together by family, whatever the order in which they come.
class Samples {
public:
    void add(Metric metric, const Labels& labels, double value);
    void add(Metric metric, const Labels& labels, const Histogram& histogram, const Buckets& bounds);
    // All families that have a sample.
    [[nodiscard]] QByteArray text(TextForm form) const;

private:
    // Lines without the name of the family: ` {labels} value`, behind a suffix of the name.
    std::array<QByteArray, metricCount> m_lines;
};

// A number as both forms have it: the shortest text that is read as the same number.
[[nodiscard]] QByteArray numberText(double value);
// The bound of a bucket: with a point, as OpenMetrics wants it, so that both forms make the same series.
[[nodiscard]] QByteArray boundText(double bound);

}  // namespace lockkeeper::metrics
