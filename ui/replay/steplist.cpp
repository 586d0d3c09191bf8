// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/steplist.h"

#include "ui/base/helptip.h"
#include "ui/base/retranslating.h"
#include "ui/words/timetext.h"

#include <QHeaderView>

namespace lockkeeper::ui {

namespace {

enum StepColumn { StepTime, StepText, StepColumnCount };
constexpr int linesOfSteps = 7;
constexpr int longestStepTip = 2000;  // characters; a file may have any
constexpr int longestStep = 300;

}  // namespace

StepList::StepList(QWidget* parent) : QTreeWidget(parent) {
    setObjectName(QStringLiteral("replaySteps"));
    setColumnCount(StepColumnCount);
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setTextElideMode(Qt::ElideRight);
    header()->setSectionResizeMode(StepTime, QHeaderView::ResizeToContents);
    header()->setStretchLastSection(true);
    keepTranslated(*this, [this] { retranslate(); });
}

void StepList::retranslate() {
    setAccessibleName(tr("Commands of the trace"));
    setHeaderLabels({tr("Time"), tr("Sender and commands")});
}

QSize StepList::sizeHint() const {
    return {QTreeWidget::sizeHint().width(),
            header()->sizeHint().height() + linesOfSteps * fontMetrics().lineSpacing()};
}

void StepList::showSteps(const QList<ReplayedStep>& steps) {
    if (steps == m_shown)
        return;
    m_shown = steps;
    clear();
    for (const ReplayedStep& step : steps) {
        auto* row = new QTreeWidgetItem(this);
        row->setText(StepTime, preciseClockText(step.at, step.at));
        row->setText(StepText, step.text.left(longestStep));
        row->setToolTip(StepText, helpTip(step.text.left(longestStepTip)));
    }
    if (QTreeWidgetItem* last = topLevelItem(topLevelItemCount() - 1)) {
        setCurrentItem(last);
        scrollToItem(last);
    }
}

}  // namespace lockkeeper::ui

#include "moc_steplist.cpp"
