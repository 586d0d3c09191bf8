// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/labwords.h"

#include "base/fromword.h"
#include "ui/words/causetext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>
#include <QHash>
#include <QStringList>

#include <limits>
#include <optional>

namespace lockkeeper::ui {

using namespace std::chrono_literals;

namespace {

struct LabWords {
    Q_DECLARE_TR_FUNCTIONS(LabWords)
};

QString textFrom(const QByteArray& bytes) {
    return QString::fromUtf8(bytes);
}

QString factOf(const lab::LabFrame& frame, const char* name) {
    const QByteArray key(name);
    return frame.facts.contains(key) ? textFrom(lab::textOf(std::optional(frame.facts.value(key)))) : QString();
}

// %1: the actor, %2: the lock or name, %3: why not, %4: the server, %5: how long.
using Sentences = QHash<QByteArray, QString>;

Sentences lockSentences() {
    return {
        {"acquire/begin", LabWords::tr("%1 asks for the lock %2.")},
        {"acquire/acquired", LabWords::tr("%1 has acquired %2.")},
        {"acquire/held", LabWords::tr("%1 does not get %2: another one holds it.")},
        {"acquire/behind", LabWords::tr("%1 does not get %2: others are before it in the queue.")},
        {"acquire/crashed", LabWords::tr("%1 has crashed and no longer asks for %2.")},
        {"acquire/Timeout", LabWords::tr("%1 does not get %2 in time.")},
        {"release/released", LabWords::tr("%1 has released %2.")},
        {"release/still-held", LabWords::tr("%1 has released one hold of %2, and holds it still.")},
        {"release/NotHeld", LabWords::tr("The unlock of %2 by %1 fails: it does not hold the lock.")},
        {"release/crashed", LabWords::tr("%1 has crashed and cannot release %2.")},
        {"lost/lost", LabWords::tr("%1 notices that it has lost %2.")},
        {"write/written", LabWords::tr("The storage accepts what %1 writes.")},
        {"write/refused", LabWords::tr("The storage refuses what %1 writes: its token is too old.")},
        {"renew-as-redisson/renewed",
         LabWords::tr("%1 renews its read lock as Redisson does: the whole of %2 has only this lease now.")},
        {"send/begin", LabWords::tr("%1 sends a command: %2")},
        {"send/replied", LabWords::tr("%1 has sent a command: %2")},
        {"await-connected/connected", LabWords::tr("%1 is connected again.")},
    };
}

Sentences labSentences() {
    return {
        {"start/", LabWords::tr("The servers run, and the actors are connected.")},
        {"pause/paused", LabWords::tr("%5 passed.")},
        {"stop/all", LabWords::tr("Stopped within a step. No time passes in the lab.")},
        {"stop/but-sentinel",
         LabWords::tr("Stopped within a step. No time passes for actors and keys, but the Sentinel goes on.")},
        {"stop/but-cluster",
         LabWords::tr("Stopped within a step. No time passes for the actors, but the servers of the Cluster go on.")},
        {"join/joined", LabWords::tr("The wait for \"%2\" is over.")},
        {"observe/free", LabWords::tr("%4 keeps no lock %2.")},
        {"observe/held", LabWords::tr("%4 keeps the lock %2.")},
        {"await-free/free", LabWords::tr("The lock %2 is free.")},
        {"await-waiters/waiting", LabWords::tr("A waiter sleeps until it is woken for %2.")},
        {"await-replicated/replicated", LabWords::tr("The replica has all that the master has written.")},
        {"await-master/promoted", LabWords::tr("The Sentinel has made the replica the master.")},
        {"await-dead/noticed", LabWords::tr("%4 is dead, and all other servers of the Cluster know it.")},
        {"count/begin", LabWords::tr("All threads begin to count.")},
        {"count/counted", LabWords::tr("All threads have counted.")},
        {"newcomers/acquired", LabWords::tr("%1 overtakes the waiter: it has acquired %2.")},
        {"newcomers/held", LabWords::tr("%1 comes too late for %2: the waiter is faster.")},
        {"newcomers/behind", LabWords::tr("%1 does not overtake: the waiter is before it in the queue of %2.")},
        {"newcomers/measured", LabWords::tr("All rounds have ended.")},
        {"find-deadlock/found", LabWords::tr("A deadlock: each one waits for another one of the circle.")},
        {"find-deadlock/none", LabWords::tr("There is no deadlock.")},
        {"read-dump/ended", LabWords::tr("The thread that holds %2 is not in the dump: it has ended.")},
        {"read-dump/lives", LabWords::tr("The thread that holds %2 is in the dump: it lives.")},
        {"read-dump/unclear", LabWords::tr("The dump does not say what became of the thread that holds %2.")},
        {"read-dump/free", LabWords::tr("%2 is free, so the dump says nothing of it.")},
        {"change/added", LabWords::tr("The key %2 is new.")},
        {"change/changed", LabWords::tr("The key %2 has changed.")},
        {"change/gone", LabWords::tr("The key %2 has expired.")},
        {"change/renewed", LabWords::tr("The time to live of %2 was renewed.")},
        {"change/cluster-down",
         LabWords::tr("%4 refuses to be read: the Cluster is down. Its keys are those that were read last.")},
        {"change/read-again", LabWords::tr("%4 can be read again.")},
    };
}

Sentences faultSentences() {
    return {
        {"fault/frozen", LabWords::tr("%1 is frozen: it does nothing any more, and its watchdog neither.")},
        {"fault/resumed", LabWords::tr("%1 continues as if no time had passed.")},
        {"fault/crashed", LabWords::tr("%1 has crashed. It has released nothing.")},
        {"fault/network-cut", LabWords::tr("The network of %1 is cut. Nobody gets an error.")},
        {"fault/network-mended", LabWords::tr("The network of %1 works again. What was sent arrives.")},
        {"fault/network-slow", LabWords::tr("The network of %1 is slow: all that it sends and gets arrives later.")},
        {"fault/network-fast", LabWords::tr("The network of %1 is fast again.")},
        {"fault/answer-to-be-lost", LabWords::tr("The next answer to %1 will be lost.")},
        {"fault/clock-jumped", LabWords::tr("The clock of %1 is wrong from now on.")},
        {"fault/server-frozen", LabWords::tr("%4 is frozen: its connections stay open, but it is silent.")},
        {"fault/server-resumed", LabWords::tr("%4 continues.")},
        {"fault/server-killed", LabWords::tr("%4 was killed. It had no copy of its data on disk.")},
        {"fault/server-restarted", LabWords::tr("%4 runs again, and is empty.")},
        {"fault/sentinel-frozen", LabWords::tr("The Sentinel is frozen: it watches nobody, and promotes nobody.")},
        {"fault/sentinel-resumed",
         LabWords::tr("The Sentinel continues. After more than 2 s it promotes nobody for 30 s (TILT).")},
        {"fault/sentinel-killed", LabWords::tr("The Sentinel was killed. Nobody promotes a replica now.")},
        {"fault/sentinel-restarted", LabWords::tr("The Sentinel runs again, with what it knew.")},
        {"fault/server-cut-off", LabWords::tr("%4 is cut off from the others, and lives on. Nobody gets an error.")},
        {"fault/server-rejoined", LabWords::tr("%4 is reached again. What was sent arrives.")},
        {"fault/replica-promoted", LabWords::tr("The replica is the master now.")},
        {"fault/replication-held", LabWords::tr("What the master sends does not arrive at the replica.")},
        {"fault/replication-resumed", LabWords::tr("The replica receives what the master sends.")},
        {"fault/slot-moved", LabWords::tr("%4 has taken over the slot of %2, with its keys.")},
        {"fault/by-hand", LabWords::tr("A person sends a command: %2")},
    };
}

// The sentences for an error: by the step that has failed, or by the fault that could not be made.
Sentences failureSentences() {
    return {
        {"server-frozen", LabWords::tr("%4 cannot be frozen: %3")},
        {"server-resumed", LabWords::tr("%4 cannot continue: %3")},
        {"server-killed", LabWords::tr("%4 cannot be killed: %3")},
        {"server-restarted", LabWords::tr("%4 cannot be started again: %3")},
        {"sentinel-frozen", LabWords::tr("The Sentinel cannot be frozen: %3")},
        {"sentinel-resumed", LabWords::tr("The Sentinel cannot continue: %3")},
        {"sentinel-killed", LabWords::tr("The Sentinel cannot be killed: %3")},
        {"sentinel-restarted", LabWords::tr("The Sentinel cannot be started again: %3")},
        {"replica-promoted", LabWords::tr("The replica cannot become the master: %3")},
        {"slot-moved", LabWords::tr("The slot of %2 cannot move to %4: %3")},
        {"by-hand", LabWords::tr("The command of a person to %4 fails (%2): %3")},
        {"await-connected", LabWords::tr("%1 does not connect again: %3")},
        {"observe", LabWords::tr("The lock %2 cannot be read from %4: %3")},
        {"await-free", LabWords::tr("The wait until %4 keeps no lock %2 has failed: %3")},
        {"await-waiters", LabWords::tr("The wait until a waiter sleeps for %2 has failed: %3")},
        {"await-replicated",
         LabWords::tr("The wait until the replica has all that the master has written has failed: %3")},
        {"await-master", LabWords::tr("The wait until the Sentinel makes %4 the master has failed: %3")},
        {"await-dead",
         LabWords::tr("The wait until all other servers of the Cluster know that %4 is dead has failed: %3")},
        {"count", LabWords::tr("The number that all threads have counted cannot be read: %3")},
        {"read-dump", LabWords::tr("The dump could not be read beside %2: %3")},
        {"find-deadlock", LabWords::tr("The search for a deadlock has failed: %3")},
    };
}

constexpr qint64 mostServers = 1000;

// A recording of an earlier version has neither the server nor the length of a pause. A file may hold any number.
std::optional<qint64> numberOf(const lab::LabFrame& frame, const char* name, qint64 end) {
    const auto fact = frame.facts.constFind(QByteArray(name));
    const auto* number = fact == frame.facts.cend() ? nullptr : std::get_if<qint64>(&*fact);
    return number && *number >= 0 && *number < end ? std::optional(*number) : std::nullopt;
}

QString serverOf(const lab::LabFrame& frame) {
    const std::optional<qint64> server = numberOf(frame, "server", mostServers);
    return server ? serverName(static_cast<lab::ServerNumber>(*server)) : LabWords::tr("A server");
}

QString timeOf(const lab::LabFrame& frame) {
    const std::optional<qint64> time = numberOf(frame, "time", std::numeric_limits<qint64>::max());
    return time ? durationText(Milliseconds(*time)) : LabWords::tr("Some time");
}

// What happened in a step that has failed, with the server's own words.
QString errorOf(const lab::LabFrame& frame) {
    const auto code = fromWord<ErrorCode>(textFrom(frame.moment.what)).value_or(ErrorCode::Protocol);
    Error error(code, factOf(frame, "error"));
    error.reply = fromWord<ReplyKind>(factOf(frame, "error-reply")).value_or(ReplyKind::None);
    return operationErrorText(error);
}

QString sentenceOf(const lab::LabFrame& frame) {
    const QByteArray code = frame.action + '/' + frame.moment.what;
    for (const Sentences& sentences : {lockSentences(), labSentences(), faultSentences()}) {
        if (const auto found = sentences.constFind(code); found != sentences.cend())
            return *found;
    }
    // An error of the library, or of a server. A recording of an earlier version does not say which fault failed.
    const Sentences failures = failureSentences();
    const QByteArray failed = frame.action == "fault" ? factOf(frame, "fault").toUtf8() : frame.action;
    if (const auto found = failures.constFind(failed); found != failures.cend())
        return *found;
    if (frame.action == "fault" || frame.moment.actor.isEmpty())
        return LabWords::tr("This was not possible: %3");
    return frame.moment.subject.isEmpty() ? LabWords::tr("%1 gets an error: %3")
                                          : LabWords::tr("%1 gets an error for %2: %3");
}

}  // namespace

QString captionOf(const lab::LabFrame& frame) {
    const lab::Moment& moment = frame.moment;
    QString caption = sentenceOf(frame);
    const QString token = factOf(frame, "token");
    const QString holders = factOf(frame, "holders");
    const QString counted = factOf(frame, "counted");
    const QString overtaken = factOf(frame, "overtaken");
    caption.replace(QStringLiteral("%4"), serverOf(frame));
    caption.replace(QStringLiteral("%5"), timeOf(frame));
    caption.replace(QStringLiteral("%1"), textFrom(moment.actor));
    caption.replace(QStringLiteral("%2"), textFrom(moment.subject));
    if (caption.contains(QStringLiteral("%3")))
        caption.replace(QStringLiteral("%3"), errorOf(frame));
    if (!token.isEmpty())
        caption += u' ' + LabWords::tr("Its token is %1.").arg(token);
    if (!holders.isEmpty())
        caption += u' ' + LabWords::tr("Its holder: %1.").arg(holders);
    if (!overtaken.isEmpty())
        caption += u' ' + LabWords::tr("Overtaken: %1 of %2 times.").arg(overtaken, factOf(frame, "rounds"));
    if (!counted.isEmpty())
        caption += u' ' + LabWords::tr("%1 of %2 additions are counted.").arg(counted, factOf(frame, "threads"));
    return caption;
}

QString labTimeText(Milliseconds at) {
    return LabWords::tr("%1 s").arg(std::chrono::duration<double>(at).count(), 0, 'f', 2);
}

QString familyText(lab::Family family) {
    switch (family) {
        case lab::Family::Basics:
            return LabWords::tr("Basics");
        case lab::Family::Watchdog:
            return LabWords::tr("Leases and the watchdog");
        case lab::Family::Waiting:
            return LabWords::tr("Waiting");
        case lab::Family::Sharing:
            return LabWords::tr("Readers and writers");
        case lab::Family::Several:
            return LabWords::tr("Several locks");
        case lab::Family::Failover:
            return LabWords::tr("Failover");
        case lab::Family::Before:
            return LabWords::tr("Before Redisson");
    }
    return {};
}

QString serverName(lab::ServerNumber server) {
    return server == lab::sentinelServer ? LabWords::tr("Sentinel")
                                         : LabWords::tr("Server %1").arg(static_cast<int>(server) + 1);
}

namespace {

QString unreachedText(const lab::Unreached& unreached) {
    QStringList others;
    for (const lab::ServerNumber server : unreached.servers)
        others += serverName(server);
    for (const lab::ActorName& actor : unreached.actors)
        others += textFrom(actor.bytes());
    if (unreached.sentinel)
        others += LabWords::tr("the Sentinel");
    return LabWords::tr("cut off from %1").arg(others.join(QStringLiteral(", ")));
}

}  // namespace

QString serverText(const ShownServer& shown) {
    const lab::LabServer& server = shown.server;
    QStringList words{serverName(server.number)};
    if (shown.role == ServerRole::Master)
        words += LabWords::tr("master");
    else if (shown.role == ServerRole::Replica)
        words += LabWords::tr("replica");
    if (server.condition == lab::ServerCondition::Frozen)
        words += LabWords::tr("frozen");
    else if (server.condition == lab::ServerCondition::Killed)
        words += LabWords::tr("killed");
    if (server.reading == lab::KeyReading::ClusterDown)
        words += LabWords::tr("its Cluster is down");
    else if (server.reading == lab::KeyReading::Failed)
        words += LabWords::tr("cannot be read");
    if (server.hasOldKeys() && server.number != lab::sentinelServer)
        words += LabWords::tr("keys as they were read last");
    if (!server.unreached.isEmpty())
        words += unreachedText(server.unreached);
    if (server.isReplicationHeld)
        words += LabWords::tr("gets nothing from its master");
    return words.join(QStringLiteral(" · "));
}

namespace {

QString clockErrorText(Milliseconds ahead) {
    return ahead > 0ms ? LabWords::tr("clock %1 ahead").arg(durationText(ahead))
                       : LabWords::tr("clock %1 behind").arg(durationText(-ahead));
}

}  // namespace

QString conditionText(const lab::LabActor& actor) {
    if (actor.hasCrashed)
        return LabWords::tr("crashed");
    QStringList words;
    if (actor.isFrozen)
        words += LabWords::tr("frozen");
    if (actor.isCutOff)
        words += LabWords::tr("cut off from all");
    else if (!actor.unreached.isEmpty())
        words += unreachedText(actor.unreached);
    if (actor.delay > 0ms)
        words += LabWords::tr("slow network");
    if (actor.clockAhead != 0ms)
        words += clockErrorText(actor.clockAhead);
    return words.isEmpty() ? LabWords::tr("running") : words.join(QStringLiteral(" · "));
}

QString threadText(const lab::LabThread& thread) {
    const QString number = QString::number(static_cast<qint64>(thread.thread));
    const QString lock = textFrom(thread.lock.bytes());
    if (thread.doing == lab::LabThread::Doing::Waits && thread.count > 1)
        return LabWords::tr("%Ln threads wait for %1", nullptr, thread.count).arg(lock);
    if (thread.doing == lab::LabThread::Doing::Waits)
        return LabWords::tr("waits for %1 · thread %2").arg(lock, number);
    if (thread.knowsLoss)
        return LabWords::tr("knows that it has lost %1 · thread %2").arg(lock, number);
    QStringList words{thread.count > 1 ? LabWords::tr("holds %1 %Ln times", nullptr, thread.count).arg(lock)
                                       : LabWords::tr("holds %1").arg(lock)};
    if (thread.token)
        words += LabWords::tr("token %1").arg(*thread.token);
    words += LabWords::tr("thread %1").arg(number);
    return words.join(QStringLiteral(" · "));
}

QString leaseText(const lab::LabThread& thread) {
    if (!thread.leaseLeft)
        return {};
    const QString left = LabWords::tr("%1 left").arg(durationText(*thread.leaseLeft));
    return thread.isRenewed ? LabWords::tr("%1, renewed").arg(left) : left;
}

QString namedText(const QByteArray& bytes, const std::vector<lab::LabActor>& actors) {
    QByteArray text = bytes;
    for (const lab::LabActor& actor : actors) {
        for (const ClientId& client : actor.clients)
            text.replace(client.bytes(), actor.name.bytes());
    }
    return QString::fromUtf8(text);
}

QString commandText(const lab::WireLine& line, const std::vector<lab::LabActor>& actors) {
    const QByteArray name = line.arguments.first().toUpper();
    const bool isScript = name == "EVAL" || name == "EVALSHA";
    QStringList words{QString::fromUtf8(name)};
    for (qsizetype at = 1; at < line.arguments.size(); ++at) {
        const bool isText = isScript && at == 1;
        words += isText ? LabWords::tr("script") : namedText(line.arguments.at(at), actors).simplified();
    }
    return words.join(u' ');
}

Message unfinishedMessage(const Error& failure) {
    return {Tone::Danger, LabWords::tr("The experiment could not be run to its end: %1").arg(reasonText(failure))};
}

QString plainParagraph(const QString& markdown) {
    QString text = markdown;
    return text.remove(u'`').simplified();
}

}  // namespace lockkeeper::ui
