// SPDX-License-Identifier: Apache-2.0
#include "jvm/keptdump.h"

#include "jvm/threadactivity.h"
#include "jvm/threadchange.h"

#include <QSet>

#include <iterator>

namespace lockkeeper::jvm {

using monitor::ClientDump;
using monitor::DumpedThread;

namespace {

// Which threads are kept first: those that the server names, those that wait for Redisson, those that run code of the
// application.
enum class Rank { Named, Waiting, Working, Other };

struct Candidate {
    Rank rank = Rank::Other;
    const JavaThread* thread = nullptr;
    ThreadActivity activity;
};

Rank rankOf(const JavaThread& thread, const ThreadActivity& activity, const QSet<qint64>& named) {
    if (named.contains(thread.id.value_or(0)))
        return Rank::Named;
    if (activity.call)
        return Rank::Waiting;
    return activity.code ? Rank::Working : Rank::Other;
}

std::vector<Candidate> candidatesIn(const ThreadDump& dump, const ClientThreads& client,
                                    const QStringList& application) {
    QSet<qint64> named;
    for (const ClientThreads::Thread& one : client.threads)
        named.insert(static_cast<qint64>(one.id));
    std::vector<Candidate> candidates;
    for (const JavaThread& thread : dump.threads) {
        if (!thread.id)
            continue;
        ThreadActivity activity = activityOf(thread, application);
        candidates.push_back({rankOf(thread, activity, named), &thread, std::move(activity)});
    }
    std::ranges::stable_sort(candidates, {}, &Candidate::rank);
    candidates.resize(std::min(candidates.size(), ClientDump::mostThreads));
    return candidates;
}

Frame shortFrame(const Frame& frame) {
    return {frame.method.last(std::min(frame.method.size(), ClientDump::longestMethod)),
            frame.place.first(std::min(frame.place.size(), ClientDump::longestMethod))};
}

DumpedThread keptThread(const Candidate& candidate, bool withFrames) {
    const JavaThread& thread = *candidate.thread;
    DumpedThread kept;
    kept.id = thread.id.value_or(0);
    kept.name = thread.name;
    kept.state = thread.state;
    kept.activity = candidate.activity;
    if (kept.activity.code)
        kept.activity.code = shortFrame(*kept.activity.code);
    kept.stack = stackNumber(thread);
    if (withFrames) {
        const auto count = static_cast<std::ptrdiff_t>(std::min(thread.frames.size(), ClientDump::mostFrames));
        std::transform(thread.frames.begin(), thread.frames.begin() + count, std::back_inserter(kept.frames),
                       shortFrame);
    }
    return kept;
}

}  // namespace

bool isTimeAhead(const ThreadDump& dump, const DumpClock& clock) {
    return dump.at && clock.readAt && *dump.at > *clock.readAt + clockDifference;
}

monitor::DumpTime takenTime(const ThreadDump& dump, const DumpClock& clock) {
    monitor::DumpTime taken;
    if (dump.at && dump.isZoneGiven && !isTimeAhead(dump, clock)) {
        taken.earliest = *dump.at - clockDifference;
        taken.latest = *dump.at + clockDifference;
    }
    if (clock.askedAt)
        taken.earliest = clock.askedAt;
    if (clock.receivedAt)
        taken.latest = clock.receivedAt;
    if (!clock.readAt)
        return taken;
    taken.latest = std::min(taken.latest.value_or(*clock.readAt), *clock.readAt);
    return taken;
}

monitor::SharedDump keptDump(const ThreadDump& dump, const ClientThreads& named, Fit fit, const DumpClock& clock,
                             const QStringList& application) {
    auto kept = std::make_shared<ClientDump>();
    kept->client = named.client;
    kept->fit = fit;
    kept->at = dump.at;
    kept->taken = takenTime(dump, clock);
    for (const JavaThread& thread : dump.threads) {
        if (thread.id && kept->ids.size() < ClientDump::mostIds)
            kept->ids.push_back(*thread.id);
    }
    // More numbers than fit are cut at the end, so nothing is said of higher ones.
    kept->hasOthers = dump.isWhole && dump.form != DumpForm::ThreadInfo;
    kept->hasAll = kept->hasOthers && dump.hasAllThreads();
    size_t withFrames = 0;
    for (const Candidate& candidate : candidatesIn(dump, named, application)) {
        const bool isNeeded = candidate.rank == Rank::Named || candidate.rank == Rank::Waiting;
        const bool isWithFrames = isNeeded && withFrames < ClientDump::mostWithFrames;
        withFrames += isWithFrames ? 1 : 0;
        kept->threads.push_back(keptThread(candidate, isWithFrames));
    }
    std::ranges::sort(kept->threads, {}, &DumpedThread::id);
    return kept;
}

}  // namespace lockkeeper::jvm
