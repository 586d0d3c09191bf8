// SPDX-License-Identifier: Apache-2.0
#include "ui/words/threadtext.h"

#include "base/safetext.h"

#include <QCoreApplication>
#include <QDateTime>

namespace lockkeeper::ui {

using jvm::Activity;
using jvm::Certainty;
using jvm::DumpForm;
using jvm::Fate;
using jvm::Fit;
using jvm::RedissonCall;

namespace {

struct ThreadText {
    Q_DECLARE_TR_FUNCTIONS(ThreadText)
};

// What a dump contains is another program's: as a name it is made safe to show.
QString shown(const QString& text) {
    return bounded(safeText(text));
}

QString formText(DumpForm form) {
    switch (form) {
        case DumpForm::HotSpot:
            return ThreadText::tr("a dump of jstack, jcmd or kill -3");
        case DumpForm::DumpToFile:
            return ThreadText::tr("a dump of jcmd Thread.dump_to_file");
        case DumpForm::Actuator:
            return ThreadText::tr("a dump of Spring Boot's /threaddump");
        case DumpForm::ThreadInfo:
            return ThreadText::tr("single threads, as Arthas prints them");
        case DumpForm::Javacore:
            return ThreadText::tr("a javacore of OpenJ9");
    }
    return {};
}

QString timeText(const jvm::ThreadDump& dump) {
    if (!dump.at)
        return ThreadText::tr("its time is not known");
    const qint64 milliseconds = std::chrono::duration_cast<Milliseconds>(dump.at->time_since_epoch()).count();
    const QString time = QDateTime::fromMSecsSinceEpoch(milliseconds).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
    return dump.isZoneGiven ? ThreadText::tr("taken %1").arg(time)
                            : ThreadText::tr("taken %1, if its machine has the time zone of this one").arg(time);
}

// "of 7 threads that the server names, 5 are in the dump; 1 has ended; ..."
QString countsText(const jvm::DumpMatch& match) {
    QStringList parts{
        ThreadText::tr("%n thread(s) that the server names are in the dump", nullptr, static_cast<int>(match.present))};
    if (match.missing > 0)
        parts += ThreadText::tr("%n are missing", nullptr, static_cast<int>(match.missing));
    if (match.later > 0)
        parts += ThreadText::tr("%n have numbers above its newest one", nullptr, static_cast<int>(match.later));
    if (match.contradicting > 0)
        parts += ThreadText::tr("%n cannot be the threads with these numbers here", nullptr,
                                static_cast<int>(match.contradicting));
    if (match.noThreads > 0)
        parts += ThreadText::tr("%n numbers are no threads", nullptr, static_cast<int>(match.noThreads));
    return parts.join(QLatin1String(", "));
}

QString callText(RedissonCall call) {
    switch (call) {
        case RedissonCall::Lock:
            return ThreadText::tr("waits for another lock of Redisson");
        case RedissonCall::SpinLock:
            return ThreadText::tr("waits for a spin lock of Redisson");
        case RedissonCall::MultiLock:
            return ThreadText::tr("waits for a multi lock of Redisson");
        case RedissonCall::Semaphore:
            return ThreadText::tr("waits for a semaphore of Redisson");
        case RedissonCall::Latch:
            return ThreadText::tr("waits for a latch of Redisson");
        case RedissonCall::Other:
            return ThreadText::tr("waits for an answer in a call of Redisson");
    }
    return {};
}

QString namesText(const QList<LockName>& names) {
    constexpr qsizetype most = 5;
    QStringList texts;
    for (const LockName& name : names.first(std::min(most, names.size())))
        texts += boundedName(name);
    if (names.size() > most)
        texts += QStringLiteral("...");
    return texts.join(QLatin1String(", "));
}

QString waitText(const jvm::HolderThread& thread) {
    const bool isOwnQueue = thread.role == jvm::ClientThreads::Role::Waits;
    if (isOwnQueue && thread.activity.call == RedissonCall::Lock)
        return ThreadText::tr("waits for this lock");
    if (thread.mayWaitFor.size() == 1)
        return ThreadText::tr("waits for the lock %1").arg(boundedName(thread.mayWaitFor.first()));
    const QString call = callText(thread.activity.call.value_or(RedissonCall::Other));
    return thread.mayWaitFor.isEmpty() ? call : ThreadText::tr("%1: one of %2").arg(call, namesText(thread.mayWaitFor));
}

QString activityText(const jvm::HolderThread& thread) {
    switch (thread.activity.activity) {
        case Activity::Runs:
            return ThreadText::tr("works");
        case Activity::Sleeps:
            return ThreadText::tr("sleeps");
        case Activity::ReadsSocket:
            return ThreadText::tr("is blocked in a read from a socket");
        case Activity::WaitsForRedisson:
            return waitText(thread);
        case Activity::WaitsForMonitor:
            return ThreadText::tr("is blocked at a synchronized block");
        case Activity::Waits:
            return ThreadText::tr("waits for something in its own process");
        case Activity::Idle:
            return ThreadText::tr("has nothing to do: the code that took the lock has returned");
    }
    return {};
}

QString livesText(const jvm::HolderThread& thread) {
    const QString name = QLatin1Char('"') + shown(thread.thread) + QLatin1Char('"');
    const QString activity = activityText(thread);
    const QString text =
        thread.activity.code
            ? ThreadText::tr("Thread %1 %2, in %3.").arg(name, activity, frameText(*thread.activity.code))
            : ThreadText::tr("Thread %1 %2.").arg(name, activity);
    if (thread.dumpsWithSameFrames < 2)
        return text;
    return text + QLatin1Char(' ') +
           ThreadText::tr("It stands at the same place in the last %n dumps.", nullptr,
                          static_cast<int>(thread.dumpsWithSameFrames));
}

QString endedText(const jvm::HolderThread& thread) {
    const bool isCertain = thread.certainty == Certainty::Certain;
    if (thread.role == jvm::ClientThreads::Role::Waits)
        return isCertain ? ThreadText::tr("Its thread has ended: it will never take the lock.")
                         : ThreadText::tr("Its thread is not in the dump and has probably ended.");
    return isCertain ? ThreadText::tr("Its thread has ended: nobody will release the lock while its client renews it.")
                     : ThreadText::tr(
                           "Its thread is not in the dump and has probably ended: then nobody will release the "
                           "lock while its client renews it.");
}

}  // namespace

QString frameText(const jvm::Frame& frame) {
    return frame.place.isEmpty() ? shown(frame.method)
                                 : QStringLiteral("%1 (%2)").arg(shown(frame.method), shown(frame.place));
}

QString dumpText(const jvm::ThreadDump& dump) {
    QString form = formText(dump.form);
    if (!dump.jvm.isEmpty())
        form = ThreadText::tr("%1 of %2").arg(form, shown(dump.jvm));
    const QString text = ThreadText::tr("%1, with %n thread(s), %2.", nullptr, static_cast<int>(dump.threads.size()))
                             .arg(form, timeText(dump));
    const QString sentence = text.first(1).toUpper() + text.sliced(1);
    if (dump.hasAllThreads())
        return sentence;
    return sentence + QLatin1Char(' ') +
           ThreadText::tr("Threads may be missing in it: such a dump leaves virtual threads out, or it was cut.");
}

QString matchText(const jvm::DumpMatch& match, const HolderAliases& aliases) {
    const QString client = aliases.fullDisplay(match.client);
    switch (match.fit) {
        case Fit::Given:
            return ThreadText::tr("%1: the client that you have named; %2.").arg(client, countsText(match));
        case Fit::Strong:
            return ThreadText::tr("%1: the dump is of this client; %2.").arg(client, countsText(match));
        case Fit::Weak:
            return ThreadText::tr("%1: the dump may be of this client, with little evidence; %2.")
                .arg(client, countsText(match));
        case Fit::Contradicts:
            return ThreadText::tr("%1: the dump is not of this client; %2.").arg(client, countsText(match));
    }
    return {};
}

QString threadText(const jvm::HolderThread& thread) {
    switch (thread.fate) {
        case Fate::Lives:
            return livesText(thread);
        case Fate::Ended:
            return endedText(thread);
        case Fate::NoThread:
            return ThreadText::tr(
                "Its number is no thread's: the program has made it up, as lockAsync(number) and "
                "reactive calls do.");
        case Fate::Later:
            return ThreadText::tr("Its thread has begun after the dump, which says nothing about it.");
        case Fate::NotInDump:
            return ThreadText::tr(
                "Its thread is not in the dump, which may lack it: it was cut, or has chosen "
                "threads only.");
    }
    return {};
}

}  // namespace lockkeeper::ui
