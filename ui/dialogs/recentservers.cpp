// SPDX-License-Identifier: Apache-2.0
#include "ui/dialogs/recentservers.h"

#include <QSettings>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

const auto formerSettingsKey = QStringLiteral("connection/recent");

bool hasProfile(const QList<profile::StoredProfile>& all, const profile::ProfileId& id) {
    return std::any_of(all.begin(), all.end(),
                       [&id](const profile::StoredProfile& one) { return one.profile.id == id; });
}

}  // namespace

RecentServers::RecentServers(QSettings& settings, profile::ProfileStore& profiles, const Clock& clock, QObject* parent)
    : QObject(parent), m_settings(settings), m_profiles(profiles), m_clock(clock) {}

QStringList RecentServers::urls() {
    QList<profile::StoredProfile> known = load();
    if (m_settings.contains(formerSettingsKey))
        moveFromSettings(known);
    QStringList urls;
    for (const profile::StoredProfile& stored : known)
        urls += stored.profile.urlWithoutPassword();
    return urls.mid(0, mostListed);
}

void RecentServers::add(const profile::ConnectionProfile& profile) {
    const Result<Done> remembered = m_profiles.remember(profile, m_clock.wallNow());
    // After a failure, the file may have been renamed: then the second attempt works.
    if (!report(remembered))
        (void)m_profiles.remember(profile, m_clock.wallNow());
}

// As in add().
QList<profile::StoredProfile> RecentServers::load() {
    Result<QList<profile::StoredProfile>> known = m_profiles.load();
    if (!known) {
        Q_EMIT failed(known.error());
        known = m_profiles.load();
    }
    return known ? *known : QList<profile::StoredProfile>();
}

void RecentServers::moveFromSettings(QList<profile::StoredProfile>& known) {
    for (const QString& url : m_settings.value(formerSettingsKey).toStringList()) {
        const Result<profile::ConnectionProfile> profile = profile::ConnectionProfile::fromUrl(url);
        if (!profile || hasProfile(known, profile->id))
            continue;
        known.emplaceBack();
        known.back().profile = *profile;
    }
    if (report(m_profiles.save(known)))
        m_settings.remove(formerSettingsKey);
}

bool RecentServers::report(const Result<Done>& result) {
    if (!result)
        Q_EMIT failed(result.error());
    return result.ok();
}

}  // namespace lockkeeper::ui

#include "moc_recentservers.cpp"
