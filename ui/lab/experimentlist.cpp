// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/experimentlist.h"

#include "lab/experiment/catalogue.h"
#include "lab/experiment/experimenttext.h"
#include "ui/base/helptip.h"
#include "ui/base/retranslating.h"
#include "ui/lab/labwords.h"

#include <QTreeWidgetItemIterator>

namespace lockkeeper::ui {

namespace {

constexpr int idRole = Qt::UserRole;
constexpr int familyRole = Qt::UserRole + 1;
constexpr int noFamily = -1;

void addExperiment(QTreeWidgetItem& heading, const QByteArray& id) {
    const lab::ExperimentText text = lab::experimentTextOf(id).value_or(lab::ExperimentText());
    auto* item = new QTreeWidgetItem(&heading, {text.title});
    item->setData(0, idRole, id);
    item->setToolTip(0, helpTip(text.title));
}

QTreeWidgetItem* familyItem(QTreeWidget& list, lab::Family family) {
    for (int row = 0; row < list.topLevelItemCount(); ++row) {
        if (list.topLevelItem(row)->data(0, familyRole).toInt() == static_cast<int>(family))
            return list.topLevelItem(row);
    }
    auto* item = new QTreeWidgetItem(&list);
    item->setData(0, familyRole, static_cast<int>(family));
    return item;
}

}  // namespace

ExperimentList::ExperimentList(QWidget* parent) : QTreeWidget(parent) {
    setObjectName(QStringLiteral("labExperiments"));
    setHeaderHidden(true);
    setUniformRowHeights(true);
    setIndentation(fontMetrics().height());
    auto* beginning = new QTreeWidgetItem(this);
    beginning->setData(0, familyRole, noFamily);
    for (const QByteArray& id : firstSteps())
        addExperiment(*beginning, id);
    for (const lab::Experiment& experiment : lab::experiments())
        addExperiment(*familyItem(*this, experiment.family), experiment.id);
    expandAll();
    connect(this, &QTreeWidget::currentItemChanged, this, [this] {
        if (!current().isEmpty())
            Q_EMIT chosen(current());
    });
    keepTranslated(*this, [this] { retranslate(); });
}

QByteArrayList ExperimentList::firstSteps() {
    return {"reentry", "wake-by-channel", "holder-crash", "short-lease", "fencing-token"};
}

void ExperimentList::retranslate() {
    setAccessibleName(tr("Experiments"));
    for (int row = 0; row < topLevelItemCount(); ++row) {
        const int family = topLevelItem(row)->data(0, familyRole).toInt();
        topLevelItem(row)->setText(
            0, family == noFamily ? tr("First steps") : familyText(static_cast<lab::Family>(family)));
    }
}

QByteArray ExperimentList::current() const {
    return currentItem() ? currentItem()->data(0, idRole).toByteArray() : QByteArray();
}

void ExperimentList::select(const QByteArray& id) {
    for (QTreeWidgetItemIterator item(this); *item; ++item) {
        if ((*item)->data(0, idRole).toByteArray() == id) {
            setCurrentItem(*item);
            return;
        }
    }
}

}  // namespace lockkeeper::ui

#include "moc_experimentlist.cpp"
