// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/base/fitteddialog.h"

#include <QHash>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace lockkeeper::ui {

// Asks for the values of variables that a file uses. They are not kept. The environment is asked only if the user says
// so: the file decides to which server a value goes.
class VariablesDialog final : public FittedDialog {
    Q_OBJECT
public:
    explicit VariablesDialog(const QStringList& names, QWidget* parent = nullptr);

    [[nodiscard]] QHash<QString, QString> values() const;

private:
    void retranslate();

    QLabel* m_question;
    QHash<QString, QLineEdit*> m_fields;
    QCheckBox* m_environment;
    QPushButton* m_use;
    QPushButton* m_cancel;
};

}  // namespace lockkeeper::ui
