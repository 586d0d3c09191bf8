// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/run/labframe.h"

#include <QTreeWidget>

namespace lockkeeper::ui {

// What each actor does and believes.
class ActorPane final : public QTreeWidget {
    Q_OBJECT
public:
    explicit ActorPane(QWidget* parent = nullptr);

    void showFrame(const lab::LabFrame& frame);
    // The actor of the current row; empty if there is none.
    [[nodiscard]] lab::ActorName currentActor() const;

private:
    void retranslate();
    void addActor(const lab::LabActor& actor, const lab::ActorName& acting);
};

}  // namespace lockkeeper::ui
