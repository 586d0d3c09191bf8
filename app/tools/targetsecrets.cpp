// SPDX-License-Identifier: Apache-2.0
#include "app/tools/targetsecrets.h"

#include "app/cli/commandline.h"
#include "profile/savedsecrets.h"

#include <algorithm>
#include <utility>

namespace lockkeeper::app {

namespace {

using namespace std::chrono_literals;

constexpr auto patienceWithKeychain = 30s;

bool hasSecretsInKeychain(const WatchedTarget& target) {
    return target.saved && target.saved->secrets != profile::StoredProfile::Secrets::AskedEachTime;
}

Error notAnswered() {
    return Error(ErrorCode::Keychain, CommandLine::tr("the keychain did not answer within %1 s, and is perhaps locked")
                                          .arg(patienceWithKeychain.count()));
}

}  // namespace

struct TargetSecrets::Reading {
    QList<WatchedTarget> targets;
    Done done;
    NotRead notRead{};
    qsizetype open = 0;
    Clock::TimerId limit = Clock::TimerId::None;
    bool isOver = false;
};

TargetSecrets::TargetSecrets(Clock& clock) : m_clock(clock), m_secrets(QStringLiteral("lockkeeper")) {}

TargetSecrets::~TargetSecrets() {
    stop();
}

// The answers of an earlier reading may still come.
void TargetSecrets::take(const QList<WatchedTarget>& targets, const Done& done) {
    stop();
    const auto reading = std::make_shared<Reading>();
    reading->targets = targets;
    reading->done = done;
    m_reading = reading;
    reading->open = std::ranges::count_if(targets, hasSecretsInKeychain);
    if (reading->open == 0)
        return finish();
    reading->limit = m_clock.schedule(m_clock.now() + patienceWithKeychain, [this, reading] {
        reading->limit = Clock::TimerId::None;
        finish();
    });
    for (qsizetype place = 0; place < targets.size(); ++place) {
        if (!hasSecretsInKeychain(targets.at(place)))
            continue;
        reading->notRead.insert(targets.at(place).name, notAnswered());
        profile::withSecrets(m_secrets, targets.at(place).profile)
            .then([this, reading, place](const Result<profile::ConnectionProfile>& profile) {
                if (reading->isOver)
                    return;
                const QString name = reading->targets.at(place).name;
                if (profile) {
                    m_filled.insert(name, {reading->targets.at(place).profile, *profile});
                    reading->targets[place].profile = *profile;
                    reading->notRead.remove(name);
                } else {
                    reading->notRead.insert(name, profile.error());
                }
                if (--reading->open == 0)
                    finish();
            });
    }
}

void TargetSecrets::stop() {
    const std::shared_ptr<Reading> reading = std::exchange(m_reading, nullptr);
    if (!reading)
        return;
    reading->isOver = true;
    m_clock.cancel(reading->limit);
}

void TargetSecrets::finish() {
    const std::shared_ptr<Reading> reading = m_reading;
    stop();
    for (WatchedTarget& target : reading->targets) {
        const auto filled = m_filled.constFind(target.name);
        if (reading->notRead.contains(target.name) && filled != m_filled.cend() && filled->without == target.profile)
            target.profile = filled->with;
    }
    reading->done(reading->targets, reading->notRead);
}

}  // namespace lockkeeper::app
