// SPDX-License-Identifier: Apache-2.0
#include "recording/monitortrace/tracelines.h"

#include <algorithm>

namespace lockkeeper::recording {

namespace {

// What quotes a line is short: "> ", " * ", "-- ", "+" of the protocol, the time of a terminal's log.
constexpr qsizetype longestQuotation = 64;
// 1700000000.123456 [15 1.2.3.4:5]
constexpr qsizetype longestTime = 24;

bool isDigitOfTrace(char c) {
    return c >= '0' && c <= '9';
}

qsizetype digitsAt(QByteArrayView text, qsizetype at) {
    qsizetype end = at;
    while (end < text.size() && isDigitOfTrace(text[end]))
        ++end;
    return end - at;
}

// "1700000000.123456 [0 " at this place
bool isHeadAt(QByteArrayView line, qsizetype at) {
    const qsizetype seconds = digitsAt(line, at);
    qsizetype next = at + seconds;
    if (seconds == 0 || next >= line.size() || line[next] != '.')
        return false;
    const qsizetype fraction = digitsAt(line, next + 1);
    next += 1 + fraction;
    constexpr qsizetype microseconds = 6;  // its digits
    if (fraction != microseconds || next - at > longestTime || next + 1 >= line.size() || line[next] != ' ' ||
        line[next + 1] != '[')
        return false;
    const qsizetype database = digitsAt(line, next + 2);
    next += 2 + database;
    return database > 0 && next < line.size() && line[next] == ' ';
}

bool isBlank(char c) {
    return c == ' ' || c == '\t';
}

QByteArrayView withoutBlanksBefore(QByteArrayView text) {
    qsizetype at = 0;
    while (at < text.size() && isBlank(text[at]))
        ++at;
    return text.sliced(at);
}

QByteArrayView withoutBlanksBehind(QByteArrayView text) {
    while (!text.isEmpty() && isBlank(text.back()))
        text.chop(1);
    return text;
}

}  // namespace

qsizetype monitorHeadIn(QByteArrayView line) {
    const qsizetype last = std::min(line.size(), longestQuotation);
    for (qsizetype at = 0; at < last && line[at] != '"'; ++at) {
        const bool isBegin = isDigitOfTrace(line[at]) && (at == 0 || !isDigitOfTrace(line[at - 1]));
        if (isBegin && isHeadAt(line, at))
            return at;
    }
    return -1;
}

void TraceLines::feed(QByteArrayView chunk, const Sink& sink) {
    while (!chunk.isEmpty()) {
        const qsizetype end = chunk.indexOf('\n');
        addBytes(end < 0 ? chunk : chunk.first(end));
        if (end < 0)
            return;
        endLine(sink);
        chunk = chunk.sliced(end + 1);
    }
}

void TraceLines::end(const Sink& sink) {
    if (!m_line.isEmpty())
        endLine(sink);
    flush(sink);
}

void TraceLines::addBytes(QByteArrayView bytes) {
    m_line.append(bytes.first(std::min(bytes.size(), longestLine - m_line.size())));
}

void TraceLines::endLine(const Sink& sink) {
    QByteArrayView line = m_line;
    if (line.endsWith('\r'))
        line.chop(1);
    const qsizetype headAt = monitorHeadIn(line);
    if (headAt >= 0) {
        flush(sink);
        begin(line, headAt);
    } else if (m_entry.isEmpty() || !resume(line)) {
        flush(sink);
        sink(line, Kind::Other);
    }
    // Keeps the memory of a usual line, not that of a very long one.
    constexpr qsizetype usual = 64 * 1024;
    if (m_line.capacity() > usual)
        m_line = QByteArray();
    else
        m_line.resize(0);
}

void TraceLines::begin(QByteArrayView line, qsizetype headAt) {
    m_prefix = line.first(headAt).toByteArray();
    m_isInQuotes = false;
    m_isEscaped = false;
    append(line.sliced(headAt));
}

// The rest of a wrapped line: within a string, or the next string. Within a string any text may follow, so a line that
// was cut off takes what follows, up to the next line of MONITOR; it is not whole either way.
bool TraceLines::resume(QByteArrayView line) {
    const QByteArrayView rest = withoutQuotation(line);
    if (m_isInQuotes) {
        append(rest);
        return true;
    }
    const QByteArrayView next = withoutBlanksBefore(rest);
    if (!next.startsWith('"'))
        return false;
    if (!m_entry.endsWith(' '))
        append(" ");
    append(next);
    return true;
}

// A quoted text quotes the wrapped rest of a line, too; a list indents it.
QByteArrayView TraceLines::withoutQuotation(QByteArrayView line) const {
    if (m_prefix.isEmpty())
        return line;
    if (line.startsWith(m_prefix))
        return line.sliced(m_prefix.size());
    const bool isIndented = line.size() >= m_prefix.size() && std::ranges::all_of(line.first(m_prefix.size()), isBlank);
    if (isIndented)
        return line.sliced(m_prefix.size());
    const QByteArrayView mark = withoutBlanksBehind(m_prefix);
    return !mark.isEmpty() && line.startsWith(mark) ? line.sliced(mark.size()) : line;
}

void TraceLines::append(QByteArrayView text) {
    text = text.first(std::min(text.size(), longestLine - m_entry.size()));
    for (const char c : text) {
        if (m_isEscaped)
            m_isEscaped = false;
        else if (c == '\\')
            m_isEscaped = m_isInQuotes;
        else if (c == '"')
            m_isInQuotes = !m_isInQuotes;
    }
    m_entry.append(text);
}

void TraceLines::flush(const Sink& sink) {
    if (!m_entry.isEmpty())
        sink(withoutBlanksBehind(m_entry), Kind::Monitor);
    m_entry.resize(0);
}

}  // namespace lockkeeper::recording
