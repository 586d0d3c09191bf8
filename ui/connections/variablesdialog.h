// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/base/fitteddialog.h"

#include <QHash>

class QLabel;
class QLineEdit;
class QPushButton;

namespace lockkeeper::ui {

// Asks for the values of variables that a file uses and the environment does not have. They are not kept.
class VariablesDialog final : public FittedDialog {
    Q_OBJECT
public:
    explicit VariablesDialog(const QStringList& names, QWidget* parent = nullptr);

    [[nodiscard]] QHash<QString, QString> values() const;

private:
    void retranslate();

    QLabel* m_question;
    QHash<QString, QLineEdit*> m_fields;
    QPushButton* m_use;
    QPushButton* m_cancel;
};

}  // namespace lockkeeper::ui
