// SPDX-License-Identifier: Apache-2.0
#include "control/plannedcommands.h"

#include "control/compareandrelease.h"
#include "control/foundstate.h"
#include "locks/lockkeys.h"
#include "monitor/model/holderfield.h"

#include <algorithm>

using namespace std::chrono_literals;

namespace lockkeeper::control {

namespace {

using monitor::FairWaiter;
using monitor::LockSnapshot;

// The same as wrong_clock in locks/lua/fair_queue.lua.
constexpr Milliseconds wrongClock = 10s;

// As the hash shows it, which the script reads: a name whose lock was a read/write lock earlier may be a plain one now.
bool isShared(const LockSnapshot& lock) {
    return std::ranges::any_of(
        lock.holders, [](const monitor::Holder& holder) { return holder.mode != monitor::HoldMode::Exclusive; });
}

// Collects what one call of a script does.
class CommandPlan {
public:
    CommandPlan(const LockSnapshot& lock, const LockChange& change, const ChangeScript& script,
                redis::Publishing publishing, WallTime now)
        : m_lock(lock), m_change(change), m_script(script), m_keys(lock.name), m_publishing(publishing), m_now(now) {}

    QList<QByteArrayList> commands() {
        switch (m_change.kind) {
            case ChangeKind::ReleaseLock:
                releaseLock();
                break;
            case ChangeKind::ReleaseReader:
                releaseReader();
                break;
            case ChangeKind::ReleaseHolder:
                releaseHolder();
                break;
            case ChangeKind::RemoveWaiter:
                removeWaiter();
                break;
            case ChangeKind::WakeWaiters:
                wakeWaiters();
                break;
            case ChangeKind::SetExpiry:
                setExpiry();
                break;
            case ChangeKind::Quarantine:
                quarantine();
                break;
            case ChangeKind::QuarantineHolder:
                quarantineHolder();
                break;
            case ChangeKind::GiveBackPermit:
                giveBackPermit();
                break;
        }
        return m_commands;
    }

private:
    void add(const QByteArrayList& command) { m_commands += command; }

    void publish(const QByteArray& channel, const QByteArray& message) {
        if (m_publishing != redis::Publishing::Plain)
            add({"SPUBLISH", channel, message});
        if (m_publishing != redis::Publishing::Sharded)
            add({"PUBLISH", channel, message});
    }

    void deleteFrom(int first) {
        for (qsizetype key = first; key < m_script.keys.size(); ++key)
            add({"DEL", m_script.keys[key]});
    }

    void releaseLock() {
        add({"DEL", m_keys.hash()});
        if (m_lock.kind == monitor::LockKind::ReadWrite) {
            deleteFrom(4);
            const bool written = std::any_of(m_lock.holders.begin(), m_lock.holders.end(), [](const auto& holder) {
                return holder.mode == monitor::HoldMode::Write;
            });
            return publish(m_keys.rwChannel(), written ? "1" : "0");
        }
        if (m_lock.fairQueue.isEmpty())
            return publish(m_keys.channel(), "0");
        wakeHead(dropDeadHeads());
    }

    void releaseReader() {
        deleteFrom(2);
        add({"HDEL", m_keys.hash(), monitor::HolderField::of(*m_change.reader).bytes()});
        if (m_lock.holders.size() > 1)
            return add({"PEXPIRE", m_keys.hash(), QByteArray()});
        add({"DEL", m_keys.hash()});
        publish(m_keys.rwChannel(), "0");
    }

    // The name of a field that belongs to a value.
    static QByteArray part(const QByteArray& value, const HolderId& owner, const char* name) {
        return value + ':' + owner.bytes() + ':' + name;
    }

    void releaseHolder() {
        const HolderId& holder = *m_change.holder;
        for (const monitor::HeldValue& held : valuesOf(m_lock, holder))
            add({"HDEL", m_keys.hash(), held.value, part(held.value, holder, "expire_time"),
                 part(held.value, holder, "lock_count")});
        publish(m_keys.channel(), "0");
    }

    void quarantineHolder() {
        const HolderId& holder = *m_change.holder;
        const HolderId& console = *m_change.newHolder;
        const QList<monitor::HeldValue> values = valuesOf(m_lock, holder);
        for (const monitor::HeldValue& held : values) {
            add({"HSET", m_keys.hash(), part(held.value, console, "expire_time"), QByteArray()});
            add({"HSET", m_keys.hash(), part(held.value, console, "lock_count"), "1"});
        }
        if (m_lock.ttl)
            add({"PEXPIRE", m_keys.hash(), QByteArray()});
        for (const monitor::HeldValue& held : values) {
            add({"HSET", m_keys.hash(), held.value, console.bytes()});
            add({"HDEL", m_keys.hash(), part(held.value, holder, "expire_time"),
                 part(held.value, holder, "lock_count")});
        }
    }

    void removeWaiter() {
        const HolderId& waiter = m_change.waiter->id;
        add({"ZREM", m_keys.fairTimeouts(), waiter.bytes()});
        add({"LREM", m_keys.fairQueue(), "1", waiter.bytes()});
        const bool isHead = !m_lock.fairQueue.isEmpty() && m_lock.fairQueue.first().id == waiter;
        if (isHead && !m_lock.isHeld())
            wakeHead(1);
    }

    // The message is the number of free permits, which is not known before.
    void giveBackPermit() {
        add({"ZREM", m_script.keys.last(), m_script.arguments.at(1)});
        add({"INCR", m_script.keys.first()});
        publish(m_script.arguments.first(), QByteArray());
    }

    void wakeWaiters() {
        if (m_change.waiter)
            publish(m_keys.fairWaiterChannel(m_change.waiter->id), "0");
        if (!m_lock.fairQueue.isEmpty())
            return wakeHead(0);
        publish(m_keys.channel(), "0");
        publish(m_keys.rwChannel(), "1");
    }

    void setExpiry() {
        add({"PEXPIRE", m_keys.hash(), m_script.arguments.last()});
        if (isShared(m_lock))
            return publish(m_keys.rwChannel(), "1");
        publish(m_keys.channel(), "1");
        for (const FairWaiter& waiter : m_lock.fairQueue)
            publish(m_keys.fairWaiterChannel(waiter.id), "1");
    }

    void quarantine() {
        const QByteArrayList& arguments = m_script.arguments;
        const QByteArray& field = arguments[arguments.size() - 2];
        add({"HSET", m_keys.hash(), field, "1"});
        add({"PEXPIRE", m_keys.hash(), arguments.last()});
        for (qsizetype at = 4; at + 2 < arguments.size(); at += 2) {
            if (arguments[at] == "mode")
                add({"HSET", m_keys.hash(), "mode", "write"});
            else
                add({"HDEL", m_keys.hash(), arguments[at]});
        }
        deleteFrom(4);
    }

    // ---- a fair lock's queue ----

    // Returns the number of dropped heads.
    qsizetype dropDeadHeads() {
        qsizetype dead = 0;
        const QList<FairWaiter>& queue = m_lock.fairQueue;
        for (; dead < queue.size() && queue[dead].deadline && *queue[dead].deadline + wrongClock <= m_now; ++dead) {
            add({"ZREM", m_keys.fairTimeouts(), queue[dead].id.bytes()});
            add({"LPOP", m_keys.fairQueue()});
        }
        return dead;
    }

    // Also wakes the waiter after the head, if the head may be dead.
    void wakeHead(qsizetype head) {
        const QList<FairWaiter>& queue = m_lock.fairQueue;
        for (qsizetype at = head; at < queue.size(); ++at) {
            publish(m_keys.fairWaiterChannel(queue[at].id), "0");
            if (!queue[at].deadline || *queue[at].deadline > m_now)
                return;
        }
    }

    const LockSnapshot& m_lock;
    const LockChange& m_change;
    const ChangeScript& m_script;
    const locks::LockKeys m_keys;
    const redis::Publishing m_publishing;
    const WallTime m_now;
    QList<QByteArrayList> m_commands;
};

QList<ScriptBranch> branchesOf(const LockSnapshot& lock, ChangeKind kind) {
    switch (kind) {
        case ChangeKind::ReleaseLock:
            if (lock.kind == monitor::LockKind::ReadWrite)
                return {};
            return {ScriptBranch::OtherQueue, ScriptBranch::QueueThen};
        case ChangeKind::ReleaseReader:
            return {ScriptBranch::ReadersThen};
        case ChangeKind::RemoveWaiter:
            return {ScriptBranch::HeadThen};
        case ChangeKind::SetExpiry:
            if (isShared(lock))
                return {};
            return {ScriptBranch::OtherQueue, ScriptBranch::QueueThen};
        case ChangeKind::WakeWaiters:
            return {ScriptBranch::QueueThen};
        case ChangeKind::Quarantine:
        case ChangeKind::QuarantineHolder:
            return {ScriptBranch::ReleaseAtEnd};
        case ChangeKind::ReleaseHolder:
        case ChangeKind::GiveBackPermit:
            break;
    }
    return {};
}

bool publishes(ChangeKind kind) {
    return !isQuarantine(kind);
}

}  // namespace

std::optional<PlannedCall> plannedCall(const LockSnapshot& confirmed, const LockChange& change, WallTime now) {
    const Result<ChangeScript> script = changeScript(confirmed, change);
    if (!script)
        return std::nullopt;
    const auto publishing = confirmed.node ? confirmed.node->publishing : redis::Publishing::Plain;
    QList<ScriptBranch> branches = branchesOf(confirmed, change.kind);
    if (publishing == redis::Publishing::Sharded && publishes(change.kind))
        branches += ScriptBranch::BothMessages;
    return PlannedCall{script->file,
                       script->script.formFor(publishing).sha(),
                       script->keys,
                       script->arguments,
                       CommandPlan(confirmed, change, *script, publishing, now).commands(),
                       branches};
}

std::optional<Error> whyNotPossible(const LockSnapshot& confirmed, LockChange change) {
    if (change.kind == ChangeKind::Quarantine)
        change.kind = ChangeKind::ReleaseLock;
    if (change.kind == ChangeKind::QuarantineHolder)
        change.kind = ChangeKind::ReleaseHolder;
    const Result<ChangeScript> script = changeScript(confirmed, change);
    return script ? std::nullopt : std::optional(script.error());
}

}  // namespace lockkeeper::control
