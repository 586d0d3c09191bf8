// SPDX-License-Identifier: Apache-2.0
#include "ui/events/audit/auditmodel.h"

#include "ui/base/helptip.h"
#include "ui/base/tonecolors.h"
#include "ui/words/audittext.h"
#include "ui/words/locktext.h"
#include "ui/words/utctext.h"

#include <QGuiApplication>

namespace lockkeeper::ui {

void AuditModel::setEntries(std::vector<AuditEntry> entries) {
    m_all = std::move(entries);
    filter();
}

void AuditModel::setAliases(const HolderAliases& aliases) {
    m_aliases = aliases;
    if (!m_all.empty())
        filter();
}

void AuditModel::choose(const AuditChoice& choice, WallTime now) {
    m_choice = choice;
    m_now = now;
    filter();
}

void AuditModel::filter() {
    beginResetModel();
    m_shown.clear();
    for (size_t i = 0; i < m_all.size(); ++i) {
        if (passes(m_all[i], m_choice, m_now, m_aliases))
            m_shown.push_back(i);
    }
    endResetModel();
}

void AuditModel::retranslate() {
    filter();
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

std::vector<AuditEntry> AuditModel::shown() const {
    std::vector<AuditEntry> entries;
    entries.reserve(m_shown.size());
    for (const size_t place : m_shown)
        entries.push_back(m_all[place]);
    return entries;
}

int AuditModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int AuditModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString AuditModel::display(const AuditEntry& entry, int column) const {
    const control::AuditRecord& record = entry.record;
    switch (static_cast<Column>(column)) {
        case Time:
            return utcText(record.at);
        case Operator:
            return operatorText(record);
        case Server:
            return record.place.profile.isEmpty() ? record.place.server : record.place.profile;
        case Lock:
            return plainName(record.lock);
        case Action:
            return actionText(record, m_aliases);
        case Outcome:
            return outcomeText(record, outcomeOf(entry));
        case Reason:
            return record.reason;
        case ColumnCount:
            break;
    }
    return {};
}

QVariant AuditModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const AuditEntry& entry = entryAt(index.row());
    if (role == Qt::DisplayRole)
        return display(entry, index.column());
    if (role == Qt::ToolTipRole)
        return helpTip(display(entry, index.column()));
    if (role == Qt::ForegroundRole && index.column() == Outcome)
        return toneColor(QGuiApplication::palette(), outcomeTone(outcomeOf(entry)));
    return {};
}

QVariant AuditModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (static_cast<Column>(section)) {
        case Time:
            return tr("Time (UTC)");
        case Operator:
            return tr("Operator");
        case Server:
            return tr("Connection");
        case Lock:
            return tr("Lock");
        case Action:
            return tr("Action");
        case Outcome:
            return tr("Outcome");
        case Reason:
            return tr("Reason");
        case ColumnCount:
            break;
    }
    return {};
}

}  // namespace lockkeeper::ui

#include "moc_auditmodel.cpp"
