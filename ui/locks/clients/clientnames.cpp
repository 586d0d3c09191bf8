// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/clients/clientnames.h"

#include "ui/base/storedvalues.h"

#include <QSettings>

namespace lockkeeper::ui {

ClientNames::ClientNames(QSettings& settings, QObject* parent) : QObject(parent), m_settings(settings) {
    (void)storedTexts(settings, HolderAliases::settingsKey(), HolderAliases::keptAtMost, HolderAliases::isEntry);
    m_aliases = HolderAliases::load(settings);
}

void ClientNames::set(const ClientId& client, const QString& alias) {
    // Another window of the user may have kept names since.
    m_settings.sync();
    m_aliases = HolderAliases::load(m_settings);
    m_aliases.set(client, alias);
    m_aliases.save(m_settings);
    Q_EMIT changed();
}

}  // namespace lockkeeper::ui

#include "moc_clientnames.cpp"
