// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/scenario.h"

#include <QComboBox>

namespace lockkeeper::ui {

// Chooses by which factor all times of an experiment are stretched in its next run; shows the watchdog timeout of
// that run.
class StretchBox final : public QComboBox {
    Q_OBJECT
public:
    explicit StretchBox(QWidget* parent = nullptr);

    // scenario: as it is stated, without a stretch. The choice stays.
    void showScenario(const lab::Scenario& scenario);
    [[nodiscard]] int stretch() const;

Q_SIGNALS:
    // The user has changed the choice.
    void stretchChanged();

private:
    void retranslate();

    Milliseconds m_watchdog{0};  // the shortest that an actor has
};

}  // namespace lockkeeper::ui
