// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "locks/calls/locktarget.h"
#include "locks/lockclientstate.h"

#include <QPointer>

namespace lockkeeper::locks {

// While an object of this class lives, the state of the holder is open: an answer is still expected, or what a call has
// left is being released.
class Unsettled {
public:
    explicit Unsettled(const LockTarget& target) : Unsettled(target.client, target.key) {}
    Unsettled(LockClient* client, HoldKey key) : m_client(client), m_key(std::move(key)) {
        m_client->state().unsettled().begin(m_key);
    }
    Unsettled(const Unsettled&) = delete;
    Unsettled& operator=(const Unsettled&) = delete;
    ~Unsettled() {
        if (m_client)
            m_client->state().unsettled().end(m_key);
    }
    void refuse(const Error& why) const {
        if (m_client)
            m_client->state().unsettled().refuse(m_key, why);
    }

private:
    QPointer<LockClient> m_client;
    HoldKey m_key;
};

}  // namespace lockkeeper::locks
