// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/model/lockevent.h"

#include <QByteArrayList>

namespace lockkeeper::test {

// Short forms for snapshots and holders, for tests that compare them.

inline const HolderId alice(ClientId("6f1d5ab8-0e8c-4d31-9d2b-0a1b2c3d4e5f"), ThreadId{33});
inline const HolderId bob(ClientId("0c9b8a7d-1f2e-4c3d-8b4a-5f6e7d8c9b0a"), ThreadId{36});
inline const HolderId carol(ClientId("a1a2a3a4-b1b2-c1c2-d1d2-e1e2e3e4e5e6"), ThreadId{39});

inline monitor::Holder exclusive(const HolderId& id, qint64 count = 1) {
    return {id, monitor::HoldMode::Exclusive, count};
}
inline monitor::Holder reader(const HolderId& id, qint64 count = 1) {
    return {id, monitor::HoldMode::Read, count};
}
inline monitor::Holder writer(const HolderId& id, qint64 count = 1) {
    return {id, monitor::HoldMode::Write, count};
}

// A read that the server answered at `at` and that was sent 1 ms before; without a ttl the lease never ends.
inline monitor::LockSnapshot snapshot(Milliseconds at, monitor::LockKind kind, QList<monitor::Holder> holders,
                                      std::optional<Milliseconds> ttl, const QByteArray& name = "L") {
    using namespace std::chrono_literals;
    monitor::LockSnapshot lock;
    lock.name = LockName(name);
    lock.kind = kind;
    lock.holders = std::move(holders);
    lock.ttl = ttl;
    lock.seenAt = SteadyTime(1h + at);
    lock.seenAtWall = WallTime(at);
    if (ttl)
        lock.expiry = monitor::Expiry{lock.seenAt - 1ms + *ttl, lock.seenAt + *ttl + 1ms};
    return lock;
}

inline monitor::LockSnapshot held(Milliseconds at, const HolderId& id, qint64 count = 1,
                                  std::optional<Milliseconds> ttl = Milliseconds(30000)) {
    return snapshot(at, monitor::LockKind::Reentrant, {exclusive(id, count)}, ttl);
}
inline monitor::LockSnapshot readWrite(Milliseconds at, QList<monitor::Holder> holders,
                                       std::optional<Milliseconds> ttl = Milliseconds(30000)) {
    return snapshot(at, monitor::LockKind::ReadWrite, std::move(holders), ttl);
}
inline monitor::LockSnapshot free(Milliseconds at, monitor::LockKind kind = monitor::LockKind::Reentrant) {
    return snapshot(at, kind, {}, std::nullopt);
}

inline QByteArray nameOf(const HolderId& id) {
    return id == alice ? "alice" : id == bob ? "bob" : id == carol ? "carol" : id.bytes();
}

// "released alice", "handed_over bob suspect".
inline QByteArray described(const monitor::LockEvent& event) {
    QByteArray text = monitor::wordFor(event.type).toLatin1();
    if (event.holder) {
        text += ' ' + nameOf(event.holder->id);
        if (event.holder->mode != monitor::HoldMode::Exclusive)
            text += ' ' + monitor::wordFor(event.holder->mode).toLatin1();
    }
    if (event.releaseSign == monitor::ReleaseSign::NoMessage)
        text += " without a message";
    if (event.releaseSign == monitor::ReleaseSign::Inferred)
        text += " inferred";
    return event.suspect ? text + " suspect" : text;
}

template <typename Events>
QByteArrayList described(const Events& events) {
    QByteArrayList texts;
    for (const monitor::LockEvent& event : events)
        texts << described(event);
    return texts;
}

}  // namespace lockkeeper::test
