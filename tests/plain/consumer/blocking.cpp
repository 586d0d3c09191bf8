// SPDX-License-Identifier: Apache-2.0
// As main.cpp, but without an event loop and without a QCoreApplication. Usage: blocking SOCKET. Exits with 0 if
// everything succeeded.
#include <lockkeeper/blocking/client.h>

#include <clocale>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>

using namespace lockkeeper;

static int work(const redis::ConnectionOptions& options) {
    blocking::Client client(options);
    const Result<Done> connected = client.connect(std::chrono::seconds(5));
    if (!connected) {
        std::fprintf(stderr, "no connection: %s\n", qPrintable(connected.error().text));
        return 1;
    }
    blocking::Lock lock = client.nonReentrantLock(LockName("consumer"));
    bool wasFree = true;
    {
        const std::unique_lock guard(lock, std::chrono::seconds(5));
        if (!guard.owns_lock())
            return 1;
        std::puts("working under the lock");
        std::thread([&lock, &wasFree] { wasFree = lock.try_lock(); }).join();
    }
    return wasFree ? 1 : 0;
}

int main(int argc, char* argv[]) {
    if (argc != 2)
        return 2;
    redis::ConnectionOptions options;
    options.endpoint.unixPath = QString::fromLocal8Bit(argv[1]);
    const int code = work(options);
    const bool isLocaleKept = std::strcmp(std::setlocale(LC_ALL, nullptr), "C") == 0;
    // Works a second time, after the last client has gone.
    return code != 0 || !isLocaleKept ? 1 : work(options);
}
