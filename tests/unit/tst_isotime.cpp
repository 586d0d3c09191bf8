// SPDX-License-Identifier: Apache-2.0
#include "base/isotime.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_isotime {

using namespace lockkeeper;
using namespace std::chrono_literals;

class TestIsoTime : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aTimeIsReadAsItWasWritten_data() {
        QTest::addColumn<QString>("text");
        QTest::newRow("1970") << QStringLiteral("1970-01-01T00:00:00.001Z");
        QTest::newRow("now") << QStringLiteral("2026-11-23T12:34:56.789Z");
        QTest::newRow("before 1970") << QStringLiteral("1969-12-31T23:59:59.999Z");
        QTest::newRow("late") << QStringLiteral("2261-12-31T23:59:59.999Z");
    }
    void aTimeIsReadAsItWasWritten() {
        QFETCH(const QString, text);
        const std::optional<WallTime> time = timeFromIso(text);
        QVERIFY(time);
        QCOMPARE(isoTime(*time), text);
    }

    // Times are stored as numbers that end in 2262.
    void otherTextsAreNoTimes_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "yesterday", "2026-13-01T00:00:00.000Z", "2263-01-01T00:00:00.000Z",
                                 "9999-12-31T23:59:59.999Z", "1600-01-01T00:00:00.000Z"})
            QTest::newRow(text) << QString::fromLatin1(text);
    }
    void otherTextsAreNoTimes() {
        QFETCH(const QString, text);
        QVERIFY(!timeFromIso(text));
    }
};

LOCKKEEPER_TEST(TestIsoTime, Appless)

}  // namespace tst_isotime

#include "tst_isotime.moc"
