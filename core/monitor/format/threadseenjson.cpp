// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/threadseenjson.h"

#include "base/fromword.h"
#include "base/isotime.h"
#include "monitor/format/jsonwriter.h"

#include <QJsonDocument>

namespace lockkeeper::monitor {

namespace {

Frame frameFrom(const QString& text) {
    const qsizetype open = text.lastIndexOf(u'(');
    return open > 0 && text.endsWith(u')') ? Frame{text.first(open), text.sliced(open + 1).chopped(1)}
                                           : Frame{text, QString()};
}

void addFields(JsonWriter& json, const SeenThread& thread) {
    if (!thread.name.isEmpty())
        json.field("activity", wordFor(thread.activity.activity));
    if (thread.activity.call)
        json.field("call", wordFor(*thread.activity.call));
    json.field("certainty", wordFor(thread.certainty));
    if (thread.activity.code)
        json.field("code", frameText(*thread.activity.code));
    if (thread.dumpAt)
        json.field("dump_at", *thread.dumpAt);
    json.field("fate", wordFor(thread.fate));
    if (!thread.name.isEmpty())
        json.field("name", thread.name);
    json.field("taken", wordFor(thread.taken));
}

}  // namespace

QString frameText(const Frame& frame) {
    return frame.place.isEmpty() ? frame.method : QStringLiteral("%1(%2)").arg(frame.method, frame.place);
}

void addSeenThread(JsonWriter& json, const char* name, const SeenThread& thread) {
    json.beginObject(name);
    addFields(json, thread);
    json.endObject();
}

QJsonObject toJson(const SeenThread& thread) {
    JsonWriter json;
    json.beginObject();
    addFields(json, thread);
    json.endObject();
    return QJsonDocument::fromJson(json.json()).object();
}

std::optional<SeenThread> seenThreadFromJson(const QJsonObject& object) {
    const auto text = [&object](QLatin1String name) { return object.value(name).toString(); };
    const std::optional<Fate> fate = fromWord<Fate>(text(QLatin1String("fate")));
    const std::optional<TakenWhen> taken = fromWord<TakenWhen>(text(QLatin1String("taken")));
    const std::optional<Certainty> certainty = fromWord<Certainty>(text(QLatin1String("certainty")));
    if (!fate || !taken || !certainty)
        return std::nullopt;
    SeenThread seen;
    seen.fate = *fate;
    seen.taken = *taken;
    seen.certainty = *certainty;
    seen.dumpAt = timeFromIso(text(QLatin1String("dump_at")));
    seen.name = text(QLatin1String("name"));
    seen.activity.activity = fromWord<Activity>(text(QLatin1String("activity"))).value_or(Activity::Runs);
    seen.activity.call = fromWord<RedissonCall>(text(QLatin1String("call")));
    if (const QString code = text(QLatin1String("code")); !code.isEmpty())
        seen.activity.code = frameFrom(code);
    return seen;
}

}  // namespace lockkeeper::monitor
