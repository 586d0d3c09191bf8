// SPDX-License-Identifier: Apache-2.0
#include "support/places.h"
#include "support/testprogram.h"
#include "ui/words/familytext.h"

#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

namespace tst_familytext {

using namespace lockkeeper;
using namespace lockkeeper::monitor;
using namespace lockkeeper::ui;

namespace {

// With one blank between words, wherever a line ends.
QString inOneLine(const QString& text) {
    return text.simplified();
}

QString page() {
    QFile file(test::places::manual() + QStringLiteral("/errors-explained.md"));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// The part of the page about the family; empty if there is none.
QString sectionOf(ErrorFamily family) {
    const QStringList sections = page().split(QStringLiteral("\n### ")).sliced(1);
    for (const QString& section : sections) {
        if (section.section(u'\n', 0, 0) == familyTitle(family))
            return inOneLine(section);
    }
    return {};
}

}  // namespace

// Each family of errors is explained, in the program and in the manual alike.
class TestFamilyText : public QObject {
    Q_OBJECT

private:
    static void families() {
        QTest::addColumn<ErrorFamily>("family");
        for (const ErrorFamily family : allErrorFamilies())
            QTest::newRow(qPrintable(wordFor(family))) << family;
    }

private Q_SLOTS:
    void isExplainedInTwoSentencesAtLeast_data() { families(); }
    void isExplainedInTwoSentencesAtLeast() {
        QFETCH(const ErrorFamily, family);
        static const QRegularExpression sentenceEnd(QStringLiteral("[.]( |$)"));
        QVERIFY(!familyTitle(family).isEmpty());
        QVERIFY2(familyMeaning(family).count(sentenceEnd) >= 2, qPrintable(familyMeaning(family)));
        QVERIFY(!familyAdvice(family).isEmpty());
        QVERIFY(!seriousnessText(seriousnessOf(family)).isEmpty());
    }

    // "Corrected" is said only with its source.
    void aCorrectionHasItsSource_data() { families(); }
    void aCorrectionHasItsSource() {
        QFETCH(const ErrorFamily, family);
        const KnownAbout known = knownAbout(family);
        const QString text = knownText(family);
        for (const int issue : known.issues)
            QVERIFY(text.contains(QString::number(issue)));
        if (!known.fixedIn.isEmpty())
            QVERIFY2(text.contains(known.fixedIn.section(u'.', 0, 1)), qPrintable(text));
        QVERIFY(!known.issues.isEmpty() || !known.fixedIn.isEmpty() || text.isEmpty());
    }

    void theManualHasTheSameText_data() { families(); }
    void theManualHasTheSameText() {
        QFETCH(const ErrorFamily, family);
        const QString section = sectionOf(family);
        QVERIFY2(!section.isEmpty(), qPrintable(familyTitle(family)));
        for (const QString& text :
             {QStringLiteral("`%1`.").arg(wordFor(family)), seriousnessText(seriousnessOf(family)),
              familyMeaning(family), familyAdvice(family), knownText(family)})
            QVERIFY2(section.contains(inOneLine(text)), qPrintable(text));
    }
    void theManualHasNoOtherFamily() { QCOMPARE(page().count(QStringLiteral("\n### ")), allErrorFamilies().size()); }

    void wordsAreDistinctAndCanBeReadBack() {
        QSet<QString> words;
        for (const ErrorFamily family : allErrorFamilies()) {
            words << wordFor(family);
            QCOMPARE(errorFamilyOf(wordFor(family)), std::optional(family));
        }
        QCOMPARE(words.size(), allErrorFamilies().size());
        QVERIFY(!errorFamilyOf(QStringLiteral("no_such_word")));
    }
};

LOCKKEEPER_TEST(TestFamilyText, Guiless)

}  // namespace tst_familytext

#include "tst_familytext.moc"
