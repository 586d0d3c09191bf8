// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

#include <QHash>
#include <QList>

class QSettings;

namespace lockkeeper::ui {

// What to show instead of clients' UUIDs, which nobody remembers: the user's own names, and for a client without one
// the host that was found for it. A value; the hosts are not saved.
class HolderAliases {
public:
    static constexpr qsizetype keptAtMost = 500;
    static constexpr qsizetype longest = 60;  // characters of one

    [[nodiscard]] static HolderAliases load(const QSettings& settings);
    void save(QSettings& settings) const;
    // Where they stand in the settings: a list of entries "UUID ALIAS", the oldest first.
    [[nodiscard]] static QString settingsKey();
    [[nodiscard]] static bool isEntry(const QString& text);

    // An empty alias removes it. Beyond keptAtMost the oldest one is removed.
    void set(const ClientId& client, const QString& alias);
    // Empty when it has none.
    [[nodiscard]] QString of(const ClientId& client) const { return m_aliases.value(client); }
    // The clients that have an alias, the oldest first.
    [[nodiscard]] const QList<ClientId>& clients() const noexcept { return m_oldestFirst; }
    [[nodiscard]] qsizetype count() const noexcept { return m_aliases.size(); }
    // "10.0.0.7", or "10.0.0.7?" for a guess; replaces all that were known.
    void setHosts(QHash<ClientId, QString> hosts) { m_hosts = std::move(hosts); }
    // "orders-a:33" where the client has an alias, "10.0.0.7/8f14e45f:33" where only its host is known, since a host
    // may run several clients; otherwise the id as Redisson writes it.
    [[nodiscard]] QString display(const HolderId& holder) const;
    // display(), with the id as it is behind an alias, where holders must not be confused.
    [[nodiscard]] QString fullDisplay(const HolderId& holder) const;
    [[nodiscard]] QString fullDisplay(const ClientId& client) const;

    friend bool operator==(const HolderAliases&, const HolderAliases&) = default;

private:
    [[nodiscard]] QString withAlias(const ClientId& client, const QString& id) const;

    QHash<ClientId, QString> m_aliases;
    QHash<ClientId, QString> m_hosts;
    QList<ClientId> m_oldestFirst;
};

}  // namespace lockkeeper::ui
