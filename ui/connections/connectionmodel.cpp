// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/connectionmodel.h"

#include "ui/base/helptip.h"
#include "ui/words/environmenttext.h"
#include "ui/words/timetext.h"

#include <algorithm>

namespace lockkeeper::ui {

QString ConnectionModel::openText(ConnectionPhase phase) {
    switch (phase) {
        case ConnectionPhase::Connected:
            return tr("connected");
        case ConnectionPhase::Connecting:
            return tr("connecting");
        case ConnectionPhase::Reconnecting:
            return tr("connection lost");
        case ConnectionPhase::Failed:
            return tr("connecting has failed");
        case ConnectionPhase::Disconnected:
            break;
    }
    return tr("disconnected");
}

void ConnectionModel::setConnections(const QList<profile::StoredProfile>& saved,
                                     const QList<profile::StoredProfile>& recent, WallTime now) {
    beginResetModel();
    m_rows.clear();
    m_now = now;
    // Connections without a group come first, then the groups in the order of their first connections.
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

void ConnectionModel::setPhases(const QHash<profile::ProfileId, ConnectionPhase>& phases) {
    if (phases == m_phases)
        return;
    m_phases = phases;
    retranslate();
}

std::optional<ConnectionPhase> ConnectionModel::phase(const profile::StoredProfile& stored) const {
    const auto found = m_phases.constFind(stored.profile.id);
    return found == m_phases.cend() ? std::nullopt : std::optional(*found);
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

// A connection may be dropped between two rows.
Qt::ItemFlags ConnectionModel::flags(const QModelIndex& index) const {
    if (!index.isValid())
        return Qt::ItemIsDropEnabled;
    const profile::StoredProfile* stored = connection(index);
    if (!stored)
        return Qt::NoItemFlags;
    const Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    return stored->isSaved() ? flags | Qt::ItemIsDragEnabled : flags;
}

bool ConnectionModel::moveRows(const QModelIndex&, int sourceRow, int count, const QModelIndex&, int destinationChild) {
    const profile::StoredProfile* moved = count == 1 ? connection(index(sourceRow)) : nullptr;
    const bool isBehindOne = destinationChild > 0 && destinationChild <= m_rows.size();
    if (!moved || !moved->isSaved() || !isBehindOne || m_rows.at(destinationChild - 1).section != Section::Saved)
        return false;
    const QString group = m_rows.at(destinationChild - 1).group;
    std::optional<profile::ProfileId> before;
    if (destinationChild < m_rows.size() && m_rows.at(destinationChild).connection &&
        m_rows.at(destinationChild).section == Section::Saved)
        before = m_rows.at(destinationChild).connection->profile.id;
    Q_EMIT moveWanted(profile::ProfileId(moved->profile.id), group, before);
    return true;
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
    if (const std::optional<ConnectionPhase> open = phase(stored))
        parts << openText(*open);
    parts << lastUseText(stored);
    return parts.join(QStringLiteral(", "));
}

}  // namespace lockkeeper::ui

#include "moc_connectionmodel.cpp"
