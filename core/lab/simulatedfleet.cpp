#include "lab/simulatedfleet.h"

#include "locks/kinds/reentrantlock.h"

namespace lockkeeper::lab {

namespace {

using namespace std::chrono_literals;

// Shorter than Redisson's 30 s, so that a spectator sees renewals and expiries without waiting for minutes.
constexpr Milliseconds watchdogTimeout = 9s;
// Thread ids as they look like in a Java service.
constexpr ThreadId worker{33};

const LockName& crashedLock() {
    static const LockName name("report:weekly");
    return name;
}

locks::LockClientOptions clientOptions() {
    locks::LockClientOptions options;
    options.watchdogTimeout = watchdogTimeout;
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
    m_scope.spawn(reenter(addClient("invoices")));
    m_scope.spawn(runLongJob(addClient("importer")));
    m_scope.spawn(letLeaseRunOut(addClient("cache")));
    m_scope.spawn(crashAndComeBack());
    m_scope.spawn(waitForTheCrashed(addClient("reporter-2")));
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

Task<void> SimulatedFleet::compete(locks::LockClient* client, Milliseconds work, Milliseconds rest) {
    const LockName order("orders/{42}");
    const LockName stock(QByteArrayLiteral("\xe5\xba\x93\xe5\xad\x98:A-17"));  // 库存:A-17
    bool running = true;
    while (running) {
        running = co_await hold(client, order, work);
        if (running)
            running = co_await pause(rest);
        if (running)
            running = co_await hold(client, stock, rest);
        if (running)
            running = co_await pause(rest);
    }
}

Task<void> SimulatedFleet::reenter(locks::LockClient* client) {
    constexpr int depth = 3;
    const LockName name("invoices:batch 7");
    const locks::ReentrantLock lock = client->reentrantLock(name);
    bool running = true;
    while (running) {
        for (int level = 0; running && level < depth; ++level) {
            const Result<Done> taken = co_await lock.lock(worker, std::nullopt, m_scope.stopToken());
            const bool paused = co_await pause(1500ms);
            running = taken.ok() && paused;
        }
        bool held = true;
        while (running && held) {
            const Result<locks::ReleaseOutcome> released = co_await lock.unlock(worker);
            held = released.ok() && *released == locks::ReleaseOutcome::StillHeld;
            running = co_await pause(1500ms);
        }
    }
}

Task<void> SimulatedFleet::runLongJob(locks::LockClient* client) {
    const LockName name("import:nightly:customers");
    bool running = true;
    while (running) {
        running = co_await hold(client, name, 10min);
        if (running)
            running = co_await pause(2s);
    }
}

Task<void> SimulatedFleet::crashAndComeBack() {
    bool running = true;
    while (running) {
        running = co_await crash();
        if (running)
            running = co_await pause(20s);
    }
}

// Gone without a word at the end; the lock stays until its lease has run out.
Task<bool> SimulatedFleet::crash() {
    redis::ConnectionOptions options = m_options;
    options.clientName = "reporter-1";
    locks::LockClient doomed(options, m_clock, clientOptions());
    doomed.open();
    const locks::ReentrantLock lock = doomed.reentrantLock(crashedLock());
    const Result<Done> taken = co_await lock.lock(worker, std::nullopt, m_scope.stopToken());
    const bool paused = co_await pause(7s);
    co_return taken.ok() && paused;
}

Task<void> SimulatedFleet::waitForTheCrashed(locks::LockClient* client) {
    bool running = true;
    while (running) {
        running = co_await pause(4s);
        if (running)
            running = co_await hold(client, crashedLock(), 3s);
    }
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
    const Completion<Done> never;
    const Result<Done> ended = co_await never.wait(Deadline::in(m_clock, time), m_scope.stopToken());
    co_return ended.error().code == ErrorCode::Timeout;
}

Task<bool> SimulatedFleet::hold(locks::LockClient* client, LockName name, Milliseconds time) {
    const locks::ReentrantLock lock = client->reentrantLock(name);
    const Result<Done> taken = co_await lock.lock(worker, std::nullopt, m_scope.stopToken());
    if (!taken)
        co_return false;
    const bool running = co_await pause(time);
    if (!running)
        co_return false;
    const Result<locks::ReleaseOutcome> released = co_await lock.unlock(worker);
    co_return released.ok() || released.error().code == ErrorCode::NotHeld;
}

}  // namespace lockkeeper::lab
