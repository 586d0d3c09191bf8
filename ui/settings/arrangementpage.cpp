// SPDX-License-Identifier: Apache-2.0
#include "ui/settings/arrangementpage.h"

#include "ui/look/plainlabel.h"
#include "ui/look/retranslating.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

ArrangementPage::ArrangementPage(QWidget* parent)
    : QWidget(parent),
      m_meaning(plainLabel(this)),
      m_reset(new QPushButton(this)),
      m_pins(plainLabel(this)),
      m_unpin(new QPushButton(this)) {
    m_reset->setObjectName(QStringLiteral("settingsArrangement"));
    m_unpin->setObjectName(QStringLiteral("settingsUnpin"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    for (QLabel* label : {m_meaning, m_pins})
        label->setWordWrap(true);
    layout->addWidget(m_meaning);
    layout->addWidget(m_reset, 0, Qt::AlignLeft);
    layout->addSpacing(12);
    layout->addWidget(m_pins);
    layout->addWidget(m_unpin, 0, Qt::AlignLeft);
    layout->addStretch(1);
    for (QPushButton* button : {m_reset, m_unpin})
        button->setAutoDefault(false);
    connect(m_reset, &QPushButton::clicked, this, &ArrangementPage::resetWanted);
    connect(m_unpin, &QPushButton::clicked, this, &ArrangementPage::unpinWanted);
    keepTranslated(*this, [this] { retranslate(); });
}

void ArrangementPage::retranslate() {
    m_meaning->setText(tr("Drag the title of a panel to move it. A right click on the titles of the table shows and hides "
                          "columns. The window keeps both."));
    m_reset->setText(tr("&Arrange panels and columns as at first"));
    m_pins->setText(tr("Timeline: the lanes that you pinned stay at the top."));
    m_unpin->setText(tr("&Unpin all lanes"));
}

}  // namespace lockkeeper::ui

#include "moc_arrangementpage.cpp"
