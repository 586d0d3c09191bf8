// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QHashFunctions>
#include <QMetaType>
#include <QString>

namespace lockkeeper::profile {

// What a connection of the user's is known by, whatever its address becomes: its history, the names seen there and its
// secrets are kept under it. Empty for what is not kept (the demo).
class ProfileId {
public:
    ProfileId() = default;
    explicit ProfileId(QString text) : m_text(std::move(text)) {}

    [[nodiscard]] const QString& text() const noexcept { return m_text; }
    [[nodiscard]] bool isEmpty() const noexcept { return m_text.isEmpty(); }

    friend bool operator==(const ProfileId&, const ProfileId&) = default;
    friend auto operator<=>(const ProfileId& a, const ProfileId& b) noexcept { return a.m_text.compare(b.m_text) <=> 0; }
    friend size_t qHash(const ProfileId& id, size_t seed = 0) noexcept { return qHash(id.m_text, seed); }

private:
    QString m_text;
};

}  // namespace lockkeeper::profile

Q_DECLARE_METATYPE(lockkeeper::profile::ProfileId)
