// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>

#include <functional>
#include <thread>

namespace lockkeeper::blocking {

// The thread with an event loop in which all blocking clients of the program live. It starts with the first of them and
// ends with the last one. If the program has no QCoreApplication, it makes one, and does not end before the program
// does: Qt ties the application to the thread that has made the first one.
class Worker {
public:
    // Count the clients that use the thread: one more, and one fewer.
    [[nodiscard]] static Worker& addUser();
    static void removeUser();

    Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker();

    // In its thread, in the order of these calls. From any thread.
    void post(std::function<void()> work);
    // As post(), and waits until it has run. From any thread but its own.
    void run(const std::function<void()>& work);

private:
    enum class MakesApplication { No, Yes };

    const MakesApplication m_makesApplication;
    QObject* m_context = nullptr;  // lives in the thread
    std::thread m_thread;
};

}  // namespace lockkeeper::blocking
