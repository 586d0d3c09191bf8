// SPDX-License-Identifier: Apache-2.0
#include "ui/base/fontchange.h"

#include <QEvent>
#include <QPointer>
#include <QWidget>

namespace lockkeeper::ui {

namespace {

class FontFilter final : public QObject {
public:
    FontFilter(QWidget& widget, std::function<void()> fit) : QObject(&widget), m_fit(std::move(fit)) {}

    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::FontChange)
            m_fit();
        return false;
    }

private:
    std::function<void()> m_fit;
};

}  // namespace

void keepFitted(QWidget& widget, std::function<void()> fit) {
    fit();
    widget.installEventFilter(new FontFilter(widget, std::move(fit)));
}

void keepFontScaled(QWidget& widget, double factor) {
    keepFitted(*widget.parentWidget(), [scaled = QPointer<QWidget>(&widget), factor] {
        if (!scaled)
            return;
        QFont font = scaled->font();
        font.setPointSizeF(scaled->parentWidget()->font().pointSizeF() * factor);
        scaled->setFont(font);
    });
}

}  // namespace lockkeeper::ui
