// SPDX-License-Identifier: Apache-2.0
#include "jvm/threadjson.h"

#include "monitor/format/eventjson.h"
#include "monitor/format/jsonwriter.h"
#include "monitor/format/threadseenjson.h"

namespace lockkeeper::jvm {

namespace {

void addActivity(monitor::JsonWriter& json, const HolderThread& thread) {
    json.field("activity", monitor::wordFor(thread.activity.activity));
    if (thread.activity.code)
        json.field("code", monitor::frameText(*thread.activity.code));
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

QByteArray toJsonLine(const HolderThread& thread, const locks::NameMapper& names) {
    monitor::JsonWriter json;
    json.beginObject();
    json.field("event", QLatin1String("thread"));
    json.bytes("lock", thread.lock.bytes());
    if (const LockName own = monitor::programName(thread.lock, names); own != thread.lock)
        json.bytes("program_name", own.bytes());
    json.bytes("holder", thread.holder.bytes());
    json.field("role", thread.role == ClientThreads::Role::Holds ? QLatin1String("holds") : QLatin1String("waits"));
    json.field("fate", monitor::wordFor(thread.fate));
    json.field("certain", thread.certainty == Certainty::Certain);
    if (thread.role == ClientThreads::Role::Holds)
        json.field("taken", monitor::wordFor(thread.taken));
    if (thread.fate == Fate::Lives)
        addActivity(json, thread);
    json.endObject();
    return json.json();
}

QByteArray toJsonLine(const DumpMatch& match, const ThreadDump& dump, bool isTimeAhead) {
    monitor::JsonWriter json;
    json.beginObject();
    json.field("event", QLatin1String("dump"));
    json.bytes("client", match.client.bytes());
    json.field("fit", monitor::wordFor(match.fit));
    json.field("present", static_cast<qint64>(match.present));
    json.field("missing", static_cast<qint64>(match.missing));
    json.field("later", static_cast<qint64>(match.later));
    json.field("contradicting", static_cast<qint64>(match.contradicting));
    json.field("no_threads", static_cast<qint64>(match.noThreads));
    json.field("all_threads", dump.hasAllThreads());
    json.field("threads", static_cast<qint64>(dump.threads.size()));
    if (dump.at)
        json.field("taken_at", *dump.at);
    if (isTimeAhead)
        json.field("taken_ahead", true);
    if (dump.processId)
        json.field("process", *dump.processId);
    json.endObject();
    return json.json();
}

}  // namespace lockkeeper::jvm
