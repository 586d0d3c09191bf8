// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lockkeeper_export.h"

#include <QByteArray>
#include <QHashFunctions>
#include <QMetaType>
#include <QSharedData>
#include <QString>

#include <compare>
#include <optional>

namespace lockkeeper {

// A lock's name as the user gave it to Redisson: any bytes, usually UTF-8. It is also the key of the lock's hash.
// As large as a pointer: copies share the bytes and their hash. Reentrant: copies may be used in other threads.
class LOCKKEEPER_EXPORT LockName {
public:
    LockName() = default;
    explicit LockName(QByteArray bytes);

    [[nodiscard]] const QByteArray& bytes() const noexcept { return m_data ? m_data->bytes : noBytes(); }
    [[nodiscard]] bool isEmpty() const noexcept { return !m_data; }
    // For people to read. UTF-8 stays as it is. Backslashes, control and invisible characters, and bytes that are not
    // UTF-8 are escaped as \\, \n, \u{200e}, \x1b. Two different names never get the same display.
    [[nodiscard]] QString display() const;

    // Most comparisons are between copies of one name.
    friend bool operator==(const LockName& a, const LockName& b) noexcept {
        return a.m_data == b.m_data || (qHash(a) == qHash(b) && a.bytes() == b.bytes());
    }
    friend auto operator<=>(const LockName& a, const LockName& b) noexcept {
        return a.bytes().compare(b.bytes()) <=> 0;
    }
    friend size_t qHash(const LockName& name, size_t seed = 0) noexcept {
        return (name.m_data ? name.m_data->hash : 0) ^ seed;
    }

private:
    struct Data : QSharedData {
        explicit Data(QByteArray name);

        size_t hash;  // kept, because a name is looked up several times for each command and each change
        QByteArray bytes;
    };

    static const QByteArray& noBytes() noexcept;

    QExplicitlySharedDataPointer<const Data> m_data;  // null: the empty name
};

// For the containers of the standard library.
struct LockNameHash {
    size_t operator()(const LockName& name) const noexcept { return qHash(name); }
};

// One Redisson client instance: the random UUID of 36 characters that it creates at its start.
class LOCKKEEPER_EXPORT ClientId {
public:
    ClientId() = default;
    explicit ClientId(QByteArray uuid) : m_uuid(std::move(uuid)) {}
    [[nodiscard]] static ClientId random();

    [[nodiscard]] const QByteArray& bytes() const noexcept { return m_uuid; }
    friend bool operator==(const ClientId&, const ClientId&) = default;
    friend size_t qHash(const ClientId& id, size_t seed = 0) noexcept { return qHash(id.m_uuid, seed); }

private:
    QByteArray m_uuid;
};

// The second half of a holder: a Java thread id, or any number by which a C++ caller identifies one logical owner.
enum class ThreadId : qint64 {};

// Who holds a lock: `UUID:THREAD` on the wire.
class LOCKKEEPER_EXPORT HolderId {
public:
    HolderId() = default;
    HolderId(ClientId client, ThreadId thread) : m_client(std::move(client)), m_thread(thread) {}
    // Nothing, unless the text is exactly a UUID of 36 characters, a colon and a signed 64-bit decimal number.
    [[nodiscard]] static std::optional<HolderId> parse(QByteArrayView text);
    // As parse(), or a holder of a program that names its holders otherwise: printable ASCII with a colon in it.
    [[nodiscard]] static std::optional<HolderId> parseAny(QByteArrayView text);
    // Whether another program has named it. client() is then the whole name, and thread() means nothing.
    [[nodiscard]] bool isOfOtherProgram() const noexcept;

    [[nodiscard]] const ClientId& client() const noexcept { return m_client; }
    [[nodiscard]] ThreadId thread() const noexcept { return m_thread; }
    [[nodiscard]] QByteArray bytes() const;
    [[nodiscard]] QString display() const { return QString::fromLatin1(bytes()); }

    friend bool operator==(const HolderId& a, const HolderId& b) noexcept {
        return a.m_thread == b.m_thread && a.m_client == b.m_client;
    }
    friend size_t qHash(const HolderId& id, size_t seed = 0) noexcept {
        return qHashMulti(seed, id.m_client, static_cast<qint64>(id.m_thread));
    }

private:
    ClientId m_client;
    ThreadId m_thread{};
};

// Links an operator's request to the Engine with the answer to it.
enum class OperationId : quint64 {};

// One connection of the user, from its opening to its closing. An Engine never uses an id twice; 0 means no session.
enum class SessionId : quint64 { None = 0 };

}  // namespace lockkeeper

Q_DECLARE_TYPEINFO(lockkeeper::LockName, Q_RELOCATABLE_TYPE);
Q_DECLARE_METATYPE(lockkeeper::LockName)
Q_DECLARE_METATYPE(lockkeeper::ClientId)
Q_DECLARE_METATYPE(lockkeeper::HolderId)
Q_DECLARE_METATYPE(lockkeeper::OperationId)
Q_DECLARE_METATYPE(lockkeeper::SessionId)
