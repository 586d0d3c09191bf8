// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"

#include <QObject>

class QAbstractItemView;
class QLabel;

namespace lockkeeper::ui {

class LockFilterModel;

// Holds the order of the rows while the pointer is over them and has moved there, and for some seconds after a key, so
// that no row moves away under the hand. Says so in a corner of the table as soon as a row would have moved. Thread:
// the GUI's.
class OrderHold final : public QObject {
    Q_OBJECT
public:
    static constexpr Milliseconds afterKey{3000};

    // All outlive it; the view is its parent.
    OrderHold(QAbstractItemView& view, LockFilterModel& rows, Clock& clock);
    ~OrderHold() override;

    // Of the sign.
    void retranslate();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void onKey();
    void refresh();
    void showSign();

    QAbstractItemView& m_view;
    LockFilterModel& m_rows;
    Clock& m_clock;
    QLabel* m_sign;
    Clock::TimerId m_sinceKey = Clock::TimerId::None;
    bool m_isPointerOver = false;
};

}  // namespace lockkeeper::ui
