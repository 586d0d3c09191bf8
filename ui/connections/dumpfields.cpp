// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/dumpfields.h"

#include "jvm/fetch/dumpplan.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

namespace lockkeeper::ui {

using profile::DumpSettings;
using profile::DumpWay;

DumpFields::DumpFields(QWidget* parent)
    : QGroupBox(parent),
      m_fields(new QWidget(this)),
      m_form(new QFormLayout(m_fields)),
      m_wayCaption(plainLabel(this)),
      m_way(new QComboBox(this)),
      m_url(textField(QStringLiteral("connectDumpUrl"), DumpWay::Actuator)),
      m_user(textField(QStringLiteral("connectDumpUser"), DumpWay::Actuator)),
      m_hosts(textField(QStringLiteral("connectDumpHosts"), DumpWay::Actuator)),
      m_login(textField(QStringLiteral("connectDumpLogin"), DumpWay::Ssh)),
      m_sudo(new QCheckBox(this)),
      m_pod(textField(QStringLiteral("connectDumpPod"), DumpWay::Kubectl)),
      m_namespace(textField(QStringLiteral("connectDumpNamespace"), DumpWay::Kubectl)),
      m_container(textField(QStringLiteral("connectDumpContainer"), DumpWay::Kubectl)) {
    makeFields();
    connect(this, &QGroupBox::toggled, m_fields, &QWidget::setVisible);
    connect(this, &QGroupBox::toggled, this, [this](bool isOpen) { setFlat(!isOpen); });  // no frame around nothing
    connect(this, &QGroupBox::toggled, this, &DumpFields::edited);
    connect(this, &QGroupBox::toggled, this, &DumpFields::folded);
    connect(m_way, &QComboBox::currentIndexChanged, this, &DumpFields::showFields);
    connect(m_way, &QComboBox::currentIndexChanged, this, &DumpFields::edited);
    connect(m_way, &QComboBox::currentIndexChanged, this, &DumpFields::folded);
    keepTranslated(*this, [this] { retranslate(); });
    showFields();
}

DumpFields::TextField DumpFields::textField(const QString& name, DumpWay way) {
    const TextField field{plainLabel(this), new QLineEdit(this), way};
    field.edit->setObjectName(name);
    field.caption->setBuddy(field.edit);
    connect(field.edit, &QLineEdit::textEdited, this, &DumpFields::edited);
    return field;
}

void DumpFields::makeFields() {
    setObjectName(QStringLiteral("connectDumps"));
    setCheckable(true);
    setChecked(false);
    setFlat(true);
    m_fields->hide();
    m_way->setObjectName(QStringLiteral("connectDumpWay"));
    for (const DumpWay way : {DumpWay::None, DumpWay::Actuator, DumpWay::Ssh, DumpWay::Kubectl})
        m_way->addItem(QString(), QVariant::fromValue(static_cast<int>(way)));
    m_sudo->setObjectName(QStringLiteral("connectDumpSudo"));
    connect(m_sudo, &QCheckBox::toggled, this, &DumpFields::edited);
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_form->addRow(m_wayCaption, m_way);
    m_wayCaption->setBuddy(m_way);
    for (const TextField& field : {m_url, m_user, m_hosts, m_login})
        m_form->addRow(field.caption, field.edit);
    m_form->addRow(QString(), m_sudo);
    for (const TextField& field : {m_pod, m_namespace, m_container})
        m_form->addRow(field.caption, field.edit);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_fields);
}

void DumpFields::retranslate() {
    setTitle(tr("How to get a thread dump of a client"));
    m_wayCaption->setText(tr("Way:"));
    m_way->setAccessibleName(tr("Way to a thread dump"));
    m_way->setItemText(0, tr("from a file"));
    m_way->setItemText(1, tr("Spring Boot's Actuator"));
    m_way->setItemText(2, tr("ssh to the client's machine"));
    m_way->setItemText(3, tr("kubectl, in the client's pod"));
    m_url.caption->setText(tr("Address:"));
    m_url.edit->setPlaceholderText(tr("https://{host}:8081/actuator/threaddump"));
    m_url.edit->setAccessibleName(tr("Address of the thread dump"));
    m_user.caption->setText(tr("User:"));
    m_user.edit->setPlaceholderText(tr("none"));
    m_user.edit->setAccessibleName(tr("User of the Actuator"));
    m_hosts.caption->setText(tr("Hosts:"));
    m_hosts.edit->setPlaceholderText(tr("get the password without a question"));
    m_hosts.edit->setAccessibleName(tr("Hosts that get the password without a question"));
    m_login.caption->setText(tr("Login:"));
    m_login.edit->setPlaceholderText(tr("user@{host}:22"));
    m_login.edit->setAccessibleName(tr("Login of ssh"));
    m_sudo->setText(tr("By sudo -n, as the user of the process"));
    m_pod.caption->setText(tr("Pod:"));
    m_pod.edit->setAccessibleName(tr("Name of the pod"));
    m_namespace.caption->setText(tr("Namespace:"));
    m_namespace.edit->setAccessibleName(tr("Namespace of the pod"));
    m_container.caption->setText(tr("Container:"));
    m_container.edit->setAccessibleName(tr("Container of the pod"));
    for (const TextField& field : {m_namespace, m_container})
        field.edit->setPlaceholderText(tr("the usual one"));
}

DumpWay DumpFields::way() const {
    return static_cast<DumpWay>(m_way->currentData().toInt());
}

void DumpFields::showFields() {
    for (const TextField& field : {m_url, m_user, m_hosts, m_login, m_pod, m_namespace, m_container})
        m_form->setRowVisible(field.edit, field.way == way());
    m_form->setRowVisible(m_sudo, way() == DumpWay::Ssh);
}

void DumpFields::set(const DumpSettings& dumps) {
    m_way->setCurrentIndex(m_way->findData(static_cast<int>(dumps.way)));
    m_url.edit->setText(dumps.url);
    m_user.edit->setText(QString::fromUtf8(dumps.credentials.user));
    m_hosts.edit->setText(dumps.hosts.join(QLatin1String(", ")));
    m_login.edit->setText(dumps.login);
    m_sudo->setChecked(dumps.usesSudo);
    m_pod.edit->setText(dumps.pod);
    m_namespace.edit->setText(dumps.kubeNamespace);
    m_container.edit->setText(dumps.container);
    setChecked(dumps.way != DumpWay::None);
}

void DumpFields::applyTo(DumpSettings& dumps) const {
    DumpSettings entered;
    entered.credentials.password = dumps.credentials.password;
    if (isChecked()) {
        entered.way = way();
        entered.url = m_url.edit->text().trimmed();
        entered.credentials.user = m_user.edit->text().toUtf8();
        for (const QString& host : m_hosts.edit->text().split(u',', Qt::SkipEmptyParts))
            entered.hosts << host.trimmed();
        entered.login = m_login.edit->text().trimmed();
        entered.usesSudo = m_sudo->isChecked();
        entered.pod = m_pod.edit->text().trimmed();
        entered.kubeNamespace = m_namespace.edit->text().trimmed();
        entered.container = m_container.edit->text().trimmed();
    }
    dumps = entered;
}

std::optional<Error> DumpFields::mistake() const {
    // Of an address that stands in documents, and in no network.
    const jvm::ClientPlace example{QHostAddress(QStringLiteral("192.0.2.1")), 1};
    DumpSettings entered;
    applyTo(entered);
    const auto errorOf = [](const auto& plan) { return plan ? std::nullopt : std::optional(plan.error()); };
    switch (entered.way) {
        case DumpWay::None:
            return std::nullopt;
        case DumpWay::Actuator:
            return errorOf(jvm::webDumpOf(entered, example));
        case DumpWay::Ssh:
            return errorOf(jvm::processSearchOf(entered, example));
        case DumpWay::Kubectl:
            return errorOf(jvm::podDumpOf(entered));
    }
    return std::nullopt;
}

}  // namespace lockkeeper::ui

#include "moc_dumpfields.cpp"
