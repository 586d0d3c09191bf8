// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/connectionmodel.h"

#include "ui/help/helptip.h"
#include "ui/words/environmenttext.h"
#include "ui/words/timetext.h"

#include <algorithm>

namespace lockkeeper::ui {

void ConnectionModel::setConnections(const QList<profile::StoredProfile>& saved,
                                     const QList<profile::StoredProfile>& recent, WallTime now) {
    beginResetModel();
    m_rows.clear();
    m_now = now;
    // Those without a group first, then the groups in the order of their first connections.
    QStringList groups{QString()};
    for (const profile::StoredProfile& stored : saved) {
        if (!groups.contains(stored.group))
            groups << stored.group;
    }
    for (const QString& group : groups) {
        QList<profile::StoredProfile> members = saved;
        members.removeIf([&group](const profile::StoredProfile& one) { return one.group != group; });
        addSection(Section::Saved, group, members);
    }
    addSection(Section::Recent, QString(), recent);
    endResetModel();
}

void ConnectionModel::addSection(Section section, const QString& group,
                                 const QList<profile::StoredProfile>& connections) {
    if (connections.isEmpty())
        return;
    m_rows.append(Row{std::nullopt, section, group});
    for (const profile::StoredProfile& stored : connections)
        m_rows.append(Row{stored, section, group});
}

const profile::StoredProfile* ConnectionModel::connection(const QModelIndex& index) const {
    if (!index.isValid() || !m_rows.at(index.row()).connection)
        return nullptr;
    return &*m_rows.at(index.row()).connection;
}

QModelIndex ConnectionModel::indexOf(const profile::ProfileId& id) const {
    const auto found = std::ranges::find_if(
        m_rows, [&id](const Row& row) { return row.connection && row.connection->profile.id == id; });
    return found == m_rows.end() ? QModelIndex() : index(static_cast<int>(found - m_rows.begin()));
}

QModelIndex ConnectionModel::firstConnection() const {
    return m_rows.isEmpty() ? QModelIndex() : index(1);
}

QString ConnectionModel::lastUseText(const profile::StoredProfile& stored) const {
    return stored.lastUsed ? tr("last used %1").arg(clockText(*stored.lastUsed, m_now)) : tr("not used yet");
}

void ConnectionModel::retranslate() {
    if (!m_rows.isEmpty())
        Q_EMIT dataChanged(index(0), index(static_cast<int>(m_rows.size()) - 1));
}

int ConnectionModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ConnectionModel::data(const QModelIndex& index, int role) const {
    const Row& row = m_rows.at(index.row());
    if (!row.connection)
        return role == Qt::DisplayRole ? headingText(row) : QVariant();
    const profile::StoredProfile& stored = *row.connection;
    switch (role) {
        case Qt::DisplayRole:
            return connectionName(stored.label, stored.profile.display());
        case Qt::AccessibleTextRole:
            return accessibleText(stored);
        case Qt::ToolTipRole:
            return helpTip(stored.note);
        default:
            return {};
    }
}

Qt::ItemFlags ConnectionModel::flags(const QModelIndex& index) const {
    return connection(index) ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren : Qt::NoItemFlags;
}

QString ConnectionModel::headingText(const Row& row) const {
    if (row.section == Section::Recent)
        return tr("Recent");
    return row.group.isEmpty() ? tr("Saved connections") : row.group;
}

QString ConnectionModel::accessibleText(const profile::StoredProfile& stored) const {
    QStringList parts{connectionText(stored.label, stored.profile.display())};
    if (stored.profile.access == redis::AccessMode::ReadOnly)
        parts << tr("read-only");
    parts << lastUseText(stored);
    return parts.join(QStringLiteral(", "));
}

}  // namespace lockkeeper::ui

#include "moc_connectionmodel.cpp"
