// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/replayengine.h"

#include <QTreeWidget>

namespace lockkeeper::ui {

// The commands of a replayed trace up to a moment, each step in a row; the last one is what has led to what is shown.
class StepList final : public QTreeWidget {
    Q_OBJECT
public:
    explicit StepList(QWidget* parent = nullptr);

    void showSteps(const QList<ReplayedStep>& steps);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

private:
    void retranslate();

    QList<ReplayedStep> m_shown;
};

}  // namespace lockkeeper::ui
