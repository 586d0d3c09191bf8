// SPDX-License-Identifier: Apache-2.0
#include "recording/archive.h"

namespace lockkeeper::recording {

namespace {

using Nanoseconds = std::chrono::nanoseconds;

template <typename Time>
qint64 nanosecondsOf(Time time) {
    return std::chrono::duration_cast<Nanoseconds>(time.time_since_epoch()).count();
}

template <typename Time>
Time timeAt(qint64 nanoseconds) {
    return Time(std::chrono::duration_cast<typename Time::duration>(Nanoseconds(nanoseconds)));
}

// Adds without undefined behaviour, because differences of times from a damaged file may be any number.
qint64 sum(qint64 one, qint64 other) {
    return static_cast<qint64>(static_cast<quint64>(one) + static_cast<quint64>(other));
}

qint64 minus(qint64 one, qint64 other) {
    return static_cast<qint64>(static_cast<quint64>(one) - static_cast<quint64>(other));
}

constexpr quint64 noTime = 0;

void addNumber(QByteArray& bytes, quint64 value) {
    while (value >= 0x80) {
        bytes += static_cast<char>((value & 0x7f) | 0x80);
        value >>= 7;
    }
    bytes += static_cast<char>(value);
}

// What an object on the heap takes beside its content, about.
constexpr qsizetype objectSize = 64;

}  // namespace

// ---- writing ----

void ArchiveWriter::unsignedNumber(quint64 value) {
    addNumber(m_bytes, value);
}

// 0 stands for no time, so all other values are shifted by one. The lowest difference, which no clock has, is lost.
void ArchiveWriter::difference(qint64 value) {
    unsignedNumber(zigzag(value) + 1);
}

void ArchiveWriter::time(SteadyTime value) {
    if (value == SteadyTime())
        return unsignedNumber(noTime);
    const qint64 steady = nanosecondsOf(value);
    difference(minus(steady, std::exchange(m_steady, steady)));
}

// Both clocks run alike, so the difference between the wall clock and the last steady time changes little.
void ArchiveWriter::time(WallTime value) {
    if (value == WallTime())
        return unsignedNumber(noTime);
    const qint64 ahead = minus(nanosecondsOf(value), m_steady);
    difference(minus(ahead, std::exchange(m_wallAhead, ahead)));
}

void ArchiveWriter::text(const QByteArray& text) {
    const auto known = m_texts.constFind(text);
    if (known != m_texts.cend())
        return unsignedNumber(*known);
    const auto next = static_cast<quint64>(m_texts.size());
    m_texts.insert(text, next);
    unsignedNumber(next);
    addNumber(m_textBytes, static_cast<quint64>(text.size()));
    m_textBytes += text;
}

QByteArray ArchiveWriter::texts() const {
    QByteArray bytes;
    addNumber(bytes, static_cast<quint64>(m_texts.size()));
    return bytes + m_textBytes;
}

void ArchiveWriter::beginTimes(SteadyTime at, std::chrono::nanoseconds wallAhead) {
    m_steady = nanosecondsOf(at);
    m_wallAhead = wallAhead.count();
}

void ArchiveWriter::node(const monitor::NodePointer& node) {
    flag(static_cast<bool>(node));
    if (!node)
        return;
    number(node->shard);
    address(node->address);
}

// ---- reading ----

monitor::NodePointer KnownNodes::node(topology::ShardId shard, const QString& address) {
    const std::pair key(static_cast<quint32>(shard), address);
    if (const auto known = m_nodes.constFind(key); known != m_nodes.cend())
        return *known;
    m_room -= objectSize * 4 + 2 * address.size();
    if (m_room < 0)
        return {};
    return *m_nodes.insert(key, monitor::NodePointer(new monitor::Node(shard, address)));
}

ArchiveReader::ArchiveReader(QByteArray bytes, KnownNodes& nodes, quint32 version, qsizetype room)
    : m_bytes(std::move(bytes)),
      m_nodes(nodes),
      m_version(version),
      m_wholeRoom(room),
      m_textRoom(room),
      m_room(room),
      m_end(m_bytes.size()) {
    if (has(firstFramedVersion))
        readTexts();
}

void ArchiveReader::pay(qsizetype bytes) noexcept {
    if (bytes > m_room)
        return fail(ArchiveFault::TooLarge);
    m_room -= bytes;
}

void ArchiveReader::beginEntry(quint64 size) {
    if (!isGood() || size > static_cast<quint64>(left()))
        return fail();
    m_begin = m_position;
    m_end = m_position + static_cast<qsizetype>(size);
    beginRoom();
}

void ArchiveReader::restartEntry() {
    m_position = m_begin;
    m_fault = ArchiveFault::None;
    beginRoom();
}

void ArchiveReader::endEntry() {
    m_position = m_end;
    m_end = m_bytes.size();
    m_fault = ArchiveFault::None;
}

void ArchiveReader::beginTimes(SteadyTime at, std::chrono::nanoseconds wallAhead) {
    m_steady = nanosecondsOf(at);
    m_wallAhead = wallAhead.count();
}

quint64 ArchiveReader::unsignedNumber() {
    quint64 value = 0;
    for (int shift = 0; shift < 64 && isGood(); shift += 7) {
        if (m_position == m_end)
            break;
        const auto byte = static_cast<quint64>(static_cast<quint8>(m_bytes.at(m_position++)));
        value |= (byte & 0x7f) << shift;
        if ((byte & 0x80) == 0)
            return value;
    }
    fail();
    return 0;
}

std::optional<qint64> ArchiveReader::difference() {
    const quint64 coded = unsignedNumber();
    return coded == noTime ? std::nullopt : std::optional(unzigzag(coded - 1));
}

void ArchiveReader::time(SteadyTime& value) {
    value = {};
    if (const std::optional<qint64> step = difference()) {
        m_steady = sum(m_steady, *step);
        value = timeAt<SteadyTime>(m_steady);
    }
}

void ArchiveReader::time(WallTime& value) {
    value = {};
    if (const std::optional<qint64> step = difference()) {
        m_wallAhead = sum(m_wallAhead, *step);
        value = timeAt<WallTime>(sum(m_steady, m_wallAhead));
    }
}

void ArchiveReader::readTexts() {
    const quint64 count = unsignedNumber();
    if (count > static_cast<quint64>(left()))
        return fail();
    for (quint64 i = 0; i < count && isGood(); ++i)
        addText();
}

void ArchiveReader::addText() {
    const quint64 size = unsignedNumber();
    if (!isGood() || size > static_cast<quint64>(left()))
        return fail();
    m_textRoom -= objectSize + static_cast<qsizetype>(size);
    if (m_textRoom < 0)
        return fail(ArchiveFault::TooLarge);
    m_texts += m_bytes.sliced(m_position, static_cast<qsizetype>(size));
    m_position += static_cast<qsizetype>(size);
}

// In files without a list of texts, a text is at its first use.
QByteArray ArchiveReader::text() {
    const quint64 index = unsignedNumber();
    if (!has(firstFramedVersion) && index == static_cast<quint64>(m_texts.size()))
        addText();
    if (index >= static_cast<quint64>(m_texts.size()))
        fail();
    pay(objectSize);
    return isGood() ? m_texts.at(static_cast<qsizetype>(index)) : QByteArray();
}

// Unlike the bytes, the decoded text is another one with each use.
QString ArchiveReader::decodedText() {
    const QByteArray bytes = text();
    pay(2 * bytes.size());
    return isGood() ? QString::fromUtf8(bytes) : QString();
}

void ArchiveReader::node(monitor::NodePointer& node) {
    node.reset();
    bool isThere = false;
    flag(isThere);
    if (!isThere)
        return;
    topology::ShardId shard{};
    QString of;
    number(shard);
    address(of);
    if (!isGood())
        return;
    node = m_nodes.node(shard, of);
    if (!node)
        fail(ArchiveFault::TooLarge);
}

}  // namespace lockkeeper::recording
