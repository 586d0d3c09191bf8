// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment/scenario.h"

#include <QComboBox>

namespace lockkeeper::ui {

// How many times as long all times of an experiment are in its next run, beside the watchdog timeout that it has then.
class StretchBox final : public QComboBox {
    Q_OBJECT
public:
    explicit StretchBox(QWidget* parent = nullptr);

    // The scenario as it is stated. The choice stays.
    void showScenario(const lab::Scenario& scenario);
    [[nodiscard]] int stretch() const;

Q_SIGNALS:
    // By the user.
    void stretchChanged();

private:
    void retranslate();

    Milliseconds m_watchdog{0};  // the shortest that an actor has
};

}  // namespace lockkeeper::ui
