// SPDX-License-Identifier: Apache-2.0
#include "ui/window/start/learnpath.h"

#include "lab/experiment/experimenttext.h"
#include "ui/base/fontchange.h"
#include "ui/base/icons.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/lab/experimentlist.h"

#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <array>

namespace lockkeeper::ui {

namespace {

// Recordings made by packaging/record-examples.
const std::array examples{QStringLiteral("dead-worker"), QStringLiteral("short-lease"), QStringLiteral("dead-waiter")};

}  // namespace

LearnPath::LearnPath(QWidget* parent)
    : QWidget(parent), m_heading(plainLabel(this)), m_text(plainLabel(this)), m_recorded(plainLabel(this)) {
    setObjectName(QStringLiteral("learnPath"));
    keepFontScaled(*m_heading, 1.2);
    m_text->setWordWrap(true);
    m_recorded->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 12, 0, 0);
    layout->setSpacing(2);
    layout->addWidget(m_heading);
    layout->addWidget(m_text);
    for (const QByteArray& id : ExperimentList::firstSteps()) {
        m_steps += addButton(QLatin1String("learn_") + QLatin1String(id));
        connect(m_steps.back(), &QToolButton::clicked, this, [this, id] { Q_EMIT experimentWanted(id); });
    }
    layout->addSpacing(8);
    layout->addWidget(m_recorded);
    for (const QString& example : examples) {
        m_recordings += addButton(QLatin1String("example_") + example);
        const QString path = QStringLiteral(":/lockkeeper/examples/%1.lkrec").arg(example);
        connect(m_recordings.back(), &QToolButton::clicked, this, [this, path] { Q_EMIT recordingWanted(path); });
    }
    keepTranslated(*this, [this] { retranslate(); });
}

QToolButton* LearnPath::addButton(const QString& objectName) {
    auto* button = new QToolButton(this);
    button->setObjectName(objectName);
    button->setAutoRaise(true);
    button->setIcon(icon(QStringLiteral("play")));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::TabFocus);
    static_cast<QVBoxLayout*>(layout())->addWidget(button, 0, Qt::AlignLeft);
    return button;
}

void LearnPath::retranslate() {
    m_heading->setText(tr("Learn"));
    m_text->setText(tr("Five experiments on a private server, from one holder to why a short lease lets two work:"));
    int number = 0;
    for (const QByteArray& id : ExperimentList::firstSteps()) {
        const QString title = lab::experimentTextOf(id).value_or(lab::ExperimentText()).title;
        m_steps[number]->setText(tr("%1. %2", "the number of a step, its title").arg(number + 1).arg(title));
        ++number;
    }
    m_recorded->setText(tr("Three recordings, to be moved through in time:"));
    m_recordings[0]->setText(tr("A worker dies, and its lock lives on"));
    m_recordings[1]->setText(tr("A lease shorter than the work"));
    m_recordings[2]->setText(tr("Redisson: a dead waiter at the head of a queue"));
}

}  // namespace lockkeeper::ui

#include "moc_learnpath.cpp"
