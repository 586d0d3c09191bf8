// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QApplication>
#include <QFontInfo>
#include <QTest>

namespace lockkeeper::test {

// Rows of a layout's test: whatever fits, fits with each of these fonts.
inline void addFontRows(std::initializer_list<int> pointSizes = {10, 16}) {
    QTest::addColumn<QFont>("font");
    for (const char* family : {"DejaVu Sans", "Noto Sans", "Noto Sans CJK SC", "Liberation Sans"}) {
        for (const int pointSize : pointSizes)
            QTest::addRow("%s, %d points", family, pointSize) << QFont(QString::fromLatin1(family), pointSize);
    }
}

// The font of the program, for as long as this lives.
class LayoutFont {
public:
    explicit LayoutFont(const QFont& font) : m_chosen(font) { QApplication::setFont(font); }
    ~LayoutFont() { QApplication::setFont(m_before); }
    Q_DISABLE_COPY_MOVE(LayoutFont)

    // Another font takes the place of one that is not installed (packaging/install-dependencies tests).
    [[nodiscard]] bool isInstalled() const { return QFontInfo(m_chosen).family() == m_chosen.family(); }

private:
    QFont m_chosen;
    QFont m_before = QApplication::font();
};

}  // namespace lockkeeper::test
