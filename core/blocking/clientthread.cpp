// SPDX-License-Identifier: Apache-2.0
#include "blocking/clientthread.h"

namespace lockkeeper::blocking {

ClientThread::ClientThread(const topology::Deployment& deployment, const redis::ConnectionOptions& connection,
                           const locks::LockClientOptions& options)
    : m_worker(Worker::addUser()) {
    m_worker.run([&] {
        m_clock = std::make_unique<SystemClock>();
        m_route = std::make_unique<topology::Route>(deployment, connection, *m_clock);
        m_client = std::make_unique<locks::LockClient>(connection, m_route->shards(), *m_clock, options);
        QObject::connect(m_client.get(), &locks::LockClient::lockLost, m_clock.get(),
                         [this](const locks::HoldKey& key, locks::LossReason why) {
                             if (m_onLost)
                                 m_onLost(key, why);
                         });
        m_client->open();
    });
}

ClientThread::~ClientThread() {
    m_worker.run([this] {
        m_client.reset();
        m_route.reset();
        m_clock.reset();
    });
    Worker::removeUser();
}

void ClientThread::whenLost(Client::LostHandler handler) {
    m_worker.run([this, &handler] { m_onLost = std::move(handler); });
}

}  // namespace lockkeeper::blocking
