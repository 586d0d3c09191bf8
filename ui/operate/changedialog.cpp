// SPDX-License-Identifier: Apache-2.0
#include "ui/operate/changedialog.h"

#include "ui/base/accesskeys.h"
#include "ui/base/plainlabel.h"
#include "ui/connections/connectionbadge.h"
#include "ui/operate/forcetexts.h"
#include "ui/words/environmenttext.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace lockkeeper::ui {

ChangeDialog::ChangeDialog(const QString& names, QWidget* parent)
    : FittedDialog(parent),
      m_connection(new ConnectionBadge(this)),
      m_nameCaption(plainLabel(this)),
      m_name(new QLineEdit(this)),
      m_reason(new QLineEdit(this)),
      m_missing(plainLabel(this)),
      m_button(new QPushButton(this)),
      m_cancel(new QPushButton(this)),
      m_reasonCaption(plainLabel(this)) {
    m_nameCaption->setObjectName(names + QStringLiteral("NameCaption"));
    m_name->setObjectName(names + QStringLiteral("Name"));
    m_reason->setObjectName(names + QStringLiteral("Reason"));
    m_missing->setObjectName(names + QStringLiteral("Missing"));
    m_missing->setWordWrap(true);
    m_missing->setForegroundRole(QPalette::PlaceholderText);
    m_button->setObjectName(names + QStringLiteral("Button"));
    m_button->setAutoDefault(false);
    m_cancel->setObjectName(names + QStringLiteral("Cancel"));
    m_cancel->setDefault(true);
    guard(*m_button);
    for (QLineEdit* field : {m_name, m_reason}) {
        ignoreAccessKeys(*field);
        connect(field, &QLineEdit::textChanged, this, [this] { showMissing(); });
    }
    m_nameCaption->hide();
    m_name->hide();
    connect(m_cancel, &QPushButton::clicked, this, &ChangeDialog::reject);
}

void ChangeDialog::setConnection(const profile::ProfileLabel& label, const QString& server) {
    m_connection->set(label, server);
    m_isProduction = label.environment == profile::Environment::Production;
    m_server = connectionText(label, server);
    m_nameCaption->setVisible(m_isProduction);
    m_name->setVisible(m_isProduction);
    showMissing();
    if (m_isProduction)
        m_name->setFocus();
}

void ChangeDialog::addFields(QFormLayout& form) {
    form.addRow(m_nameCaption, m_name);
    m_nameCaption->setBuddy(m_name);
    form.addRow(m_reasonCaption, m_reason);
    m_reasonCaption->setBuddy(m_reason);
}

QWidget* ChangeDialog::buttonBox() {
    auto* box = new QDialogButtonBox(this);
    box->addButton(m_button, QDialogButtonBox::DestructiveRole);
    box->addButton(m_cancel, QDialogButtonBox::RejectRole);
    return box;
}

void ChangeDialog::orderTabs(const QList<QWidget*>& before, const QList<QWidget*>& after) {
    const QList<QWidget*> order = before + QList<QWidget*>{m_name, m_reason, m_button, m_cancel} + after;
    for (qsizetype i = 1; i < order.size(); ++i)
        setTabOrder(order[i - 1], order[i]);
}

void ChangeDialog::retranslateFields() {
    m_reasonCaption->setText(tr("&Reason:"));
    m_reason->setAccessibleName(tr("Reason"));
    m_reason->setPlaceholderText(tr("required, for example: worker-7 crashed, ticket 1234"));
    m_cancel->setText(tr("Cancel"));
}

void ChangeDialog::askFor(const NameProof& proof, const QString& placeholder) {
    m_nameCaption->setText(proof.isCode ? tr("&Code %1:").arg(proof.expected) : tr("&Name:"));
    m_name->setPlaceholderText(
        proof.isCode ? tr("type the code beside: the name is too long to type, or cannot be typed") : placeholder);
}

QString ChangeDialog::missingInFields(const NameProof& proof, const QString& typeName) const {
    if (m_isProduction && m_name->text() != proof.expected)
        return proof.isCode ? tr("Type the code %1, because %2 is production.").arg(proof.expected, m_server)
                            : typeName;
    return trimmedReason().isEmpty() ? tr("A reason is needed.") : QString();
}

QString ChangeDialog::trimmedReason() const {
    return m_reason->text().trimmed();
}

}  // namespace lockkeeper::ui

#include "moc_changedialog.cpp"
