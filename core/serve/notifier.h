// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/engine.h"
#include "platform/filelock.h"
#include "serve/casebook.h"
#include "serve/sender.h"
#include "serve/service.h"
#include "serve/servicelog.h"
#include "serve/targetwatch.h"

namespace lockkeeper::serve {

// A server, or a database of it, that is watched. The name has no secret: receivers and logs see it.
struct Target {
    QString name;
    profile::ConnectionProfile profile;

    friend bool operator==(const Target&, const Target&) = default;
};

struct NotifierSettings {
    std::vector<Target> targets;
    std::vector<monitor::NoticeRules> rules;
};

// Watches targets, and sends what the rules cover to a receiver. It only reads: every connection refuses commands that
// write. Thread: the Engine's.
class Notifier final : public QObject {
    Q_OBJECT
public:
    // What it uses; all of it outlives the notifier.
    struct Parts {
        Engine& engine;
        Clock& clock;
        const ServiceLog& log;
        Service& service;
        std::function<double()> share;  // see Sender
    };

    Notifier(Parts parts, MessageWords words, const QString& stateFolder, QObject* parent = nullptr);
    ~Notifier() override;

    // Takes the folder of the state and reads what an earlier run has left there. Errors: Storage, also if another
    // notifier uses the folder (ServeCause::StateInUse).
    [[nodiscard]] Result<Done> open();
    // At the start, and again with other settings. Targets that stay are not connected again.
    void apply(const NotifierSettings& settings, std::unique_ptr<Receiver> receiver);
    // Writes what is not sent yet to the disk, and ends the sessions. finished() follows.
    void stop();

Q_SIGNALS:
    void finished();

private:
    struct Watched {
        Watched(Target ofTarget, Clock& clock, const std::function<void(Watched& watched)>& reopen)
            : target(std::move(ofTarget)), watch(target.name), again(clock, [this, reopen] { reopen(*this); }) {}

        const Target target;
        TargetWatch watch;
        SessionId session = SessionId::None;
        bool hasUnconfirmed = false;              // cases that must be seen again
        std::optional<SteadyTime> confirmedBy{};  // when all that is not seen again has ended
        int failures = 0;                         // of the first connection, in a row
        QString lastProblem;                      // as logged; empty: none
        ClockTimer again;
    };

    void onStatus(SessionId session, const ConnectionStatus& status);
    void logStatus(Watched& watched, const ConnectionStatus& status);
    void reopenLater(Watched& watched);
    void openSession(Watched& watched);
    [[nodiscard]] Watched* watchedOf(SessionId session);
    void removeTargets(const std::vector<Target>& kept);
    void work();
    void take(Watched& watched, SteadyTime now, WallTime wall);
    void endUnseen(Watched& watched, SteadyTime now, WallTime wall);
    void add(const std::optional<CaseEvent>& event, SteadyTime now);
    void send(const Gathered& gathered);
    void saveCases();
    void onSender(const SenderEvent& event);
    void showStatus();
    void shutDown();

    Engine& m_engine;
    Clock& m_clock;
    const ServiceLog& m_log;
    Service& m_service;
    const MessageWords m_words;
    const QString m_folder;
    platform::FileLock m_lock;
    NotifierSettings m_settings;
    std::vector<std::unique_ptr<Watched>> m_targets;
    CaseBook m_cases;
    Gathering m_gathering;
    MessageQueue m_queue;
    Sender m_sender;
    ClockTimer m_due;
    ClockTimer m_patience;  // with the receiver, at the end
    bool m_isDiskFull = false;
    bool m_isStopping = false;
    bool m_isShutDown = false;
};

}  // namespace lockkeeper::serve
