// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ids.h"
#include "lockkeeper_monitor_export.h"

#include <QByteArray>

namespace lockkeeper::recording {

// Replaces names and ids by words that reveal nothing about them. One Mask gives the same original the same word. The
// words cannot be computed without the key, which is random and never stored.
class LOCKKEEPER_MONITOR_EXPORT Mask {
public:
    Mask();

    [[nodiscard]] QByteArray name(const QByteArray& original) const;
    // The word has the form of a UUID, as clients' ids have.
    [[nodiscard]] QByteArray client(const QByteArray& original) const;
    [[nodiscard]] QByteArray id(const QByteArray& original) const;
    // original: "host:port". The port stays.
    [[nodiscard]] QByteArray address(const QByteArray& original) const;
    // original: any bytes. Ids of clients in it are replaced as by client(); the other bytes stay.
    [[nodiscard]] QByteArray content(const QByteArray& original) const;

private:
    [[nodiscard]] QByteArray word(const char* kind, const QByteArray& original) const;

    QByteArray m_key;
};

}  // namespace lockkeeper::recording
