// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "ui/base/icons.h"
#include "ui/base/tonecolors.h"

#include <QApplication>
#include <QDirIterator>
#include <QImage>
#include <QTest>

namespace tst_icons {

using namespace lockkeeper::ui;

class TestIcons : public QObject {
    Q_OBJECT

private:
    static int drawnPixels(const QImage& image) {
        int drawn = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x)
                drawn += qAlpha(image.pixel(x, y)) > 128 ? 1 : 0;
        }
        return drawn;
    }

private Q_SLOTS:
    // The icons are in a static library; a linker drops its resources if nothing refers to them.
    void everyIconDraws_data() {
        QTest::addColumn<QString>("name");
        QVERIFY(!applicationIcon().isNull());
        QDirIterator files(QStringLiteral(":/lockkeeper/icons"));
        while (files.hasNext()) {
            const QString name = QFileInfo(files.next()).completeBaseName();
            QTest::newRow(qPrintable(name)) << name;
        }
    }
    void everyIconDraws() {
        QFETCH(QString, name);
        QVERIFY(drawnPixels(icon(name).pixmap(32, 32).toImage()) > 30);
    }

    void isDrawnInTheColourOfItsTone() {
        const QImage image = icon(QStringLiteral("phase-connected"), Tone::Danger).pixmap(32, 32).toImage();
        QCOMPARE(image.pixel(image.width() / 2, image.height() / 2),
                 toneColor(QApplication::palette(), Tone::Danger).rgb());
    }

    void followsThePalette() {
        const QIcon kept = icon(QStringLiteral("phase-connected"));
        QPalette palette = QApplication::palette();
        palette.setColor(QPalette::WindowText, QColor(1, 200, 3));
        QApplication::setPalette(palette);
        const QImage image = kept.pixmap(32, 32).toImage();
        QApplication::setPalette(QPalette());
        QCOMPARE(image.pixel(image.width() / 2, image.height() / 2), QColor(1, 200, 3).rgb());
    }

    void isSharpAtAnyScale() { QCOMPARE(icon(QStringLiteral("lock-held")).pixmap(QSize(16, 16), 3.0).width(), 48); }
};

LOCKKEEPER_TEST(TestIcons, Gui)

}  // namespace tst_icons

#include "tst_icons.moc"
