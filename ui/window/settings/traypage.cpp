// SPDX-License-Identifier: Apache-2.0
#include "ui/window/settings/traypage.h"

#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/window/notices/diagnosisbadge.h"

#include <QCheckBox>
#include <QLabel>
#include <QVBoxLayout>

namespace lockkeeper::ui {

TrayPage::TrayPage(DiagnosisBadge& badge, QWidget* parent)
    : QWidget(parent), m_badge(badge), m_shown(new QCheckBox(this)), m_meaning(plainLabel(this)) {
    m_shown->setObjectName(QStringLiteral("settingsTray"));
    m_shown->setChecked(badge.isTrayWanted());
    m_shown->setEnabled(badge.hasTray());
    m_meaning->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_shown);
    layout->addWidget(m_meaning);
    layout->addStretch(1);
    connect(m_shown, &QCheckBox::toggled, &m_badge, &DiagnosisBadge::setTrayWanted);
    keepTranslated(*this, [this] { retranslate(); });
}

void TrayPage::reset() {
    m_badge.resetTrayWanted();
    const QSignalBlocker blocked(m_shown);
    m_shown->setChecked(m_badge.isTrayWanted());
}

void TrayPage::retranslate() {
    const QString counts =
        tr("The icon counts the locks with a diagnosis in all connections. The icon of the window does so, too.");
    m_shown->setText(tr("Show an &icon in the system tray"));
    m_meaning->setText(m_badge.hasTray() ? counts
                                         : counts + QStringLiteral("\n\n") + tr("This desktop has no system tray."));
}

}  // namespace lockkeeper::ui

#include "moc_traypage.cpp"
