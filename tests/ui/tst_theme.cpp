// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "ui/base/theme.h"
#include "ui/base/tonecolors.h"

#include <QApplication>
#include <QFontDatabase>
#include <QImage>
#include <QPainter>
#include <QStyle>
#include <QStyleOption>
#include <QTest>

#include <algorithm>

namespace tst_theme {

using namespace lockkeeper::ui;

// What the style draws in each theme.
class TestTheme : public QObject {
    Q_OBJECT

private:
    // The frame of an indicator that is off, in the middle of its left edge, where only the frame is.
    static double contrastOfFrame(QStyle::PrimitiveElement indicator) {
        const QPalette palette = QGuiApplication::palette();
        const QColor window = palette.color(QPalette::Window);
        QImage image(24, 24, QImage::Format_RGB32);
        image.fill(window);
        QStyleOptionButton option;
        option.rect = image.rect().adjusted(4, 4, -4, -4);
        option.palette = palette;
        option.state = QStyle::State_Enabled | QStyle::State_Off;
        QPainter painter(&image);
        QApplication::style()->drawPrimitive(indicator, &option, &painter);
        painter.end();
        double most = 1;
        for (int x = 0; x < image.width() / 2; ++x)
            most = std::max(most, contrast(image.pixelColor(x, image.height() / 2), window));
        return most;
    }

private Q_SLOTS:
    void cleanup() { applyTheme(*qApp, Theme::Light); }

    // Without a font every text has room, so other tests would pass.
    void aFontIsInstalled() {
        QVERIFY2(!QFontDatabase::families().isEmpty(),
                 "the package fonts-dejavu-core has one (packaging/install-dependencies tests)");
    }

    void whatCanBeCheckedIsSeenInTheDark_data() {
        QTest::addColumn<int>("indicator");
        QTest::newRow("check box") << static_cast<int>(QStyle::PE_IndicatorCheckBox);
        QTest::newRow("radio button") << static_cast<int>(QStyle::PE_IndicatorRadioButton);
    }
    void whatCanBeCheckedIsSeenInTheDark() {
        QFETCH(const int, indicator);
        applyTheme(*qApp, Theme::Dark);
        const double found = contrastOfFrame(static_cast<QStyle::PrimitiveElement>(indicator));
        QVERIFY2(found >= 3, qPrintable(QString::number(found)));
    }
};

LOCKKEEPER_TEST(TestTheme, Gui)

}  // namespace tst_theme

#include "tst_theme.moc"
