// SPDX-License-Identifier: Apache-2.0
#include "support/guitestprogram.h"
#include "support/samplelocks.h"
#include "support/windowtest.h"
#include "ui/operate/armingbadge.h"

#include <QAction>
#include <QTest>
#include <QToolBar>

namespace tst_windowtoolbar {

using namespace lockkeeper;
using namespace lockkeeper::test;
using namespace lockkeeper::ui;

class TestWindowToolBar : public WindowTest {
    Q_OBJECT

private Q_SLOTS:
    void init() { beginConnected(); }
    void cleanup() { end(); }

    // An operator must see at any time whether this console can write.
    void itCannotBeHidden() { QVERIFY(!find<QToolBar>("toolBar").toggleViewAction()->isVisible()); }

    void oneThatWasHiddenComesBack() {
        find<QToolBar>("toolBar").hide();
        m_window->close();
        restart();
        m_window->show();
        QVERIFY(find<ArmingBadge>("armingBadge").isVisible());
    }
};

LOCKKEEPER_TEST(TestWindowToolBar, Gui)

}  // namespace tst_windowtoolbar

#include "tst_windowtoolbar.moc"
