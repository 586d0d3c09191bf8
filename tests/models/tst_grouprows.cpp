// SPDX-License-Identifier: Apache-2.0
#include "support/testprogram.h"
#include "ui/locks/groups/grouprows.h"

#include <QTest>

namespace tst_grouprows {

using namespace lockkeeper;
using namespace lockkeeper::ui;

// What one list of rows has more than another one, and where a row stands.
class TestGroupRows : public QObject {
    Q_OBJECT

private:
    // "[a]" is the heading of the group a, and any other word a lock: the hexadecimal number of its arrival.
    static std::vector<GroupRow> rowsOf(const QByteArrayList& words) {
        std::vector<GroupRow> rows;
        for (const QByteArray& word : words) {
            if (word.startsWith('[')) {
                const auto group = std::make_shared<LockGroup>();
                group->key = {GroupKey::Kind::Prefix, word};
                rows.push_back({group});
            } else {
                rows.push_back({nullptr, LockTableModel::Arrival(word.toULongLong(nullptr, 16))});
            }
        }
        return rows;
    }

private Q_SLOTS:
    void whatIsInAllButNotInThePart_data() {
        QTest::addColumn<QByteArrayList>("all");
        QTest::addColumn<QByteArrayList>("part");
        QTest::addColumn<bool>("isPart");
        QTest::addColumn<QList<int>>("surplus");
        const QByteArrayList all{"[a]", "a1", "a2", "[b]", "b1"};
        QTest::newRow("nothing") << all << all << true << QList<int>();
        QTest::newRow("all") << all << QByteArrayList() << true << QList<int>{0, 1, 2, 3, 4};
        QTest::newRow("a lock and a group") << all << QByteArrayList{"[a]", "a2"} << true << QList<int>{1, 3, 4};
        QTest::newRow("another order") << all << QByteArrayList{"[b]", "b1", "[a]"} << false << QList<int>();
        QTest::newRow("more than all") << QByteArrayList{"[a]", "a1"} << all << false << QList<int>();
        QTest::newRow("one that is not there") << all << QByteArrayList{"[a]", "a3"} << false << QList<int>();
    }
    void whatIsInAllButNotInThePart() {
        QFETCH(const QByteArrayList, all);
        QFETCH(const QByteArrayList, part);
        QFETCH(const QList<int>, surplus);
        const std::optional<std::vector<int>> found = surplusOf(rowsOf(all), rowsOf(part));
        QTEST(found.has_value(), "isPart");
        const std::vector<int> rows = found.value_or(std::vector<int>());
        QCOMPARE(QList<int>(rows.begin(), rows.end()), surplus);
    }

    void whereARowStands() {
        const GroupRowPlaces places = placesOf(rowsOf({"[a]", "a1", "[b]"}));
        QCOMPARE(places.of(rowsOf({"a1"}).front()), 1);
        QCOMPARE(places.of(rowsOf({"[b]"}).front()), 2);
        QCOMPARE(places.of(rowsOf({"[c]"}).front()), -1);
        QCOMPARE(places.of(rowsOf({"b1"}).front()), -1);
    }
};

LOCKKEEPER_TEST(TestGroupRows, Appless)

}  // namespace tst_grouprows

#include "tst_grouprows.moc"
