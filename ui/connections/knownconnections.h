// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "profile/profileexchange.h"
#include "profile/profilestore.h"
#include "session/connectionstatus.h"

#include <QHash>
#include <QObject>
#include <QStringList>

class QSettings;

namespace lockkeeper::ui {

// The connections that the user has saved, and the servers connected to before. Older versions kept those servers in
// the settings, before there was a file of profiles: they are moved from there.
class KnownConnections final : public QObject {
    Q_OBJECT
public:
    static constexpr qsizetype mostListed = 10;  // of the recent ones

    // All outlive it.
    KnownConnections(QSettings& settings, profile::ProfileStore& profiles, const Clock& clock,
                     QObject* parent = nullptr);

    // In the user's order.
    [[nodiscard]] QList<profile::StoredProfile> saved();
    // The groups of the saved connections, in the order of their first members.
    [[nodiscard]] QStringList groups();
    // The last one first.
    [[nodiscard]] QList<profile::StoredProfile> recent();
    // The URLs of recent(), as ConnectionProfile::urlWithoutPassword() returns them.
    [[nodiscard]] QStringList recentUrls();
    // The saved connection with this id.
    [[nodiscard]] std::optional<profile::StoredProfile> find(const profile::ProfileId& id);
    // Whether another saved connection has this name.
    [[nodiscard]] bool isNameTaken(const QString& name, const profile::ProfileId& id);

    // Notes that a connection with this profile was made now.
    void add(const profile::ConnectionProfile& profile);
    // Saves a new connection, or replaces the one with its id. False if it could not be written.
    [[nodiscard]] bool save(const profile::StoredProfile& stored);
    void remove(const profile::ProfileId& id);
    // Moves a saved connection into this group: before that one, or behind the last one of the group.
    void move(const profile::ProfileId& id, const QString& group, const std::optional<profile::ProfileId>& before);
    // The phases of the connections that are open in a tab.
    void setPhases(const QHash<profile::ProfileId, ConnectionPhase>& phases);
    [[nodiscard]] const QHash<profile::ProfileId, ConnectionPhase>& phases() const noexcept { return m_phases; }
    // Nothing if they could not be written.
    [[nodiscard]] std::optional<profile::ProfileMerge> import(const QList<profile::StoredProfile>& imported,
                                                              profile::SameId sameId);

Q_SIGNALS:
    void changed();
    void phasesChanged();
    // The file could not be read or written.
    void failed(const lockkeeper::Error& error);

private:
    [[nodiscard]] QList<profile::StoredProfile> load();
    [[nodiscard]] QList<profile::StoredProfile> all();
    void moveFromSettings(QList<profile::StoredProfile>& known);
    [[nodiscard]] bool report(const Result<Done>& result);

    QSettings& m_settings;
    profile::ProfileStore& m_profiles;
    const Clock& m_clock;
    QHash<profile::ProfileId, ConnectionPhase> m_phases;
};

}  // namespace lockkeeper::ui
