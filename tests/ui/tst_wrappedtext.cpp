// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "ui/base/wrappedtext.h"

#include <QStyle>
#include <QTest>

namespace tst_wrappedtext {

using namespace lockkeeper;
using namespace lockkeeper::ui;

class TestWrappedText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_text = std::make_unique<WrappedText>(8);
        m_text->show();
        setWidth(usualWidth);
        m_text->setText(QStringLiteral("one"));
        m_text->forgetHeight();
        m_lineHeight = m_text->height();
    }
    void cleanup() { m_text.reset(); }

    void isAsHighAsItsLinesUpToTheMost_data() {
        QTest::addColumn<int>("lines");
        QTest::addColumn<int>("shown");
        QTest::newRow("one") << 1 << 1;
        QTest::newRow("some") << 5 << 5;
        QTest::newRow("the most") << 8 << 8;
        QTest::newRow("more than fit") << 20 << 8;
    }
    void isAsHighAsItsLinesUpToTheMost() {
        QFETCH(const int, lines);
        QFETCH(const int, shown);
        m_text->setText(QStringList(lines, QStringLiteral("line")).join(u'\n'));
        QCOMPARE(m_text->height(), heightOf(shown));
    }

    void keepsAFewLinesThatItHad() {
        m_text->setText(QStringLiteral("one\ntwo\nthree"));
        m_text->setText(QStringLiteral("one"));
        QCOMPARE(m_text->height(), heightOf(3));
        m_text->forgetHeight();
        QCOMPARE(m_text->height(), heightOf(1));
    }

    void aScrollBarThatComesAndGoesIsNoOtherPlace() {
        m_text->setText(QStringLiteral("one\ntwo\nthree"));
        m_text->setText(QStringLiteral("one"));
        setWidth(usualWidth - barWidth());
        QCOMPARE(m_text->height(), heightOf(3));
        setWidth(usualWidth);
        QCOMPARE(m_text->height(), heightOf(3));
    }

    void aWiderPlaceIsFittedAnew_data() {
        QTest::addColumn<int>("step");
        QTest::newRow("at once") << 100;
        QTest::newRow("by a hand that moves slowly") << 1;
    }
    void aWiderPlaceIsFittedAnew() {
        QFETCH(const int, step);
        m_text->setText(QStringLiteral("one\ntwo\nthree"));
        m_text->setText(QStringLiteral("one"));
        for (int width = usualWidth; width <= usualWidth + 100; width += step)
            setWidth(width);
        QCOMPARE(m_text->height(), heightOf(1));
    }

private:
    static constexpr int usualWidth = 300;

    void setWidth(int width) { m_text->resize(width, m_text->height()); }
    [[nodiscard]] int barWidth() const { return m_text->style()->pixelMetric(QStyle::PM_ScrollBarExtent); }
    [[nodiscard]] int heightOf(int lines) const {
        return m_lineHeight + (lines - 1) * m_text->fontMetrics().lineSpacing();
    }

    std::unique_ptr<WrappedText> m_text;
    int m_lineHeight = 0;
};

LOCKKEEPER_TEST(TestWrappedText, Gui)

}  // namespace tst_wrappedtext

#include "tst_wrappedtext.moc"
