// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/fakeserver.h"
#include "support/locksnapshots.h"

namespace lockkeeper::test {

// Replies of a server to a monitor's commands, for a FakeLink.

inline QByteArray list(const QByteArrayList& items) {
    QByteArray text = '*' + QByteArray::number(items.size()) + "\r\n";
    for (const QByteArray& item : items)
        text += bulk(item);
    return text;
}

// The answer of read_lock.lua for a plain lock.
inline QByteArray heldReply(const HolderId& holder, qint64 count = 1, qint64 pttl = 30000) {
    return "*8\r\n" + list({holder.bytes(), QByteArray::number(count)}) + number(pttl) +
           "*0\r\n:0\r\n*0\r\n_\r\n_\r\n*0\r\n";
}
inline QByteArray freeReply() {
    return QByteArrayLiteral("*8\r\n*0\r\n:-2\r\n*0\r\n:0\r\n*0\r\n_\r\n_\r\n*0\r\n");
}

inline QByteArray subscribedReply(const QByteArray& pattern) {
    return ">3\r\n" + bulk("psubscribe") + bulk(pattern) + number(1);
}
inline QByteArray invalidation(const QByteArray& key) {
    return ">2\r\n" + bulk("invalidate") + list({key});
}
inline QByteArray messageOn(const QByteArray& channel) {
    return pushOf({"pmessage", "redisson_lock__channel:*", channel, "0"});
}
inline QByteArray noPermission(const QByteArray& command) {
    return "-NOPERM this user has no permissions to run the '" + command + "' command\r\n";
}

}  // namespace lockkeeper::test
