// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCoreApplication>
#include <QEvent>
#include <QWidget>

namespace lockkeeper::test {

// How often a widget got an event of this type.
class EventCounter final : public QObject {
public:
    EventCounter(QWidget& watched, QEvent::Type type) : m_type(type) { watched.installEventFilter(this); }
    [[nodiscard]] int count() const {
        QCoreApplication::processEvents();
        return m_count;
    }

protected:
    bool eventFilter(QObject*, QEvent* event) override {
        m_count += event->type() == m_type ? 1 : 0;
        return false;
    }

private:
    const QEvent::Type m_type;
    int m_count = 0;
};

}  // namespace lockkeeper::test
