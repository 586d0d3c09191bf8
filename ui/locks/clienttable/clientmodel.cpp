// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/clienttable/clientmodel.h"

#include "ui/base/icons.h"
#include "ui/locks/clients/clientcolors.h"
#include "ui/words/clienttext.h"
#include "ui/words/diagnosistext.h"
#include "ui/words/identitytext.h"
#include "ui/words/locktext.h"
#include "ui/words/threadtext.h"
#include "ui/words/timetext.h"

#include <numeric>

namespace lockkeeper::ui {

namespace {

constexpr int widestGap = 16;  // rows without a change that are announced with their neighbours

bool isFaulty(const monitor::ClientRow& client) {
    return !client.diagnoses.isEmpty();
}

// The gravest first, and those that hold nothing last.
int urgencyOf(const monitor::ClientRow& client) {
    if (isFaulty(client))
        return static_cast<int>(client.diagnoses.first().kind());
    constexpr int afterDiagnoses = 1000;
    return afterDiagnoses + (client.deadPlaces > 0 ? 0 : client.isIdle() ? 2 : 1);
}

qint64 millisecondsOf(WallTime at) {
    return qint64{toMilliseconds(at.time_since_epoch()).count()};
}

}  // namespace

ClientModel::ClientModel(const ViewTime& time, const ClientColors& colors, QObject* parent)
    : ArrangedRows<TimedTableModel>(time, ColumnCount, parent), m_colors(colors) {}

void ClientModel::apply(const monitor::MonitorBatch& batch) {
    std::vector<int> gone;
    for (const ClientId& client : batch.removedClients) {
        if (const auto row = m_rowOf.constFind(client); row != m_rowOf.cend())
            gone.push_back(*row);
    }
    if (!gone.empty())
        removeAll(gone);
    std::vector<int> changed;
    for (const monitor::SharedClient& client : batch.clients) {
        const auto known = m_rowOf.constFind(client->id);
        if (known == m_rowOf.cend()) {
            m_added.push_back(client);
            continue;
        }
        m_rows[static_cast<size_t>(*known)] = client;
        changed.push_back(*known);
    }
    for (const RowRange range : rangesOf(std::move(changed), widestGap))
        Q_EMIT dataChanged(index(range.first, 0), index(range.last, ColumnCount - 1));
    if (m_added.empty())
        return;
    std::vector<int> rows(m_added.size());
    std::iota(rows.begin(), rows.end(), rowCount());
    insertAll(rows);
    m_added.clear();
    findRestarts();
}

void ClientModel::clear() {
    beginResetModel();
    m_rows.clear();
    m_rowOf.clear();
    m_restarts.clear();
    endResetModel();
}

void ClientModel::setKnowledge(const HolderKnowledge& knowledge) {
    m_knowledge = knowledge;
    findRestarts();
    refreshAll();
}

// Only clients whose host was found can be compared, and these are few.
void ClientModel::findRestarts() {
    QList<monitor::IdentifiedClient> identified;
    for (const monitor::HolderIdentity& identity : std::as_const(m_knowledge.identities)) {
        if (const QModelIndex row = indexOf(identity.client); row.isValid())
            identified += monitor::IdentifiedClient{at(row.row()), identity};
    }
    m_restarts = monitor::restartsAmong(identified);
}

QModelIndex ClientModel::indexOf(const ClientId& client) const {
    const auto row = m_rowOf.constFind(client);
    return row == m_rowOf.cend() ? QModelIndex() : index(*row, 0);
}

int ClientModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

void ClientModel::permute(const std::vector<int>& order) {
    std::vector<monitor::SharedClient> rows;
    rows.reserve(order.size());
    for (const int row : order)
        rows.push_back(std::move(m_rows[static_cast<size_t>(row)]));
    m_rows = std::move(rows);
    count(0);
}

void ClientModel::erase(RowRange range) {
    for (int row = range.first; row <= range.last; ++row)
        m_rowOf.remove(at(row).id);
    m_rows.erase(m_rows.begin() + range.first, m_rows.begin() + range.last + 1);
    count(range.first);
}

void ClientModel::put(RowRange added, int before) {
    m_rows.insert(m_rows.begin() + before, m_added.begin() + added.first, m_added.begin() + added.last + 1);
    count(before);
}

void ClientModel::count(int from) {
    for (int row = from; row < rowCount(); ++row)
        m_rowOf.insert(at(row).id, row);
}

bool ClientModel::isNumber(int column) const {
    return column == Held || column == Queues || column == Renewals || column == Losses;
}

QString ClientModel::stateText(const monitor::ClientRow& client) const {
    if (isFaulty(client))
        return diagnosesText(client.diagnoses);
    if (client.deadPlaces > 0)
        return tr("Dead places in queues: %1").arg(numberText(client.deadPlaces));
    if (const auto successor = m_restarts.constFind(client.id); successor != m_restarts.cend())
        return tr("Restarted, it seems");
    if (!client.isIdle())
        return {};
    return client.losses == 0 ? tr("Holds nothing now")
                              : tr("Holds nothing now; losses: %1").arg(numberText(static_cast<qint64>(client.losses)));
}

QString ClientModel::display(int row, int column) const {
    const monitor::ClientRow& client = at(row);
    switch (static_cast<Column>(column)) {
        case Client: {
            const QString alias = m_knowledge.aliases.of(client.id);
            return alias.isEmpty() ? plainName(LockName(client.id.bytes())) : alias;
        }
        case Host:
            return addressText(m_knowledge.identities.value(client.id));
        case Held:
            return numberText(client.held);
        case Queues:
            return numberText(client.waitsFor);
        case LastSign:
            return shortSignText(client.last, time().wallNow());
        case Renewals:
            return renewalRateText(client);
        case Watchdog:
            return client.watchdogTimeout > Milliseconds(0) ? durationText(client.watchdogTimeout) : QString();
        case Losses:
            return client.losses == 0 ? QString() : numberText(static_cast<qint64>(client.losses));
        case FirstSeen:
            return clockText(client.firstSeen, time().wallNow());
        case Dump:
            return client.dump ? dumpOfClientText(*client.dump, time().wallNow()) : QString();
        case DiagnosisColumn:
            return stateText(client);
        case ColumnCount:
            break;
    }
    return {};
}

QString ClientModel::toolTip(int row, int column) const {
    const monitor::ClientRow& client = at(row);
    QStringList lines;
    if (column == DiagnosisColumn && isFaulty(client)) {
        lines << evidencesText(client.diagnoses, time().wallNow(), m_knowledge.aliases)
              << adviceText(client.diagnoses.first().kind());
    } else if (const auto successor = m_restarts.constFind(client.id);
               column == DiagnosisColumn && successor != m_restarts.cend()) {
        lines
            << tr("%1 has the same host and name, and was first seen after this one's last sign of life. That it is the "
                  "same process after a restart is a guess.")
                   .arg(m_knowledge.aliases.fullDisplay(*successor));
    } else if (column == LastSign && client.last.what != monitor::SignOfLife::None) {
        lines << signText(client.last);
    } else if (column == Host && m_knowledge.identities.contains(client.id)) {
        lines << identityText(m_knowledge.identities.value(client.id), time().wallNow());
    } else if (column == Dump && client.dump) {
        lines << dumpOfClientHelp(*client.dump);
    } else if (column == Client) {
        lines << m_knowledge.aliases.fullDisplay(client.id) << programText(client.id);
    } else {
        lines << shortened(display(row, column), 400);
    }
    if (!time().isLive())
        lines << oldText(time());
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

QVariant ClientModel::sortValue(int row, int column) const {
    const monitor::ClientRow& client = at(row);
    switch (static_cast<Column>(column)) {
        case Held:
            return client.held;
        case Queues:
            return client.waitsFor;
        case LastSign:
            return millisecondsOf(client.last.at);
        case Renewals:
            return client.renewalsPerSecond;
        case Watchdog:
            return qint64{client.watchdogTimeout.count()};
        case Losses:
            return client.losses;
        case FirstSeen:
            return millisecondsOf(client.firstSeen);
        case Dump:
            return client.dump ? millisecondsOf(client.dump->at.value_or(WallTime())) : qint64{-1};
        case DiagnosisColumn:
            return urgencyOf(client);
        case Client:
        case Host:
        case ColumnCount:
            break;
    }
    return display(row, column);
}

QVariant ClientModel::decoration(int row, int column) const {
    if (column == Client)
        return clientIcon(m_colors.of(at(row).id));
    if (column != DiagnosisColumn || !isFaulty(at(row)))
        return {};
    const monitor::Severity severity = monitor::severityOf(at(row).diagnoses.first().kind());
    return icon(diagnosisIcon(severity), diagnosisTone(severity));
}

QString ClientModel::help(int column) const {
    return columnHelp(static_cast<Column>(column));
}

QString ClientModel::title(int column) const {
    switch (static_cast<Column>(column)) {
        case Client:
            return tr("Client");
        case Host:
            return tr("Address");
        case Held:
            return tr("Holds");
        case Queues:
            return tr("Queues");
        case LastSign:
            return tr("Last sign of life");
        case Renewals:
            return tr("Renewals/s");
        case Watchdog:
            return tr("Watchdog");
        case Losses:
            return tr("Losses");
        case FirstSeen:
            return tr("First seen");
        case Dump:
            return tr("Thread dump");
        case DiagnosisColumn:
            return tr("Diagnosis");
        case ColumnCount:
            break;
    }
    return {};
}

QString columnHelp(ClientModel::Column column) {
    switch (column) {
        case ClientModel::Client:
            return ClientModel::tr(
                "Your name for the client, or the UUID that its instance of Redisson created at its start. A restart makes "
                "another one.");
        case ClientModel::Host:
            return ClientModel::tr(
                "Where the client is connected from, if it was found out: \"perhaps\" is a guess. Nothing looks for it "
                "unasked.");
        case ClientModel::Held:
            return ClientModel::tr("Locks that it holds, whichever of its threads does.");
        case ClientModel::Queues:
            return ClientModel::tr("Fair locks in whose queues it is. Who waits for other locks is written nowhere.");
        case ClientModel::LastSign:
            return ClientModel::tr(
                "What the client itself was last seen to do. A release does not count: an operator may have done it. An "
                "open subscription does not either: a frozen process keeps it.");
        case ClientModel::Renewals:
            return ClientModel::tr("Renewals by its watchdog a second, over the last 10 seconds or more.");
        case ClientModel::Watchdog:
            return ClientModel::tr(
                "The lease that its watchdog sets, as learned from its renewals: lockWatchdogTimeout of its configuration.");
        case ClientModel::Losses:
            return ClientModel::tr("Locks that expired while it held them, since it is known.");
        case ClientModel::FirstSeen:
            return ClientModel::tr("When a lock or a queue first showed it here; it may be older.");
        case ClientModel::Dump:
            return ClientModel::tr(
                "When the newest thread dump of its JVM was taken that was read here; \"perhaps\" if little shows that the "
                "dump is of this client.");
        case ClientModel::DiagnosisColumn:
            return ClientModel::tr(
                "What is wrong with the client as a whole. What is wrong with one lock is in the table "
                "of locks.");
        case ClientModel::ColumnCount:
            break;
    }
    return {};
}

}  // namespace lockkeeper::ui

#include "moc_clientmodel.cpp"
