// SPDX-License-Identifier: Apache-2.0
#include "lab/simulatedfleet.h"

#include "async/pause.h"
#include "lab/demostory.h"
#include "locks/kinds/fairlock.h"
#include "locks/kinds/fencedlock.h"
#include "locks/kinds/readwritelock.h"
#include "locks/kinds/reentrantlock.h"

namespace lockkeeper::lab {

namespace {

using namespace std::chrono_literals;

using demo::worker;

constexpr qsizetype deadKept = 4;

locks::LockClientOptions clientOptions() {
    locks::LockClientOptions options;
    options.watchdogTimeout = demo::watchdogTimeout;
    return options;
}

}  // namespace

SimulatedFleet::SimulatedFleet(redis::ConnectionOptions options, Clock& clock, QObject* parent)
    : QObject(parent), m_options(std::move(options)), m_clock(clock) {}

SimulatedFleet::~SimulatedFleet() {
    stop();
}

void SimulatedFleet::start() {
    m_scope.spawn(compete(addClient("orders-a"), 3s, 1s));
    m_scope.spawn(compete(addClient("orders-b"), 2s, 500ms));
    m_scope.spawn(compete(addClient("orders-c"), 4s, 2s));
    for (const QByteArray client : {"tickets-1", "tickets-2", "tickets-3"})
        m_scope.spawn(takeTurns(addClient(client)->fairLock(LockName("tickets:counter")), 2500ms, 1s));
    const LockName prices("catalog:prices");
    m_scope.spawn(takeTurns(addClient("shop-1")->readWriteLock(prices).readLock(), 3s, 2s));
    m_scope.spawn(takeTurns(addClient("shop-2")->readWriteLock(prices).readLock(), 4s, 3s));
    m_scope.spawn(writeAndReadOn(addClient("pricing")));
    m_scope.spawn(takeTurns(addClient("ledger")->fencedLock(LockName("ledger:close")), 5s, 4s));
    m_scope.spawn(reenter(addClient("invoices")));
    m_scope.spawn(takeTurns(addClient("importer")->reentrantLock(LockName("import:nightly:customers")), 10min, 2s));
    m_scope.spawn(letLeaseRunOut(addClient("cache")));
    m_scope.spawn(crashAndComeBack());
    m_scope.spawn(takeTurns(addClient("reporter-2")->reentrantLock(demo::lockOfTheDyingWorker()), 3s, 4s));
}

void SimulatedFleet::stop() {
    for (const std::unique_ptr<locks::LockClient>& client : m_clients)
        client->close();
    m_scope.stop();
    m_clients.clear();
}

locks::LockClient* SimulatedFleet::addClient(const QByteArray& name) {
    redis::ConnectionOptions options = m_options;
    options.clientName = name;
    m_clients.push_back(std::make_unique<locks::LockClient>(options, m_clock, clientOptions()));
    m_clients.back()->open();
    return m_clients.back().get();
}

Task<void> SimulatedFleet::takeTurns(locks::Lock lock, Milliseconds work, Milliseconds rest) {
    bool running = true;
    while (running) {
        running = co_await hold(lock, work);
        if (running)
            running = co_await pause(rest);
    }
}

Task<void> SimulatedFleet::compete(locks::LockClient* client, Milliseconds work, Milliseconds rest) {
    const locks::ReentrantLock order = client->reentrantLock(LockName("orders/{42}"));
    const LockName stockName(QByteArrayLiteral("\xe5\xba\x93\xe5\xad\x98:A-17"));  // 库存:A-17
    const locks::ReentrantLock stock = client->reentrantLock(stockName);
    bool running = true;
    while (running) {
        running = co_await hold(order, work);
        if (running)
            running = co_await pause(rest);
        if (running)
            running = co_await hold(stock, rest);
        if (running)
            running = co_await pause(rest);
    }
}

// A writer that releases the write lock but keeps its read lock, so that other readers can join it.
Task<void> SimulatedFleet::writeAndReadOn(locks::LockClient* client) {
    const locks::ReadWriteLock prices = client->readWriteLock(LockName("catalog:prices"));
    bool running = true;
    while (running) {
        running = co_await take(prices.writeLock());
        if (running)
            running = co_await pause(2s);
        if (running)
            running = co_await take(prices.readLock());
        if (running)
            running = co_await giveBack(prices.writeLock());
        if (running)
            running = co_await pause(2s);
        if (running)
            running = co_await giveBack(prices.readLock());
        if (running)
            running = co_await pause(6s);
    }
}

Task<void> SimulatedFleet::reenter(locks::LockClient* client) {
    constexpr int depth = 3;
    const locks::ReentrantLock lock = client->reentrantLock(LockName("invoices:batch 7"));
    bool running = true;
    while (running) {
        for (int level = 0; running && level < depth; ++level) {
            const bool taken = co_await take(lock);
            const bool paused = co_await pause(1500ms);
            running = taken && paused;
        }
        for (int level = 0; running && level < depth; ++level) {
            const bool released = co_await giveBack(lock);
            const bool paused = co_await pause(1500ms);
            running = released && paused;
        }
    }
}

Task<void> SimulatedFleet::crashAndComeBack() {
    bool running = true;
    while (running) {
        running = co_await crash();
        if (running)
            running = co_await pause(demo::restAfterDeath);
    }
}

// Ends without a release, so that its lock stays until the lease expires.
Task<bool> SimulatedFleet::crash() {
    redis::ConnectionOptions options = m_options;
    options.clientName = "reporter-1";
    locks::LockClient doomed(options, m_clock, clientOptions());
    doomed.open();
    const locks::ReentrantLock lock = doomed.reentrantLock(demo::lockOfTheDyingWorker());
    const bool taken = co_await take(lock);
    const bool paused = co_await pause(demo::workUntilDeath);
    m_dead.prepend(doomed.id());
    m_dead.resize(std::min(m_dead.size(), deadKept));
    co_return taken&& paused;
}

Task<void> SimulatedFleet::letLeaseRunOut(locks::LockClient* client) {
    const locks::ReentrantLock lock = client->reentrantLock(LockName("cache:rebuild"));
    bool running = true;
    while (running) {
        const Result<Done> taken = co_await lock.lock(worker, Milliseconds(12s), m_scope.stopToken());
        const bool paused = co_await pause(16s);
        running = taken.ok() && paused;
    }
}

Task<bool> SimulatedFleet::pause(Milliseconds time) {
    return pauseUntil(Deadline::in(m_clock, time), m_scope.stopToken());
}

Task<bool> SimulatedFleet::take(locks::Lock lock) {
    const Result<Done> taken = co_await lock.lock(worker, std::nullopt, m_scope.stopToken());
    co_return taken.ok();
}

// An operator may have released the lock meanwhile.
Task<bool> SimulatedFleet::giveBack(locks::Lock lock) {
    const Result<locks::ReleaseOutcome> released = co_await lock.unlock(worker);
    co_return released.ok() || released.error().code == ErrorCode::NotHeld;
}

Task<bool> SimulatedFleet::hold(locks::Lock lock, Milliseconds time) {
    bool running = co_await take(lock);
    if (running)
        running = co_await pause(time);
    if (running)
        running = co_await giveBack(lock);
    co_return running;
}

}  // namespace lockkeeper::lab

#include "moc_simulatedfleet.cpp"
