// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/labactions.h"

#include "ui/lab/labwords.h"
#include "ui/words/locktext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>
#include <QMenu>

#include <algorithm>

namespace lockkeeper::ui {

namespace {

using namespace std::chrono_literals;

// The lease of a run that is not stretched.
constexpr Milliseconds shortLabLease = 3s;
constexpr Milliseconds labDelay = 500ms;
constexpr Milliseconds labJump = 10s;

struct LabActionWords {
    Q_DECLARE_TR_FUNCTIONS(LabActionWords)
};

// Adds one action after the other.
class Adder {
public:
    Adder(QMenu& menu, const LabAct& act) : m_menu(menu), m_act(act) {}

    void add(const char* objectName, const QString& text, const lab::Step& step, bool isPossible = true) const {
        QAction* action = m_menu.addAction(text);
        action->setObjectName(QString::fromLatin1(objectName));
        action->setEnabled(isPossible);
        QObject::connect(action, &QAction::triggered, &m_menu, [act = m_act, step] { act(step); });
    }
    void add(const char* objectName, const QString& text, const lab::Fault& fault, bool isPossible = true) const {
        add(objectName, text, lab::Step{{}, {}, fault}, isPossible);
    }

private:
    QMenu& m_menu;
    const LabAct& m_act;
};

}  // namespace

void fillActorMenu(QMenu& menu, const lab::LabActor& actor, const LabLocks& locks, const LabAct& act) {
    const Adder adder(menu, act);
    const bool isAlive = !actor.hasCrashed;
    const bool mayLock = isAlive && locks.mayBeUsed;
    const lab::ActorName& name = actor.name;
    const Milliseconds lease = shortLabLease * locks.stretch;
    const Milliseconds delay = labDelay * locks.stretch;
    const Milliseconds jump = labJump * locks.stretch;
    for (const lab::LockPlan& plan : locks.plans) {
        const QString lock = withoutMnemonic(QString::fromUtf8(plan.id.bytes()));
        adder.add("labLock", LabActionWords::tr("Lock %1, and wait for it").arg(lock),
                  {{}, name, lab::Acquire{plan.id, std::nullopt, std::nullopt}}, mayLock);
        adder.add("labTry", LabActionWords::tr("Try %1 once, with a lease of %2").arg(lock, durationText(lease)),
                  {{}, name, lab::Acquire{plan.id, 0ms, lease}}, mayLock);
        adder.add("labUnlock", LabActionWords::tr("Unlock %1").arg(lock), {{}, name, lab::Release{plan.id}}, mayLock);
    }
    menu.addSeparator();
    if (actor.isFrozen)
        adder.add("labResume", LabActionWords::tr("&Resume"), lab::ResumeActor{name}, isAlive);
    else
        adder.add("labFreeze", LabActionWords::tr("&Freeze"), lab::FreezeActor{name}, isAlive);
    if (actor.isCutOff)
        adder.add("labMend", LabActionWords::tr("&Mend its network"), lab::MendNetwork{name}, isAlive);
    else
        adder.add("labCut", LabActionWords::tr("C&ut its network"), lab::CutNetwork{name}, isAlive);
    if (actor.delay > 0ms)
        adder.add("labFast", LabActionWords::tr("Make its network &fast again"), lab::DelayNetwork{name, 0ms}, isAlive);
    else
        adder.add("labDelay", LabActionWords::tr("&Delay its network by %1 each way").arg(durationText(delay)),
                  lab::DelayNetwork{name, delay}, isAlive);
    adder.add("labJump", LabActionWords::tr("Set its cloc&k %1 ahead").arg(durationText(jump)),
              lab::JumpClock{name, jump}, isAlive);
    adder.add("labLoseAnswer", LabActionWords::tr("Lose the next &answer"), lab::LoseAnswer{name}, isAlive);
    adder.add("labCrash", LabActionWords::tr("&Crash"), lab::CrashActor{name}, isAlive);
}

namespace {

// Moves the key with the other keys of its slot, to any other server that can take them.
void addSlotMoves(const Adder& adder, const std::vector<lab::LabServer>& servers, const LabPlace& place,
                  bool isPossible) {
    const QString key = withoutMnemonic(QString::fromUtf8(place.key));
    for (const lab::LabServer& other : servers) {
        if (other.number == place.server)
            continue;
        adder.add(
            "labMoveSlot", LabActionWords::tr("Move the slot of %1 to %2").arg(key, serverName(other.number)),
            lab::MoveSlot{LockName(place.key), place.server, other.number},
            isPossible && other.condition == lab::ServerCondition::Running && !other.unreached.contains(place.server));
    }
}

// Faults of a server or the Sentinel.
void addProcessFaults(const Adder& adder, const lab::LabServer& server) {
    if (server.condition == lab::ServerCondition::Frozen)
        adder.add("labResumeServer", LabActionWords::tr("&Resume"), lab::ResumeServer{server.number});
    else
        adder.add("labFreezeServer", LabActionWords::tr("&Freeze"), lab::FreezeServer{server.number},
                  server.condition == lab::ServerCondition::Running);
    if (server.condition == lab::ServerCondition::Killed)
        adder.add("labRestartServer", LabActionWords::tr("Re&start"), lab::RestartServer{server.number});
    else
        adder.add("labKillServer", LabActionWords::tr("&Kill"), lab::KillServer{server.number});
}

// The Sentinel promotes, if there is one.
void addPromotion(const Adder& adder, const std::vector<lab::LabServer>& servers) {
    const auto sentinel = std::ranges::find(servers, lab::sentinelServer, &lab::LabServer::number);
    adder.add("labPromote", LabActionWords::tr("&Promote the replica"), lab::PromoteReplica(),
              sentinel == servers.end() || sentinel->condition == lab::ServerCondition::Running);
}

// Whether this server was cut off, not another one from it. The Sentinel stays with the others; so does an actor,
// when a person cuts off the server.
bool isCutOff(const lab::LabServer& server, const std::vector<lab::LabServer>& servers) {
    if (std::ranges::find(servers, lab::sentinelServer, &lab::LabServer::number) != servers.end())
        return server.unreached.sentinel;
    return server.unreached.servers.size() + 1 == servers.size() && !server.unreached.actors.empty();
}

// Faults that only a server with data has.
void addDataFaults(const Adder& adder, const std::vector<lab::LabServer>& servers, const LabPlace& place,
                   lab::ServersPlan::Form form, bool isRunning) {
    if (!place.key.isEmpty())
        adder.add("labDelete", LabActionWords::tr("DEL %1").arg(withoutMnemonic(QString::fromUtf8(place.key))),
                  lab::ByHand{place.server, {"DEL", place.key}}, isRunning);
    if (!place.key.isEmpty() && form == lab::ServersPlan::Form::Cluster)
        addSlotMoves(adder, servers, place, isRunning);
    adder.add("labFlush", LabActionWords::tr("FLUSHALL"), lab::ByHand{place.server, {"FLUSHALL"}}, isRunning);
    adder.add("labScriptFlush", LabActionWords::tr("SCRIPT FLUSH"), lab::ByHand{place.server, {"SCRIPT", "FLUSH"}},
              isRunning);
}

}  // namespace

void fillServerMenu(QMenu& menu, const std::vector<lab::LabServer>& servers, const LabPlace& place,
                    lab::ServersPlan::Form form, const LabAct& act) {
    const auto found = std::ranges::find(servers, place.server, &lab::LabServer::number);
    if (found == servers.end())
        return;
    const lab::LabServer& server = *found;
    const Adder adder(menu, act);
    const bool isRunning = server.condition == lab::ServerCondition::Running;
    if (server.number == lab::sentinelServer) {
        addProcessFaults(adder, server);
        menu.addSeparator();
        return addPromotion(adder, servers);
    }
    addDataFaults(adder, servers, place, form, isRunning);
    menu.addSeparator();
    addProcessFaults(adder, server);
    menu.addSeparator();
    if (isCutOff(server, servers))
        adder.add("labRejoin", LabActionWords::tr("Re&join it"), lab::RejoinServer{server.number}, isRunning);
    else
        adder.add("labPartition", LabActionWords::tr("Cut it &off from all others"),
                  lab::PartitionServer{server.number, {}}, isRunning);
    if (!lab::ServersPlan{form}.hasReplica())
        return;
    addPromotion(adder, servers);
    if (std::ranges::any_of(servers, &lab::LabServer::isReplicationHeld))
        adder.add("labLetPass", LabActionWords::tr("&Let the replication pass"), lab::ResumeReplication());
    else
        adder.add("labHold", LabActionWords::tr("&Hold the replication"), lab::HoldReplication());
}

void fillEarlierMenu(QMenu& menu, const std::function<void()>& goToLatest) {
    QAction* why = menu.addAction(LabActionWords::tr("Nothing can be done to an earlier moment"));
    why->setObjectName(QStringLiteral("labEarlier"));
    why->setEnabled(false);
    QAction* latest = menu.addAction(LabActionWords::tr("&Go to the latest moment to act"));
    latest->setObjectName(QStringLiteral("labLatest"));
    QObject::connect(latest, &QAction::triggered, &menu, goToLatest);
}

}  // namespace lockkeeper::ui
