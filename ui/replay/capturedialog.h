// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "ui/base/questiondialog.h"

class QLabel;

namespace lockkeeper::ui {

// Explains what a recording by MONITOR does and costs before one runs.
class CaptureDialog final : public QuestionDialog {
    Q_OBJECT
public:
    // server: as it is shown.
    CaptureDialog(QString server, Milliseconds limit, QWidget* parent = nullptr);

private:
    void retranslate();

    const QString m_server;
    const Milliseconds m_limit;
    QLabel* m_what;
    QLabel* m_cost;
    QLabel* m_privacy;
};

}  // namespace lockkeeper::ui
