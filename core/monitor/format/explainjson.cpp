// SPDX-License-Identifier: Apache-2.0
#include "monitor/format/explainjson.h"

#include "base/isotime.h"
#include "monitor/format/eventjson.h"
#include "monitor/format/eventline.h"
#include "monitor/format/threadseenjson.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace lockkeeper::monitor {

namespace {

constexpr size_t mostHolds = 20;  // of the past, in one line

QJsonArray issuesOf(ErrorFamily family) {
    QJsonArray issues;
    for (const int issue : knownAbout(family).issues)
        issues << issue;
    return issues;
}

void addTimes(QJsonObject& json, const ErrorFinding& finding) {
    if (!finding.first || !finding.last)
        return;
    json.insert(QStringLiteral("first"), isoTime(finding.first->at));
    json.insert(QStringLiteral("last"), isoTime(finding.last->at));
    json.insert(QStringLiteral("zone_assumed"), !finding.first->hasZone || !finding.last->hasZone);
}

void addSubjects(QJsonObject& json, const ErrorFinding& finding) {
    if (!finding.lock.isEmpty())
        addBytes(json, QStringLiteral("lock"), finding.lock.bytes());
    QJsonArray others;
    for (const LockName& lock : finding.otherLocks)
        others << lock.display();
    if (!others.isEmpty())
        json.insert(QStringLiteral("other_locks"), others);
    if (finding.holder) {
        json.insert(QStringLiteral("holder"), finding.holder->display());
        json.insert(QStringLiteral("other_holders"), finding.hasOtherHolders);
    }
    if (finding.client)
        json.insert(QStringLiteral("client"), QString::fromLatin1(finding.client->bytes()));
}

QString wordFor(Detail detail) {
    switch (detail) {
        case Detail::None:
            return {};
        case Detail::RenewalEnded:
            return QStringLiteral("renewal_ended");
        case Detail::ReleasedSilently:
            return QStringLiteral("released_silently");
    }
    return {};
}

QString wordFor(Doubt doubt) {
    switch (doubt) {
        case Doubt::None:
            return {};
        case Doubt::Name:
            return QStringLiteral("name");
        case Doubt::NotUtf8:
            return QStringLiteral("not_utf8");
        case Doubt::Thread:
            return QStringLiteral("thread");
    }
    return {};
}

QString nowWord(ErrorState::Lock read, const std::optional<LockSnapshot>& lock) {
    switch (read) {
        case ErrorState::Lock::NotAsked:
            return {};
        case ErrorState::Lock::Read:
            return lock && lock->isHeld() ? QStringLiteral("held") : QStringLiteral("free");
        case ErrorState::Lock::Other:
            return QStringLiteral("no_lock");
        case ErrorState::Lock::Unread:
            return QStringLiteral("unread");
    }
    return {};
}

QJsonArray jsonOf(const QList<ThreadVerdict>& verdicts) {
    QJsonArray threads;
    for (const ThreadVerdict& verdict : verdicts) {
        QJsonObject thread = toJson(seenThread(verdict));
        thread.insert(QStringLiteral("id"), verdict.id.display());
        threads << thread;
    }
    return threads;
}

void addPresent(QJsonObject& json, const ErrorFinding& finding, const ErrorState& state) {
    if (const QString now = nowWord(state.read, state.lock); !now.isEmpty())
        json.insert(QStringLiteral("now"), now);
    if (state.lock)
        json.insert(QStringLiteral("state"), lockToJson(*state.lock));
    if (state.lock && finding.holder)
        json.insert(QStringLiteral("held_by_holder"), state.lock->isHeldBy(*finding.holder));
    if (state.error)
        json.insert(QStringLiteral("now_error"), state.error->text);
    if (!state.threads.isEmpty())
        json.insert(QStringLiteral("threads"), jsonOf(state.threads));
    if (state.search == ErrorState::Search::Partial)
        json.insert(QStringLiteral("client_search"), QStringLiteral("partial"));
    if (state.search != ErrorState::Search::Whole)
        return;
    QJsonArray locks;
    for (const LockSnapshot& lock : state.ofClient)
        locks << lockToJson(lock);
    json.insert(QStringLiteral("client_holds"), locks);
}

QJsonObject jsonOf(const PastHold& hold) {
    QJsonObject json{{QStringLiteral("holder"), hold.holder.id.display()},
                     {QStringLiteral("from"), isoTime(hold.from)},
                     {QStringLiteral("begin_seen"), hold.begin == HoldBegin::Seen},
                     {QStringLiteral("end"), wordFor(hold.end)},
                     {QStringLiteral("renewals"), static_cast<qint64>(hold.renewals)}};
    addBytes(json, QStringLiteral("lock"), hold.lock.bytes());
    if (!hold.isOpen())
        json.insert(QStringLiteral("to"), isoTime(hold.to));
    return json;
}

QJsonObject jsonOf(const LookupReport& past) {
    QJsonArray holds;
    for (const PastHold& hold : past.holds) {
        if (static_cast<size_t>(holds.size()) < mostHolds)
            holds << jsonOf(hold);
    }
    QJsonArray ofOthers;
    for (const PastHold& hold : past.ofOthers) {
        if (static_cast<size_t>(ofOthers.size()) < mostHolds)
            ofOthers << jsonOf(hold);
    }
    QJsonObject json{
        {QStringLiteral("holds"), holds},
        {QStringLiteral("holds_left_out"), static_cast<qint64>(past.holdsLeftOut + past.holds.size()) - holds.size()},
        {QStringLiteral("of_other_threads"), ofOthers},
        {QStringLiteral("time_known"), past.isTimeKnown}};
    if (past.knownFrom)
        json.insert(QStringLiteral("known_from"), isoTime(*past.knownFrom));
    return json;
}

}  // namespace

QString wordFor(HoldEnd end) {
    switch (end) {
        case HoldEnd::StillHeld:
            return QStringLiteral("held");
        case HoldEnd::Released:
            return QStringLiteral("released");
        case HoldEnd::Expired:
            return QStringLiteral("expired");
        case HoldEnd::Deleted:
            return QStringLiteral("deleted");
        case HoldEnd::HandedOver:
            return QStringLiteral("handed_over");
        case HoldEnd::TakenOver:
            return QStringLiteral("taken_over");
        case HoldEnd::Gone:
            return QStringLiteral("gone");
        case HoldEnd::NotWatched:
            return QStringLiteral("not_watched");
    }
    return {};
}

QString wordFor(TextKind kind) {
    switch (kind) {
        case TextKind::Empty:
            return QStringLiteral("empty");
        case TextKind::Text:
            return QStringLiteral("text");
        case TextKind::Binary:
            return QStringLiteral("binary");
        case TextKind::Compressed:
            return QStringLiteral("compressed");
    }
    return {};
}

QByteArray toJsonLine(const ErrorFinding& finding, const ErrorState& state) {
    QJsonObject json{{QStringLiteral("type"), QStringLiteral("error")},
                     {QStringLiteral("family"), wordFor(finding.family)},
                     {QStringLiteral("seriousness"), wordFor(seriousnessOf(finding.family, finding.cause))},
                     {QStringLiteral("certainty"), wordFor(finding.certainty)},
                     {QStringLiteral("count"), static_cast<qint64>(finding.count)},
                     {QStringLiteral("line"), static_cast<qint64>(finding.line)},
                     {QStringLiteral("text"), finding.excerpt},
                     {QStringLiteral("issues"), issuesOf(finding.family)}};
    if (const QString detail = wordFor(finding.detail); !detail.isEmpty())
        json.insert(QStringLiteral("detail"), detail);
    if (const QString doubt = wordFor(finding.doubt); !doubt.isEmpty())
        json.insert(QStringLiteral("doubt"), doubt);
    if (finding.cause)
        json.insert(QStringLiteral("cause"), wordFor(*finding.cause));
    if (const QString fixed = knownAbout(finding.family).fixedIn; !fixed.isEmpty())
        json.insert(QStringLiteral("corrected_in"), fixed);
    if (!finding.version.isEmpty())
        json.insert(QStringLiteral("version"), finding.version);
    addSubjects(json, finding);
    addTimes(json, finding);
    addPresent(json, finding, state);
    if (state.past)
        json.insert(QStringLiteral("history"), jsonOf(*state.past));
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

QByteArray toJsonLine(const ErrorReport& report) {
    const QJsonObject json{{QStringLiteral("type"), QStringLiteral("explained")},
                           {QStringLiteral("kind"), wordFor(report.kind)},
                           {QStringLiteral("bytes"), static_cast<qint64>(report.bytes)},
                           {QStringLiteral("lines"), static_cast<qint64>(report.lines)},
                           {QStringLiteral("findings"), static_cast<qint64>(report.findings.size())},
                           {QStringLiteral("left_out"), static_cast<qint64>(report.leftOut)},
                           {QStringLiteral("unexamined"), static_cast<qint64>(report.unexamined)}};
    return QJsonDocument(json).toJson(QJsonDocument::Compact);
}

}  // namespace lockkeeper::monitor
