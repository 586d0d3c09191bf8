// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QAction>
#include <QAnyStringView>
#include <QDialog>
#include <QObject>
#include <QWidget>

namespace lockkeeper::test {

// The descendant of that class and name. If there is none, no check after it can be made: this ends the program.
template <typename Part>
Part& child(const QObject& parent, QAnyStringView name) {
    auto* found = parent.findChild<Part*>(name.toString());
    if (!found)
        qFatal("%s has no %s \"%s\"", parent.metaObject()->className(), Part::staticMetaObject.className(),
               qPrintable(name.toString()));
    return *found;
}

// Base of tests that drive a widget by the names of its parts.
class WidgetTest : public QObject {
protected:
    // The part must exist.
    template <typename Part>
    [[nodiscard]] Part& find(QAnyStringView name) const {
        return child<Part>(top(), name);
    }
    [[nodiscard]] QAction& action(QAnyStringView name) const { return find<QAction>(name); }
    // The dialog that is open; null: none is. One that was closed may still exist until it is deleted.
    [[nodiscard]] QDialog* dialog(QAnyStringView name) const {
        for (QDialog* candidate : top().findChildren<QDialog*>(name.toString())) {
            if (candidate->isVisible())
                return candidate;
        }
        return nullptr;
    }

private:
    // The widget that has the parts.
    [[nodiscard]] virtual const QWidget& top() const = 0;
};

}  // namespace lockkeeper::test
