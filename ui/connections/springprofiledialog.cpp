// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/springprofiledialog.h"

#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

SpringProfileDialog::SpringProfileDialog(const QStringList& profiles, Without without, QWidget* parent)
    : FittedDialog(parent),
      m_question(plainLabel(this)),
      m_profiles(new QComboBox(this)),
      m_use(new QPushButton(this)),
      m_cancel(new QPushButton(this)),
      m_without(without) {
    m_profiles->setObjectName(QStringLiteral("springProfiles"));
    m_profiles->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    if (without == Without::HasServers)
        m_profiles->addItem(QString());
    for (const QString& profile : profiles)
        m_profiles->addItem(profile, profile);
    m_question->setWordWrap(true);
    m_use->setObjectName(QStringLiteral("springProfileUse"));
    m_use->setDefault(true);
    m_cancel->setObjectName(QStringLiteral("springProfileCancel"));
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(m_use, QDialogButtonBox::AcceptRole);
    buttons->addButton(m_cancel, QDialogButtonBox::RejectRole);
    connect(m_use, &QPushButton::clicked, this, &QDialog::accept);
    connect(m_cancel, &QPushButton::clicked, this, &QDialog::reject);
    auto* layout = new QVBoxLayout;
    layout->addWidget(m_question);
    layout->addWidget(m_profiles);
    setContent(layout, {buttons});
    keepTranslated(*this, [this] { retranslate(); });
}

void SpringProfileDialog::retranslate() {
    setWindowTitle(tr("Profile of Spring"));
    m_question->setText(tr("The file names other servers for each of these profiles. Which one is meant?"));
    m_profiles->setAccessibleName(tr("Profile of Spring"));
    if (m_without == Without::HasServers)
        m_profiles->setItemText(0, tr("None of them"));
    m_use->setText(tr("&Use"));
    m_cancel->setText(tr("Cancel"));
}

QString SpringProfileDialog::profile() const {
    return m_profiles->currentData().toString();
}

}  // namespace lockkeeper::ui

#include "moc_springprofiledialog.cpp"
