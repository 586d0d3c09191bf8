// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/variablesdialog.h"

#include "profile/configuration/redissonconfig.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

VariablesDialog::VariablesDialog(const QStringList& names, QWidget* parent)
    : FittedDialog(parent),
      m_question(plainLabel(this)),
      m_environment(new QCheckBox(this)),
      m_use(new QPushButton(this)),
      m_cancel(new QPushButton(this)) {
    auto* form = new QFormLayout;
    for (const QString& name : names) {
        auto* field = new QLineEdit(this);
        field->setObjectName(QStringLiteral("variable-") + name);
        field->setAccessibleName(name);
        field->setEchoMode(QLineEdit::PasswordEchoOnEdit);  // the value may be a password or just a host
        form->addRow(plainLabel(name, this), field);
        m_fields.insert(name, field);
    }
    m_environment->setObjectName(QStringLiteral("variablesEnvironment"));
    m_use->setObjectName(QStringLiteral("variablesUse"));
    m_use->setDefault(true);
    m_cancel->setObjectName(QStringLiteral("variablesCancel"));
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(m_use, QDialogButtonBox::AcceptRole);
    buttons->addButton(m_cancel, QDialogButtonBox::RejectRole);
    connect(m_use, &QPushButton::clicked, this, &QDialog::accept);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    m_question->setWordWrap(true);
    auto* layout = new QVBoxLayout;
    layout->addWidget(m_question);
    layout->addLayout(form);
    layout->addWidget(m_environment);
    setContent(layout, {buttons});
    keepTranslated(*this, [this] { retranslate(); });
}

void VariablesDialog::retranslate() {
    setWindowTitle(tr("Variables of the file"));
    m_question->setText(tr(
        "The file uses these variables. Their values are used now and not kept. They go to the server that the file names."));
    m_environment->setText(tr("&Take those that are empty here from the environment"));
    m_use->setText(tr("&Use"));
    m_cancel->setText(tr("Cancel"));
}

QHash<QString, QString> VariablesDialog::values() const {
    QHash<QString, QString> values;
    for (auto field = m_fields.constBegin(); field != m_fields.constEnd(); ++field) {
        const bool isAsked = field.value()->text().isEmpty() && m_environment->isChecked();
        const std::optional<QString> outside = isAsked ? profile::environmentVariable(field.key()) : std::nullopt;
        values.insert(field.key(), outside.value_or(field.value()->text()));
    }
    return values;
}

}  // namespace lockkeeper::ui

#include "moc_variablesdialog.cpp"
