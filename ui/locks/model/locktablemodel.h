// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/locks/model/arrangedrows.h"
#include "ui/locks/model/ownholds.h"
#include "ui/locks/model/rowsbyname.h"
#include "ui/words/locktext.h"
#include "ui/words/programnames.h"
#include "ui/words/viewtime.h"

#include <QAbstractTableModel>
#include <QIcon>

#include <algorithm>
#include <optional>
#include <vector>

namespace lockkeeper::ui {

class ClientColors;

// The texts of a row that a filter searches.
enum class SearchedPart { All, Name, Kind, State, Holders, Clients, Diagnoses, Node, Internal };

// One row for each known lock, the newest last. Thread: the GUI's.
class LockTableModel final : public ArrangedRows<QAbstractTableModel> {
    Q_OBJECT
public:
    enum Column {
        State,
        Name,
        DiagnosisColumn,
        Kind,
        HolderColumn,
        Count,
        Ttl,
        HeldSince,
        Renewals,
        Waiters,
        WaitingSinceColumn,
        Rate,
        NodeColumn,
        ColumnCount
    };
    enum Role {
        SortRole = Qt::UserRole,  // see sortValueOf()
        TtlBarRole,               // column Ttl: TtlBar
        IdleRole,                 // any column: bool, whether it is free and nobody waits for it
        ShortRole,                // columns State, HolderColumn and Ttl: the text for a narrow cell; empty for none
        FaultRole                 // any column: bool, whether a diagnosis is more than information
    };

    // time: outlives the model.
    explicit LockTableModel(const ViewTime& time, QObject* parent = nullptr);

    // Reports changed neighbours with one signal, however many rows the batch has.
    void apply(const monitor::MonitorBatch& batch);
    void clear();
    // A row of one of them has the begin of its hold, which the console knows where no read has seen it.
    void setOwnLocks(const QList<control::OwnLock>& locks);
    // Shown instead of UUIDs; the tool tip has the id itself.
    void setAliases(const HolderAliases& aliases);
    [[nodiscard]] const HolderAliases& aliases() const noexcept { return m_aliases; }
    // Shown in place of the keys; the tool tip has the key.
    void setNames(const ProgramNames& names);
    [[nodiscard]] const ProgramNames& names() const noexcept { return m_names; }
    // Mark the holder's client; outlive the model.
    void setClientColors(const ClientColors& colors) { m_colors = &colors; }
    // Empty without colors.
    [[nodiscard]] QIcon swatchOf(const ClientId& client) const;
    // The connection, or that to a node, was lost or is back: rows are old or live now.
    void refreshAll();
    // To be called after a change of language: texts are made when they are asked for.
    void retranslate();

    // Valid until the next change; nothing when there is no such lock. O(1).
    [[nodiscard]] const monitor::LockRow* find(const LockName& name) const;
    [[nodiscard]] QModelIndex indexOf(const LockName& name) const;
    [[nodiscard]] const monitor::LockRow& rowAt(int row) const { return *m_rows[static_cast<size_t>(row)].row; }
    [[nodiscard]] monitor::SharedRow sharedRowAt(int row) const { return m_rows[static_cast<size_t>(row)].row; }
    // For what orders or passes many rows: these three are in one place in memory, the rows are not.
    [[nodiscard]] const LockName& nameAt(int row) const { return m_rows[static_cast<size_t>(row)].name; }
    [[nodiscard]] int urgencyAt(int row) const { return m_rows[static_cast<size_t>(row)].urgency; }
    // Which one it was of all locks that ever came to the table: the highest is in the last row. A lock that comes back
    // has another one.
    enum class Arrival : quint64 {};
    [[nodiscard]] Arrival arrivalAt(int row) const { return m_rows[static_cast<size_t>(row)].arrival; }
    // Nothing if that lock has gone. Not to be asked while rows are being removed: they may stand at the end then.
    [[nodiscard]] std::optional<int> rowOf(Arrival arrival) const {
        const auto found = std::ranges::lower_bound(m_rows, arrival, {}, &Entry::arrival);
        const bool isHere = found != m_rows.end() && found->arrival == arrival;
        return isHere ? std::optional(static_cast<int>(found - m_rows.begin())) : std::nullopt;
    }
    [[nodiscard]] Ownership ownership(const LockName& name) const;
    [[nodiscard]] OwnLease ownLease(const LockName& name) const { return m_own.lease(name); }
    [[nodiscard]] QString searchedText(int row, SearchedPart part) const;
    // Now, or when its server or node last answered.
    [[nodiscard]] SteadyTime momentOf(int row) const;
    // Its server and its node answer, and somebody reads it.
    [[nodiscard]] bool isLive(int row) const { return timeOf(rowAt(row)).isLive() && !rowAt(row).isUnread; }

    // All that are not live, because their server or node does not answer.
    [[nodiscard]] std::vector<monitor::LockSnapshot> oldLocks() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    // All that a batch has changed, in no order and each once; before dataChanged(), which has blocks of them.
    void rowsChanged(const std::vector<int>& rows);

private:
    struct Entry {
        Entry(const monitor::SharedRow& shown, Arrival arrival);

        monitor::SharedRow row;
        LockName name;
        int urgency;  // see urgencyOf()
        Arrival arrival;
    };

    void announce(std::vector<int> changed);
    void applyChanged(const std::vector<monitor::SharedRow>& changed);
    void append(std::vector<Entry> added);
    void permute(const std::vector<int>& order) override;
    void erase(RowRange range) override;
    void put(RowRange added, int before) override;
    void reindexFrom(int row);

    [[nodiscard]] const ViewTime& timeOf(const monitor::LockRow& row) const { return m_time.of(row.lock); }
    [[nodiscard]] QString display(const monitor::LockRow& row, Column column) const;
    [[nodiscard]] QString shortDisplay(const monitor::LockRow& row, Column column) const;
    [[nodiscard]] QString stateDisplay(const monitor::LockRow& row) const;
    [[nodiscard]] QString renewalsDisplay(const monitor::LockRow& row) const;
    [[nodiscard]] QString heldSinceTip(const monitor::LockRow& row) const;
    [[nodiscard]] QString toolTip(const monitor::LockRow& row, Column column) const;
    [[nodiscard]] QString waitingToolTip(const monitor::LockRow& row) const;
    [[nodiscard]] QString accessibleText(const monitor::LockRow& row, Column column) const;
    [[nodiscard]] QString explanation(const monitor::LockRow& row, Column column) const;
    [[nodiscard]] QVariant stateDecoration(const monitor::LockRow& row) const;
    [[nodiscard]] QVariant decoration(const monitor::LockRow& row, Column column) const;
    [[nodiscard]] QVariant holderDecoration(const monitor::LockRow& row) const;
    [[nodiscard]] QVariant diagnosisDecoration(const monitor::LockRow& row) const;
    [[nodiscard]] QVariant font(const monitor::LockRow& row, Column column) const;

    const ViewTime& m_time;
    std::vector<Entry> m_rows;   // in the order of their arrival
    std::vector<Entry> m_added;  // while they are inserted
    quint64 m_arrivals = 0;
    RowsByName m_rowOf;
    OwnHolds m_own;
    HolderAliases m_aliases;
    ProgramNames m_names;
    const ClientColors* m_colors = nullptr;
};

}  // namespace lockkeeper::ui
