// SPDX-License-Identifier: Apache-2.0
#include "ui/settings/discoverydefaults.h"

#include <QSettings>
#include <QStringList>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

const auto shareKey = QStringLiteral("discovery/share");
const auto matchesKey = QStringLiteral("discovery/matches");
const auto prefixesKey = QStringLiteral("discovery/prefixes");

QByteArrayList listIn(const QSettings& settings, const QString& key) {
    QByteArrayList list;
    for (const QString& text : settings.value(key).toStringList()) {
        if (!text.isEmpty())
            list << text.toUtf8();
    }
    return list;
}

QStringList textsOf(const QByteArrayList& list) {
    QStringList texts;
    for (const QByteArray& bytes : list)
        texts << QString::fromUtf8(bytes);
    return texts;
}

}  // namespace

profile::DiscoverySettings discoveryDefaults(const QSettings& settings) {
    profile::DiscoverySettings defaults;
    defaults.serverShare = std::clamp(settings.value(shareKey, defaults.serverShare).toInt(), 1, 100);
    defaults.matches = listIn(settings, matchesKey);
    defaults.prefixes = listIn(settings, prefixesKey);
    return defaults;
}

void setDiscoveryDefaults(QSettings& settings, const profile::DiscoverySettings& defaults) {
    settings.setValue(shareKey, defaults.serverShare);
    settings.setValue(matchesKey, textsOf(defaults.matches));
    settings.setValue(prefixesKey, textsOf(defaults.prefixes));
}

profile::ConnectionProfile withDefaults(const profile::ConnectionProfile& profile,
                                        const profile::DiscoverySettings& defaults) {
    const profile::DiscoverySettings unsaid;
    profile::ConnectionProfile complete = profile;
    profile::DiscoverySettings& discovery = complete.discovery;
    if (discovery.serverShare == unsaid.serverShare)
        discovery.serverShare = defaults.serverShare;
    if (discovery.matches.isEmpty())
        discovery.matches = defaults.matches;
    if (discovery.prefixes.isEmpty())
        discovery.prefixes = defaults.prefixes;
    return complete;
}

}  // namespace lockkeeper::ui
