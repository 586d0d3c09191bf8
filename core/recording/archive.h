// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/ids.h"
#include "monitor/model/node.h"
#include "recording/block.h"
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
// takes them from it in the same order. Numbers have a variable length. Each text is stored once in a block. Times are
// stored as the difference to the time before. Thread: one.
class ArchiveWriter {
public:
    template <typename T>
    using Field = const T;
    static constexpr bool isReading = false;

    // mask: null if names and ids are written unchanged.
    explicit ArchiveWriter(const Mask* mask = nullptr) : m_mask(mask) {}

    [[nodiscard]] const QByteArray& bytes() const noexcept { return m_bytes; }
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
    // A value of an enum whose values go from 0 to `last`.
    template <typename T>
    void choice(const T& value, T last) {
        Q_UNUSED(last)
        number(value);
    }
    void flag(bool value) { m_bytes += static_cast<char>(value ? 1 : 0); }
    void real(double value) { unsignedNumber(std::bit_cast<quint64>(value)); }
    void time(SteadyTime value);
    void time(WallTime value);
    void duration(Milliseconds value) { number(value.count()); }
    void name(const LockName& name) { text(m_mask ? m_mask->name(name.bytes()) : name.bytes()); }
    void client(const ClientId& client) { text(m_mask ? m_mask->client(client.bytes()) : client.bytes()); }
    void holder(const HolderId& holder) {
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

private:
    [[nodiscard]] static quint64 zigzag(qint64 value) {
        return (static_cast<quint64>(value) << 1) ^ static_cast<quint64>(value >> 63);
    }
    void difference(qint64 value);
    void text(const QByteArray& text);

    const Mask* m_mask;
    QByteArray m_bytes;
    QHash<QByteArray, quint64> m_texts;
    qint64 m_steady = 0;  // nanoseconds
    qint64 m_wallAhead = 0;
};

// Reads values from bytes that may be damaged: after the first impossible value isGood() is false, and all others are
// empty.
class ArchiveReader {
public:
    template <typename T>
    using Field = T;
    static constexpr bool isReading = true;
    using Nodes = QHash<std::pair<quint32, QString>, monitor::NodePointer>;

    // nodes: those of the file so far. version: of the file.
    ArchiveReader(QByteArray bytes, Nodes& nodes, quint32 version)
        : m_bytes(std::move(bytes)), m_nodes(nodes), m_version(version) {}

    [[nodiscard]] bool isGood() const noexcept { return m_good; }
    // Whether the file has the fields of this version.
    [[nodiscard]] bool has(quint32 version) const noexcept { return version <= m_version; }
    [[nodiscard]] bool atEnd() const noexcept { return !m_good || m_position == m_bytes.size(); }
    // The number of unread bytes. Each entry of a list takes at least one byte.
    [[nodiscard]] qsizetype left() const noexcept { return m_bytes.size() - m_position; }
    void fail() noexcept { m_good = false; }

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
    template <typename T>
    void choice(T& value, T last) {
        const quint64 raw = unsignedNumber();
        const qint64 wide = unzigzag(raw);
        if (wide < 0 || wide > static_cast<qint64>(last))
            return fail();
        value = static_cast<T>(wide);
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
    void address(QString& address) { address = QString::fromUtf8(text()); }
    void plain(QByteArray& plain) { plain = text(); }
    void plain(QString& plain) { plain = QString::fromUtf8(text()); }
    void content(QByteArray& content) { content = text(); }
    void words(QString& words) { words = QString::fromUtf8(text()); }
    void node(monitor::NodePointer& node);

private:
    [[nodiscard]] static qint64 unzigzag(quint64 value) {
        return static_cast<qint64>(value >> 1) ^ -static_cast<qint64>(value & 1);
    }
    [[nodiscard]] std::optional<qint64> difference();
    [[nodiscard]] QByteArray text();

    const QByteArray m_bytes;
    Nodes& m_nodes;
    const quint32 m_version;
    qsizetype m_position = 0;
    bool m_good = true;
    QList<QByteArray> m_texts;
    qint64 m_steady = 0;
    qint64 m_wallAhead = 0;
};

}  // namespace lockkeeper::recording
