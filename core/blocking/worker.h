// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include <functional>
#include <thread>

namespace lockkeeper::blocking {

// The thread with an event loop in which all blocking clients of the program live. It starts with the first client and
// ends with the last one. If the program has no QCoreApplication, the thread makes one and then lives until the program
// ends: Qt ties the application to the thread that made the first one.
class Worker {
public:
    // Count the clients that use the thread: addUser() adds one, removeUser() subtracts one.
    [[nodiscard]] static Worker& addUser();
    static void removeUser();

    Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker();

    // Runs the work in the worker's thread, in the order of these calls. Thread: any.
    void post(std::function<void()> work);
    // As post(), and waits until the work has run. Thread: any but the worker's own.
    void run(const std::function<void()>& work);

private:
    enum class MakesApplication { No, Yes };

    const MakesApplication m_makesApplication;
    QObject* m_context = nullptr;  // lives in the thread
    std::thread m_thread;
};

}  // namespace lockkeeper::blocking
