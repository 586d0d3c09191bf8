// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/words/holderaliases.h"

#include <QObject>

namespace lockkeeper::ui {

// The user's names for clients, which all sessions share. Thread: the GUI's.
class ClientNames final : public QObject {
    Q_OBJECT
public:
    // settings: outlives it, and keeps each change at once. What is no name there is removed, see storedvalues.h.
    explicit ClientNames(QSettings& settings, QObject* parent = nullptr);

    // Without the hosts, which are found in each session.
    [[nodiscard]] const HolderAliases& aliases() const noexcept { return m_aliases; }
    // An empty alias removes it.
    void set(const ClientId& client, const QString& alias);

Q_SIGNALS:
    void changed();

private:
    QSettings& m_settings;
    HolderAliases m_aliases;
};

}  // namespace lockkeeper::ui
