// SPDX-License-Identifier: Apache-2.0
#include "ui/connections/discoverydefaults.h"

#include "ui/base/storedvalues.h"

#include <QSettings>
#include <QStringList>

namespace lockkeeper::ui {

namespace {

const auto shareKey = QStringLiteral("discovery/share");
const auto matchesKey = QStringLiteral("discovery/matches");
const auto prefixesKey = QStringLiteral("discovery/prefixes");

QByteArrayList listIn(QSettings& settings, const QString& key) {
    constexpr qsizetype most = 1000;
    QByteArrayList list;
    for (const QString& text : storedTexts(settings, key, most, [](const QString& text) { return !text.isEmpty(); }))
        list << text.toUtf8();
    return list;
}

QStringList textsOf(const QByteArrayList& list) {
    QStringList texts;
    for (const QByteArray& bytes : list)
        texts << QString::fromUtf8(bytes);
    return texts;
}

}  // namespace

profile::DiscoverySettings discoveryDefaults(QSettings& settings) {
    profile::DiscoverySettings defaults;
    defaults.serverShare = static_cast<int>(storedNumber(settings, shareKey, 1, 100).value_or(defaults.serverShare));
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
