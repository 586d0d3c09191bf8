// SPDX-License-Identifier: Apache-2.0
#include "ui/base/leastheight.h"

#include <QEvent>
#include <QLayout>
#include <QWidget>

namespace lockkeeper::ui {

namespace {

class HeightFilter final : public QObject {
public:
    explicit HeightFilter(QWidget& panel) : QObject(&panel), m_panel(panel) {}

    bool eventFilter(QObject*, QEvent* event) override {
        const QLayout* layout = m_panel.layout();
        const bool mayBeOther =
            event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show;
        // Before it is shown, its width says nothing.
        if (mayBeOther && m_panel.isVisible() && layout && layout->hasHeightForWidth())
            m_panel.setMinimumHeight(layout->minimumHeightForWidth(m_panel.width()));
        return false;
    }

private:
    QWidget& m_panel;
};

}  // namespace

void keepHighEnough(QWidget& panel) {
    panel.installEventFilter(new HeightFilter(panel));
}

}  // namespace lockkeeper::ui
