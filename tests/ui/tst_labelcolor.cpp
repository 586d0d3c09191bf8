// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "ui/base/badge.h"
#include "ui/base/tonecolors.h"
#include "ui/connections/labelcolor.h"

#include <QImage>
#include <QTest>
#include <QToolBar>

#include <algorithm>

namespace tst_labelcolor {

using namespace lockkeeper;
using namespace lockkeeper::ui;
using profile::Environment;
using profile::LabelColor;

class TestLabelColor : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachEnvironmentHasOneOfItsOwn() {
        QVERIFY(!labelColor({}).isValid());
        const QColor development = labelColor({{}, Environment::Development, {}});
        const QColor staging = labelColor({{}, Environment::Staging, {}});
        const QColor production = labelColor({{}, Environment::Production, {}});
        QVERIFY(development.isValid() && staging.isValid() && production.isValid());
        QVERIFY(development != staging && staging != production && development != production);
    }

    void theUsersColorGoesBeforeThatOfTheEnvironment() {
        const QColor purple = labelColor({{}, Environment::None, LabelColor::Purple});
        QCOMPARE(labelColor({{}, Environment::Production, LabelColor::Purple}), purple);
    }

    void textReadsWellOnEach_data() {
        QTest::addColumn<LabelColor>("color");
        for (const LabelColor color : {LabelColor::Grey, LabelColor::Green, LabelColor::Teal, LabelColor::Blue,
                                       LabelColor::Purple, LabelColor::Orange, LabelColor::Red})
            QTest::addRow("%d", static_cast<int>(color)) << color;
    }
    void textReadsWellOnEach() {
        QFETCH(const LabelColor, color);
        const QColor background = labelColor({{}, Environment::None, color});
        QVERIFY(contrast(textColorOn(background), background) >= 4.5);
    }

    void aBadgeHasItsTextColorAlsoOnAToolBar() {
        QToolBar bar;
        auto* badge = new Badge;
        bar.addWidget(badge);
        badge->set(QStringLiteral("Production"), labelColor({{}, Environment::Production, {}}));
        bar.show();
        const QImage image = badge->grab().toImage();
        int lightest = 0;
        for (int x = 0; x < image.width(); ++x) {
            for (int y = 4; y < image.height() - 4; ++y)
                lightest = std::max(lightest, image.pixelColor(x, y).lightness());
        }
        QVERIFY2(lightest > 220, qPrintable(QString::number(lightest)));
    }
};

LOCKKEEPER_TEST(TestLabelColor, Gui)

}  // namespace tst_labelcolor

#include "tst_labelcolor.moc"
