// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "ui/locks/emptystate.h"

#include <QLabel>
#include <QPushButton>
#include <QTest>

namespace tst_emptystate {

using namespace lockkeeper;
using namespace lockkeeper::ui;

class TestEmptyState : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noTextIsCut_data() {
        QTest::addColumn<QSize>("size");
        QTest::addColumn<Emptiness>("emptiness");
        for (const int height : {120, 160, 240, 600})
            for (const Emptiness emptiness : {Emptiness::NotConnected, Emptiness::NoLocks, Emptiness::AllFiltered})
                QTest::addRow("%d, %d", height, static_cast<int>(emptiness)) << QSize(620, height) << emptiness;
    }
    void noTextIsCut() {
        QFETCH(const QSize, size);
        QFETCH(const Emptiness, emptiness);
        QWidget window;
        window.resize(size);
        EmptyState state(&window);
        monitor::MonitorStats stats;
        stats.discovery = monitor::DiscoveryState::Paused;
        state.explain(emptiness, ConnectionStatus(), stats, 3, {true, true, true});
        state.setGeometry(window.rect());
        window.show();
        QCoreApplication::processEvents();
        const QRect all = state.rect();
        for (const char* name : {"emptyHeadline", "emptyText"}) {
            const auto* label = state.findChild<QLabel*>(QLatin1String(name));
            QVERIFY2(label->height() >= label->heightForWidth(label->width()), name);
            QVERIFY2(all.contains(label->geometry()), name);
        }
        const auto* button = state.findChild<QPushButton*>();
        if (button->isVisible())
            QVERIFY(all.contains(button->geometry()));
    }
};

LOCKKEEPER_TEST(TestEmptyState, Gui)

}  // namespace tst_emptystate

#include "tst_emptystate.moc"
