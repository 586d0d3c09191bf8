// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/keypane.h"

#include "ui/base/retranslating.h"
#include "ui/lab/labwords.h"
#include "ui/lab/panelook.h"
#include "ui/words/timetext.h"

namespace lockkeeper::ui {

namespace {

constexpr int serverRole = Qt::UserRole;
constexpr int placeKeyRole = Qt::UserRole + 1;

}  // namespace

KeyPane::KeyPane(QWidget* parent) : QTreeWidget(parent) {
    showAsLabPane(*this, QStringLiteral("labKeys"), 3);
    keepTranslated(*this, [this] { retranslate(); });
}

void KeyPane::retranslate() {
    setHeaderLabels({tr("Key"), tr("Value"), tr("Time to live")});
    setAccessibleName(tr("Keys on the servers"));
}

void KeyPane::showServers(const std::vector<ShownServer>& servers, const std::vector<lab::LabActor>& actors) {
    const Place before = currentPlace();
    clear();
    for (const ShownServer& one : servers) {
        const Place place{one.server.number, {}};
        QTreeWidgetItem* item = addRow(nullptr, {serverText(one)}, place, one.change);
        item->setFirstColumnSpanned(true);
        if (one.server.isReplicationHeld || !one.server.unreached.isEmpty())
            markNetworkFault(*item);
        for (const ShownKey& key : one.keys)
            addKey(*item, key, actors);
        if (one.keys.empty() && place.server != lab::sentinelServer)
            addRow(item, {tr("no keys")}, place, Change::None);
        if (place.server == before.server)
            setCurrentItem(item);
    }
    expandAll();
    fitColumns(*this);
}

void KeyPane::addKey(QTreeWidgetItem& server, const ShownKey& key, const std::vector<lab::LabActor>& actors) {
    const Place place{static_cast<lab::ServerNumber>(server.data(0, serverRole).toInt()), key.key.name};
    const QString left = key.key.ttl ? durationText(*key.key.ttl) : tr("none");
    QTreeWidgetItem* item =
        addRow(&server, {namedText(key.key.name, actors), QString::fromUtf8(key.key.type), left}, place, key.change);
    for (const ShownEntry& entry : key.entries)
        addRow(item, {namedText(entry.entry.field, actors), namedText(entry.entry.value, actors)}, place, entry.change);
}

QTreeWidgetItem* KeyPane::addRow(QTreeWidgetItem* parent, const QStringList& texts, const Place& place, Change change) {
    auto* item = new QTreeWidgetItem(texts);
    if (parent)
        parent->addChild(item);
    else
        addTopLevelItem(item);
    item->setData(0, serverRole, static_cast<int>(place.server));
    item->setData(0, placeKeyRole, place.key);
    markChange(*item, change);
    return item;
}

KeyPane::Place KeyPane::currentPlace() const {
    if (!currentItem())
        return {};
    return {static_cast<lab::ServerNumber>(currentItem()->data(0, serverRole).toInt()),
            currentItem()->data(0, placeKeyRole).toByteArray()};
}

}  // namespace lockkeeper::ui

#include "moc_keypane.cpp"
