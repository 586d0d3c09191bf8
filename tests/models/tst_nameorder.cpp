// SPDX-License-Identifier: Apache-2.0
#include "support/testprogram.h"
#include "ui/table/nameorder.h"

#include <QTest>

using namespace lockkeeper;
using namespace lockkeeper::ui;

class TestNameOrder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void isThatOfWhatIsShown_data() {
        QTest::addColumn<QByteArray>("one");
        QTest::addColumn<QByteArray>("other");
        const QByteArrayList names{
            "",          "a",         "A",    "ab",    "B",      "a_b",           "aZb",          "a{42}",
            "a~",        "a 1",       "a\\b", "a\\",   "a\nb",   "a\x7f",         "\\",           "\xc3\xa4",
            "a\xc3\x84", "a\xc3\xa4", "\xff", "a\xff", "a\xffz", "z\xe2\x80\x8e", "\xef\xbb\xbf", "orders/1",
            "orders/10", "ORDERS/2",  "0",    "[",     "`"};
        for (const QByteArray& one : names) {
            for (const QByteArray& other : names)
                QTest::newRow((one.toPercentEncoding() + " and " + other.toPercentEncoding()).constData())
                    << one << other;
        }
    }
    void isThatOfWhatIsShown() {
        QFETCH(const QByteArray, one);
        QFETCH(const QByteArray, other);
        const LockName first(one);
        const LockName second(other);
        const auto sign = [](int order) { return order < 0 ? -1 : order > 0 ? 1 : 0; };
        QCOMPARE(sign(compareAsShown(first, second)),
                 sign(QString::compare(first.display(), second.display(), Qt::CaseInsensitive)));
    }

    // Names may have megabytes, and tables compare them at each change.
    void isOneOrderForLongNames() {
        const QByteArray long1(2000, 'a');
        const QByteArray umlauts = QByteArrayLiteral("\xc3\xa4").repeated(1000);
        const std::vector<LockName> ascending{
            LockName("a"),          LockName(QByteArray(1024, 'a')), LockName(long1),        LockName(long1 + "a"),
            LockName(long1 + "b"),  LockName(long1 + "\xff"),        LockName("ab" + long1), LockName(umlauts),
            LockName(umlauts + "1")};
        for (size_t i = 0; i < ascending.size(); ++i) {
            for (size_t j = 0; j < ascending.size(); ++j) {
                const int order = compareAsShown(ascending[i], ascending[j]);
                QVERIFY2(i < j ? order < 0 : i > j ? order > 0 : order == 0,
                         qPrintable(QStringLiteral("%1 and %2: %3").arg(i).arg(j).arg(order)));
            }
        }
    }
};

LOCKKEEPER_TEST(TestNameOrder, Guiless)
#include "tst_nameorder.moc"
