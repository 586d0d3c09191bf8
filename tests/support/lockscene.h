// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/systemclock.h"
#include "support/anylock.h"
#include "support/lossyline.h"
#include "support/redisserver.h"

#include <QSet>

namespace lockkeeper::test {

// Whether a server keeps its data over a restart.
enum class Memory { Forgets, Remembers };

// A program that takes a lock: for each server a client and the connection to it. Reconnects quickly after a loss.
class LockUser {
public:
    LockUser(Kind kind, const std::vector<std::unique_ptr<RedisServer>>& servers, Clock& clock,
             const locks::LockClientOptions& options);

    void open();
    [[nodiscard]] AnyLock lock(const LockName& name = LockName("L")) const { return AnyLock(m_kind, clients(), name); }
    // A lock with the same name that excludes this kind and is excluded by it.
    [[nodiscard]] AnyLock rival(const LockName& name = LockName("L")) const;
    [[nodiscard]] std::vector<locks::LockClient*> clients() const;
    [[nodiscard]] const std::vector<std::unique_ptr<LossyLine>>& lines() const noexcept { return m_lines; }
    [[nodiscard]] bool isConnected() const;
    // Whether every server has connections of this program, none of which has one of these ids.
    [[nodiscard]] bool isConnectedAnew(const std::vector<QSet<qint64>>& instead) const;
    // The locks reported as lost so far: the reasons, member by member.
    [[nodiscard]] const QList<locks::LossReason>& losses() const noexcept { return m_losses; }

private:
    Kind m_kind;
    std::vector<std::unique_ptr<LossyLine>> m_lines;
    std::vector<std::unique_ptr<locks::LockClient>> m_clients;
    QList<locks::LossReason> m_losses;
};

// The servers that one kind of lock uses, and two programs that compete for it.
class LockScene {
public:
    struct Options {
        Memory memory = Memory::Forgets;
        Milliseconds watchdogTimeout{1200};  // renewals come every third of it
        Milliseconds commandTimeout{3000};
    };

    LockScene(Kind kind, const Options& options);

    // True if the servers run and the programs are connected; otherwise false with a qWarning.
    [[nodiscard]] bool start();
    // Restarts all servers, as after a crash.
    [[nodiscard]] bool restart();
    // Sends the same command to every server; returns the answers, one a line.
    QString everywhere(const QStringList& command);
    // CLIENT KILL for every connection with this name. Returns when the command connections are restored; false if
    // there were none, or if they are not restored.
    [[nodiscard]] bool killConnections(const QString& clientName);

    // Whether the client's record for this thread agrees with the server for each member: empty if it does.
    [[nodiscard]] QString disagreement(const AnyLock& lock, ThreadId thread);
    // Whether the clients' own record says that the lock is held.
    [[nodiscard]] static bool believes(const AnyLock& lock, ThreadId thread);
    // Takes the lock at once; returns the reason if that fails.
    [[nodiscard]] QString take(const AnyLock& lock, ThreadId thread);
    // Releases the last hold; returns the reason if that fails.
    [[nodiscard]] QString giveBack(const AnyLock& lock, ThreadId thread);
    // Releases every hold that this thread still believes to have.
    void giveEverythingBack(const AnyLock& lock, ThreadId thread);
    // The locks' own keys, the same on every server.
    [[nodiscard]] static QStringList lockKeys(const AnyLock& lock);
    // Waits until the leases of all of the lock's keys have got other ends, on every server; false if they do not in
    // time.
    [[nodiscard]] bool isRenewed(const AnyLock& lock);
    // Waits until a call of the first program that waits for the lock sleeps, see test::fallsAsleep().
    [[nodiscard]] bool mineFallsAsleep();
    // Every key on the servers except a fenced lock's last token, which stays by design.
    [[nodiscard]] QStringList keys();

    [[nodiscard]] Milliseconds watchdogTimeout() const noexcept { return m_options.watchdogTimeout; }
    [[nodiscard]] Clock& clock() noexcept { return m_clock; }
    [[nodiscard]] Deadline in(Milliseconds time) { return Deadline::in(m_clock, time); }
    [[nodiscard]] LockUser& mine() noexcept { return *m_mine; }
    [[nodiscard]] LockUser& other() noexcept { return *m_other; }
    [[nodiscard]] const std::vector<std::unique_ptr<RedisServer>>& servers() const noexcept { return m_servers; }

private:
    const Kind m_kind;
    Options m_options;
    SystemClock m_clock;
    std::vector<std::unique_ptr<RedisServer>> m_servers;
    std::unique_ptr<LockUser> m_mine;
    std::unique_ptr<LockUser> m_other;
};

}  // namespace lockkeeper::test

Q_DECLARE_METATYPE(lockkeeper::test::Memory)
