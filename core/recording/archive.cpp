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

}  // namespace

// ---- writing ----

void ArchiveWriter::unsignedNumber(quint64 value) {
    while (value >= 0x80) {
        m_bytes += static_cast<char>((value & 0x7f) | 0x80);
        value >>= 7;
    }
    m_bytes += static_cast<char>(value);
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
    unsignedNumber(static_cast<quint64>(text.size()));
    m_bytes += text;
}

void ArchiveWriter::node(const monitor::NodePointer& node) {
    flag(static_cast<bool>(node));
    if (!node)
        return;
    number(node->shard);
    address(node->address);
}

// ---- reading ----

quint64 ArchiveReader::unsignedNumber() {
    quint64 value = 0;
    for (int shift = 0; shift < 64 && m_good; shift += 7) {
        if (m_position == m_bytes.size())
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

QByteArray ArchiveReader::text() {
    const quint64 index = unsignedNumber();
    if (index < static_cast<quint64>(m_texts.size()))
        return m_texts.at(static_cast<qsizetype>(index));
    const quint64 size = unsignedNumber();
    if (!m_good || index > static_cast<quint64>(m_texts.size()) || size > static_cast<quint64>(left())) {
        fail();
        return {};
    }
    m_texts += m_bytes.sliced(m_position, static_cast<qsizetype>(size));
    m_position += static_cast<qsizetype>(size);
    return m_texts.constLast();
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
    // One object for each node, as in the session, because the store compares nodes by the object.
    monitor::NodePointer& known = m_nodes[{static_cast<quint32>(shard), of}];
    if (!known)
        known = monitor::NodePointer(new monitor::Node(shard, of));
    node = known;
}

}  // namespace lockkeeper::recording
