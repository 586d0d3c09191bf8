// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/events/audit/auditentry.h"

#include <QAbstractTableModel>

namespace lockkeeper::ui {

// A row for each action of the audit that was chosen, the newest first. Thread: the GUI's.
class AuditModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Time, Operator, Server, Lock, Action, Outcome, Reason, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setEntries(std::vector<AuditEntry> entries);
    // Shown instead of UUIDs.
    void setAliases(const HolderAliases& aliases);
    [[nodiscard]] const HolderAliases& aliases() const noexcept { return m_aliases; }
    // now: the end of the span.
    void choose(const AuditChoice& choice, WallTime now);
    // To be called after a change of language.
    void retranslate();

    [[nodiscard]] const AuditEntry& entryAt(int row) const { return m_all[m_shown[static_cast<size_t>(row)]]; }
    [[nodiscard]] std::vector<AuditEntry> shown() const;
    // All entries, whether shown or not.
    [[nodiscard]] qsizetype entryCount() const { return static_cast<qsizetype>(m_all.size()); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    void filter();
    [[nodiscard]] QString display(const AuditEntry& entry, int column) const;

    std::vector<AuditEntry> m_all;
    std::vector<size_t> m_shown;
    AuditChoice m_choice;
    HolderAliases m_aliases;
    WallTime m_now{};
};

}  // namespace lockkeeper::ui
