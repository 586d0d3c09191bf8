// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>

namespace lockkeeper::lab {

// For a line that loses the answer to a script: when it has come. One script at a time. A value.
class ScriptsAnswer {
public:
    // Whole commands that are sent.
    void noteSent(const QByteArray& commands) { m_isAwaited = m_isAwaited || isScript(commands); }
    [[nodiscard]] static bool isScript(const QByteArray& commands) { return commands.contains("\r\nEVAL"); }
    [[nodiscard]] bool isAwaited() const noexcept { return m_isAwaited; }
    // unread: all that has come and that nobody has read. True once for each script.
    [[nodiscard]] bool takeFrom(const QByteArray& unread) {
        const bool hasCome = m_isAwaited && isIn(unread);
        m_isAwaited = m_isAwaited && !hasCome;
        return hasCome;
    }

private:
    // CLIENT CACHING and ASKING, which go before a script, are answered by +OK. After NOSCRIPT it is sent again.
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
