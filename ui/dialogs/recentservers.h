// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "profile/profilestore.h"

#include <QObject>
#include <QStringList>

class QSettings;

namespace lockkeeper::ui {

// The servers connected to before, the last one first. Versions before profiles had a file kept them in the settings:
// they are moved from there.
class RecentServers final : public QObject {
    Q_OBJECT
public:
    static constexpr qsizetype mostListed = 10;

    // All outlive it.
    RecentServers(QSettings& settings, profile::ProfileStore& profiles, const Clock& clock, QObject* parent = nullptr);

    // As ConnectionProfile::urlWithoutPassword() returns them.
    [[nodiscard]] QStringList urls();
    void add(const profile::ConnectionProfile& profile);

Q_SIGNALS:
    // The file could not be read or written.
    void failed(const lockkeeper::Error& error);

private:
    [[nodiscard]] QList<profile::StoredProfile> load();
    void moveFromSettings(QList<profile::StoredProfile>& known);
    [[nodiscard]] bool report(const Result<Done>& result);

    QSettings& m_settings;
    profile::ProfileStore& m_profiles;
    const Clock& m_clock;
};

}  // namespace lockkeeper::ui
