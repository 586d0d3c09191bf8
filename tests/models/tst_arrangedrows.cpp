// SPDX-License-Identifier: Apache-2.0
#include "support/testprogram.h"
#include "ui/locks/model/arrangedrows.h"

#include <QAbstractItemModelTester>
#include <QAbstractListModel>
#include <QSignalSpy>
#include <QTest>

#include <iterator>

namespace tst_arrangedrows {

using namespace lockkeeper::ui;

namespace {

// Numbers, one in each row.
class Numbers final : public ArrangedRows<QAbstractListModel> {
public:
    explicit Numbers(std::vector<int> numbers) : m_numbers(std::move(numbers)) {}

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_numbers.size());
    }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
        return role == Qt::DisplayRole ? QVariant(m_numbers[static_cast<size_t>(index.row())]) : QVariant();
    }
    [[nodiscard]] const std::vector<int>& numbers() const { return m_numbers; }

    void add(const std::vector<int>& numbers, const std::vector<int>& rows) {
        m_added = numbers;
        insertAll(rows);
    }
    using ArrangedRows::arrange;
    using ArrangedRows::removeAll;

private:
    void permute(const std::vector<int>& order) override {
        std::vector<int> numbers;
        for (const int row : order)
            numbers.push_back(m_numbers[static_cast<size_t>(row)]);
        m_numbers = numbers;
    }
    void erase(RowRange range) override {
        m_numbers.erase(m_numbers.begin() + range.first, m_numbers.begin() + range.last + 1);
    }
    void put(RowRange added, int before) override {
        m_numbers.insert(m_numbers.begin() + before, m_added.begin() + added.first, m_added.begin() + added.last + 1);
    }

    std::vector<int> m_numbers;
    std::vector<int> m_added;
};

// `count` numbers, beginning with `first`, each `step` more than the one before.
std::vector<int> series(int first, int step, int count) {
    std::vector<int> numbers;
    for (int i = 0; i < count; ++i)
        numbers.push_back(first + step * i);
    return numbers;
}

}  // namespace

class TestArrangedRows : public QObject {
    Q_OBJECT

private:
    void begin(std::vector<int> numbers) {
        m_numbers = std::make_unique<Numbers>(std::move(numbers));
        m_tester = std::make_unique<QAbstractItemModelTester>(m_numbers.get(),
                                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
    }
    // Rows that views keep.
    QList<QPersistentModelIndex> keepAll() const {
        QList<QPersistentModelIndex> kept;
        for (int row = 0; row < m_numbers->rowCount(); ++row)
            kept << m_numbers->index(row);
        return kept;
    }

    std::unique_ptr<Numbers> m_numbers;
    std::unique_ptr<QAbstractItemModelTester> m_tester;

private Q_SLOTS:
    void cleanup() {
        m_tester.reset();
        m_numbers.reset();
    }

    void putsRowsWhereTheyBelong_data() {
        QTest::addColumn<int>("step");  // between the added rows
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("insertions");
        QTest::addColumn<int>("layouts");
        QTest::newRow("none") << 1 << 0 << 0 << 0;
        QTest::newRow("neighbours at once") << 1 << 50 << 1 << 0;
        QTest::newRow("a few, each by itself") << 3 << 8 << 8 << 0;
        QTest::newRow("many in one change of the layout") << 3 << 9 << 1 << 1;
        QTest::newRow("every other row") << 2 << 100 << 1 << 1;
    }
    void putsRowsWhereTheyBelong() {
        QFETCH(const int, step);
        QFETCH(const int, count);
        begin(series(0, 10, 100));
        const QSignalSpy inserted(m_numbers.get(), &QAbstractItemModel::rowsInserted);
        const QSignalSpy layout(m_numbers.get(), &QAbstractItemModel::layoutChanged);
        const QList<QPersistentModelIndex> kept = keepAll();
        const std::vector<int> rows = series(1, step, count);
        m_numbers->add(series(-1, -1, count), rows);
        QCOMPARE(m_numbers->rowCount(), 100 + count);
        for (int i = 0; i < count; ++i)
            QCOMPARE(m_numbers->numbers()[static_cast<size_t>(rows[static_cast<size_t>(i)])], -1 - i);
        for (int i = 0; i < 100; ++i)
            QCOMPARE(kept[i].data().toInt(), 10 * i);
        QTEST(static_cast<int>(inserted.size()), "insertions");
        QTEST(static_cast<int>(layout.size()), "layouts");
    }

    void addsToTheEnd() {
        begin({});
        m_numbers->add({1, 2}, {0, 1});
        m_numbers->add({3}, {2});
        QCOMPARE(m_numbers->numbers(), (std::vector{1, 2, 3}));
    }

    void removesRowsInAnyOrder_data() {
        QTest::addColumn<int>("step");
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("removals");
        QTest::addColumn<int>("layouts");
        QTest::newRow("none") << 1 << 0 << 0 << 0;
        QTest::newRow("neighbours at once") << 1 << 50 << 1 << 0;
        QTest::newRow("a few, each by itself") << 3 << 8 << 8 << 0;
        QTest::newRow("many in one change of the layout") << 3 << 9 << 1 << 1;
        QTest::newRow("all") << 1 << 100 << 1 << 0;
    }
    void removesRowsInAnyOrder() {
        QFETCH(const int, step);
        QFETCH(const int, count);
        begin(series(0, 1, 100));
        const QSignalSpy removed(m_numbers.get(), &QAbstractItemModel::rowsRemoved);
        const QSignalSpy layout(m_numbers.get(), &QAbstractItemModel::layoutChanged);
        const QList<QPersistentModelIndex> kept = keepAll();
        std::vector<int> rows = series(0, step, count);
        std::vector<int> left;
        std::ranges::set_difference(series(0, 1, 100), rows, std::back_inserter(left));
        std::ranges::reverse(rows);
        m_numbers->removeAll(rows);
        QCOMPARE(m_numbers->numbers(), left);
        for (int i = 0; i < 100; ++i)
            QCOMPARE(kept[i].isValid() ? kept[i].data().toInt() : -1, std::ranges::binary_search(left, i) ? i : -1);
        QTEST(static_cast<int>(removed.size()), "removals");
        QTEST(static_cast<int>(layout.size()), "layouts");
    }

    void keptRowsFollowAnotherOrder() {
        begin({10, 20, 30});
        const QList<QPersistentModelIndex> kept = keepAll();
        m_numbers->arrange({2, 0, 1});
        QCOMPARE(m_numbers->numbers(), (std::vector{30, 10, 20}));
        QCOMPARE(kept[0].row(), 1);
        QCOMPARE(kept[1].row(), 2);
        QCOMPARE(kept[2].row(), 0);
    }
};

LOCKKEEPER_TEST(TestArrangedRows, Guiless)

}  // namespace tst_arrangedrows

#include "tst_arrangedrows.moc"
