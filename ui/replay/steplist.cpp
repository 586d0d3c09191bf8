// SPDX-License-Identifier: Apache-2.0
#include "ui/replay/steplist.h"

#include "ui/base/helptip.h"
#include "ui/base/retranslating.h"
#include "ui/words/timetext.h"

#include <QHeaderView>

namespace lockkeeper::ui {

namespace {

enum Column { Time, Commands, ColumnCount };
constexpr int shownLines = 7;
constexpr int longestTip = 2000;  // characters; a file may have any
constexpr int longestCell = 300;

}  // namespace

StepList::StepList(QWidget* parent) : QTreeWidget(parent) {
    setObjectName(QStringLiteral("replaySteps"));
    setColumnCount(ColumnCount);
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setTextElideMode(Qt::ElideRight);
    header()->setSectionResizeMode(Time, QHeaderView::ResizeToContents);
    header()->setStretchLastSection(true);
    keepTranslated(*this, [this] { retranslate(); });
}

void StepList::retranslate() {
    setAccessibleName(tr("Commands of the trace"));
    setHeaderLabels({tr("Time"), tr("Sender and commands")});
}

QSize StepList::sizeHint() const {
    return {QTreeWidget::sizeHint().width(), header()->sizeHint().height() + shownLines * fontMetrics().lineSpacing()};
}

void StepList::showSteps(const QList<ReplayedStep>& steps) {
    if (steps == m_shown)
        return;
    m_shown = steps;
    clear();
    for (const ReplayedStep& step : steps) {
        auto* row = new QTreeWidgetItem(this);
        row->setText(Time, preciseClockText(step.at, step.at));
        row->setText(Commands, step.text.left(longestCell));
        row->setToolTip(Commands, helpTip(step.text.left(longestTip)));
    }
    if (QTreeWidgetItem* last = topLevelItem(topLevelItemCount() - 1)) {
        setCurrentItem(last);
        scrollToItem(last);
    }
}

}  // namespace lockkeeper::ui

#include "moc_steplist.cpp"
