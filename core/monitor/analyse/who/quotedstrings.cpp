// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/who/quotedstrings.h"

namespace lockkeeper::monitor {

namespace {

int hexValue(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

std::optional<QByteArray> QuotedStrings::next() {
    if (m_at < m_text.size() && m_text[m_at] == ' ')
        ++m_at;
    if (m_at >= m_text.size() || m_text[m_at] != '"')
        return std::nullopt;
    ++m_at;
    QByteArray string;
    while (m_at < m_text.size() && m_text[m_at] != '"') {
        // Most bytes are not escaped.
        qsizetype plain = m_at;
        while (plain < m_text.size() && m_text[plain] != '"' && m_text[plain] != '\\')
            ++plain;
        string.append(m_text.sliced(m_at, plain - m_at));
        m_at = plain;
        if (m_at < m_text.size() && m_text[m_at] == '\\')
            string += takeByte();
    }
    if (m_at >= m_text.size()) {
        m_isCut = true;
        return std::nullopt;
    }
    ++m_at;
    return string;
}

char QuotedStrings::takeByte() {
    const char c = m_text[m_at++];
    return c == '\\' && m_at < m_text.size() ? takeEscaped() : c;
}

char QuotedStrings::takeEscaped() {
    const char c = m_text[m_at++];
    switch (c) {
        case 'n':
            return '\n';
        case 'r':
            return '\r';
        case 't':
            return '\t';
        case 'a':
            return '\a';
        case 'b':
            return '\b';
        case 'x':
            return takeHex();
        default:
            return c;
    }
}

char QuotedStrings::takeHex() {
    const int high = m_at + 1 < m_text.size() ? hexValue(m_text[m_at]) : -1;
    const int low = m_at + 1 < m_text.size() ? hexValue(m_text[m_at + 1]) : -1;
    if (high < 0 || low < 0)
        return 'x';
    m_at += 2;
    return static_cast<char>(high * 16 + low);
}

}  // namespace lockkeeper::monitor
