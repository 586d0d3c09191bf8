// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "ui/base/fitteddialog.h"

class QLabel;
class QPushButton;

namespace lockkeeper::ui {

// Explains what a recording by MONITOR does and costs before one runs.
class CaptureDialog final : public FittedDialog {
    Q_OBJECT
public:
    // server: as it is shown.
    CaptureDialog(QString server, Milliseconds limit, QWidget* parent = nullptr);

private:
    void retranslate();
    [[nodiscard]] QLabel* addParagraph(const QString& objectName);

    const QString m_server;
    const Milliseconds m_limit;
    QLabel* m_headline;
    QLabel* m_what;
    QLabel* m_cost;
    QLabel* m_privacy;
    QPushButton* m_record;
};

}  // namespace lockkeeper::ui
