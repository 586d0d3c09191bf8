// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "lockkeeper_monitor_export.h"

#include <QByteArray>

namespace lockkeeper::recording {

// Replaces names and ids by words that say nothing about them. The same original gets the same word, of one Mask;
// nobody can compute it without the key, which is random and never stored.
class LOCKKEEPER_MONITOR_EXPORT Mask {
public:
    Mask();

    [[nodiscard]] QByteArray name(const QByteArray& original) const;
    // Has the form of a UUID, as clients' ids have.
    [[nodiscard]] QByteArray client(const QByteArray& original) const;
    [[nodiscard]] QByteArray id(const QByteArray& original) const;
    // "host:port"; the port stays.
    [[nodiscard]] QByteArray address(const QByteArray& original) const;
    // Any bytes: the ids of clients in them get the words that they have from client(); the rest stays.
    [[nodiscard]] QByteArray content(const QByteArray& original) const;

private:
    [[nodiscard]] QByteArray word(const char* kind, const QByteArray& original) const;

    QByteArray m_key;
};

}  // namespace lockkeeper::recording
