// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/labpanes.h"

#include "ui/base/fontchange.h"
#include "ui/base/helptip.h"
#include "ui/base/plainlabel.h"
#include "ui/base/retranslating.h"
#include "ui/lab/actorpane.h"
#include "ui/lab/keypane.h"
#include "ui/lab/labtimeline.h"
#include "ui/lab/labwords.h"
#include "ui/lab/wirepane.h"

#include <QEvent>
#include <QLabel>
#include <QListWidget>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

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
    m_seen = -1;
    m_steps->clear();
    for (QTreeWidget* pane : std::initializer_list<QTreeWidget*>{m_actors, m_keys, m_wire})
        pane->clear();
    showTimeline();
}

void LabPanes::add(const lab::LabUpdate& update) {
    const QScopedValueRollback showing(m_isShowing, true);
    m_recording.add(update);
    addSteps();
}

void LabPanes::addSteps() {
    const int first = m_steps->count();
    while (m_steps->count() < m_recording.size())
        m_steps->addItem(QString());
    nameSteps(first, m_steps->count() - 1);
}

void LabPanes::nameSteps(int first, int last) {
    for (int frame = first; frame <= last; ++frame) {
        const lab::LabFrame& step = m_recording.at(frame);
        const bool isHidden = this->isHidden(frame);
        m_steps->item(frame)->setText(isHidden
                                          ? tr("Step %1").arg(frame + 1)
                                          : QStringLiteral("%1  %2").arg(labTimeText(step.moment.at), captionOf(step)));
        const QString why =
            isHidden ? tr("It is named when you have chosen what you predict, or have seen it.") : QString();
        m_steps->item(frame)->setToolTip(helpTip(why));
    }
}

void LabPanes::hideUnseen(bool isHidden) {
    if (isHidden == std::exchange(m_hidesUnseen, isHidden))
        return;
    nameSteps(m_seen + 1, m_steps->count() - 1);
    showTimeline();
}

void LabPanes::showTimeline() {
    m_timeline->showFrame(m_frame, m_hidesUnseen ? m_seen + 1 : m_recording.size(), m_shared);
}

void LabPanes::showFrame(int frame) {
    if (frame >= m_recording.size())
        return;
    const QScopedValueRollback showing(m_isShowing, true);
    m_frame = frame;
    if (const int seen = std::exchange(m_seen, std::max(m_seen, frame)); m_hidesUnseen)
        nameSteps(seen + 1, m_seen);
    const lab::LabFrame& shown = m_recording.at(frame);
    const bool isEnd = m_recording.isFull() && frame == m_recording.size() - 1;
    m_caption->setText(isEnd ? tr("No more is kept than this: run the experiment again to go on.") : captionOf(shown));
    showRows();
    showTimeline();
    m_steps->setCurrentRow(frame);
}

void LabPanes::showRows() {
    const lab::LabFrame& shown = m_recording.at(m_frame);
    m_actors->showFrame(shown);
    m_keys->showServers(m_recording.serversAt(m_frame), shown.actors);
    m_wire->showLines(m_recording, m_frame);
}

// Rows keep the colors and fonts that they were made with. The panes, which are children, get the change after this.
void LabPanes::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange)
        return;
    const auto showAgain = [this] {
        if (m_frame >= m_recording.size())
            return;
        showRows();
        showTimeline();
    };
    QMetaObject::invokeMethod(this, showAgain, Qt::QueuedConnection);
}

QList<QWidget*> LabPanes::panes() const {
    return {m_actors, m_keys, m_steps, m_wire};
}

void LabPanes::setCaption(const QString& caption) {
    m_caption->setText(caption);
}

}  // namespace lockkeeper::ui

#include "moc_labpanes.cpp"
