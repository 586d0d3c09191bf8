// SPDX-License-Identifier: Apache-2.0
#include "ui/words/explaintext.h"

#include "ui/words/causetext.h"
#include "ui/words/familytext.h"
#include "ui/words/locktext.h"
#include "ui/words/threadtext.h"
#include "ui/words/timetext.h"

#include <QCoreApplication>

#include <algorithm>

namespace lockkeeper::ui {

using namespace monitor;

namespace {

struct ExplainText {
    Q_DECLARE_TR_FUNCTIONS(ExplainText)
};

constexpr size_t mostClientLocks = 5;

QString holderOf(const HolderId& holder, const HolderAliases& aliases) {
    return aliases.fullDisplay(holder);
}

QString whenText(const ErrorFinding& finding, const WriteTime& clock) {
    const QString line = ExplainText::tr("line %1").arg(numberText(static_cast<qint64>(finding.line)));
    if (!finding.first)
        return ExplainText::tr("no date that could be read (%1)", "a line").arg(line);
    const QString assumed = finding.first->hasZone ? QString() : ExplainText::tr(", zone assumed");
    if (finding.count == 1 || !finding.last || finding.last->at == finding.first->at)
        return ExplainText::tr("%1 (%2%3)", "a time, a line, and that its zone is assumed")
            .arg(clock(finding.first->at), line, assumed);
    return ExplainText::tr("from %1 to %2 (first in %3%4)")
        .arg(clock(finding.first->at), clock(finding.last->at), line, assumed);
}

QString lockStateText(const ErrorFinding& finding, const LockSnapshot& lock, const HolderAliases& aliases,
                      const ProgramNames& names) {
    const QString name = names.shown(lock.name, shortName);
    if (!lock.isHeld()) {
        const qint64 waiting = queueLength(lock);
        return waiting == 0
                   ? ExplainText::tr("%1 is free.").arg(name)
                   : ExplainText::tr("%1 is free, and %Ln are in its queue.", nullptr, static_cast<int>(waiting))
                         .arg(name);
    }
    const QString ttl =
        lock.ttl ? ExplainText::tr("its TTL is %1").arg(durationText(*lock.ttl)) : ExplainText::tr("it never expires");
    if (!finding.holder)
        return ExplainText::tr("%1 is held by %2; %3.").arg(name, holdersText(lock, aliases), ttl);
    if (lock.isHeldBy(*finding.holder))
        return ExplainText::tr("%1 is held by this holder; %2.").arg(name, ttl);
    return ExplainText::tr("%1 is held by another holder, %2; %3.").arg(name, holdersText(lock, aliases), ttl);
}

QString lockReadText(const ErrorFinding& finding, const ErrorState& state, const HolderAliases& aliases,
                     const ProgramNames& names) {
    const QString name = names.shown(finding.lock, shortName);
    switch (state.read) {
        case ErrorState::Lock::NotAsked:
            return {};
        case ErrorState::Lock::Read:
            return lockStateText(finding, *state.lock, aliases, names);
        case ErrorState::Lock::Other:
            return ExplainText::tr("%1 is no lock on this server, or may not be read.").arg(name);
        case ErrorState::Lock::Unread:
            return ExplainText::tr("%1 could not be read: %2.")
                .arg(name, state.error ? errorClause(*state.error) : QString());
    }
    return {};
}

QString clientLocksText(const ErrorFinding& finding, const ErrorState& state, const ProgramNames& names) {
    const std::vector<LockSnapshot>& locks = state.ofClient;
    if (state.search == ErrorState::Search::Partial)
        return ExplainText::tr("The locks of its client are not known: the server could not be searched completely.");
    if (locks.empty())
        return ExplainText::tr("Its client holds no lock on this server.");
    QStringList shown;
    for (const LockSnapshot& lock : locks) {
        if (static_cast<size_t>(shown.size()) == mostClientLocks)
            break;
        QStringList threads;
        for (const Holder& holder : lock.holders) {
            if (holder.id.client() == finding.client)
                threads << QString::number(static_cast<qint64>(holder.id.thread()));
        }
        shown << ExplainText::tr("%1 (thread %2)")
                     .arg(names.shown(lock.name, shortName), threads.join(QLatin1String(", ")));
    }
    QString text = shown.join(QLatin1String(", "));
    if (locks.size() > mostClientLocks)
        text = ExplainText::tr("%1 and %Ln more", "names of locks", static_cast<int>(locks.size() - mostClientLocks))
                   .arg(text);
    return ExplainText::tr("Its client holds %Ln lock(s): %1.", nullptr, static_cast<int>(locks.size())).arg(text);
}

QString detailText(Detail detail) {
    switch (detail) {
        case Detail::None:
            return {};
        case Detail::RenewalEnded:
            return ExplainText::tr(
                "The message is that of a client before Redisson 3.44, which does not renew this hold any more.");
        case Detail::ReleasedSilently:
            return ExplainText::tr(
                "The script had deleted the lock before it was refused: it was free then, and no waiter was woken. lockkeeper "
                "wake URL NAME does it.");
    }
    return {};
}

QString doubtText(Doubt doubt) {
    switch (doubt) {
        case Doubt::None:
            return {};
        case Doubt::Name:
            return ExplainText::tr(
                "the text does not show where the name of the lock ends, so the lock is not looked up.");
        case Doubt::NotUtf8:
            return ExplainText::tr(
                "the text is not UTF-8, so the name of the lock is not known exactly, and the lock is not looked up. "
                "Convert the text first, for example: iconv -f GB18030 -t UTF-8 FILE");
        case Doubt::Thread:
            return ExplainText::tr("the text ends with the number of the thread, which may be cut.");
    }
    return {};
}

}  // namespace

QString findingTitle(const ErrorFinding& finding, const HolderAliases& aliases) {
    const QString title = finding.cause ? ExplainText::tr("%1: %2", "an error and its cause")
                                              .arg(familyTitle(finding.family), familyTitle(*finding.cause))
                                        : familyTitle(finding.family);
    const QString about = !finding.lock.isEmpty() ? plainName(finding.lock, shortName)
                          : finding.holder        ? holderOf(*finding.holder, aliases)
                          : finding.client        ? aliases.fullDisplay(*finding.client)
                                                  : QString();
    const QString whole = about.isEmpty() ? title : QStringLiteral("%1 - %2").arg(title, about);
    return finding.count == 1
               ? whole
               : ExplainText::tr("%1 (%Ln times)", nullptr, static_cast<int>(std::min<quint64>(finding.count, INT_MAX)))
                     .arg(whole);
}

QStringList findingSubjects(const ErrorFinding& finding, const WriteTime& clock, const HolderAliases& aliases) {
    QStringList lines;
    QStringList others;
    for (const LockName& lock : finding.otherLocks)
        others << plainName(lock, shortName);
    const QString subject =
        finding.family == ErrorFamily::PermitNil ? ExplainText::tr("Semaphore: %1") : ExplainText::tr("Lock: %1");
    lines << subject.arg(finding.lock.isEmpty() ? ExplainText::tr("the text names none") : plainName(finding.lock));
    if (!others.isEmpty())
        lines << ExplainText::tr("In the same message: %1").arg(others.join(QLatin1String(", ")));
    if (finding.holder)
        lines << (finding.hasOtherHolders ? ExplainText::tr("Holder: %1, and others later")
                                          : ExplainText::tr("Holder: %1"))
                     .arg(holderOf(*finding.holder, aliases));
    else if (finding.client)
        lines << ExplainText::tr("Client: %1").arg(aliases.fullDisplay(*finding.client));
    lines << ExplainText::tr("When: %1").arg(whenText(finding, clock));
    if (!finding.version.isEmpty())
        lines << ExplainText::tr("Redisson: %1").arg(finding.version);
    return lines;
}

QStringList findingExplanation(const ErrorFinding& finding) {
    QStringList lines;
    lines << ExplainText::tr("Means: %1").arg(familyMeaning(finding.family));
    if (const QString detail = detailText(finding.detail); !detail.isEmpty())
        lines << ExplainText::tr("Here: %1").arg(detail);
    if (finding.cause)
        lines << ExplainText::tr("Cause: %1. %2").arg(familyTitle(*finding.cause), familyMeaning(*finding.cause));
    lines << seriousnessText(seriousnessOf(finding.family, finding.cause));
    lines << ExplainText::tr("Next: %1").arg(familyAdvice(finding.family));
    if (finding.cause)
        lines << ExplainText::tr("For its cause: %1").arg(familyAdvice(*finding.cause));
    for (const std::optional<ErrorFamily>& family : {std::optional(finding.family), finding.cause}) {
        const QString known = family ? knownText(*family) : QString();
        if (!known.isEmpty())
            lines << known;
    }
    return lines;
}

QString findingCertainty(const ErrorFinding& finding) {
    if (const QString doubt = doubtText(finding.doubt); !doubt.isEmpty())
        return ExplainText::tr("Likely: %1").arg(doubt);
    switch (finding.certainty) {
        case Certainty::Certain:
            return finding.lock.isEmpty() ? ExplainText::tr("Certain: the text names the error and the holder.")
                                          : ExplainText::tr("Certain: the text names the error and the lock.");
        case Certainty::Likely:
            return ExplainText::tr("Likely: the words are those of this error, but the text does not name the lock.");
        case Certainty::Suspected:
            return ExplainText::tr(
                "Suspected: the text does not say that it is about a lock; the same error may concern another object of "
                "Redisson.");
    }
    return {};
}

QStringList presentLines(const ErrorFinding& finding, const ErrorState& state, const HolderAliases& aliases,
                         const ProgramNames& names) {
    QStringList lines;
    if (const QString read = lockReadText(finding, state, aliases, names); !read.isEmpty())
        lines << ExplainText::tr("Now: %1").arg(read);
    if (state.search != ErrorState::Search::NotAsked)
        lines << ExplainText::tr("Now: %1").arg(clientLocksText(finding, state, names));
    for (const ThreadVerdict& verdict : state.threads)
        lines << ExplainText::tr("By the thread dump: %1: %2").arg(aliases.display(verdict.id), verdictLine(verdict));
    return lines;
}

QStringList reportLines(const ErrorReport& report) {
    QStringList lines;
    if (report.kind == TextKind::Compressed)
        return {
            ExplainText::tr("The text is compressed. Unpack it first, for example: zcat FILE | lockkeeper explain -")};
    if (report.kind == TextKind::Empty)
        return {ExplainText::tr("The text is empty.")};
    if (report.findings.empty() && report.kind == TextKind::Binary)
        return {ExplainText::tr("This is no text: it is binary, and no error about a lock was found in it.")};
    if (report.findings.empty())
        lines << ExplainText::tr(
                     "No error about a lock of Redisson was found. Searched: %Ln line(s), for the words of %1 kinds of "
                     "errors, which the manual lists (\"Errors explained\").",
                     nullptr, static_cast<int>(std::min<quint64>(report.lines, INT_MAX)))
                     .arg(allErrorFamilies().size());
    if (report.leftOut > 0)
        lines << ExplainText::tr("Further errors, about other locks or holders, that are left out: %Ln.", nullptr,
                                 static_cast<int>(std::min<quint64>(report.leftOut, INT_MAX)));
    if (report.unexamined > 0)
        lines << ExplainText::tr("Words of errors that were not examined, because too many stand together: %Ln.",
                                 nullptr, static_cast<int>(std::min<quint64>(report.unexamined, INT_MAX)));
    if (report.longLines > 0)
        lines << ExplainText::tr("Lines so long that they were read in pieces: %Ln.", nullptr,
                                 static_cast<int>(std::min<quint64>(report.longLines, INT_MAX)));
    return lines;
}

QString zoneText(const ErrorReport& report, const QString& zone) {
    const bool isAssumed = std::ranges::any_of(report.findings, [](const ErrorFinding& finding) {
        return (finding.first && !finding.first->hasZone) || (finding.last && !finding.last->hasZone);
    });
    return isAssumed
               ? ExplainText::tr("Times without a zone, or with one that cannot be read, were taken as those of %1.")
                     .arg(zone)
               : QString();
}

}  // namespace lockkeeper::ui
