// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "monitor/observe/sources/broadcasttracking.h"
#include "support/lockreplies.h"

namespace lockkeeper::test {

// A server's side of BroadcastTracking, for a FakeLink.

inline QByteArray bufferLimits(const QByteArray& pubsub) {
    return list({"client-output-buffer-limit", "normal 0 0 0 slave 268435456 67108864 60 pubsub " + pubsub});
}
inline QByteArray subscribedToOwnChannel() {
    return ">3\r\n" + bulk("subscribe") + bulk(monitor::BroadcastTracking::ownChannel()) + number(1);
}

// Answers the three commands that come before the first report; returns them.
inline QList<QByteArrayList> beginBroadcast(FakeLink& link) {
    QList<QByteArrayList> commands = link.takeCommands();
    link.reply(bufferLimits("33554432 8388608 60"));
    commands += link.takeCommands();
    link.reply(subscribedToOwnChannel());
    commands += link.takeCommands();
    link.reply("+OK\r\n");
    return commands;
}

}  // namespace lockkeeper::test
