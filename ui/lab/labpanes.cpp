// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/labpanes.h"

#include "ui/lab/actorpane.h"
#include "ui/lab/keypane.h"
#include "ui/lab/labtimeline.h"
#include "ui/lab/labwords.h"
#include "ui/lab/wirepane.h"
#include "ui/look/fontchange.h"
#include "ui/look/plainlabel.h"
#include "ui/look/retranslating.h"

#include <QLabel>
#include <QListWidget>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QVBoxLayout>

namespace lockkeeper::ui {

namespace {

std::vector<lab::LockId> sharedLocks(const lab::Scenario& scenario) {
    std::vector<lab::LockId> shared;
    for (const lab::LockPlan& plan : scenario.locks) {
        if (plan.kind == lab::LockKind::Read)
            shared.push_back(plan.id);
    }
    return shared;
}

}  // namespace

LabPanes::LabPanes(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    m_caption = plainLabel(this);
    m_caption->setObjectName(QStringLiteral("labCaption"));
    m_caption->setWordWrap(true);
    keepFontScaled(*m_caption, 1.3);
    layout->addWidget(m_caption);
    layout->addWidget(makePanes(), 1);
    m_timeline = new LabTimeline(m_recording, this);
    layout->addWidget(m_timeline);
    connect(m_timeline, &LabTimeline::frameChosen, this, &LabPanes::frameChosen);
    connect(m_steps, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0 && !m_isShowing)
            Q_EMIT frameChosen(row);
    });
    keepTranslated(*this, [this] { retranslate(); });
}

QWidget* LabPanes::makePanes() {
    auto* rows = new QSplitter(Qt::Vertical, this);
    auto* above = new QSplitter(Qt::Horizontal, rows);
    auto* below = new QSplitter(Qt::Horizontal, rows);
    m_actors = new ActorPane(above);
    m_keys = new KeyPane(above);
    m_steps = new QListWidget(below);
    m_steps->setObjectName(QStringLiteral("labSteps"));
    m_steps->setWordWrap(true);
    m_wire = new WirePane(below);
    for (QSplitter* row : {above, below}) {
        row->setStretchFactor(0, 2);
        row->setStretchFactor(1, 3);
        row->setChildrenCollapsible(false);
        rows->addWidget(row);
    }
    above->setSizes({300, 400});
    below->setSizes({300, 400});
    rows->setChildrenCollapsible(false);
    return rows;
}

void LabPanes::retranslate() {
    m_steps->setAccessibleName(tr("What has happened"));
    const QScopedValueRollback showing(m_isShowing, true);
    m_steps->clear();
    addSteps();
    showFrame(m_frame);
}

void LabPanes::begin(const lab::Scenario& scenario) {
    const QScopedValueRollback showing(m_isShowing, true);
    m_recording = LabRecording();
    m_shared = sharedLocks(scenario);
    m_frame = 0;
    m_steps->clear();
    for (QTreeWidget* pane : std::initializer_list<QTreeWidget*>{m_actors, m_keys, m_wire})
        pane->clear();
    m_timeline->showFrame(0, m_shared);
}

void LabPanes::add(const lab::LabUpdate& update) {
    const QScopedValueRollback showing(m_isShowing, true);
    m_recording.add(update);
    addSteps();
}

void LabPanes::addSteps() {
    for (qsizetype frame = m_steps->count(); frame < m_recording.size(); ++frame) {
        const lab::LabFrame& shown = m_recording.at(frame);
        m_steps->addItem(QStringLiteral("%1  %2").arg(labTimeText(shown.moment.at), captionOf(shown)));
    }
}

void LabPanes::showFrame(int frame) {
    if (frame >= m_recording.size())
        return;
    const QScopedValueRollback showing(m_isShowing, true);
    m_frame = frame;
    const lab::LabFrame& shown = m_recording.at(frame);
    const bool isEnd = m_recording.isFull() && frame == m_recording.size() - 1;
    m_caption->setText(isEnd ? tr("No more is kept than this: run the experiment again to go on.") : captionOf(shown));
    m_actors->showFrame(shown);
    m_keys->showServers(m_recording.serversAt(frame), shown.actors);
    m_wire->showLines(m_recording, frame);
    m_timeline->showFrame(frame, m_shared);
    m_steps->setCurrentRow(frame);
}

void LabPanes::setCaption(const QString& caption) {
    m_caption->setText(caption);
}

}  // namespace lockkeeper::ui

#include "moc_labpanes.cpp"
