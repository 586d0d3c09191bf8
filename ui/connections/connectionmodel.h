// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/storedprofile.h"
#include "session/connectionstatus.h"

#include <QAbstractListModel>
#include <QHash>
#include <QList>

namespace lockkeeper::ui {

// The rows of the start page: saved connections by group, then recent ones; a heading before each. A heading cannot be
// selected.
class ConnectionModel final : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;

    // now: for the time of the last use.
    void setConnections(const QList<profile::StoredProfile>& saved, const QList<profile::StoredProfile>& recent,
                        WallTime now);
    // Null for a heading.
    [[nodiscard]] const profile::StoredProfile* connection(const QModelIndex& index) const;
    // The first row of a connection with that id; invalid if there is none.
    [[nodiscard]] QModelIndex indexOf(const profile::ProfileId& id) const;
    [[nodiscard]] QModelIndex firstConnection() const;
    [[nodiscard]] QString lastUseText(const profile::StoredProfile& stored) const;
    // The phases of the connections that are open in a tab.
    void setPhases(const QHash<profile::ProfileId, ConnectionPhase>& phases);
    [[nodiscard]] static QString openText(ConnectionPhase phase);
    [[nodiscard]] std::optional<ConnectionPhase> phase(const profile::StoredProfile& stored) const;
    // To be called after a change of language: the headings are translated.
    void retranslate();

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    // Emits moveWanted() for one saved connection, which may also go to another group. The rows change when the
    // connections are set again.
    bool moveRows(const QModelIndex& sourceParent, int sourceRow, int count, const QModelIndex& destinationParent,
                  int destinationChild) override;

Q_SIGNALS:
    // before: the connection of that group to stand before; nothing: the end of the group.
    void moveWanted(const lockkeeper::profile::ProfileId& id, const QString& group,
                    const std::optional<lockkeeper::profile::ProfileId>& before);

private:
    enum class Section { Saved, Recent };
    struct Row {
        std::optional<profile::StoredProfile> connection;
        Section section = Section::Saved;
        QString group;  // of a heading
    };

    [[nodiscard]] QString headingText(const Row& row) const;
    [[nodiscard]] QString accessibleText(const profile::StoredProfile& stored) const;
    void addSection(Section section, const QString& group, const QList<profile::StoredProfile>& connections);

    QList<Row> m_rows;
    QHash<profile::ProfileId, ConnectionPhase> m_phases;
    WallTime m_now{};
};

}  // namespace lockkeeper::ui
