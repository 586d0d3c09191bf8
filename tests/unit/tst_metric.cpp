// SPDX-License-Identifier: Apache-2.0
#include "metrics/metric.h"
#include "support/files.h"
#include "support/places.h"
#include "support/testprogram.h"

#include <QSet>
#include <QTest>

namespace tst_metric {

using namespace lockkeeper;
using namespace lockkeeper::test;
using metrics::MetricFamily;
using metrics::MetricType;

class TestMetric : public QObject {
    Q_OBJECT

private:
    static QByteArray text(std::string_view view) {
        return QByteArray(view.data(), static_cast<qsizetype>(view.size()));
    }

    // The family's line in the table of the manual.
    static QByteArray lineOf(const MetricFamily& family) {
        QByteArrayList labels = text(family.labels).split(',');
        if (labels.first() == "-")
            labels.removeFirst();
        else
            labels.prepend("target");
        labels.removeAll(QByteArray());
        for (QByteArray& label : labels)
            label = '`' + label + '`';
        const char* type = family.type == MetricType::Gauge     ? "gauge"
                           : family.type == MetricType::Counter ? "counter"
                                                                : "histogram";
        return "| `" + text(family.name) + (family.isCounter() ? "_total" : "") + "` | " + type + " | " +
               labels.join(", ") + " | " + text(family.help) + " |";
    }

private Q_SLOTS:
    void theManualHasTheSameTable() {
        const QByteArrayList lines = contentOf(places::manual() + QStringLiteral("/metrics.md")).split('\n');
        for (const MetricFamily& family : metrics::metricFamilies())
            QVERIFY2(lines.contains(lineOf(family)), lineOf(family).constData());
        const auto count = std::ranges::count_if(lines, [](const QByteArray& line) {
            return line.startsWith("| `lockkeeper_") || line.startsWith("| `process_");
        });
        QCOMPARE(static_cast<size_t>(count), metrics::metricCount);
    }

    // As Prometheus wants names: a prefix, base units at the end, and each once.
    void namesFollowTheConventions() {
        QSet<QByteArray> names;
        for (const MetricFamily& family : metrics::metricFamilies()) {
            const QByteArray name = text(family.name);
            QVERIFY2(name.startsWith("lockkeeper_") || name.startsWith("process_"), name.constData());
            QVERIFY2(!name.endsWith("_total"), name.constData());
            QVERIFY2(name.endsWith(text(family.unit)), name.constData());
            QVERIFY2(!names.contains(name), name.constData());
            QVERIFY2(family.help.ends_with('.'), name.constData());
            names.insert(name);
        }
    }
};

LOCKKEEPER_TEST(TestMetric, Appless)

}  // namespace tst_metric

#include "tst_metric.moc"
