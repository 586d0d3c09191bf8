// SPDX-License-Identifier: Apache-2.0
#include "jvm/threadjson.h"

#include "monitor/format/jsonwriter.h"

namespace lockkeeper::jvm {

namespace {

QLatin1String word(Fate fate) {
    switch (fate) {
        case Fate::Lives:
            return QLatin1String("lives");
        case Fate::Ended:
            return QLatin1String("ended");
        case Fate::NoThread:
            return QLatin1String("no_thread");
        case Fate::Later:
            return QLatin1String("later");
        case Fate::NotInDump:
            return QLatin1String("not_in_dump");
    }
    return {};
}

QLatin1String word(Activity activity) {
    switch (activity) {
        case Activity::Runs:
            return QLatin1String("runs");
        case Activity::Sleeps:
            return QLatin1String("sleeps");
        case Activity::ReadsSocket:
            return QLatin1String("reads_socket");
        case Activity::WaitsForRedisson:
            return QLatin1String("waits_for_redisson");
        case Activity::WaitsForMonitor:
            return QLatin1String("waits_for_monitor");
        case Activity::Waits:
            return QLatin1String("waits");
        case Activity::Idle:
            return QLatin1String("idle");
    }
    return {};
}

QLatin1String word(Fit fit) {
    switch (fit) {
        case Fit::Given:
            return QLatin1String("given");
        case Fit::Strong:
            return QLatin1String("strong");
        case Fit::Weak:
            return QLatin1String("weak");
        case Fit::Contradicts:
            return QLatin1String("contradicts");
    }
    return {};
}

QString text(const Frame& frame) {
    return frame.place.isEmpty() ? frame.method : QStringLiteral("%1(%2)").arg(frame.method, frame.place);
}

void addActivity(monitor::JsonWriter& json, const HolderThread& thread) {
    json.field("activity", word(thread.activity.activity));
    if (thread.activity.code)
        json.field("code", text(*thread.activity.code));
    json.field("thread_name", thread.thread);
    json.field("same_frames_in_dumps", static_cast<qint64>(thread.dumpsWithSameFrames));
    if (thread.mayWaitFor.isEmpty())
        return;
    json.beginArray("may_wait_for");
    for (const LockName& name : thread.mayWaitFor) {
        json.beginObject();
        json.bytes("lock", name.bytes());
        json.endObject();
    }
    json.endArray();
}

}  // namespace

QByteArray toJsonLine(const HolderThread& thread) {
    monitor::JsonWriter json;
    json.beginObject();
    json.field("event", QLatin1String("thread"));
    json.bytes("lock", thread.lock.bytes());
    json.bytes("holder", thread.holder.bytes());
    json.field("role", thread.role == ClientThreads::Role::Holds ? QLatin1String("holds") : QLatin1String("waits"));
    json.field("fate", word(thread.fate));
    json.field("certain", thread.certainty == Certainty::Certain);
    if (thread.fate == Fate::Lives)
        addActivity(json, thread);
    json.endObject();
    return json.json();
}

QByteArray toJsonLine(const DumpMatch& match, const ThreadDump& dump) {
    monitor::JsonWriter json;
    json.beginObject();
    json.field("event", QLatin1String("dump"));
    json.bytes("client", match.client.bytes());
    json.field("fit", word(match.fit));
    json.field("present", static_cast<qint64>(match.present));
    json.field("missing", static_cast<qint64>(match.missing));
    json.field("later", static_cast<qint64>(match.later));
    json.field("contradicting", static_cast<qint64>(match.contradicting));
    json.field("no_threads", static_cast<qint64>(match.noThreads));
    json.field("all_threads", dump.hasAllThreads());
    json.field("threads", static_cast<qint64>(dump.threads.size()));
    if (dump.at)
        json.field("taken_at", *dump.at);
    if (dump.processId)
        json.field("process", *dump.processId);
    json.endObject();
    return json.json();
}

}  // namespace lockkeeper::jvm
