// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/base/fitteddialog.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace lockkeeper::ui {

// Asks which profile of Spring is meant, for a configuration that has servers for several.
class SpringProfileDialog final : public FittedDialog {
    Q_OBJECT
public:
    // Whether the file names servers without any of its profiles, too.
    enum class Without { HasServers, HasNone };

    SpringProfileDialog(const QStringList& profiles, Without without, QWidget* parent = nullptr);

    // Empty: none of them.
    [[nodiscard]] QString profile() const;

private:
    void retranslate();

    QLabel* m_question;
    QComboBox* m_profiles;
    QPushButton* m_use;
    QPushButton* m_cancel;
    const Without m_without;
};

}  // namespace lockkeeper::ui
