// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/actorpane.h"

#include "ui/base/icons.h"
#include "ui/base/retranslating.h"
#include "ui/base/tonecolors.h"
#include "ui/lab/labwords.h"
#include "ui/lab/panelook.h"

#include <algorithm>

namespace lockkeeper::ui {

namespace {

using namespace std::chrono_literals;

constexpr int actorRole = Qt::UserRole;

QIcon iconOf(const lab::LabThread& thread) {
    if (thread.knowsLoss)
        return icon(QStringLiteral("warning"), Tone::Warning);
    return thread.doing == lab::LabThread::Doing::Holds ? icon(QStringLiteral("lock-held"), Tone::Good)
                                                        : icon(QStringLiteral("pause"), Tone::Quiet);
}

bool hasGoodNetwork(const lab::LabActor& actor) {
    return !actor.isCutOff && actor.unreached.isEmpty() && actor.delay == 0ms;
}

Tone toneOfActor(const lab::LabActor& actor) {
    if (actor.hasCrashed)
        return Tone::Danger;
    const bool isAsItShould = !actor.isFrozen && hasGoodNetwork(actor) && actor.clockAhead == 0ms;
    return isAsItShould ? Tone::Normal : Tone::Warning;
}

}  // namespace

ActorPane::ActorPane(QWidget* parent) : QTreeWidget(parent) {
    showAsLabPane(*this, QStringLiteral("labActors"), 2);
    keepTranslated(*this, [this] { retranslate(); });
}

void ActorPane::retranslate() {
    setHeaderLabels({tr("Actor"), tr("Lease, by its own clock")});
    setAccessibleName(tr("Actors: what each one does and believes"));
}

void ActorPane::showFrame(const lab::LabFrame& frame) {
    const lab::ActorName before = currentActor();
    clear();
    for (const lab::LabActor& actor : frame.actors) {
        addActor(actor, lab::ActorName(frame.moment.actor));
        if (actor.name == before || before.isEmpty())
            setCurrentItem(topLevelItem(before.isEmpty() ? 0 : topLevelItemCount() - 1));
    }
    expandAll();
    fitColumns(*this);
    // In a narrow pane the lease is shown in full first; a belief is cut at its end, because its beginning matters.
    const int width = viewport()->width();
    setColumnWidth(0, std::min(columnWidth(0), std::max(width - sizeHintForColumn(1), width / 2)));
}

void ActorPane::addActor(const lab::LabActor& actor, const lab::ActorName& acting) {
    auto* item = new QTreeWidgetItem(this);
    item->setText(0, QStringLiteral("%1 · %2").arg(QString::fromUtf8(actor.name.bytes()), conditionText(actor)));
    item->setFirstColumnSpanned(true);
    item->setForeground(0, toneColor(palette(), toneOfActor(actor)));
    item->setData(0, actorRole, actor.name.bytes());
    markChange(*item, actor.name == acting ? Change::Changed : Change::None);
    if (!actor.hasCrashed && !hasGoodNetwork(actor))
        markNetworkFault(*item);
    for (const lab::LabThread& thread : actor.threads) {
        auto* row = new QTreeWidgetItem(item, {threadText(thread), leaseText(thread)});
        explainRow(*row);
        row->setIcon(0, iconOf(thread));
        row->setData(0, actorRole, actor.name.bytes());
        row->setFirstColumnSpanned(row->text(1).isEmpty());
        if (thread.knowsLoss)
            row->setForeground(0, toneColor(palette(), Tone::Warning));
    }
}

lab::ActorName ActorPane::currentActor() const {
    return currentItem() ? lab::ActorName(currentItem()->data(0, actorRole).toByteArray()) : lab::ActorName();
}

}  // namespace lockkeeper::ui

#include "moc_actorpane.cpp"
