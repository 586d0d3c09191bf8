// SPDX-License-Identifier: Apache-2.0
#include "ui/operate/armdialog.h"

#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/connections/connectionbadge.h"
#include "ui/words/environmenttext.h"
#include "ui/words/locktext.h"

#include <QButtonGroup>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

constexpr int lineWidth = 26;  // heights of a line
constexpr int usualMinutes = 10;

}  // namespace

ArmDialog::ArmDialog(QWidget* parent)
    : FittedDialog(parent),
      m_connection(new ConnectionBadge(this)),
      m_what(plainLabel(this)),
      m_times(new QButtonGroup(this)),
      m_why(plainLabel(this)),
      m_arm(new QPushButton(this)) {
    m_what->setObjectName(QStringLiteral("armWhat"));
    m_what->setWordWrap(true);
    m_why->setObjectName(QStringLiteral("armRefusal"));
    m_why->setWordWrap(true);
    m_arm->setObjectName(QStringLiteral("armButton"));
    m_arm->setDefault(true);
    makeTimes();
    makeLayout();
    connect(m_times, &QButtonGroup::idClicked, this, &ArmDialog::retranslate);
    connect(m_arm, &QPushButton::clicked, this, [this] {
        Q_EMIT armWanted(chosen());
        accept();
    });
    keepTranslated(*this, [this] { retranslate(); });
}

void ArmDialog::makeTimes() {
    for (const int minutes : {5, usualMinutes, 30}) {
        auto* time = new QRadioButton(this);
        time->setObjectName(QStringLiteral("armMinutes%1").arg(minutes));
        time->setChecked(minutes == usualMinutes);
        m_times->addButton(time, minutes);
    }
}

void ArmDialog::makeLayout() {
    auto* times = new QHBoxLayout;
    for (QAbstractButton* time : m_times->buttons())
        times->addWidget(time);
    times->addStretch(1);
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(m_arm, QDialogButtonBox::AcceptRole);
    QPushButton* cancel = buttons->addButton(QDialogButtonBox::Cancel);
    cancel->setObjectName(QStringLiteral("armCancel"));
    connect(cancel, &QPushButton::clicked, this, &ArmDialog::reject);
    auto* layout = new QVBoxLayout;
    layout->setSpacing(12);
    layout->addWidget(m_connection);
    layout->addWidget(m_what);
    layout->addLayout(times);
    layout->addWidget(m_why);
    layout->addStretch(1);
    setContent(layout, {buttons});
    setUsualWidth(lineWidth);
}

void ArmDialog::setConnection(const profile::ProfileLabel& label, const QString& server) {
    m_name = connectionName(label, server);
    m_connection->set(label, server);
    retranslate();
}

void ArmDialog::setRefusal(const QString& refusal) {
    m_refusal = refusal;
    retranslate();
}

std::chrono::minutes ArmDialog::chosen() const {
    return std::chrono::minutes(m_times->checkedId());
}

void ArmDialog::retranslate() {
    setWindowTitle(tr("Arm the connection"));
    m_what->setText(
        tr("Until you arm it, %1 is only read. Armed, locks can be acquired and force-released there. What changes "
           "a lock still asks first. After that time the connection is read-only again; locks that this console holds "
           "are renewed until you release them.")
            .arg(shortened(m_name, 60)));
    for (QAbstractButton* time : m_times->buttons())
        time->setText(tr("%Ln minute(s)", nullptr, m_times->id(time)));
    m_arm->setText(tr("&Arm for %Ln minute(s)", nullptr, static_cast<int>(chosen().count())));
    m_arm->setEnabled(m_refusal.isEmpty());
    m_why->setText(m_refusal);
    m_why->setVisible(!m_refusal.isEmpty());
}

}  // namespace lockkeeper::ui

#include "moc_armdialog.cpp"
