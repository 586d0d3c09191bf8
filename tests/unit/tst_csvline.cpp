// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/csv/csvline.h"
#include "support/testprogram.h"

#include <QTest>

namespace tst_csvline {

using namespace lockkeeper;

class TestCsvLine : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void followsRfc4180_data() {
        QTest::addColumn<QStringList>("cells");
        QTest::addColumn<QByteArray>("line");
        const auto row = [](const char* name, const QStringList& cells, const char* line) {
            QTest::newRow(name) << cells << QByteArray(line);
        };
        row("plain", {QStringLiteral("a"), QStringLiteral("b c")}, "a,b c\r\n");
        row("empty", {QString(), QString()}, ",\r\n");
        row("a comma", {QStringLiteral("a,b")}, "\"a,b\"\r\n");
        row("a semicolon", {QStringLiteral("a;b")}, "\"a;b\"\r\n");
        row("a quote", {QStringLiteral("a\"b")}, "\"a\"\"b\"\r\n");
        row("line ends", {QStringLiteral("a\nb"), QStringLiteral("a\rb")}, "\"a\nb\",\"a\rb\"\r\n");
        row("beyond ASCII", {QStringLiteral("锁")}, "\xe9\x94\x81\r\n");
    }
    void followsRfc4180() {
        QFETCH(const QStringList, cells);
        QTEST(csvLine(cells), "line");
    }

    void noCellIsAFormula_data() {
        QTest::addColumn<QString>("cell");
        QTest::addColumn<QByteArray>("line");
        const auto row = [](const char* cell, const char* line) {
            QTest::newRow(cell) << QString::fromLatin1(cell) << QByteArray(line) + "\r\n";
        };
        row("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0");
        row("+1+2", "'+1+2");
        row("-2+3", "'-2+3");
        row("@SUM(A1)", "'@SUM(A1)");
        row("\t=1", "'\t=1");
        row("=a,\"b\"", "\"'=a,\"\"b\"\"\"");
        // Near misses: numbers, and signs elsewhere.
        row("-1", "-1");
        row("a=b", "a=b");
        row("'quoted", "'quoted");
    }
    void noCellIsAFormula() {
        QFETCH(const QString, cell);
        QTEST(csvLine({cell}), "line");
    }

    void saysWhatAReaderGetsChanged() {
        for (const char* kept : {"", "a=b", "-1", "'quoted", "a,\"b\"\n"})
            QVERIFY2(csvKeeps(QString::fromLatin1(kept)), kept);
        QVERIFY(!csvKeeps(QStringLiteral("=1+2")));
        QVERIFY(!csvKeeps(QStringLiteral("a") + QChar::Null));
    }
};

LOCKKEEPER_TEST(TestCsvLine, Appless)

}  // namespace tst_csvline

#include "tst_csvline.moc"
