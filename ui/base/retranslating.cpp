// SPDX-License-Identifier: Apache-2.0
#include "ui/base/retranslating.h"

#include <QEvent>
#include <QWidget>

namespace lockkeeper::ui {

namespace {

class LanguageFilter final : public QObject {
public:
    LanguageFilter(QWidget& widget, std::function<void()> setTexts)
        : QObject(&widget), m_setTexts(std::move(setTexts)) {}

    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::LanguageChange)
            m_setTexts();
        return false;
    }

private:
    std::function<void()> m_setTexts;
};

}  // namespace

void keepTranslated(QWidget& widget, std::function<void()> setTexts) {
    setTexts();
    widget.installEventFilter(new LanguageFilter(widget, std::move(setTexts)));
}

}  // namespace lockkeeper::ui
