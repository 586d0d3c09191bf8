// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/experimentlist.h"

#include "lab/experiment/catalogue.h"
#include "lab/experiment/experimenttext.h"
#include "ui/help/helptip.h"
#include "ui/lab/labwords.h"
#include "ui/look/retranslating.h"

namespace lockkeeper::ui {

namespace {

constexpr int idRole = Qt::UserRole;
constexpr int familyRole = Qt::UserRole + 1;

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
    for (const lab::Experiment& experiment : lab::experiments()) {
        const lab::ExperimentText text = lab::experimentTextOf(experiment.id).value_or(lab::ExperimentText());
        auto* item = new QTreeWidgetItem(familyItem(*this, experiment.family), {text.title});
        item->setData(0, idRole, experiment.id);
        item->setToolTip(0, helpTip(text.title));
    }
    expandAll();
    connect(this, &QTreeWidget::currentItemChanged, this, [this] {
        if (!current().isEmpty())
            Q_EMIT chosen(current());
    });
    keepTranslated(*this, [this] { retranslate(); });
}

void ExperimentList::retranslate() {
    setAccessibleName(tr("Experiments"));
    for (int row = 0; row < topLevelItemCount(); ++row)
        topLevelItem(row)->setText(0, familyText(static_cast<lab::Family>(topLevelItem(row)->data(0, familyRole).toInt())));
}

QByteArray ExperimentList::current() const {
    return currentItem() ? currentItem()->data(0, idRole).toByteArray() : QByteArray();
}

void ExperimentList::select(const QByteArray& id) {
    for (int row = 0; row < topLevelItemCount(); ++row) {
        for (int child = 0; child < topLevelItem(row)->childCount(); ++child) {
            if (topLevelItem(row)->child(child)->data(0, idRole).toByteArray() == id)
                setCurrentItem(topLevelItem(row)->child(child));
        }
    }
}

}  // namespace lockkeeper::ui

#include "moc_experimentlist.cpp"
