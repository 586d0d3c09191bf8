// SPDX-License-Identifier: Apache-2.0
#include "locks/lockclient.h"

#include "locks/kinds/fairlock.h"
#include "locks/kinds/fencedlock.h"
#include "locks/kinds/nonreentrantlock.h"
#include "locks/kinds/readwritelock.h"
#include "locks/kinds/reentrantlock.h"
#include "locks/kinds/spinlock.h"
#include "locks/lockclientstate.h"
#include "locks/synchronizers/countdownlatch.h"
#include "locks/synchronizers/permitsemaphore.h"
#include "locks/synchronizers/semaphore.h"
#include "redis/sockettransport.h"

namespace lockkeeper::locks {

LockClient::LockClient(redis::ConnectionOptions options, topology::Shards& shards, Clock& clock,
                       LockClientOptions clientOptions, QObject* parent)
    : QObject(parent),
      m_options(std::move(clientOptions)),
      m_clock(clock),
      m_state(std::make_unique<LockClientState>(*this, options, shards)) {}

LockClient::LockClient(redis::ConnectionOptions options, const redis::TransportFactory& makeTransport, Clock& clock,
                       LockClientOptions clientOptions, QObject* parent)
    : QObject(parent),
      m_options(std::move(clientOptions)),
      m_clock(clock),
      m_ownShards(std::make_unique<topology::OneShard>(makeTransport)),
      m_state(std::make_unique<LockClientState>(*this, options, *m_ownShards)) {}

LockClient::LockClient(redis::ConnectionOptions options, Clock& clock, LockClientOptions clientOptions, QObject* parent)
    : LockClient(
          options, [endpoint = options.endpoint] { return redis::makeSocketTransport(endpoint); }, clock,
          std::move(clientOptions), parent) {}

LockClient::~LockClient() {
    blockSignals(true);
    m_state->commands().blockSignals(true);
    close();
    m_state->scope().stop();
    m_state->underWay().close();
    m_state->unsettled().close();
}

void LockClient::open() {
    m_state->commands().open();
}

void LockClient::close() {
    m_state->unlockSignals().close();
    m_state->commands().close();
}

ReentrantLock LockClient::reentrantLock(const LockName& name) {
    return {*this, m_options.nameMapper.onServer(name)};
}

FairLock LockClient::fairLock(const LockName& name) {
    return {*this, m_options.nameMapper.onServer(name)};
}

ReadWriteLock LockClient::readWriteLock(const LockName& name) {
    return {*this, m_options.nameMapper.onServer(name)};
}

NonReentrantLock LockClient::nonReentrantLock(const LockName& name) {
    return {*this, m_options.nameMapper.onServer(name)};
}

NonReentrantFairLock LockClient::nonReentrantFairLock(const LockName& name) {
    return {*this, m_options.nameMapper.onServer(name)};
}

FencedLock LockClient::fencedLock(const LockName& name) {
    return {*this, m_options.nameMapper.onServer(name)};
}

SpinLock LockClient::spinLock(const LockName& name) {
    return {*this, m_options.nameMapper.onServer(name)};
}

Semaphore LockClient::semaphore(const LockName& name) {
    return {*this, m_options.nameMapper.onServer(name)};
}

PermitSemaphore LockClient::permitSemaphore(const LockName& name) {
    return {*this, m_options.nameMapper.onServer(name)};
}

CountDownLatch LockClient::countDownLatch(const LockName& name) {
    return {*this, m_options.nameMapper.onServer(name)};
}

std::vector<HoldKey> LockClient::heldKeys() const {
    return m_state->held().keys();
}

Hold LockClient::hold(const HoldKey& key) const {
    const Hold* hold = m_state->held().find(key);
    return hold ? *hold : Hold();
}

bool LockClient::hasCallsUnderWay(const HoldKey& key) const {
    return m_state->underWay().any(key);
}

Completion<Done> LockClient::whenSettled(const HoldKey& key) const {
    return m_state->unsettled().whenNoneOrRefused(key);
}

LossDetection LockClient::lossDetection() const {
    return m_state->tracking().lossDetection();
}

void LockClient::checkHolds(const LockName& name) {
    m_state->tracking().readSoon(name);
}

void LockClient::watchHold(const HoldKey& key, Deadline leaseEnd, const QByteArrayList& values) {
    m_state->tracking().setValues(key, values);
    const SteadyTime end = leaseEnd.time();
    const Milliseconds lease = std::chrono::ceil<Milliseconds>(end - m_clock.now());
    const LeaseTicket ticket = m_state->leaseSent(key, end, LeaseCause::Acquire);
    m_state->holdAcquired(key, ticket, end, lease, Renewal::FixedLease);
}

void LockClient::forgetHold(const HoldKey& key) {
    m_state->tracking().setValues(key, {});
    m_state->holdEnded(key);
}

topology::ShardConnections& LockClient::connections() noexcept {
    return m_state->commands();
}

}  // namespace lockkeeper::locks

#include "moc_lockclient.cpp"
