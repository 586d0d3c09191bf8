// SPDX-License-Identifier: Apache-2.0
#include "support/testprogram.h"
#include "ui/window/palette/fuzzymatch.h"

#include <QTest>

namespace tst_fuzzymatch {

using namespace lockkeeper::ui;

class TestFuzzyMatch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsWhatIsTyped_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("isFound");
        QTest::newRow("the whole text") << QStringLiteral("orders") << QStringLiteral("orders") << true;
        QTest::newRow("a part, another case") << QStringLiteral("ORD") << QStringLiteral("my:orders") << true;
        QTest::newRow("words in any order") << QStringLiteral("42 orders") << QStringLiteral("orders:42") << true;
        QTest::newRow("letters in their order") << QStringLiteral("frl") << QStringLiteral("Force-release") << true;
        QTest::newRow("letters in another order") << QStringLiteral("lrf") << QStringLiteral("Force-release") << false;
        QTest::newRow("one word is missing") << QStringLiteral("orders 43") << QStringLiteral("orders:42") << false;
        QTest::newRow("nothing typed") << QString() << QStringLiteral("orders") << true;
        QTest::newRow("an empty text") << QStringLiteral("a") << QString() << false;
    }
    void findsWhatIsTyped() {
        QFETCH(const QString, typed);
        QFETCH(const QString, text);
        QTEST(fuzzyMatch(typed, text).has_value(), "isFound");
    }

    // Each text matches better than the one after it.
    void ranksWhatIsCloser() {
        const QStringList texts{QStringLiteral("rel:a"), QStringLiteral("a rel"), QStringLiteral("barrel"),
                                QStringLiteral("r-e-l"), QStringLiteral("r----e----l")};
        for (qsizetype i = 0; i + 1 < texts.size(); ++i)
            QVERIFY2(
                *fuzzyMatch(QStringLiteral("rel"), texts.at(i)) < *fuzzyMatch(QStringLiteral("rel"), texts.at(i + 1)),
                qPrintable(texts.at(i)));
    }
};

LOCKKEEPER_TEST(TestFuzzyMatch, Guiless)

}  // namespace tst_fuzzymatch

#include "tst_fuzzymatch.moc"
