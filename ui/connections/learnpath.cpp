// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/learnpath.h"

#include "lab/experiment/experimenttext.h"
#include "ui/lab/experimentlist.h"
#include "ui/look/fontchange.h"
#include "ui/look/plainlabel.h"
#include "ui/look/retranslating.h"

#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

namespace lockkeeper::ui {

LearnPath::LearnPath(QWidget* parent) : QWidget(parent), m_heading(plainLabel(this)), m_text(plainLabel(this)) {
    setObjectName(QStringLiteral("learnPath"));
    keepFontScaled(*m_heading, 1.2);
    m_text->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 12, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_heading);
    layout->addWidget(m_text);
    int number = 0;
    for (const QByteArray& id : ExperimentList::firstSteps()) {
        auto* button = new QToolButton(this);
        button->setObjectName(QLatin1String("learn_") + QLatin1String(id));
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        const QString title = lab::experimentTextOf(id).value_or(lab::ExperimentText()).title;
        button->setText(QStringLiteral("%1. %2").arg(++number).arg(title));
        connect(button, &QToolButton::clicked, this, [this, id] { Q_EMIT experimentWanted(id); });
        layout->addWidget(button, 0, Qt::AlignLeft);
    }
    keepTranslated(*this, [this] { retranslate(); });
}

void LearnPath::retranslate() {
    m_heading->setText(tr("Learn"));
    m_text->setText(tr("Five experiments on a private server, from one holder to why a short lease lets two work:"));
}

}  // namespace lockkeeper::ui

#include "moc_learnpath.cpp"
