// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/savedfields.h"

#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/connections/labelcolor.h"
#include "ui/words/environmenttext.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

namespace lockkeeper::ui {

namespace {

using profile::Environment;
using profile::LabelColor;

template <typename Value>
Value chosen(const QComboBox& box) {
    return static_cast<Value>(box.currentData().toInt());
}

template <typename Value>
void choose(QComboBox& box, Value value) {
    box.setCurrentIndex(box.findData(static_cast<int>(value)));
}

}  // namespace

SavedFields::SavedFields(const QStringList& groups, QWidget* parent)
    : QGroupBox(parent),
      m_nameCaption(plainLabel(this)),
      m_environmentCaption(plainLabel(this)),
      m_colorCaption(plainLabel(this)),
      m_groupCaption(plainLabel(this)),
      m_noteCaption(plainLabel(this)),
      m_name(new QLineEdit(this)),
      m_environment(new QComboBox(this)),
      m_color(new QComboBox(this)),
      m_group(new QComboBox(this)),
      m_note(new QLineEdit(this)),
      m_ask(new QCheckBox(this)) {
    makeFields();
    m_group->addItems(groups);
    m_group->setCurrentText(QString());
    connect(m_name, &QLineEdit::textEdited, this, &SavedFields::nameEdited);
    connect(m_ask, &QCheckBox::toggled, this, &SavedFields::asksForSecretsChanged);
    keepTranslated(*this, [this] { retranslate(); });
}

void SavedFields::makeFields() {
    m_name->setObjectName(QStringLiteral("connectName"));
    m_environment->setObjectName(QStringLiteral("connectEnvironment"));
    m_color->setObjectName(QStringLiteral("connectColor"));
    m_group->setObjectName(QStringLiteral("connectGroup"));
    m_group->setEditable(true);
    m_group->setInsertPolicy(QComboBox::NoInsert);
    m_note->setObjectName(QStringLiteral("connectNote"));
    m_ask->setObjectName(QStringLiteral("connectAsk"));
    for (const Environment environment :
         {Environment::None, Environment::Development, Environment::Staging, Environment::Production})
        m_environment->addItem(labelIcon({{}, environment, {}}), QString(), static_cast<int>(environment));
    for (const LabelColor color : {LabelColor::OfEnvironment, LabelColor::Grey, LabelColor::Green, LabelColor::Teal,
                                   LabelColor::Blue, LabelColor::Purple, LabelColor::Orange, LabelColor::Red})
        m_color->addItem(labelIcon({{}, Environment::None, color}), QString(), static_cast<int>(color));
    auto* environment = new QHBoxLayout;
    environment->addWidget(m_environment, 1);
    environment->addWidget(m_colorCaption);
    environment->addWidget(m_color, 1);
    auto* form = new QFormLayout(this);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->addRow(m_nameCaption, m_name);
    form->addRow(m_environmentCaption, environment);
    form->addRow(m_groupCaption, m_group);
    form->addRow(m_noteCaption, m_note);
    form->addRow(QString(), m_ask);
    m_nameCaption->setBuddy(m_name);
    m_environmentCaption->setBuddy(m_environment);
    m_colorCaption->setBuddy(m_color);
    m_groupCaption->setBuddy(m_group);
    m_noteCaption->setBuddy(m_note);
}

void SavedFields::retranslate() {
    setTitle(tr("Saved connection"));
    m_nameCaption->setText(tr("&Name:"));
    m_name->setAccessibleName(tr("Name of the connection"));
    m_name->setPlaceholderText(tr("none: the connection is not saved"));
    m_environmentCaption->setText(tr("&Environment:"));
    m_environment->setAccessibleName(tr("Environment"));
    m_colorCaption->setText(tr("C&olor:"));
    m_color->setAccessibleName(tr("Color"));
    m_groupCaption->setText(tr("&Group:"));
    m_group->setAccessibleName(tr("Group"));
    m_noteCaption->setText(tr("No&te:"));
    m_note->setAccessibleName(tr("Note"));
    m_ask->setText(tr("Ask for the passwords each ti&me"));
    for (int i = 0; i < m_environment->count(); ++i) {
        const QString text = environmentText(static_cast<Environment>(m_environment->itemData(i).toInt()));
        m_environment->setItemText(i, text.isEmpty() ? tr("None") : text);
    }
    for (int i = 0; i < m_color->count(); ++i)
        m_color->setItemText(i, colorText(static_cast<LabelColor>(m_color->itemData(i).toInt())));
}

void SavedFields::set(const profile::StoredProfile& stored) {
    m_name->setText(stored.label.name);
    choose(*m_environment, stored.label.environment);
    choose(*m_color, stored.label.color);
    m_group->setCurrentText(stored.group);
    m_note->setText(stored.note);
    m_ask->setChecked(stored.secrets == profile::StoredProfile::Secrets::AskedEachTime);
}

void SavedFields::applyTo(profile::StoredProfile& stored) const {
    stored.label = {name(), chosen<Environment>(*m_environment), chosen<LabelColor>(*m_color)};
    stored.group = m_group->currentText().trimmed();
    stored.note = m_note->text().trimmed();
    stored.secrets =
        asksForSecrets() ? profile::StoredProfile::Secrets::AskedEachTime : profile::StoredProfile::Secrets::InKeychain;
}

QString SavedFields::name() const {
    return m_name->text().trimmed();
}

bool SavedFields::asksForSecrets() const {
    return m_ask->isChecked();
}

void SavedFields::focusName() {
    m_name->setFocus();
}

}  // namespace lockkeeper::ui

#include "moc_savedfields.cpp"
