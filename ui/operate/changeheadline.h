// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "control/operations.h"

#include <QLabel>

namespace lockkeeper::ui {

// What is about to be done to which lock, as a question in one line, with as much of the name as there is room for; the
// tool tip has the whole name.
class ChangeHeadline final : public QLabel {
    Q_OBJECT
public:
    explicit ChangeHeadline(QWidget* parent = nullptr);

    void setChange(const control::LockChange& change, const LockName& name);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QString question(qsizetype nameLength) const;
    void fit();

    control::LockChange m_change;
    LockName m_name;
};

}  // namespace lockkeeper::ui
