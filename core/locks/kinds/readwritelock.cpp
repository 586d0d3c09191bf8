// SPDX-License-Identifier: Apache-2.0
#include "locks/kinds/readwritelock.h"

#include "locks/dialect/lockdialect.h"
#include "locks/lockkeys.h"

namespace lockkeeper::locks {

namespace {

// What both halves of Redisson's RReadWriteLock share: one hash with a mode, one timeout key for every reading hold,
// and one channel.
class ReadWriteDialect : public LockDialect {
public:
    [[nodiscard]] HoldMode mode() const final { return m_mode; }
    [[nodiscard]] ScriptCall settle(const HoldKey& key, qint64 believed) const final;
    [[nodiscard]] ScriptCall force(const LockName& name) const final;
    [[nodiscard]] std::optional<QByteArray> channel(const HoldKey& key) const final;

protected:
    ReadWriteDialect(HoldMode mode, const char* settleFile);

private:
    const HoldMode m_mode;
    const redis::Script m_settle;
    const redis::Script m_force = publishingScript({"rw_holds", "rw_force"});
};

ReadWriteDialect::ReadWriteDialect(HoldMode mode, const char* settleFile)
    : m_mode(mode), m_settle(publishingScript({"rw_holds", settleFile})) {}

ScriptCall ReadWriteDialect::settle(const HoldKey& key, qint64 believed) const {
    const LockKeys keys(key.name);
    return {
        m_settle, {keys.hash(), keys.rwChannel()}, {keys.readTimeoutBase(), key.field(), QByteArray::number(believed)}};
}

ScriptCall ReadWriteDialect::force(const LockName& name) const {
    const LockKeys keys(name);
    const QByteArray mode = m_mode == HoldMode::Write ? QByteArrayLiteral("write") : QByteArrayLiteral("read");
    return {m_force, {keys.hash(), keys.rwChannel()}, {keys.readTimeoutBase(), mode}};
}

std::optional<QByteArray> ReadWriteDialect::channel(const HoldKey& key) const {
    return LockKeys(key.name).rwChannel();
}

// The reading half of Redisson's RReadWriteLock: shared, with one timeout key for every hold.
class ReadDialect final : public ReadWriteDialect {
public:
    ReadDialect() : ReadWriteDialect(HoldMode::Read, "read_settle") {}

    [[nodiscard]] ScriptCall acquire(const HoldKey& key, Milliseconds lease,
                                     std::optional<Milliseconds> queueFor) const override;
    [[nodiscard]] ScriptCall release(const HoldKey& key, Milliseconds lease) const override;

private:
    const redis::Script m_acquire = publishingScript({"add_hold", "rw_holds", "read_acquire"});
    const redis::Script m_release = publishingScript({"rw_holds", "read_release"});
};

ScriptCall ReadDialect::acquire(const HoldKey& key, Milliseconds lease, std::optional<Milliseconds> queueFor) const {
    Q_UNUSED(queueFor)
    const LockKeys keys(key.name);
    const HoldKey writer(key.name, key.holder, HoldMode::Write);
    return {m_acquire,
            {keys.hash(), keys.rwChannel()},
            {keys.readTimeoutBase(), QByteArray::number(lease.count()), key.field(), writer.field()}};
}

ScriptCall ReadDialect::release(const HoldKey& key, Milliseconds lease) const {
    Q_UNUSED(lease)  // every hold has its own timeout key
    const LockKeys keys(key.name);
    return {m_release, {keys.hash(), keys.rwChannel()}, {keys.readTimeoutBase(), key.field()}};
}

const LockDialect& readDialect() {
    static const ReadDialect dialect;
    return dialect;
}

// The writing half of Redisson's RReadWriteLock: exclusive, except that the writer itself may also read.
class WriteDialect final : public ReadWriteDialect {
public:
    WriteDialect() : ReadWriteDialect(HoldMode::Write, "write_settle") {}

    [[nodiscard]] ScriptCall acquire(const HoldKey& key, Milliseconds lease,
                                     std::optional<Milliseconds> queueFor) const override;
    [[nodiscard]] ScriptCall release(const HoldKey& key, Milliseconds lease) const override;

private:
    const redis::Script m_acquire = publishingScript({"add_hold", "rw_holds", "write_acquire"});
    const redis::Script m_release = publishingScript({"rw_holds", "write_release"});
};

ScriptCall WriteDialect::acquire(const HoldKey& key, Milliseconds lease, std::optional<Milliseconds> queueFor) const {
    Q_UNUSED(queueFor)
    const LockKeys keys(key.name);
    return {m_acquire,
            {keys.hash(), keys.rwChannel()},
            {keys.readTimeoutBase(), QByteArray::number(lease.count()), key.field()}};
}

ScriptCall WriteDialect::release(const HoldKey& key, Milliseconds lease) const {
    const LockKeys keys(key.name);
    return {m_release,
            {keys.hash(), keys.rwChannel()},
            {keys.readTimeoutBase(), QByteArray::number(lease.count()), key.field()}};
}

const LockDialect& writeDialect() {
    static const WriteDialect dialect;
    return dialect;
}

}  // namespace

ReadLock::ReadLock(LockClient& client, const LockName& name) : Lock(client, readDialect(), name) {}

WriteLock::WriteLock(LockClient& client, const LockName& name) : Lock(client, writeDialect(), name) {}

}  // namespace lockkeeper::locks
