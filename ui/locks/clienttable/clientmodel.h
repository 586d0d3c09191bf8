// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/analyse/who/restarts.h"
#include "monitor/model/monitorbatch.h"
#include "ui/base/timedtablemodel.h"
#include "ui/locks/clients/holderknowledge.h"
#include "ui/locks/model/arrangedrows.h"

namespace lockkeeper::ui {

class ClientColors;

// The clients that are known, a row each, in the order in which they appeared. Thread: the GUI's.
class ClientModel final : public ArrangedRows<TimedTableModel> {
    Q_OBJECT
public:
    enum Column {
        Client,
        DiagnosisColumn,
        Held,
        Queues,
        LastSign,
        Renewals,
        Watchdog,
        Losses,
        Host,
        FirstSeen,
        Dump,
        ColumnCount
    };

    // time and colors outlive the model.
    ClientModel(const ViewTime& time, const ClientColors& colors, QObject* parent = nullptr);

    // Rows that stay keep their place in every view.
    void apply(const monitor::MonitorBatch& batch);
    void clear();
    void setKnowledge(const HolderKnowledge& knowledge);
    [[nodiscard]] const monitor::ClientRow& at(int row) const { return *m_rows[static_cast<size_t>(row)]; }
    // Invalid if the client is not known.
    [[nodiscard]] QModelIndex indexOf(const ClientId& client) const;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;

protected:
    [[nodiscard]] bool isNumber(int column) const override;
    [[nodiscard]] QString title(int column) const override;
    [[nodiscard]] QString help(int column) const override;
    [[nodiscard]] QString display(int row, int column) const override;
    [[nodiscard]] QString toolTip(int row, int column) const override;
    [[nodiscard]] QVariant sortValue(int row, int column) const override;
    [[nodiscard]] QVariant decoration(int row, int column) const override;
    void permute(const std::vector<int>& order) override;
    void erase(RowRange range) override;
    void put(RowRange added, int before) override;

private:
    [[nodiscard]] QString stateText(const monitor::ClientRow& client) const;
    void count(int from);
    void findRestarts();

    const ClientColors& m_colors;
    HolderKnowledge m_knowledge;
    std::vector<monitor::SharedClient> m_rows;
    std::vector<monitor::SharedClient> m_added;  // while they are inserted
    QHash<ClientId, int> m_rowOf;
    QHash<ClientId, ClientId> m_restarts;  // a client that is over, and the one that probably took its place
};

// What the column means.
[[nodiscard]] QString columnHelp(ClientModel::Column column);

}  // namespace lockkeeper::ui
