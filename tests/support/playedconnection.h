// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/fakeserver.h"
#include "support/manualclock.h"

namespace lockkeeper::test {

// A connection to a fake server; its handshake is the next step.
struct PlayedConnection {
    explicit PlayedConnection(int database = 0) : connection(optionsFor(database), server.factory(), clock) {}

    void open() {
        connection.open();
        server.acceptAll();
    }
    // Reconnects some time after the loss of the first connection.
    void comeBack() {
        clock.advance(std::chrono::seconds(1));
        server.acceptAll();
    }
    [[nodiscard]] FakeLink& link() { return server.lastLink(); }

    ManualClock clock;
    FakeServer server;
    redis::Connection connection;

private:
    static redis::ConnectionOptions optionsFor(int database) {
        redis::ConnectionOptions options;
        options.database = database;
        return options;
    }
};

}  // namespace lockkeeper::test
