// SPDX-License-Identifier: Apache-2.0
// Takes a lock, works, releases it. Usage: consumer SOCKET. Exits with 0 if everything succeeded.
#include <lockkeeper/async/taskscope.h>
#include <lockkeeper/base/systemclock.h>
#include <lockkeeper/locks/kinds/reentrantlock.h>
#include <lockkeeper/locks/lockclient.h>

#include <QCoreApplication>

#include <cstdio>

using namespace lockkeeper;

static Task<void> work(locks::LockClient* client) {
    const locks::ReentrantLock lock = client->reentrantLock(LockName("consumer"));
    const ThreadId me{1};
    const Deadline fiveSeconds = Deadline::in(client->clock(), std::chrono::seconds(5));
    const Result<locks::LockAttempt> taken = co_await lock.tryLock(me, fiveSeconds);
    if (!taken || !taken->acquired()) {
        std::fprintf(stderr, "not taken: %s\n", taken ? "held by another" : qPrintable(taken.error().text));
        QCoreApplication::exit(1);
        co_return;
    }
    std::puts("working under the lock");
    const Result<locks::ReleaseOutcome> released = co_await lock.unlock(me);
    QCoreApplication::exit(released.ok() ? 0 : 1);
}

int main(int argc, char* argv[]) {
    const QCoreApplication application(argc, argv);
    if (argc != 2)
        return 2;
    redis::ConnectionOptions options;
    options.endpoint.unixPath = QString::fromLocal8Bit(argv[1]);
    SystemClock clock;
    locks::LockClient client(options, clock);
    client.open();
    TaskScope scope;
    QMetaObject::invokeMethod(
        &clock, [&scope, &client] { scope.spawn(work(&client)); }, Qt::QueuedConnection);
    return QCoreApplication::exec();
}
