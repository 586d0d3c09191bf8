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
};

LOCKKEEPER_TEST(TestNameOrder, Guiless)
#include "tst_nameorder.moc"
