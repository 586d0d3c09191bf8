// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"
#include "ui/words/programnames.h"

#include <QLabel>

namespace lockkeeper::ui {

// What is about to be done to which lock, as a question in one line, with as much of the name as there is room for; the
// tool tip has the whole name.
class ChangeHeadline final : public QLabel {
    Q_OBJECT
public:
    explicit ChangeHeadline(QWidget* parent = nullptr);

    // names: how the lock's program names it; the tool tip has the key, too.
    void setChange(const control::LockChange& change, const LockName& name, const ProgramNames& names = {});

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QString question(qsizetype nameLength) const;
    void fit();

    control::LockChange m_change;
    LockName m_name;
    ProgramNames m_names;
};

}  // namespace lockkeeper::ui
