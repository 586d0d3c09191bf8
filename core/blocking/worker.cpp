// SPDX-License-Identifier: Apache-2.0
#include "blocking/worker.h"

#include "base/postponed.h"

#include <QCoreApplication>
#include <QEventLoop>

#include <clocale>
#include <future>
#include <memory>
#include <mutex>
#include <string>

namespace lockkeeper::blocking {

namespace {

struct Shared {
    std::mutex mutex;
    int users = 0;
    std::unique_ptr<Worker> worker;
};

// Never destroyed: a client that is a global variable may outlive any other global variable.
Shared& shared() {
    static auto* const instance = new Shared;
    return *instance;
}

// The constructor of QCoreApplication changes the locale, which belongs to the program.
std::unique_ptr<QCoreApplication> ownApplication() {
    static int argumentCount = 1;
    static char name[] = "lockkeeper";
    static char* arguments[] = {name, nullptr};
    const char* current = std::setlocale(LC_ALL, nullptr);
    const std::string before = current ? current : "C";
    auto application = std::make_unique<QCoreApplication>(argumentCount, arguments);
    std::setlocale(LC_ALL, before.c_str());
    return application;
}

}  // namespace

Worker& Worker::addUser() {
    const std::lock_guard guard(shared().mutex);
    ++shared().users;
    if (!shared().worker)
        shared().worker = std::make_unique<Worker>();
    return *shared().worker;
}

void Worker::removeUser() {
    const std::lock_guard guard(shared().mutex);
    if (--shared().users == 0 && shared().worker->m_makesApplication == MakesApplication::No)
        shared().worker.reset();
}

Worker::Worker() : m_makesApplication(QCoreApplication::instance() ? MakesApplication::No : MakesApplication::Yes) {
    const auto ready = std::make_shared<std::promise<void>>();
    m_thread = std::thread([this, ready] {
        const std::unique_ptr<QCoreApplication> application =
            m_makesApplication == MakesApplication::Yes ? ownApplication() : nullptr;
        QEventLoop loop;
        QObject context(&loop);
        m_context = &context;
        ready->set_value();
        loop.exec();
        deletePostponed();
    });
    ready->get_future().wait();
}

Worker::~Worker() {
    post([loop = static_cast<QEventLoop*>(m_context->parent())] { loop->quit(); });
    m_thread.join();
}

void Worker::post(std::function<void()> work) {
    QMetaObject::invokeMethod(m_context, std::move(work), Qt::QueuedConnection);
}

void Worker::run(const std::function<void()>& work) {
    const auto done = std::make_shared<std::promise<void>>();  // the thread may still use it after the wait
    post([&work, done] {
        work();
        done->set_value();
    });
    done->get_future().wait();
}

}  // namespace lockkeeper::blocking
