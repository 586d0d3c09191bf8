// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockrow.h"
#include "profile/profileid.h"

#include <QHash>

#include <vector>

class QSettings;

namespace lockkeeper::ui {

// The names of the locks that were held on a server, kept in the settings, so that the next session reads them
// first. Bounded: the newest names of the servers that were used last.
class NameMemory {
public:
    static constexpr qsizetype mostNames = 2000;
    static constexpr qsizetype mostServers = 10;
    static constexpr qsizetype longestName = 1000;  // bytes

    // The settings outlive this.
    explicit NameMemory(QSettings& settings) : m_settings(settings) {}

    // Starts recording the names of this profile and returns its remembered ones, newest first. Saves those of the
    // profile before. formerName: the address, under which names were kept before profiles had ids; they become the
    // profile's.
    QList<LockName> open(const profile::ProfileId& profile, const QString& formerName);
    void close();
    // Rows of this profile's server; rows of any other profile than the open one come late and are ignored.
    void note(const profile::ProfileId& profile, const std::vector<monitor::SharedRow>& rows);
    void save();

private:
    void adopt(const QString& formerName);
    void load();
    [[nodiscard]] QList<LockName> newestFirst() const;
    void forgetOldServers();

    QSettings& m_settings;
    profile::ProfileId m_profile;        // empty: none is open
    QHash<LockName, quint64> m_notedAt;  // counted, not timed
    quint64 m_count = 0;
};

}  // namespace lockkeeper::ui
