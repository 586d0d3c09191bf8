// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHashFunctions>
#include <QMetaType>
#include <QString>

namespace lockkeeper::profile {

// Identifies a connection of the user even if its address changes. The history, the seen names and the secrets of the
// connection are stored under it. Empty if nothing is stored (the demo).
class ProfileId {
public:
    ProfileId() = default;
    explicit ProfileId(QString text) : m_text(std::move(text)) {}

    [[nodiscard]] const QString& text() const noexcept { return m_text; }
    [[nodiscard]] bool isEmpty() const noexcept { return m_text.isEmpty(); }

    friend bool operator==(const ProfileId&, const ProfileId&) = default;
    friend auto operator<=>(const ProfileId& a, const ProfileId& b) noexcept {
        return a.m_text.compare(b.m_text) <=> 0;
    }
    friend size_t qHash(const ProfileId& id, size_t seed = 0) noexcept { return qHash(id.m_text, seed); }

private:
    QString m_text;
};

}  // namespace lockkeeper::profile

Q_DECLARE_METATYPE(lockkeeper::profile::ProfileId)
