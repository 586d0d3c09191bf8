// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "recording/lockfields.h"

// What is written of each value of a lab; see also lockfields.h. A change here needs a new format version, and must ask
// the archive whether the file has the new fields.
namespace lockkeeper::recording {

inline constexpr auto mostLabServers = static_cast<qint64>(lab::sentinelServer);

// A number from 0 to `most`, because the program uses it as an index in a list.
template <typename A, typename T>
void numberUpTo(A& a, T& value, qint64 most) {
    a.number(value);
    if constexpr (A::isReading) {
        const auto number = static_cast<qint64>(value);
        if (number < 0 || number > most)
            a.fail();
    }
}

// The number of an ActorName or a LockId.
template <typename A, typename Id>
void labId(A& a, Id& id) {
    if constexpr (A::isReading) {
        QByteArray bytes;
        a.content(bytes);
        id = Id(bytes);
    } else {
        a.content(id.bytes());
    }
}

template <typename A>
void fields(A& a, Of<A, lab::Fact>& fact) {
    qint64 number = 0;
    QByteArray word;
    bool isNumber = false;
    if constexpr (!A::isReading) {
        isNumber = std::holds_alternative<qint64>(fact);
        number = isNumber ? std::get<qint64>(fact) : 0;
        word = isNumber ? QByteArray() : std::get<QByteArray>(fact);
    }
    a.flag(isNumber);
    if (isNumber)
        a.number(number);
    else
        a.content(word);
    if constexpr (A::isReading)
        fact = isNumber ? lab::Fact(number) : lab::Fact(word);
}

template <typename A>
void facts(A& a, Of<A, lab::Facts>& facts) {
    std::vector<std::pair<QByteArray, lab::Fact>> all;
    if constexpr (!A::isReading)
        all.assign(facts.constKeyValueBegin(), facts.constKeyValueEnd());
    listOf(a, all, [&a](auto& entry) {
        a.content(entry.first);
        fields(a, entry.second);
    });
    if constexpr (A::isReading) {
        for (const auto& [name, fact] : all)
            facts.insert(name, fact);
    }
}

template <typename A>
void fields(A& a, Of<A, lab::Moment>& moment) {
    a.duration(moment.at);
    a.number(moment.step);
    a.content(moment.actor);
    a.plain(moment.what);
    a.content(moment.subject);
}

template <typename A>
void fields(A& a, Of<A, lab::Outcome>& outcome) {
    fieldsIfAny(a, outcome.failure);
    listOf(a, outcome.moments);
    facts(a, outcome.facts);
    a.duration(outcome.duration);
    if (a.has(4))
        a.flag(outcome.isChangedByHand);
}

template <typename A>
void fields(A& a, Of<A, lab::LabKey>& key) {
    a.content(key.name);
    a.plain(key.type);
    listOf(a, key.entries, [&a](auto& entry) {
        a.content(entry.field);
        a.content(entry.value);
    });
    optionalOf(a, key.ttl, [&a](auto& ttl) { a.duration(ttl); });
}

template <typename A>
void fields(A& a, Of<A, lab::Unreached>& unreached) {
    listOf(a, unreached.servers, [&a](auto& server) { numberUpTo(a, server, mostLabServers); });
    listOf(a, unreached.actors, [&a](auto& actor) { labId(a, actor); });
    a.flag(unreached.sentinel);
    if constexpr (A::isReading) {  // one text has all names
        if (std::ssize(unreached.servers) > mostLabServers || std::ssize(unreached.actors) > mostLabServers)
            a.fail();
    }
}

template <typename A>
void fields(A& a, Of<A, lab::LabServer>& server) {
    numberUpTo(a, server.number, mostLabServers);
    a.choice(server.condition);
    a.flag(server.isReplica);
    listOf(a, server.keys);
    a.number(server.keysLeftOut);
    if (!a.has(4))
        return;
    a.flag(server.isReplicationHeld);
    fields(a, server.unreached);
    if (a.has(7))
        a.choice(server.reading);
}

template <typename A>
void fields(A& a, Of<A, lab::LabThread>& thread) {
    a.number(thread.thread);
    labId(a, thread.lock);
    a.choice(thread.doing);
    a.number(thread.count);
    optionalOf(a, thread.token, [&a](auto& token) { a.number(token); });
    optionalOf(a, thread.leaseLeft, [&a](auto& left) { a.duration(left); });
    a.flag(thread.isRenewed);
    if (a.has(6))
        a.flag(thread.knowsLoss);
}

template <typename A>
void fields(A& a, Of<A, lab::LabActor>& actor) {
    labId(a, actor.name);
    listOf(a, actor.clients, [&a](auto& client) { a.client(client); });
    a.flag(actor.isFrozen);
    a.flag(actor.isCutOff);
    a.duration(actor.delay);
    a.duration(actor.clockAhead);
    a.flag(actor.hasCrashed);
    listOf(a, actor.threads);
    if (a.has(4))
        fields(a, actor.unreached);
}

template <typename A>
void fields(A& a, Of<A, lab::WireLine>& line) {
    numberUpTo(a, line.frame, lab::mostLabFrames);
    numberUpTo(a, line.server, mostLabServers);
    a.choice(line.sender);
    labId(a, line.actor);
    listOf(a, line.arguments, [&a](auto& argument) { a.content(argument); });
    listOf(a, line.receivers, [&a](auto& receiver) { labId(a, receiver); });
    if constexpr (A::isReading) {
        if (line.arguments.isEmpty())  // not a command
            a.fail();
    }
}

template <typename A>
void fields(A& a, Of<A, lab::LabFrame>& frame) {
    fields(a, frame.moment);
    a.plain(frame.action);
    facts(a, frame.facts);
    listOf(a, frame.actors);
    listOf(a, frame.servers);
}

template <typename A>
void fields(A& a, Of<A, lab::LabUpdate>& update) {
    a.choice(update.phase);
    a.number(update.nextStep);
    numberUpTo(a, update.firstFrame, lab::mostLabFrames);
    listOf(a, update.frames);
    listOf(a, update.lines);
    a.number(update.linesLeftOut);
    a.flag(update.isFull);
    fieldsIfAny(a, update.outcome);
}

template <typename A>
void fields(A& a, Of<A, LabReported>& reported) {
    if constexpr (A::isReading) {
        lab::LabUpdate update;
        fields(a, update);
        reported.update = std::make_shared<const lab::LabUpdate>(std::move(update));
    } else {
        fields(a, *reported.update);
    }
}

template <typename A>
void fields(A& a, Of<A, RecordedExperiment>& experiment) {
    a.plain(experiment.id);
    a.choice(experiment.variation.trigger);
    if (!a.has(5))
        return;
    a.number(experiment.variation.stretch);
    if constexpr (A::isReading) {
        if (experiment.variation.stretch < 1 || experiment.variation.stretch > lab::mostStretch)
            a.fail();
    }
}

}  // namespace lockkeeper::recording
