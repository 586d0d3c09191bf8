// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/watchedtarget.h"
#include "base/clock.h"
#include "profile/secretstore.h"

#include <QHash>
#include <QList>

#include <functional>
#include <memory>

namespace lockkeeper::app {

// Adds the secrets of saved connections to the servers of a service, from the keychain. Thread: main.
class TargetSecrets {
public:
    // notRead: why the secrets of a target could not be read, by its name.
    using NotRead = QHash<QString, Error>;
    using Done = std::function<void(const QList<WatchedTarget>& targets, const NotRead& notRead)>;

    // clock: outlives it.
    explicit TargetSecrets(Clock& clock);
    ~TargetSecrets();

    // Calls done once: with all secrets, or after 30 s with those that there are, because a keychain that is locked
    // asks the user, who may not be there. A target whose secrets cannot be read keeps those of the last call. Never if
    // take() is called again before, or stop().
    void take(const QList<WatchedTarget>& targets, const Done& done);
    void stop();

private:
    struct Reading;

    struct Filled {
        profile::ConnectionProfile without;
        profile::ConnectionProfile with;
    };

    void finish();

    Clock& m_clock;
    profile::SecretStore m_secrets;
    QHash<QString, Filled> m_filled;     // by the name of the target: what was read last
    std::shared_ptr<Reading> m_reading;  // null: none is under way
};

}  // namespace lockkeeper::app
