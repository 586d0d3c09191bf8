// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_monitor_export.h"

#include <QByteArray>

#include <optional>

namespace lockkeeper::monitor {

// Reads the output of the server's sdscatrepr(), which redis-cli writes, too: quoted strings, separated by one space.
class LOCKKEEPER_MONITOR_EXPORT QuotedStrings {
public:
    // text: must outlive it.
    explicit QuotedStrings(QByteArrayView text) : m_text(text) {}

    // The next complete string; nothing at the end, or if something else follows.
    [[nodiscard]] std::optional<QByteArray> next();
    // Whether the last string was read, and nothing follows.
    [[nodiscard]] bool isAtEnd() const noexcept { return m_at >= m_text.size() && !m_isCut; }

private:
    [[nodiscard]] char takeByte();
    [[nodiscard]] char takeEscaped();
    [[nodiscard]] char takeHex();

    QByteArrayView m_text;
    qsizetype m_at = 0;
    bool m_isCut = false;
};

}  // namespace lockkeeper::monitor
