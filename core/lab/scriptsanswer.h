// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace lockkeeper::lab {

// Recognizes the answer to a script, for a line that must lose it. One script at a time. A value.
class ScriptsAnswer {
public:
    // commands: whole commands that are sent.
    void noteSent(const QByteArray& commands) { m_isAwaited = m_isAwaited || isScript(commands); }
    [[nodiscard]] static bool isScript(const QByteArray& commands) { return commands.contains("\r\nEVAL"); }
    [[nodiscard]] bool isAwaited() const noexcept { return m_isAwaited; }
    // unread: everything that has arrived and was not read. Returns true once for each script.
    [[nodiscard]] bool takeFrom(const QByteArray& unread) {
        const bool hasCome = m_isAwaited && isIn(unread);
        m_isAwaited = m_isAwaited && !hasCome;
        return hasCome;
    }

private:
    // CLIENT CACHING and ASKING are sent before a script and answered by +OK. After NOSCRIPT the script is sent again.
    [[nodiscard]] static bool isIn(const QByteArray& unread) {
        const QByteArray ok = "+OK\r\n";
        qsizetype at = 0;
        while (unread.indexOf(ok, at) == at)
            at += ok.size();
        return at < unread.size() && unread.indexOf("-NOSCRIPT", at) != at;
    }

    bool m_isAwaited = false;
};

}  // namespace lockkeeper::lab
