// SPDX-License-Identifier: Apache-2.0
#include "metrics/samples.h"
#include "support/testprogram.h"

#include <QTest>

#include <limits>

namespace tst_samples {

using namespace lockkeeper;
using namespace lockkeeper::metrics;

class TestSamples : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void escapesLabels_data() {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QByteArray>("text");
        QTest::addRow("plain") << QByteArray("order") << QByteArray("a=\"order\"");
        QTest::addRow("nothing") << QByteArray() << QByteArray();
        QTest::addRow("a quote") << QByteArray("say \"no\"") << QByteArray("a=\"say \\\"no\\\"\"");
        QTest::addRow("a backslash") << QByteArray("a\\b") << QByteArray("a=\"a\\\\b\"");
        QTest::addRow("a line feed") << QByteArray("a\nb") << QByteArray("a=\"a\\nb\"");
        QTest::addRow("UTF-8") << QByteArray("\xe9\x94\x81") << QByteArray("a=\"\xe9\x94\x81\"");
        QTest::addRow("no UTF-8") << QByteArray(
                                         "a\xff"
                                         "b")
                                  << QByteArray(
                                         "a=\"a\xef\xbf\xbd"
                                         "b\"");
        QTest::addRow("half a character") << QByteArray("a\xe9\x94") << QByteArray("a=\"a\xef\xbf\xbd\xef\xbf\xbd\"");
    }
    void escapesLabels() {
        QFETCH(QByteArray, value);
        QTEST(Labels().with("a", value).text(), "text");
    }

    void writesNumbersShortly_data() {
        QTest::addColumn<double>("number");
        QTest::addColumn<QByteArray>("text");
        QTest::addRow("zero") << 0.0 << QByteArray("0");
        QTest::addRow("whole") << 100000.0 << QByteArray("100000");
        QTest::addRow("large") << 1e15 << QByteArray("1000000000000000");
        QTest::addRow("a part") << 0.1 << QByteArray("0.1");
        QTest::addRow("below zero") << -2.5 << QByteArray("-2.5");
        QTest::addRow("without a limit") << std::numeric_limits<double>::infinity() << QByteArray("+Inf");
        QTest::addRow("no number") << std::numeric_limits<double>::quiet_NaN() << QByteArray("NaN");
    }
    void writesNumbersShortly() {
        QFETCH(double, number);
        QTEST(numberText(number), "text");
    }

    // A counter has _total in the samples of both forms, and in the header of one.
    void writesBothForms() {
        Samples samples;
        samples.add(Metric::Acquired, Labels().with("target", "t"), 3);
        samples.add(Metric::OldestHold, Labels().with("target", "t"), 1.5);
        const QByteArray plain = samples.text(TextForm::Prometheus);
        QVERIFY2(
            plain.contains("# TYPE lockkeeper_acquired_total counter\nlockkeeper_acquired_total{target=\"t\"} 3\n"),
            plain.constData());
        QVERIFY(!plain.contains("# UNIT") && !plain.contains("# EOF"));
        const QByteArray open = samples.text(TextForm::OpenMetrics);
        QVERIFY2(open.contains("# TYPE lockkeeper_acquired counter\nlockkeeper_acquired_total{target=\"t\"} 3\n"),
                 open.constData());
        QVERIFY2(open.contains("# UNIT lockkeeper_oldest_hold_seconds seconds\n"), open.constData());
        QVERIFY(open.endsWith("# EOF\n"));
    }

    // However the samples come: those of a family stand together, in the order of the table.
    void keepsFamiliesTogether() {
        Samples samples;
        for (const char* target : {"a", "b"}) {
            samples.add(Metric::Waiters, Labels().with("target", target), 1);
            samples.add(Metric::Up, Labels().with("target", target), 1);
        }
        const QByteArray text = samples.text(TextForm::Prometheus);
        QCOMPARE(text.count("# TYPE"), 2);
        QVERIFY(text.indexOf("lockkeeper_up{target=\"b\"}") < text.indexOf("lockkeeper_waiters{target=\"a\"}"));
        QVERIFY(text.contains("lockkeeper_up{target=\"a\"} 1\nlockkeeper_up{target=\"b\"} 1\n"));
    }

    void sumsBucketsUp() {
        const Buckets bounds{0.5, 1, 10};
        Histogram histogram(bounds);
        for (const double seconds : {0.5, 0.7, 2.0, 100.0})
            histogram.observe(bounds, seconds);
        Samples samples;
        samples.add(Metric::HoldTime, Labels().with("target", "t"), histogram, bounds);
        const QByteArray text = samples.text(TextForm::Prometheus);
        for (const char* line : {"_bucket{target=\"t\",le=\"0.5\"} 1", "_bucket{target=\"t\",le=\"1.0\"} 2",
                                 "_bucket{target=\"t\",le=\"10.0\"} 3", "_bucket{target=\"t\",le=\"+Inf\"} 4",
                                 "_sum{target=\"t\"} 103.2", "_count{target=\"t\"} 4"})
            QVERIFY2(text.contains(QByteArray("lockkeeper_hold_seconds") + line + '\n'), text.constData());
    }
};

LOCKKEEPER_TEST(TestSamples, Appless)

}  // namespace tst_samples

#include "tst_samples.moc"
