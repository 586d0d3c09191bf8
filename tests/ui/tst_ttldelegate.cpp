// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "ui/base/shorteningdelegate.h"
#include "ui/base/theme.h"
#include "ui/base/tonecolors.h"
#include "ui/locks/model/locktablemodel.h"
#include "ui/locks/model/ttlbar.h"
#include "ui/locks/table/ttldelegate.h"

#include <QApplication>
#include <QIdentityProxyModel>
#include <QImage>
#include <QPainter>
#include <QStandardItemModel>
#include <QTest>

#include <array>

namespace tst_ttldelegate {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;
using namespace std::chrono_literals;

namespace {

// Counts how often a bar is computed: for the bar itself, and for its text.
class CountingModel final : public QIdentityProxyModel {
public:
    QVariant data(const QModelIndex& index, int role) const override {
        if (role == LockTableModel::TtlBarRole || role == Qt::DisplayRole)
            ++bars;
        return QIdentityProxyModel::data(index, role);
    }

    mutable int bars = 0;
};

}  // namespace

class TestTtlDelegate : public QObject {
    Q_OBJECT

private:
    static constexpr QRect cell{0, 0, 260, 24};

    QImage painted(const TtlBar& bar, QStyle::State state = QStyle::State_Enabled) const {
        QStandardItemModel model(1, 1);
        model.setData(model.index(0, 0), QVariant::fromValue(bar), LockTableModel::TtlBarRole);
        return paintedCell(model.index(0, 0), state);
    }
    QImage paintedCell(const QModelIndex& index, QStyle::State state = QStyle::State_Enabled,
                       const QRect& place = cell) const {
        return paintedBy(m_delegate, index, state, place);
    }
    static QImage paintedBy(const QStyledItemDelegate& delegate, const QModelIndex& index, QStyle::State state,
                            const QRect& place) {
        QImage image(place.size(), QImage::Format_RGB32);
        image.fill(QApplication::palette().color(QPalette::Base));
        QPainter painter(&image);
        QStyleOptionViewItem option;
        option.rect = place;
        option.state = state;
        option.palette = QApplication::palette();
        option.font = QApplication::font();
        option.fontMetrics = QFontMetrics(option.font);
        delegate.paint(&painter, option, index);
        return image;
    }
    static QRect barPlace() { return TtlDelegate::layout(cell, QFontMetrics(QApplication::font())).bar; }
    // The number of pixels in the middle row of the bar that have the fill colour.
    static int filledLength(const QImage& image, Tone tone) {
        const QRgb fill = toneColor(QApplication::palette(), tone).rgb();
        int length = 0;
        for (int x = barPlace().left(); x <= barPlace().right(); ++x)
            length += image.pixel(x, barPlace().center().y()) == fill ? 1 : 0;
        return length;
    }

    ManualClock m_clock;
    TtlDelegate m_delegate;

private Q_SLOTS:
    void init() { applyTheme(*qApp, Theme::Light); }

    void tellsTheKindsApart_data() {
        QTest::addColumn<monitor::LockRow>("lock");
        QTest::addColumn<bool>("live");
        QTest::addColumn<TtlBar>("bar");
        monitor::LockRow half = heldRow(m_clock, lockName("L"), 15s);
        half.hold.peakTtl = 30s;
        using Kind = TtlBar::Kind;
        QTest::newRow("running") << half << true << TtlBar{Kind::Running, 0.5, QStringLiteral("15 s")};
        QTest::newRow("frozen") << half << false << TtlBar{Kind::Frozen, 0.5, QStringLiteral("was 15 s")};
        const monitor::LockRow over = heldRow(m_clock, lockName("L"), 0s);
        QTest::newRow("run out") << over << true << TtlBar{Kind::RunOut, 0, QStringLiteral("running out")};
        QTest::newRow("run out, not connected")
            << over << false << TtlBar{Kind::Frozen, 0, QStringLiteral("had run out")};
        QTest::newRow("never") << neverExpiringRow(m_clock, lockName("L")) << true
                               << TtlBar{Kind::NeverExpires, 0, QStringLiteral("never expires")};
        QTest::newRow("free") << freeRow(m_clock, lockName("L")) << true << TtlBar{};
    }
    void tellsTheKindsApart() {
        QFETCH(monitor::LockRow, lock);
        QFETCH(bool, live);
        ViewTime time(m_clock);
        time.follow(connected());
        if (!live)
            time.follow(reconnecting(m_clock.wallNow()));
        QTEST(ttlBar(lock, time), "bar");
    }

    void isNeverLongerThanItsTrack() {
        ViewTime time(m_clock);
        time.follow(connected());
        monitor::LockRow lock = heldRow(m_clock, lockName("L"), 30s);
        lock.hold.peakTtl = 10s;
        QCOMPARE(ttlBar(lock, time).fraction, 1.0);
    }

    void fillsTheShareThatIsLeft_data() {
        QTest::addColumn<double>("fraction");
        QTest::newRow("all") << 1.0;
        QTest::newRow("half") << 0.5;
        QTest::newRow("a tenth") << 0.1;
        QTest::newRow("none") << 0.0;
    }
    void fillsTheShareThatIsLeft() {
        QFETCH(double, fraction);
        const int length = filledLength(painted({TtlBar::Kind::Running, fraction, QStringLiteral("x")}), Tone::Info);
        const int wanted = static_cast<int>(fraction * (barPlace().width() - 4));
        QVERIFY2(std::abs(length - wanted) <= 2,
                 qPrintable(QStringLiteral("%1 instead of %2").arg(length).arg(wanted)));
    }

    void aPaintComputesTheBarOnce() {
        ViewTime time(m_clock);
        time.follow(connected());
        LockTableModel locks(time);
        locks.apply(batchOf({heldRow(m_clock, lockName("L"), 15s)}));
        CountingModel counting;
        counting.setSourceModel(&locks);
        paintedCell(counting.index(0, LockTableModel::Ttl));
        QCOMPARE(counting.bars, 1);
    }

    void anOldBarIsInTheFontOfItsRow() {
        ViewTime time(m_clock);
        time.follow(connected());
        LockTableModel locks(time);
        locks.apply(batchOf({heldRow(m_clock, lockName("L"), 15s)}));
        time.follow(reconnecting(m_clock.wallNow()));
        const TtlBar bar = ttlBar(*locks.find(lockName("L")), time);
        QVERIFY(paintedCell(locks.index(0, LockTableModel::Ttl)) != painted(bar));
    }

    void aFrozenBarIsHatched() {
        const int running = filledLength(painted({TtlBar::Kind::Running, 1, QStringLiteral("x")}), Tone::Info);
        const int frozen = filledLength(painted({TtlBar::Kind::Frozen, 1, QStringLiteral("x")}), Tone::Quiet);
        QVERIFY(frozen > 0);
        QVERIFY2(frozen < running / 2, qPrintable(QStringLiteral("%1 of %2").arg(frozen).arg(running)));
    }

    void paintsNothingForAFreeLock() {
        const QImage image = painted({});
        QImage empty(cell.size(), QImage::Format_RGB32);
        empty.fill(QApplication::palette().color(QPalette::Base));
        QCOMPARE(image, empty);
    }

    void leavesRoomForTheText() {
        const QFontMetrics metrics(QApplication::font());
        const TtlDelegate::Layout places = TtlDelegate::layout(cell, metrics);
        QVERIFY(!places.bar.intersects(places.text));
        QVERIFY(places.text.width() >= metrics.horizontalAdvance(QStringLiteral("was 59 min 59 s")));
        QVERIFY(cell.contains(places.bar) && cell.contains(places.text));
    }

    void aNarrowCellShowsItsShortText_data() {
        QTest::addColumn<bool>("isTtl");
        QTest::newRow("a TTL") << true;
        QTest::newRow("another") << false;
    }
    void aNarrowCellShowsItsShortText() {
        QFETCH(const bool, isTtl);
        QStandardItemModel model(2, 1);
        const std::array texts{QStringLiteral("9 min 58 s of it"), QStringLiteral("9 min")};
        for (int row = 0; row < 2; ++row) {
            const QModelIndex index = model.index(row, 0);
            if (isTtl)
                model.setData(index, QVariant::fromValue(TtlBar{TtlBar::Kind::Running, 0.5, texts[size_t(row)]}),
                              LockTableModel::TtlBarRole);
            model.setData(index, texts[size_t(row)]);
        }
        model.setData(model.index(0, 0), texts[1], LockTableModel::ShortRole);
        const ShorteningDelegate other(Qt::ElideRight, LockTableModel::ShortRole, nullptr);
        const QStyledItemDelegate& delegate = isTtl ? static_cast<const QStyledItemDelegate&>(m_delegate) : other;
        const auto painted = [&](int row, int width) {
            return paintedBy(delegate, model.index(row, 0), QStyle::State_Enabled, QRect(0, 0, width, 24));
        };
        const QWidget view;
        const int narrow =
            isTtl ? TtlDelegate::closeWidth(view.fontMetrics(), texts[1]) : closeWidth(view, texts[1], false);
        QCOMPARE(painted(0, narrow), painted(1, narrow));
        QVERIFY(painted(0, 250) != painted(1, 250));
    }

    void givesUpTheBarBeforeTheText() {
        const TtlDelegate::Layout places = TtlDelegate::layout(QRect(0, 0, 90, 24), QFontMetrics(QApplication::font()));
        QVERIFY(!places.bar.isValid());
        QVERIFY(places.text.width() > 70);
    }

    void contrastIsThatOfTheStandard() {
        QCOMPARE(contrast(Qt::black, Qt::white), 21.0);
        QCOMPARE(contrast(Qt::white, Qt::black), 21.0);
        QVERIFY(std::abs(contrast(QColor(0x76, 0x76, 0x76), Qt::white) - 4.54) < 0.01);
    }

    void coloursCanBeRead_data() {
        QTest::addColumn<Theme>("theme");
        QTest::newRow("light") << Theme::Light;
        QTest::newRow("dark") << Theme::Dark;
        QTest::newRow("system") << Theme::System;
    }
    void coloursCanBeRead() {
        QFETCH(Theme, theme);
        applyTheme(*qApp, theme);
        const QPalette palette = QApplication::palette();
        for (const Tone tone : {Tone::Normal, Tone::Quiet, Tone::Good, Tone::Info, Tone::Warning, Tone::Danger}) {
            for (const QPalette::ColorRole under : {QPalette::Base, QPalette::Window, QPalette::AlternateBase})
                QVERIFY2(contrast(toneColor(palette, tone), palette.color(under)) >= 4.5,
                         qPrintable(QString::number(int(tone))));
            QVERIFY(contrast(palette.color(QPalette::WindowText), toneBackground(palette, tone)) >= 4.5);
            QVERIFY(contrast(toneColor(palette, tone), toneBackground(palette, tone)) >= 3.0);
        }
        QVERIFY(contrast(palette.color(QPalette::HighlightedText), palette.color(QPalette::Highlight)) >= 3.0);
    }
};

LOCKKEEPER_TEST(TestTtlDelegate, Gui)

}  // namespace tst_ttldelegate

#include "tst_ttldelegate.moc"
