// SPDX-License-Identifier: Apache-2.0
#include "redis/respparser.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>

namespace lockkeeper::redis {

namespace {

// Bytes. No length, number or status of a server is longer: a longer line is another protocol or garbage.
constexpr qsizetype longestLine = 64 * 1024;
// Bytes. Moving the rest of the buffer to the front is delayed until this many are consumed.
constexpr qsizetype worthDiscarding = 64 * 1024;
// Nearly all aggregates but the lists of a scan have no more items. Memory for this many is reserved at once.
constexpr qint64 itemsOfMost = 4;

std::optional<qint64> integerOf(QByteArrayView text) {
    qint64 value = 0;
    const auto [end, error] = std::from_chars(text.begin(), text.end(), value);
    if (error != std::errc() || end != text.end())
        return std::nullopt;
    return value;
}

std::optional<double> doubleOf(QByteArrayView text) {
    if (text == "inf" || text == "+inf")
        return std::numeric_limits<double>::infinity();
    if (text == "-inf")
        return -std::numeric_limits<double>::infinity();
    if (text == "nan" || text == "-nan")
        return std::numeric_limits<double>::quiet_NaN();
    bool ok = false;
    const double value = text.toDouble(&ok);
    return ok ? std::optional(value) : std::nullopt;
}

bool isDecimal(QByteArrayView text) {
    const QByteArrayView digits = text.startsWith('-') ? text.sliced(1) : text;
    return !digits.isEmpty() && std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
}

// The place of the first CR LF at or after `from`; -1 if there is none. Lines are short, so that a search prepared for
// any text takes longer.
qsizetype endOfLine(const QByteArray& bytes, qsizetype from) {
    qsizetype at = bytes.indexOf('\r', from);
    while (at >= 0 && at + 1 < bytes.size() && bytes[at + 1] != '\n')
        at = bytes.indexOf('\r', at + 1);
    return at + 1 < bytes.size() ? at : -1;
}

QString printable(QByteArrayView bytes) {
    constexpr qsizetype shown = 60;
    QString text;
    for (const char c : bytes.first(std::min(bytes.size(), shown)))
        text += c >= 0x20 && c < 0x7f ? QLatin1Char(c) : QLatin1Char('.');
    return text;
}

}  // namespace

void RespParser::feed(QByteArrayView bytes) {
    if (!m_error)
        m_buffer.append(bytes);
}

Result<std::optional<RespValue>> RespParser::take() {
    while (!m_whole && !m_error) {
        if (parseNext() == Step::NeedsBytes)
            break;
    }
    if (m_error)
        return *m_error;
    discardTaken();
    m_itemsInReply = m_whole ? 0 : m_itemsInReply;
    m_bytesInReply = m_whole ? 0 : m_bytesInReply;
    return std::exchange(m_whole, std::nullopt);
}

RespParser::Step RespParser::parseNext() {
    if (m_position >= m_buffer.size())
        return Step::NeedsBytes;
    const qsizetype start = m_position;
    const char type = m_buffer[start];
    // A TLS alert or a TLS handshake.
    if (type == '\x15' || type == '\x16')
        return fail(Cause::ServerSpeaksTls, {});
    // Another protocol is recognized by its first byte, without waiting for the end of its first line.
    if (std::string_view("+-:$*_,#!=(%~>|").find(type) == std::string_view::npos)
        return fail(Cause::NotRedis, printable(QByteArrayView(m_buffer).sliced(start)));
    const std::optional<QByteArrayView> line = takeLine();
    if (!line)
        return m_error ? Step::Failed : Step::NeedsBytes;
    const Step step = parseLine(type, line->sliced(1));
    if (step == Step::NeedsBytes)
        m_position = start;  // read the header again when the whole string has arrived
    return step;
}

RespParser::Step RespParser::parseLine(char type, QByteArrayView line) {
    switch (type) {
        case '$':
            return line == "-1" ? push(RespValue()) : parseString(RespValue::Type::BulkString, line);
        case '!':
            return parseString(RespValue::Type::Error, line);
        case '=':
            return parseString(RespValue::Type::VerbatimString, line);
        case '*':
            return line == "-1" ? push(RespValue()) : openAggregate(RespValue::Type::Array, line, 1);
        case '~':
            return openAggregate(RespValue::Type::Set, line, 1);
        case '>':
            return openAggregate(RespValue::Type::Push, line, 1);
        case '%':
            return openAggregate(RespValue::Type::Map, line, 2);
        case '|':
            return openAggregate(RespValue::Type::Null, line, 2);
        default:
            return parseScalar(type, line);
    }
}

RespParser::Step RespParser::parseScalar(char type, QByteArrayView line) {
    if (m_bytesInReply + line.size() > m_limits.bytesPerReply)
        return fail(Cause::ReplyTooLarge, QString::number(m_limits.bytesPerReply));
    m_bytesInReply += line.size();
    if (type == '+')
        return push(RespValue::simple(line.toByteArray()));
    if (type == '-')
        return push(RespValue::error(line.toByteArray()));
    RespValue value;
    if (type == '(' && isDecimal(line)) {
        value.type = RespValue::Type::BigNumber;
        value.bytes = line.toByteArray();
        return push(std::move(value));
    }
    if (type == '#' && (line == "t" || line == "f")) {
        value.type = RespValue::Type::Boolean;
        value.integer = line == "t" ? 1 : 0;
        return push(std::move(value));
    }
    if (type == '_' && line.isEmpty())
        return push(std::move(value));
    if (type == ':') {
        if (const std::optional<qint64> number = integerOf(line))
            return push(RespValue::number(*number));
    }
    if (type == ',') {
        if (const std::optional<double> number = doubleOf(line)) {
            value.type = RespValue::Type::Double;
            value.real = *number;
            return push(std::move(value));
        }
    }
    return fail(Cause::MalformedReply, QLatin1Char(type) + printable(line));
}

RespParser::Step RespParser::parseString(RespValue::Type type, QByteArrayView header) {
    const std::optional<qint64> length = integerOf(header);
    if (!length || *length < 0)
        return fail(Cause::MalformedStringLength, printable(header));
    if (*length > m_limits.bytesPerString || m_bytesInReply + *length > m_limits.bytesPerReply)
        return fail(Cause::StringTooLong, QString::number(*length));
    const qsizetype size = static_cast<qsizetype>(*length);
    if (m_buffer.size() - m_position < size + 2)
        return Step::NeedsBytes;
    const QByteArrayView rest = QByteArrayView(m_buffer).sliced(m_position);
    if (rest[size] != '\r' || rest[size + 1] != '\n')
        return fail(Cause::StringNotEnded, QString::number(size));
    RespValue value;
    value.type = type;
    value.bytes = rest.first(size).toByteArray();
    constexpr qsizetype verbatimPrefix = 4;  // "txt:"
    if (type == RespValue::Type::VerbatimString && size >= verbatimPrefix)
        value.bytes.remove(0, verbatimPrefix);
    m_position += size + 2;
    m_bytesInReply += size;
    return push(std::move(value));
}

RespParser::Step RespParser::openAggregate(RespValue::Type type, QByteArrayView header, int itemsPerEntry) {
    const std::optional<qint64> entries = integerOf(header);
    if (!entries || *entries < 0)
        return fail(Cause::MalformedAggregateLength, printable(header));
    if (*entries > (m_limits.itemsPerReply - m_itemsInReply) / itemsPerEntry)
        return fail(Cause::TooManyEntries, QString::number(*entries));
    if (m_open.size() >= static_cast<size_t>(m_limits.depth))
        return fail(Cause::NestedTooDeep, QString::number(m_limits.depth));
    Open open;
    open.value.type = type;
    open.missing = *entries * itemsPerEntry;
    open.attribute = type == RespValue::Type::Null;
    m_itemsInReply += open.missing;
    if (open.missing > 0) {
        // Memory for further items is reserved as they arrive: an announcement alone must not cost memory.
        open.value.items.reserve(static_cast<size_t>(std::min(open.missing, itemsOfMost)));
        m_open.push_back(std::move(open));
        return Step::Advanced;
    }
    return open.attribute ? Step::Advanced : push(std::move(open.value));
}

// Puts a finished value into the innermost open aggregate and closes every aggregate that this completes.
RespParser::Step RespParser::push(RespValue value) {
    while (!m_open.empty()) {
        Open& parent = m_open.back();
        parent.value.items.push_back(std::move(value));
        if (--parent.missing > 0)
            return Step::Advanced;
        const bool attribute = parent.attribute;
        value = std::move(parent.value);
        m_open.pop_back();
        if (attribute)
            return Step::Advanced;
    }
    m_whole = std::move(value);
    return Step::Advanced;
}

RespParser::Step RespParser::fail(Cause cause, const QString& argument) {
    m_error = Error(ErrorCode::Protocol, cause, {argument});
    m_buffer.clear();
    m_position = 0;
    m_open.clear();
    return Step::Failed;
}

// The line at the current position without its CR LF but with its type byte; moves past it.
std::optional<QByteArrayView> RespParser::takeLine() {
    const qsizetype from = std::max(m_position, m_scanned);
    const qsizetype end = endOfLine(m_buffer, from);
    const qsizetype length = (end < 0 ? m_buffer.size() : end) - m_position;
    const bool cut = length > longestLine && m_limits.longLines == RespLimits::LongLines::Cut;
    if (length > longestLine && !cut) {
        fail(Cause::LineTooLong, QString::number(longestLine));
        return std::nullopt;
    }
    if (end < 0) {
        if (cut)
            dropBeyondLongestLine();
        m_scanned = std::max(m_position, m_buffer.size() - 1);  // the last byte may be the CR
        return std::nullopt;
    }
    const QByteArrayView line = QByteArrayView(m_buffer).sliced(m_position, cut ? longestLine : length);
    m_position = end + 2;
    return line;
}

void RespParser::dropBeyondLongestLine() {
    const bool endMayHaveBegun = m_buffer.endsWith('\r');
    m_buffer.truncate(m_position + longestLine);
    if (endMayHaveBegun)
        m_buffer.append('\r');
}

void RespParser::discardTaken() {
    if (m_position == m_buffer.size() && m_buffer.capacity() > worthDiscarding)
        m_buffer = QByteArray();  // one large reply must not keep its memory for the whole life of the connection
    else if (m_position == m_buffer.size())
        m_buffer.resize(0);
    else if (m_position >= worthDiscarding)
        m_buffer.remove(0, m_position);
    else
        return;
    m_position = 0;
    m_scanned = 0;
}

}  // namespace lockkeeper::redis
