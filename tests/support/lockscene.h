#pragma once

#include "base/systemclock.h"
#include "support/anylock.h"
#include "support/lossyline.h"
#include "support/redisserver.h"

#include <QSet>

namespace lockkeeper::test {

// Whether a server knows after a restart what it knew before.
enum class Memory { Forgets, Remembers };

// A program that takes a lock: its client, and the line to the server, for each of the servers. Comes back fast after a
// loss.
class LockUser {
public:
    LockUser(Kind kind, const std::vector<std::unique_ptr<RedisServer>>& servers, Clock& clock,
             const locks::LockClientOptions& options);

    void open();
    [[nodiscard]] AnyLock lock(const LockName& name = LockName("L")) const { return AnyLock(m_kind, clients(), name); }
    // Of the same name, and kept out by the lock of this kind as well as keeping it out.
    [[nodiscard]] AnyLock rival(const LockName& name = LockName("L")) const;
    [[nodiscard]] std::vector<locks::LockClient*> clients() const;
    [[nodiscard]] const std::vector<std::unique_ptr<LossyLine>>& lines() const noexcept { return m_lines; }
    [[nodiscard]] bool isConnected() const;
    // By connections that are none of these, of each server those that the server calls by these numbers.
    [[nodiscard]] bool isConnectedAnew(const std::vector<QSet<qint64>>& instead) const;
    // What it was told so far of locks that it lost: why, member by member.
    [[nodiscard]] const QStringList& losses() const noexcept { return m_losses; }

private:
    Kind m_kind;
    std::vector<std::unique_ptr<LossyLine>> m_lines;
    std::vector<std::unique_ptr<locks::LockClient>> m_clients;
    QStringList m_losses;
};

// The servers that one kind of lock lives on, and two programs that want it.
class LockScene {
public:
    struct Options {
        Memory memory = Memory::Forgets;
        Milliseconds watchdogTimeout{600};  // renews every third of it
        Milliseconds commandTimeout{3000};
    };

    LockScene(Kind kind, const Options& options);

    // Servers run and programs are connected; false with a qWarning.
    [[nodiscard]] bool start();
    // All of them, as after a crash.
    [[nodiscard]] bool restart();
    // Says the same to every server; the answers, one a line.
    QString everywhere(const QStringList& command);
    // CLIENT KILL for every connection of this name. Returns when those for commands are back; false when there were
    // none, or they stay away.
    [[nodiscard]] bool killConnections(const QString& clientName);

    // Empty when what this thread believes of each member is what the server has on record.
    [[nodiscard]] QString disagreement(const AnyLock& lock, ThreadId thread);
    // Whether it believes to hold the lock, by its clients' own record.
    [[nodiscard]] static bool believes(const AnyLock& lock, ThreadId thread);
    // Takes the lock at once, or says why not.
    [[nodiscard]] QString take(const AnyLock& lock, ThreadId thread);
    // Gives back the last hold, or says why not.
    [[nodiscard]] QString giveBack(const AnyLock& lock, ThreadId thread);
    // Gives back whatever this thread still believes to hold.
    void giveEverythingBack(const AnyLock& lock, ThreadId thread);
    // The locks' own keys, the same on every server.
    [[nodiscard]] static QStringList lockKeys(const AnyLock& lock);
    // Every key on the servers but a fenced lock's last token, which stays by design.
    [[nodiscard]] QStringList keys();

    [[nodiscard]] Milliseconds watchdogTimeout() const noexcept { return m_options.watchdogTimeout; }
    [[nodiscard]] Clock& clock() noexcept { return m_clock; }
    [[nodiscard]] Deadline in(Milliseconds time) { return Deadline::in(m_clock, time); }
    [[nodiscard]] LockUser& mine() noexcept { return *m_mine; }
    [[nodiscard]] LockUser& other() noexcept { return *m_other; }
    [[nodiscard]] const std::vector<std::unique_ptr<RedisServer>>& servers() const noexcept { return m_servers; }

private:
    Options m_options;
    SystemClock m_clock;
    std::vector<std::unique_ptr<RedisServer>> m_servers;
    std::unique_ptr<LockUser> m_mine;
    std::unique_ptr<LockUser> m_other;
};

}  // namespace lockkeeper::test

Q_DECLARE_METATYPE(lockkeeper::test::Memory)
