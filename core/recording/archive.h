// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "lockkeeper_monitor_export.h"
#include "monitor/model/node.h"
#include "recording/block.h"
#include "recording/enumnumbers.h"
#include "recording/mask.h"

#include <QByteArray>
#include <QHash>
#include <QString>

#include <bit>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

namespace lockkeeper::recording {

// Writes and reads the values by one common description, fields.h: ArchiveWriter appends them to a block, ArchiveReader
// takes them from it in the same order. Numbers have a variable length. Each text is stored once in a block, in a list
// before everything else. Times are stored as the difference to the time before, which begins again with each entry: an
// entry can be skipped. Thread: one.
class LOCKKEEPER_MONITOR_EXPORT ArchiveWriter {
public:
    template <typename T>
    using Field = const T;
    static constexpr bool isReading = false;

    // mask: null if names and ids are written unchanged.
    explicit ArchiveWriter(const Mask* mask = nullptr) : m_mask(mask) {}

    // The values, without the texts.
    [[nodiscard]] const QByteArray& bytes() const noexcept { return m_bytes; }
    [[nodiscard]] QByteArray takeBytes() { return std::exchange(m_bytes, {}); }
    // The list of the texts so far.
    [[nodiscard]] QByteArray texts() const;
    [[nodiscard]] qsizetype textBytes() const noexcept { return m_textBytes.size(); }
    // The times that follow are differences to this one. wallAhead: of the wall clock before the steady one, usually.
    void beginTimes(SteadyTime at, std::chrono::nanoseconds wallAhead);
    [[nodiscard]] bool isGood() const noexcept { return true; }
    // Whether the file has the fields of this version: always true for the writer.
    [[nodiscard]] static constexpr bool has(quint32 version) noexcept { return version <= formatVersion; }

    void unsignedNumber(quint64 value);
    template <typename T>
    void number(const T& value) {
        if constexpr (std::is_enum_v<T>)
            number(static_cast<std::underlying_type_t<T>>(value));
        else
            unsignedNumber(zigzag(static_cast<qint64>(value)));
    }
    // A value of an enum that has numbers, see enumnumbers.h.
    template <RecordedEnum T>
    void choice(const T& value) {
        number(enumNumber(value));
    }
    void cause(const AnyCause& cause) { number(causeNumber(cause)); }
    void flag(bool value) { m_bytes += static_cast<char>(value ? 1 : 0); }
    void real(double value) { unsignedNumber(std::bit_cast<quint64>(value)); }
    void time(SteadyTime value);
    void time(WallTime value);
    void duration(Milliseconds value) { number(value.count()); }
    void name(const LockName& name) { text(m_mask ? m_mask->name(name.bytes()) : name.bytes()); }
    void client(const ClientId& client) { text(m_mask ? m_mask->client(client.bytes()) : client.bytes()); }
    void holder(const HolderId& holder) {
        if (holder.isOfOtherProgram())
            id(holder.client().bytes());  // masked as a UUID it would be one of Redisson's
        else
            client(holder.client());
        number(holder.thread());
    }
    void id(const QByteArray& id) { text(m_mask ? m_mask->id(id) : id); }
    void address(const QByteArray& address) { text(m_mask ? m_mask->address(address) : address); }
    void address(const QString& shown) { address(shown.toUtf8()); }
    // A text that is never masked: versions, roles, commands.
    void plain(const QByteArray& plain) { text(plain); }
    void plain(const QString& plain) { text(plain.toUtf8()); }
    // Content of a lab. Its names are those of the experiment, which every copy of the program has.
    void content(const QByteArray& content) { text(m_mask ? m_mask->content(content) : content); }
    // Words of a server or of the system, which may contain any data; empty in a masked recording.
    void words(const QString& words) { text(m_mask ? QByteArray() : words.toUtf8()); }
    void node(const monitor::NodePointer& node);
    // Bytes with their size.
    void raw(const QByteArray& bytes) {
        unsignedNumber(static_cast<quint64>(bytes.size()));
        m_bytes += bytes;
    }

private:
    [[nodiscard]] static quint64 zigzag(qint64 value) {
        return (static_cast<quint64>(value) << 1) ^ static_cast<quint64>(value >> 63);
    }
    void difference(qint64 value);
    void text(const QByteArray& text);

    const Mask* m_mask;
    QByteArray m_bytes;
    QHash<QByteArray, quint64> m_texts;
    QByteArray m_textBytes;  // each text with its size
    qint64 m_steady = 0;     // nanoseconds
    qint64 m_wallAhead = 0;
};

// The nodes of a file so far: one object for each, as in the session, because the store compares nodes by the object.
class KnownNodes {
public:
    // Null if there is no room for another one.
    [[nodiscard]] monitor::NodePointer node(topology::ShardId shard, const QString& address);

private:
    QHash<std::pair<quint32, QString>, monitor::NodePointer> m_nodes;
    qsizetype m_room = 16 * 1024 * 1024;  // bytes; a node takes some hundred
};

// Why values cannot be read.
enum class ArchiveFault {
    None,
    Unknown,  // an enumerator of a later version
    Damaged,  // no version has written them
    TooLarge  // they would take more memory than the reader was given
};

// Reads values from bytes that nobody may have written: after the first impossible value isGood() is false, and all
// others are empty. It allocates no memory for a number that the bytes contain, but for values that are there; and for
// these no more than it was given, because a few bytes may stand for a long text, again and again.
class LOCKKEEPER_MONITOR_EXPORT ArchiveReader {
public:
    template <typename T>
    using Field = T;
    static constexpr bool isReading = true;

    // nodes: those of the file so far. version: of the file. room: bytes of memory for the texts, and for each entry.
    ArchiveReader(QByteArray bytes, KnownNodes& nodes, quint32 version, qsizetype room);

    [[nodiscard]] bool isGood() const noexcept { return m_fault == ArchiveFault::None; }
    [[nodiscard]] ArchiveFault fault() const noexcept { return m_fault; }
    // Whether the file has the fields of this version.
    [[nodiscard]] bool has(quint32 version) const noexcept { return version <= m_version; }
    [[nodiscard]] bool atEnd() const noexcept { return !isGood() || m_position == m_end; }
    // The number of unread bytes. Each entry of a list takes at least one byte.
    [[nodiscard]] qsizetype left() const noexcept { return m_end - m_position; }
    void fail(ArchiveFault fault = ArchiveFault::Damaged) noexcept {
        if (isGood())
            m_fault = fault;
    }
    // Takes memory for a value from the room; fails if there is not enough.
    void pay(qsizetype bytes) noexcept;

    // The next `size` bytes are an entry: nothing is read beyond them until endEntry(). It may take the whole room
    // again.
    void beginEntry(quint64 size);
    // The entry is read from its begin again, also after a fault.
    void restartEntry();
    // Skips what is left of the entry, also after a fault.
    void endEntry();
    // The part of the room that the values of the present entry took.
    [[nodiscard]] qsizetype paid() const noexcept { return m_wholeRoom - m_room; }
    // As beginEntry(), for files whose entries have no size.
    void beginRoom() noexcept { m_room = m_wholeRoom; }
    // See ArchiveWriter.
    void beginTimes(SteadyTime at, std::chrono::nanoseconds wallAhead);

    [[nodiscard]] quint64 unsignedNumber();
    template <typename T>
    void number(T& value) {
        if constexpr (std::is_enum_v<T>) {
            std::underlying_type_t<T> raw{};
            number(raw);
            value = static_cast<T>(raw);
        } else {
            const qint64 wide = unzigzag(unsignedNumber());
            if (!std::in_range<T>(wide) && !std::is_same_v<T, quint64>)
                return fail();
            value = static_cast<T>(wide);
        }
    }
    template <RecordedEnum T>
    void choice(T& value) {
        qint64 raw = 0;
        number(raw);
        const std::optional<T> known = enumeratorOf<T>(raw);
        if (!known)
            return fail(ArchiveFault::Unknown);
        value = *known;
    }
    void cause(AnyCause& cause) {
        qint64 raw = 0;
        number(raw);
        const std::optional<AnyCause> known = causeOf(raw);
        if (!known)
            return fail(ArchiveFault::Unknown);
        cause = *known;
    }
    void flag(bool& value) { value = unsignedNumber() != 0; }
    void real(double& value) { value = std::bit_cast<double>(unsignedNumber()); }
    void time(SteadyTime& value);
    void time(WallTime& value);
    void duration(Milliseconds& value) {
        qint64 count = 0;
        number(count);
        value = Milliseconds(count);
    }
    void name(LockName& name) { name = LockName(text()); }
    void client(ClientId& client) { client = ClientId(text()); }
    void holder(HolderId& holder) {
        ClientId of;
        ThreadId thread{};
        client(of);
        number(thread);
        holder = HolderId(of, thread);
    }
    void id(QByteArray& id) { id = text(); }
    void address(QByteArray& address) { address = text(); }
    void address(QString& address) { address = decodedText(); }
    void plain(QByteArray& plain) { plain = text(); }
    void plain(QString& plain) { plain = decodedText(); }
    void content(QByteArray& content) { content = text(); }
    void words(QString& words) { words = decodedText(); }
    void node(monitor::NodePointer& node);

private:
    [[nodiscard]] static qint64 unzigzag(quint64 value) {
        return static_cast<qint64>(value >> 1) ^ -static_cast<qint64>(value & 1);
    }
    [[nodiscard]] std::optional<qint64> difference();
    [[nodiscard]] QByteArray text();
    [[nodiscard]] QString decodedText();
    void readTexts();
    void addText();

    const QByteArray m_bytes;
    KnownNodes& m_nodes;
    const quint32 m_version;
    const qsizetype m_wholeRoom;
    qsizetype m_textRoom;  // for the texts of the block
    qsizetype m_room;      // for the present entry
    qsizetype m_position = 0;
    qsizetype m_begin = 0;  // of the present entry
    qsizetype m_end;        // of the present entry; without one, of the bytes
    ArchiveFault m_fault = ArchiveFault::None;
    QList<QByteArray> m_texts;
    qint64 m_steady = 0;
    qint64 m_wallAhead = 0;
};

}  // namespace lockkeeper::recording
