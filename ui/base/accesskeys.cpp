// SPDX-License-Identifier: Apache-2.0
#include "ui/base/accesskeys.h"

#include <QKeyEvent>
#include <QLineEdit>

namespace lockkeeper::ui {

namespace {

// Alt with the key's own letter. If Alt chooses another character, as Option does on a Mac, that character is typed.
bool isAccessKey(const QKeyEvent& event) {
    const Qt::KeyboardModifiers modifiers =
        event.modifiers() & (Qt::AltModifier | Qt::ControlModifier | Qt::MetaModifier);
    const QString text = event.text();
    return modifiers == Qt::AltModifier && text.size() == 1 && text.front().toUpper().unicode() == event.key();
}

class AccessKeyFilter final : public QObject {
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        return (event->type() == QEvent::KeyPress && isAccessKey(*static_cast<QKeyEvent*>(event))) ||
               QObject::eventFilter(watched, event);
    }
};

}  // namespace

void ignoreAccessKeys(QLineEdit& field) {
    field.installEventFilter(new AccessKeyFilter(&field));
}

}  // namespace lockkeeper::ui
