// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "ui/base/theme.h"
#include "ui/base/tonecolors.h"
#include "ui/locks/clients/clientcolors.h"

#include <QApplication>
#include <QTest>

#include <array>
#include <cmath>

namespace tst_clientcolors {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;

namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

// How eyes without one kind of cones see linear RGB: Machado, Oliveira, Fernandes 2009, at full severity.
constexpr Matrix normalSight = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix protanopia = {
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix deuteranopia = {
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};

Triple times(const Matrix& matrix, const Triple& of) {
    Triple result{};
    for (size_t row = 0; row < 3; ++row)
        for (size_t i = 0; i < 3; ++i)
            result[row] += matrix[row][i] * of[i];
    return result;
}

double linearPart(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double labPart(double t) {
    return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116;
}

// CIELAB, in which distances are those that are seen.
Triple labOf(const QColor& color, const Matrix& sight) {
    Triple rgb = times(sight, {linearPart(color.redF()), linearPart(color.greenF()), linearPart(color.blueF())});
    for (double& channel : rgb)
        channel = std::clamp(channel, 0.0, 1.0);
    constexpr Matrix toXyz = {{{.4124, .3576, .1805}, {.2126, .7152, .0722}, {.0193, .1192, .9505}}};
    const Triple xyz = times(toXyz, rgb);
    const double x = labPart(xyz[0] / .95047);
    const double y = labPart(xyz[1]);
    const double z = labPart(xyz[2] / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distanceOf(const QColor& a, const QColor& b, const Matrix& sight) {
    const Triple one = labOf(a, sight);
    const Triple other = labOf(b, sight);
    return std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

}  // namespace

class TestClientColors : public QObject {
    Q_OBJECT

private:
    static ClientId client(int number) { return ClientId(QByteArray::number(number) + "-cli"); }

private Q_SLOTS:
    void cleanup() { applyTheme(*qApp, Theme::Light); }

    void clientsThatAppearTogetherDiffer() {
        ClientColors colors;
        for (int i = 0; i < 100; ++i)
            colors.note(client(i));
        for (int i = 1; i < 100; ++i) {
            QVERIFY(colors.of(client(i)) % ClientColors::colors != colors.of(client(i - 1)) % ClientColors::colors);
            for (int j = std::max(0, i - ClientColors::colors * ClientColors::shapes + 1); j < i; ++j)
                QVERIFY2(colors.of(client(i)) != colors.of(client(j)), qPrintable(QString::number(i)));
        }
    }

    void oneIsKeptForTheSession() {
        ClientColors colors;
        colors.note(client(1));
        const int before = colors.of(client(1));
        for (int i = 2; i < 50; ++i)
            colors.note(client(i));
        colors.note(client(1));
        QCOMPARE(colors.of(client(1)), before);
        colors.clear();
        colors.note(client(7));
        QCOMPARE(colors.of(client(7)), 0);
    }

    void moreThanAreRememberedHaveOneToo() {
        ClientColors colors;
        for (int i = 0; i <= ClientColors::rememberedAtMost; ++i)
            colors.note(client(i));
        const int late = colors.of(client(ClientColors::rememberedAtMost));
        colors.note(client(ClientColors::rememberedAtMost + 1));
        QCOMPARE(colors.of(client(ClientColors::rememberedAtMost)), late);
        QVERIFY(late >= 0 && late < ClientColors::colors * ClientColors::shapes);
    }

    void holdersAndTheQueueOfALockAppear() {
        const ManualClock clock;
        monitor::LockRow row = heldRow(clock, lockName("L"), Milliseconds(30000), holder(clientA, 1));
        row.lock.fairQueue = {{holder(clientB, 1).id, std::nullopt}};
        ClientColors colors;
        colors.note(row.lock);
        QCOMPARE(colors.of(ClientId(clientA)), 0);
        QCOMPARE(colors.of(ClientId(clientB)), 1);
    }

    void theyCanBeDistinguished_data() {
        QTest::addColumn<Theme>("theme");
        QTest::newRow("light") << Theme::Light;
        QTest::newRow("dark") << Theme::Dark;
    }
    void theyCanBeDistinguished() {
        QFETCH(Theme, theme);
        applyTheme(*qApp, theme);
        const QPalette palette = QGuiApplication::palette();
        for (int i = 0; i < ClientColors::colors; ++i) {
            const QColor color = clientColor(palette, i);
            QVERIFY(contrast(color, palette.color(QPalette::Base)) >= 3);
            for (int j = 0; j < i; ++j) {
                const bool neighbours = i - j == 1 || i - j == ClientColors::colors - 1;
                for (const Matrix& sight : {normalSight, protanopia, deuteranopia})
                    QVERIFY2(distanceOf(color, clientColor(palette, j), sight) > (neighbours ? 30 : 22),
                             qPrintable(QStringLiteral("%1 and %2").arg(i).arg(j)));
            }
        }
    }

    void eachShapeIsPaintedInItsColour() {
        const QPalette palette = QGuiApplication::palette();
        QList<QImage> seen;
        for (int shape = 0; shape < ClientColors::shapes; ++shape) {
            const QImage drawn = clientIcon(shape * ClientColors::colors).pixmap(16, 16).toImage();
            QCOMPARE(drawn.pixelColor(8, 8), clientColor(palette, 0));
            QVERIFY(!seen.contains(drawn));
            seen << drawn;
        }
    }
};

LOCKKEEPER_TEST(TestClientColors, Gui)

}  // namespace tst_clientcolors

#include "tst_clientcolors.moc"
