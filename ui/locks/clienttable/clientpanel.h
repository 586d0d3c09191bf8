// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/base/tablepanel.h"
#include "ui/locks/clienttable/clientmodel.h"

class QLineEdit;

namespace lockkeeper::ui {

// The table of the clients, with its filter and what can be done with the selected one.
class ClientPanel final : public TablePanel {
    Q_OBJECT
public:
    // time and colors outlive the panel.
    ClientPanel(const ViewTime& time, const ClientColors& colors, QWidget* parent = nullptr);

    // To be called after the colors have noted the batch.
    void apply(const monitor::MonitorBatch& batch);
    void clear();
    void setKnowledge(const HolderKnowledge& knowledge);
    // Selects the client, and brings it into sight, by taking the filter away if need be. Does nothing if it is not
    // known.
    void reveal(const ClientId& client);
    // The selected client; null if none is.
    [[nodiscard]] const monitor::ClientRow* current() const;

Q_SIGNALS:
    // The table is to show the locks that this client holds or queues for.
    void locksWanted(const lockkeeper::ClientId& client);
    void identityWanted(const lockkeeper::ClientId& client);
    void dumpWanted(const lockkeeper::ClientId& client);
    void aliasWanted(const lockkeeper::ClientId& client);
    // Its places in queues are to be removed.
    void removalWanted(const lockkeeper::ClientId& client);

protected:
    void widenColumns() override;
    [[nodiscard]] QString accessibleTitle() const override;
    [[nodiscard]] QString help() const override;
    [[nodiscard]] QString emptyText() const override;
    [[nodiscard]] Message note() const override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using ClientSignal = void (ClientPanel::*)(const ClientId&);

    void makeFilter();
    [[nodiscard]] QAction* makeAction(const QString& objectName, ClientSignal wanted);
    void retranslate();
    void showRows();
    void refreshActions();

    const ViewTime& m_time;
    ClientModel m_model;
    QLineEdit* m_filter;
    QAction* m_locks;
    QAction* m_identity;
    QAction* m_dump;
    QAction* m_alias;
    QAction* m_remove;
};

}  // namespace lockkeeper::ui
