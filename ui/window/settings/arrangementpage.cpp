// SPDX-License-Identifier: Apache-2.0
#include "ui/window/settings/arrangementpage.h"

#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

ArrangementPage::ArrangementPage(QWidget* parent)
    : QWidget(parent), m_meaning(plainLabel(this)), m_reset(new QPushButton(this)) {
    m_reset->setObjectName(QStringLiteral("settingsArrangement"));
    m_reset->setAutoDefault(false);
    m_meaning->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_meaning);
    layout->addWidget(m_reset, 0, Qt::AlignLeft);
    layout->addStretch(1);
    connect(m_reset, &QPushButton::clicked, this, &ArrangementPage::resetWanted);
    keepTranslated(*this, [this] { retranslate(); });
}

void ArrangementPage::retranslate() {
    m_meaning->setText(
        tr("Drag the title of a panel to move it. A right click on the titles of the table shows and hides "
           "columns. The window keeps both."));
    m_reset->setText(tr("&Arrange panels and columns as at first"));
}

}  // namespace lockkeeper::ui

#include "moc_arrangementpage.cpp"
