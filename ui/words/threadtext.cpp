// SPDX-License-Identifier: Apache-2.0
#include "ui/words/threadtext.h"

#include "base/safetext.h"
#include "ui/words/timetext.h"

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
    if (thread.taken == jvm::TakenWhen::BeforeHold)
        return ThreadText::tr("%1 But this hold has begun since.").arg(text);
    if (thread.dumpsWithSameFrames < 2)
        return text;
    return text + QLatin1Char(' ') +
           ThreadText::tr("It stands at the same place in the last %n dumps.", nullptr,
                          static_cast<int>(thread.dumpsWithSameFrames));
}

QString endedText(const jvm::HolderThread& thread) {
    const bool isCertain = thread.certainty == Certainty::Certain;
    if (thread.certainty == Certainty::Suspected)
        return ThreadText::tr("Its thread is not in the dump. It has ended, if the dump is of this client.");
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

QString timeAheadText() {
    return ThreadText::tr(
        "The dump says that it was taken later than now. Set the clock of its machine, or name its zone with --zone; until "
        "then it does not show whether the locks were held when it was taken.");
}

QString severalJvmsText(const jvm::DumpReading& reading) {
    return ThreadText::tr("There are dumps of %n JVM(s): for each client the one that fits it best is read.", nullptr,
                          static_cast<int>(reading.jvms));
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
                "Its thread is not in the dump, which may lack it: it was cut, has chosen threads only, or leaves virtual "
                "threads out.");
    }
    return {};
}

QString surenessText(const jvm::HolderThread& thread) {
    const QString text = threadText(thread);
    if (thread.fate == Fate::Later || thread.fate == Fate::NotInDump)
        return text;
    return thread.certainty == Certainty::Certain ? ThreadText::tr("%1 (certain)", "about a thread").arg(text)
                                                  : ThreadText::tr("%1 (likely)", "about a thread").arg(text);
}

namespace {

// As the reading of a file has it.
jvm::HolderThread described(const monitor::ThreadVerdict& verdict) {
    jvm::HolderThread thread;
    thread.role = verdict.role == monitor::ThreadVerdict::Role::Waits ? jvm::ClientThreads::Role::Waits
                                                                      : jvm::ClientThreads::Role::Holds;
    thread.fate = verdict.fate;
    thread.certainty = verdict.certainty;
    thread.mayWaitFor = verdict.mayWaitFor;
    if (const monitor::DumpedThread* kept = verdict.thread()) {
        thread.thread = kept->name;
        thread.activity = kept->activity;
    }
    return thread;
}

QString dumpSentence(const monitor::ClientDump& dump, const WriteTime& clock) {
    const QString time = dump.at ? ThreadText::tr("By the thread dump of %1.").arg(clock(*dump.at))
                                 : ThreadText::tr("By a thread dump without a time.");
    return dump.fit == Fit::Weak
               ? time + QLatin1Char(' ') + ThreadText::tr("Little shows that the dump is of this client.")
               : time;
}

QString mayWaitText(const monitor::ThreadVerdict& verdict) {
    const monitor::DumpedThread* thread = verdict.thread();
    const QString name = QLatin1Char('"') + shown(thread ? thread->name : QString()) + QLatin1Char('"');
    const QString place = thread && thread->activity.code ? frameText(*thread->activity.code) : QString();
    const QString text = verdict.mayWaitFor.size() == 1
                             ? ThreadText::tr("Thread %1 waits for it").arg(name)
                             : ThreadText::tr("Thread %1 waits for one of %2").arg(name, namesText(verdict.mayWaitFor));
    return place.isEmpty() ? ThreadText::tr("%1.").arg(text) : ThreadText::tr("%1, in %2.").arg(text, place);
}

}  // namespace

QString verdictLine(const monitor::ThreadVerdict& verdict) {
    if (verdict.role == monitor::ThreadVerdict::Role::MayWait)
        return mayWaitText(verdict);
    if (verdict.fate == Fate::Lives && !verdict.thread())
        return ThreadText::tr("Its thread lives; what it does was not kept.");
    if (verdict.fate == Fate::Lives && verdict.taken == monitor::TakenWhen::BeforeHold)
        return ThreadText::tr("Its thread is \"%1\". This hold has begun since the dump, which says nothing about it.")
            .arg(shown(verdict.thread()->name));
    return threadText(described(verdict));
}

QString seenThreadText(const monitor::SeenThread& seen) {
    if (seen.fate == Fate::Lives && seen.name.isEmpty())
        return ThreadText::tr("Its thread lives; what it does was not kept.");
    jvm::HolderThread thread;
    thread.fate = seen.fate;
    thread.taken = seen.taken;
    thread.certainty = seen.certainty;
    thread.thread = seen.name;
    thread.activity = seen.activity;
    return threadText(thread);
}

QString verdictText(const monitor::ThreadVerdict& verdict, const WriteTime& clock) {
    QStringList sentences{verdictLine(verdict)};
    const monitor::DumpedThread* thread = verdict.thread();
    const bool isAboutHold = verdict.taken != monitor::TakenWhen::BeforeHold;
    if (thread && thread->stillSince && isAboutHold)
        sentences << ThreadText::tr("It has stood at the same place since %1.").arg(clock(*thread->stillSince));
    sentences << dumpSentence(*verdict.dump, clock);
    if (verdict.role == monitor::ThreadVerdict::Role::Holds && verdict.fate == Fate::Lives &&
        verdict.taken == monitor::TakenWhen::NotKnown)
        sentences << ThreadText::tr("Whether it was taken during this hold is not known.");
    return sentences.join(QLatin1Char(' '));
}

QString dumpOfClientText(const monitor::ClientDump& dump, WallTime now) {
    const QString time = dump.at ? clockText(*dump.at, now) : ThreadText::tr("at an unknown time");
    return dump.fit == Fit::Weak ? ThreadText::tr("%1, perhaps").arg(time) : time;
}

QString dumpOfClientHelp(const monitor::ClientDump& dump) {
    const QString count = ThreadText::tr("%n thread(s)", nullptr, static_cast<int>(dump.ids.size()));
    switch (dump.fit) {
        case Fit::Given:
            return ThreadText::tr("%1. You have said that the dump is of this client.").arg(count);
        case Fit::Strong:
            return ThreadText::tr("%1. The numbers of its threads show that the dump is of this client.").arg(count);
        case Fit::Weak:
        case Fit::Contradicts:
            break;
    }
    return ThreadText::tr("%1. Little shows that the dump is of this client.").arg(count);
}

QStringList stackLines(const monitor::DumpedThread& thread) {
    QStringList lines;
    size_t folded = 0;
    const auto fold = [&lines, &folded] {
        if (folded > 0)
            lines += ThreadText::tr("… %n frame(s) of the JDK and of libraries", nullptr, static_cast<int>(folded));
        folded = 0;
    };
    for (const monitor::Frame& frame : thread.frames) {
        // The innermost one says in what the thread is.
        if (!lines.isEmpty() && !jvm::isOfApplication(frame)) {
            ++folded;
            continue;
        }
        fold();
        lines += frameText(frame);
    }
    fold();
    return lines;
}

}  // namespace lockkeeper::ui
