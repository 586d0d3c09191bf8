// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/manualclock.h"
#include "ui/table/locktablemodel.h"

#include <QObject>

#include <memory>

namespace lockkeeper::test {

// For tests of what reads the table of locks, which is empty at first and of no connection.
class LockTableTest : public QObject {
protected:
    // A new one for each test function.
    void makeTable() {
        m_time = std::make_unique<ui::ViewTime>(m_clock);
        m_model = std::make_unique<ui::LockTableModel>(*m_time);
    }
    void endTable() { m_model.reset(); }

    ManualClock m_clock;
    std::unique_ptr<ui::ViewTime> m_time;
    std::unique_ptr<ui::LockTableModel> m_model;
};

}  // namespace lockkeeper::test
