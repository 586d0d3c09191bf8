// SPDX-License-Identifier: Apache-2.0
#include "monitor/analyse/who/monitorline.h"

#include "monitor/model/holderfield.h"

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

// Redisson renews up to 100 locks in one script.
constexpr qsizetype mostArguments = 2048;

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

int hexValue(char c) {
    if (isDigit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// Reads the output of the server's sdscatrepr(): quoted strings, separated by one space.
class QuotedStrings {
public:
    explicit QuotedStrings(QByteArrayView text) : m_text(text) {}

    // The next complete string; nothing at the end, or if something else follows.
    std::optional<QByteArray> next() {
        if (m_at < m_text.size() && m_text[m_at] == ' ')
            ++m_at;
        if (m_at >= m_text.size() || m_text[m_at] != '"')
            return std::nullopt;
        ++m_at;
        QByteArray string;
        while (m_at < m_text.size() && m_text[m_at] != '"')
            string += takeByte();
        if (m_at >= m_text.size())
            return std::nullopt;
        ++m_at;
        return string;
    }

private:
    char takeByte() {
        const char c = m_text[m_at++];
        return c == '\\' && m_at < m_text.size() ? takeEscaped() : c;
    }

    char takeEscaped() {
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

    char takeHex() {
        const int high = m_at + 1 < m_text.size() ? hexValue(m_text[m_at]) : -1;
        const int low = m_at + 1 < m_text.size() ? hexValue(m_text[m_at + 1]) : -1;
        if (high < 0 || low < 0)
            return 'x';
        m_at += 2;
        return static_cast<char>(high * 16 + low);
    }

    QByteArrayView m_text;
    qsizetype m_at = 0;
};

// The arguments of a script after its keys; nothing if the line runs no script.
QByteArrayList scriptValues(const MonitorLine& line) {
    const QByteArray command = line.arguments.first().toUpper();
    if ((command != "EVALSHA" && command != "EVAL") || line.arguments.size() < 3)
        return {};
    bool ok = false;
    const qsizetype keys = line.arguments[2].toInt(&ok);
    const bool sound = ok && keys >= 0 && keys <= line.arguments.size() - 3;
    return sound ? line.arguments.sliced(3 + keys) : QByteArrayList();
}

// A client's own scripts have the channel as a key; compare-and-release has it as an argument.
bool isChannel(const QByteArray& value) {
    return value.startsWith("redisson_rwlock:");
}

bool names(const QByteArray& value, const ClientId& client) {
    const std::optional<HolderField> holder = HolderField::parse(value);
    return holder && holder->id.client() == client;
}

}  // namespace

std::optional<MonitorLine> MonitorLine::parse(QByteArrayView line) {
    const qsizetype opened = line.indexOf(" [");
    const qsizetype closed = line.indexOf("] \"");
    if (line.isEmpty() || !isDigit(line.front()) || opened < 0 || closed < opened)
        return std::nullopt;
    const QByteArrayView source = line.sliced(opened + 2, closed - opened - 2);  // "0 127.0.0.1:53422"
    const qsizetype blank = source.indexOf(' ');
    if (blank < 1)
        return std::nullopt;
    MonitorLine parsed;
    parsed.address = source.sliced(blank + 1).toByteArray();
    QuotedStrings strings(line.sliced(closed + 2));
    while (const std::optional<QByteArray> argument = strings.next()) {
        if (parsed.arguments.size() == mostArguments)
            return std::nullopt;
        parsed.arguments += *argument;
    }
    return parsed.arguments.isEmpty() ? std::nullopt : std::optional(parsed);
}

bool actsAs(const ClientId& client, const MonitorLine& line) {
    const QByteArrayList values = scriptValues(line);
    return std::ranges::none_of(values, isChannel) &&
           std::ranges::any_of(values, [&client](const QByteArray& value) { return names(value, client); });
}

}  // namespace lockkeeper::monitor
