// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/knownconnections.h"

#include "ui/base/storedvalues.h"

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

KnownConnections::KnownConnections(QSettings& settings, profile::ProfileStore& profiles, const Clock& clock,
                                   QObject* parent)
    : QObject(parent), m_settings(settings), m_profiles(profiles), m_clock(clock) {}

QList<profile::StoredProfile> KnownConnections::saved() {
    QList<profile::StoredProfile> saved = all();
    saved.removeIf([](const profile::StoredProfile& one) { return !one.isSaved(); });
    return saved;
}

QStringList KnownConnections::groups() {
    QStringList groups;
    for (const profile::StoredProfile& stored : saved()) {
        if (!stored.group.isEmpty() && !groups.contains(stored.group))
            groups << stored.group;
    }
    return groups;
}

QList<profile::StoredProfile> KnownConnections::recent() {
    QList<profile::StoredProfile> recent = all();
    recent.removeIf([](const profile::StoredProfile& one) { return one.isSaved(); });
    return recent.mid(0, mostListed);
}

QStringList KnownConnections::recentUrls() {
    QStringList urls;
    for (const profile::StoredProfile& stored : recent())
        urls += stored.profile.urlWithoutPassword();
    return urls;
}

std::optional<profile::StoredProfile> KnownConnections::find(const profile::ProfileId& id) {
    for (const profile::StoredProfile& stored : saved()) {
        if (stored.profile.id == id)
            return stored;
    }
    return std::nullopt;
}

bool KnownConnections::isNameTaken(const QString& name, const profile::ProfileId& id) {
    return std::ranges::any_of(
        saved(), [&](const profile::StoredProfile& one) { return one.label.name == name && one.profile.id != id; });
}

// A failed attempt may have renamed the file: then the second one works.
void KnownConnections::add(const profile::ConnectionProfile& profile) {
    if (!report(m_profiles.remember(profile, m_clock.wallNow())))
        (void)m_profiles.remember(profile, m_clock.wallNow());
    Q_EMIT changed();
}

// Two attempts, as in add().
bool KnownConnections::save(const profile::StoredProfile& stored) {
    const bool done = report(m_profiles.keep(stored)) || m_profiles.keep(stored).ok();
    Q_EMIT changed();
    return done;
}

void KnownConnections::remove(const profile::ProfileId& id) {
    (void)report(m_profiles.forget(id));
    Q_EMIT changed();
}

void KnownConnections::move(const profile::ProfileId& id, const QString& group,
                            const std::optional<profile::ProfileId>& before) {
    QList<profile::StoredProfile> known = all();
    const auto moved =
        std::ranges::find_if(known, [&](const profile::StoredProfile& one) { return one.profile.id == id; });
    if (moved == known.end() || !moved->isSaved() || before == id)
        return;
    profile::StoredProfile stored = *moved;
    stored.group = group;
    known.erase(moved);
    qsizetype place = known.size();
    for (qsizetype i = 0; i < known.size(); ++i) {
        if (before == known.at(i).profile.id) {
            place = i;
            break;
        }
        if (known.at(i).isSaved() && known.at(i).group == group)
            place = i + 1;
    }
    known.insert(place, stored);
    (void)report(m_profiles.save(known));
    Q_EMIT changed();
}

void KnownConnections::setPhases(const QHash<profile::ProfileId, ConnectionPhase>& phases) {
    if (phases == m_phases)
        return;
    m_phases = phases;
    Q_EMIT phasesChanged();
}

std::optional<profile::ProfileMerge> KnownConnections::import(const QList<profile::StoredProfile>& imported,
                                                              profile::SameId sameId) {
    const profile::ProfileMerge merge = profile::mergedProfiles(all(), imported, sameId);
    const bool done = report(m_profiles.save(merge.profiles));
    Q_EMIT changed();
    return done ? std::optional(merge) : std::nullopt;
}

QList<profile::StoredProfile> KnownConnections::all() {
    QList<profile::StoredProfile> known = load();
    if (m_settings.contains(formerSettingsKey))
        moveFromSettings(known);
    return known;
}

// Two attempts, as in add().
QList<profile::StoredProfile> KnownConnections::load() {
    Result<QList<profile::StoredProfile>> known = m_profiles.load();
    if (!known) {
        Q_EMIT failed(known.error());
        known = m_profiles.load();
    }
    return known ? *known : QList<profile::StoredProfile>();
}

void KnownConnections::moveFromSettings(QList<profile::StoredProfile>& known) {
    constexpr qsizetype mostMoved = 1000;
    const QStringList urls = storedTexts(m_settings, formerSettingsKey, mostMoved, [](const QString& url) {
        return profile::ConnectionProfile::fromUrl(url).ok();
    });
    for (const QString& url : urls) {
        const Result<profile::ConnectionProfile> profile = profile::ConnectionProfile::fromUrl(url);
        if (!profile || hasProfile(known, profile->id))
            continue;
        known.emplaceBack();
        known.back().profile = *profile;
    }
    if (report(m_profiles.save(known)))
        m_settings.remove(formerSettingsKey);
}

bool KnownConnections::report(const Result<Done>& result) {
    if (!result)
        Q_EMIT failed(result.error());
    return result.ok();
}

}  // namespace lockkeeper::ui

#include "moc_knownconnections.cpp"
