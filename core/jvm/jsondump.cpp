// SPDX-License-Identifier: Apache-2.0
#include "jvm/jsondump.h"

#include "base/isotime.h"
#include "jvm/dumpreader.h"
#include "jvm/frametext.h"
#include "jvm/jvmcause.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace lockkeeper::jvm {

namespace {

// Java 21 writes numbers as texts.
std::optional<qint64> numberOf(const QJsonValue& value) {
    bool ok = value.isDouble();
    const qint64 number = ok ? value.toInteger() : value.toString().toLongLong(&ok);
    return ok ? std::optional(number) : std::nullopt;
}

JavaThread threadOfFile(const QJsonObject& object) {
    JavaThread thread;
    thread.id = numberOf(object.value(QLatin1String("tid")));
    thread.name = threadName(object.value(QLatin1String("name")).toString());
    thread.isVirtual = object.value(QLatin1String("virtual")).toBool();  // since Java 24
    thread.state = stateOf(object.value(QLatin1String("state")).toString());
    const QJsonArray stack = object.value(QLatin1String("stack")).toArray();
    for (const QJsonValue& frame : stack)
        addFrame(thread, frameOf(frame.toString()));
    // Before Java 24 only the frames show it.
    const bool endsAsVirtual =
        !thread.frames.empty() && thread.frames.back().method == QLatin1String("java.lang.VirtualThread.run");
    thread.isVirtual = thread.isVirtual || endsAsVirtual;
    return thread;
}

ThreadDump dumpToFile(const QJsonObject& object) {
    ThreadDump dump;
    dump.form = DumpForm::DumpToFile;
    dump.processId = numberOf(object.value(QLatin1String("processId")));
    dump.at = timeFromIso(object.value(QLatin1String("time")).toString());
    dump.isZoneGiven = true;
    dump.jvm = object.value(QLatin1String("runtimeVersion")).toString();
    dump.javaVersion = javaVersionOf(dump.jvm);
    dump.isWhole = true;  // half a document is no JSON
    const QJsonArray containers = object.value(QLatin1String("threadContainers")).toArray();
    for (const QJsonValue& container : containers) {
        const QJsonArray threads = container.toObject().value(QLatin1String("threads")).toArray();
        for (const QJsonValue& thread : threads) {
            dump.isWhole = dump.isWhole && dump.threads.size() < mostThreads;
            if (dump.threads.size() < mostThreads)
                dump.threads.push_back(threadOfFile(thread.toObject()));
        }
    }
    return dump;
}

Frame frameOfActuator(const QJsonObject& object) {
    const QString file = object.value(QLatin1String("fileName")).toString();
    const int line = object.value(QLatin1String("lineNumber")).toInt();
    const bool isNative = object.value(QLatin1String("nativeMethod")).toBool();
    return {object.value(QLatin1String("className")).toString() + u'.' +
                object.value(QLatin1String("methodName")).toString(),
            isNative   ? QStringLiteral("Native Method")
            : line > 0 ? file + u':' + QString::number(line)
                       : file};
}

JavaThread threadOfActuator(const QJsonObject& object) {
    JavaThread thread;
    thread.id = numberOf(object.value(QLatin1String("threadId")));
    thread.name = threadName(object.value(QLatin1String("threadName")).toString());
    thread.state = stateOf(object.value(QLatin1String("threadState")).toString());
    const QJsonArray stack = object.value(QLatin1String("stackTrace")).toArray();
    for (const QJsonValue& frame : stack)
        addFrame(thread, frameOfActuator(frame.toObject()));
    return thread;
}

ThreadDump actuatorDump(const QJsonArray& threads) {
    ThreadDump dump;
    dump.form = DumpForm::Actuator;
    dump.isWhole = static_cast<size_t>(threads.size()) <= mostThreads;
    for (const QJsonValue& thread : threads)
        if (dump.threads.size() < mostThreads)
            dump.threads.push_back(threadOfActuator(thread.toObject()));
    return dump;
}

}  // namespace

bool looksLikeJson(const QByteArray& bytes) {
    const auto first =
        std::ranges::find_if(bytes, [](char one) { return one != ' ' && one != '\t' && one != '\r' && one != '\n'; });
    return first != bytes.end() && *first == '{';
}

Result<ThreadDump> jsonDumpIn(const QByteArray& bytes) {
    QJsonParseError failure;
    const QJsonObject object = QJsonDocument::fromJson(bytes, &failure).object();
    if (failure.error != QJsonParseError::NoError)
        return Error(ErrorCode::InvalidArgument, JvmCause::Syntax, {failure.errorString()});
    if (object.value(QLatin1String("threadDump")).isObject())
        return dumpToFile(object.value(QLatin1String("threadDump")).toObject());
    if (object.value(QLatin1String("threads")).isArray())
        return actuatorDump(object.value(QLatin1String("threads")).toArray());
    return Error(ErrorCode::InvalidArgument, JvmCause::NoDump);
}

}  // namespace lockkeeper::jvm
