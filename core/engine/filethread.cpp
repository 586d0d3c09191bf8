// SPDX-License-Identifier: Apache-2.0
#include "engine/filethread.h"

namespace lockkeeper {

FileThread::FileThread() {
    m_thread.setObjectName(QStringLiteral("lockkeeper-files"));
    m_queue.moveToThread(&m_thread);
}

FileThread::~FileThread() {
    if (!m_thread.isRunning())
        return;
    post([] { QThread::currentThread()->quit(); });
    m_thread.wait();
}

void FileThread::post(std::function<void()> work) {
    if (!m_thread.isRunning())
        m_thread.start(QThread::LowPriority);
    QMetaObject::invokeMethod(&m_queue, std::move(work), Qt::QueuedConnection);
}

}  // namespace lockkeeper
