// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/manualclock.h"
#include "ui/locks/model/locktablemodel.h"

#include <QObject>

#include <memory>

namespace lockkeeper::test {

// For tests of classes that read the table of locks. The table is empty at first and belongs to no connection.
class LockTableTest : public QObject {
protected:
    // Makes a new table for each test function.
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
