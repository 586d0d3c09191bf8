// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "support/fakeserver.h"
#include "support/lockkinds.h"
#include "support/manualclock.h"
#include "support/taskwait.h"

#include <vector>

namespace lockkeeper::test {

// Several fake servers, each with a client that uses the lock L there. For locks that consist of several locks.
class FakeFleet {
public:
    FakeFleet(ManualClock& clock, size_t size, Milliseconds watchdogTimeout = std::chrono::seconds(30));

    void open();
    // One lock on each server.
    [[nodiscard]] std::vector<locks::Lock> locks(Kind kind = Kind::Reentrant);
    [[nodiscard]] size_t size() const { return m_members.size(); }
    [[nodiscard]] qint64 held(size_t member) const;
    [[nodiscard]] locks::LockClient& client(size_t member) { return *m_members[member].client; }
    void removeClient(size_t member) { m_members[member].client.reset(); }

    // What has arrived at a server since the last call: "acquire 30000", "release", "renew 5000", "settle 0", or
    // another command unchanged.
    [[nodiscard]] QStringList sent(size_t member);
    // sent() of each server.
    [[nodiscard]] QList<QStringList> sentToAll();
    void reply(size_t member, const QByteArray& answer) { link(member).reply(answer); }
    [[nodiscard]] FakeLink& link(size_t member) { return m_members[member].server->linkOf("lockkeeper"); }
    // After the first attempt of this server's client has failed: lets it subscribe, and answers its second attempt
    // with this TTL.
    void letWait(size_t member, int pttl);
    void reconnect(size_t member);

    static const QByteArray taken;
    static const ThreadId owner;

private:
    struct Member {
        std::unique_ptr<FakeServer> server;
        std::unique_ptr<locks::LockClient> client;
        HolderId holder;
    };

    ManualClock& m_clock;
    std::vector<Member> m_members;
};

// "free", "still held", the error's word, or "running".
[[nodiscard]] QString wordOf(const Running<Result<locks::ReleaseOutcome>>& release);

}  // namespace lockkeeper::test
