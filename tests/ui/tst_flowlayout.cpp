// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "ui/base/flowlayout.h"

#include <QTest>
#include <QWidget>

namespace tst_flowlayout {

using namespace lockkeeper::ui;

// Three widgets of 100 x 20 with gaps of 10.
class TestFlowLayout : public QObject {
    Q_OBJECT

private:
    QList<QPoint> places() const {
        QList<QPoint> places;
        for (const QWidget* one : m_widgets)
            places << one->pos();
        return places;
    }

    std::unique_ptr<QWidget> m_parent;
    QList<QWidget*> m_widgets;

private Q_SLOTS:
    void init() {
        m_parent = std::make_unique<QWidget>();
        auto* layout = new FlowLayout(10);
        layout->setContentsMargins(0, 0, 0, 0);
        m_parent->setLayout(layout);
        m_widgets.clear();
        for (int i = 0; i < 3; ++i) {
            m_widgets << new QWidget(m_parent.get());
            m_widgets.last()->setFixedSize(100, 20);
            layout->addWidget(m_widgets.last());
        }
    }
    void cleanup() { m_parent.reset(); }

    void aLineThatIsFullIsFollowedByAnother_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<QList<QPoint>>("places");
        QTest::addColumn<int>("height");
        QTest::newRow("all fit") << 320 << QList<QPoint>{{0, 0}, {110, 0}, {220, 0}} << 20;
        QTest::newRow("one too few") << 319 << QList<QPoint>{{0, 0}, {110, 0}, {0, 30}} << 50;
        QTest::newRow("one a line") << 100 << QList<QPoint>{{0, 0}, {0, 30}, {0, 60}} << 80;
    }
    void aLineThatIsFullIsFollowedByAnother() {
        QFETCH(const int, width);
        QFETCH(const int, height);
        QCOMPARE(m_parent->layout()->heightForWidth(width), height);
        m_parent->layout()->setGeometry(QRect(0, 0, width, height));
        QTEST(places(), "places");
    }

    void whatIsHiddenTakesNoRoom() {
        m_widgets[0]->hide();
        m_parent->layout()->setGeometry(QRect(0, 0, 210, 20));
        QCOMPARE(places().mid(1), QList<QPoint>({{0, 0}, {110, 0}}));
        QCOMPARE(m_parent->layout()->heightForWidth(210), 20);
    }

    void isCentredInAHigherPlace() {
        m_widgets[1]->setFixedSize(100, 10);
        m_parent->layout()->setGeometry(QRect(0, 0, 320, 40));
        QCOMPARE(places(), QList<QPoint>({{0, 10}, {110, 15}, {220, 10}}));
    }

    void needsNoMoreThanTheWidestWidget() {
        QCOMPARE(m_parent->layout()->minimumSize(), QSize(100, 20));
        QCOMPARE(m_parent->layout()->sizeHint(), QSize(320, 20));
    }
};

LOCKKEEPER_TEST(TestFlowLayout, Gui)

}  // namespace tst_flowlayout

#include "tst_flowlayout.moc"
