// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"

#include <QHash>
#include <QList>

class QSettings;

namespace lockkeeper::ui {

// The user's own names for clients, whose UUIDs nobody remembers. A value.
class HolderAliases {
public:
    static constexpr qsizetype keptAtMost = 500;
    static constexpr qsizetype longest = 60;  // characters of one

    [[nodiscard]] static HolderAliases load(const QSettings& settings);
    void save(QSettings& settings) const;

    // An empty alias removes it. Beyond keptAtMost the oldest one is removed.
    void set(const ClientId& client, const QString& alias);
    // Empty when it has none.
    [[nodiscard]] QString of(const ClientId& client) const { return m_aliases.value(client); }
    [[nodiscard]] qsizetype count() const noexcept { return m_aliases.size(); }
    // "orders-a:33" where the client has an alias, otherwise the id as Redisson writes it.
    [[nodiscard]] QString display(const HolderId& holder) const;
    // The same with the id as it is behind an alias, where holders must not be confused.
    [[nodiscard]] QString fullDisplay(const HolderId& holder) const;
    [[nodiscard]] QString fullDisplay(const ClientId& client) const;

    friend bool operator==(const HolderAliases&, const HolderAliases&) = default;

private:
    [[nodiscard]] QString withAlias(const ClientId& client, const QString& id) const;

    QHash<ClientId, QString> m_aliases;
    QList<ClientId> m_oldestFirst;
};

}  // namespace lockkeeper::ui
