// SPDX-License-Identifier: Apache-2.0
#include "ui/locks/model/lockcolumns.h"

#include "monitor/model/internallock.h"

#include "ui/locks/model/ttlbar.h"
#include "ui/words/diagnosistext.h"
#include "ui/words/locktext.h"
#include "ui/words/shorttext.h"
#include "ui/words/throughputtext.h"
#include "ui/words/timetext.h"
#include "ui/words/waitstext.h"

#include <QCoreApplication>

using namespace std::chrono_literals;

namespace lockkeeper::ui {

namespace {

struct LockColumns {
    Q_DECLARE_TR_FUNCTIONS(LockColumns)
};

QString longestDiagnoses() {
    const monitor::Diagnosis ranOut{monitor::Certainty::Likely, monitor::LeaseRanOut()};
    return diagnosesText({ranOut, ranOut});
}

constexpr Milliseconds longHold = 59min + 59s;
constexpr int manyRenewals = 9999;

monitor::LockRow rowOfUnseenBegin() {
    monitor::LockRow row;
    row.lock.holders.append(monitor::Holder());
    row.hold.begin = monitor::HoldBegin::NotSeen;
    return row;
}

QStringList longestWaitingSince() {
    const WallTime now;
    return {sinceText({1, std::nullopt, now, {}}, now), sinceText({1, now - 1min, now, {}}, now)};
}

QString longestRate() {
    monitor::Throughput throughput;
    throughput.window = 1s;
    throughput.counting = monitor::Throughput::Releases::AtLeast;
    throughput.acquisitions = 9999;
    return rateText(throughput);
}

}  // namespace

QString columnTitle(LockTableModel::Column column) {
    switch (column) {
        case LockTableModel::State:
            return LockColumns::tr("State");
        case LockTableModel::Name:
            return LockColumns::tr("Name");
        case LockTableModel::DiagnosisColumn:
            return LockColumns::tr("Diagnosis");
        case LockTableModel::Kind:
            return LockColumns::tr("Kind");
        case LockTableModel::HolderColumn:
            return LockColumns::tr("Holder");
        case LockTableModel::Count:
            return LockColumns::tr("Count");
        case LockTableModel::Ttl:
            return LockColumns::tr("TTL");
        case LockTableModel::HeldFor:
            return LockColumns::tr("Held for");
        case LockTableModel::Renewals:
            return LockColumns::tr("Renewals");
        case LockTableModel::Waiters:
            return LockColumns::tr("Waiters");
        case LockTableModel::WaitingSinceColumn:
            return LockColumns::tr("Waiting since");
        case LockTableModel::Rate:
            return LockColumns::tr("Rate");
        case LockTableModel::NodeColumn:
            return LockColumns::tr("Node");
        case LockTableModel::ColumnCount:
            break;
    }
    return {};
}

QString oldStateText(LockState state) {
    return LockColumns::tr("%1 (old)").arg(stateText(state));
}

QString unreadStateText(LockState state) {
    return LockColumns::tr("%1 (not read)").arg(stateText(state));
}

QString renewalsText(quint32 renewals, Milliseconds age) {
    return LockColumns::tr("%1 (%2 ago)", "a number of renewals, and how long ago the last one was")
        .arg(numberText(renewals), countText(age));
}

QStringList longestTexts(LockTableModel::Column column) {
    switch (column) {
        case LockTableModel::State:
            return {stateText(LockState::WaitedFor), oldStateText(LockState::Held), oldStateText(LockState::Own),
                    oldStateText(LockState::NeverExpires)};
        case LockTableModel::DiagnosisColumn:
            return {longestDiagnoses()};
        case LockTableModel::Kind:
            return {kindText(monitor::LockKind::Unknown), kindText(monitor::LockKind::Reentrant),
                    kindText(monitor::LockKind::Fair),    kindText(monitor::LockKind::ReadWrite),
                    kindText(monitor::LockKind::Fenced),  kindText(monitor::LockKind::FasterMulti)};
        case LockTableModel::HolderColumn:
            return {QStringLiteral("8f14e45f-c…2b1c:1024")};
        case LockTableModel::Ttl:
            return longestTtlTexts();
        case LockTableModel::HeldFor:
            return {heldForText(rowOfUnseenBegin(), longHold)};
        case LockTableModel::WaitingSinceColumn:
            return longestWaitingSince();
        case LockTableModel::Renewals:
            return {numberText(manyRenewals)};
        case LockTableModel::Rate:
            return {longestRate()};
        case LockTableModel::NodeColumn:
            return {QStringLiteral("192.168.100.100:17000")};
        case LockTableModel::Name:
        case LockTableModel::Count:
        case LockTableModel::Waiters:
        case LockTableModel::ColumnCount:
            break;
    }
    return {};
}

QStringList shortTexts(LockTableModel::Column column) {
    if (column == LockTableModel::HolderColumn)
        return {QStringLiteral("00001009:34")};
    if (column == LockTableModel::Ttl)
        return longestShortTtlTexts();
    if (column == LockTableModel::HeldFor)
        return {shortHeldForText(rowOfUnseenBegin(), longHold)};
    if (column == LockTableModel::Renewals)
        return {numberText(manyRenewals)};
    QStringList texts;
    if (column == LockTableModel::State)
        for (const LockState state :
             {LockState::Free, LockState::WaitedFor, LockState::Held, LockState::Own, LockState::NeverExpires})
            texts << shortStateText(state);
    return texts;
}

QString usualDiagnosis() {
    return diagnosisTitle(monitor::DiagnosisKind::LeaseRanOut);
}

QString columnHelp(LockTableModel::Column column) {
    switch (column) {
        case LockTableModel::State:
            return LockColumns::tr(
                "Whether anybody holds the lock: a held lock is a hash in Redis, and a free one has no key. \"Old\" "
                "marks the state at the moment the connection was lost.");
        case LockTableModel::Name:
            return LockColumns::tr(
                "The lock's key in Redis, as the program that uses it has named it. Bytes that are no text are shown "
                "escaped.");
        case LockTableModel::DiagnosisColumn:
            return LockColumns::tr(
                "What may be wrong with the lock, the gravest first; a question mark says that it is only suspected. "
                "The details show what was seen, how certain it is, and what can be done.");
        case LockTableModel::Kind:
            return LockColumns::tr(
                "Derived from the fields of the hash and from the helper keys beside it. A plain lock, a spin lock, a "
                "member of a multi lock and a fair lock without waiters cannot be distinguished.");
        case LockTableModel::HolderColumn:
            return LockColumns::tr(
                "UUID:THREAD. The UUID stands for one running Redisson client and is a new one after each start; the "
                "number is a thread within it. If you have named the client, the name is shown instead.");
        case LockTableModel::Count:
            return LockColumns::tr(
                "The reentry count: how often it was acquired and not released yet; for several readers, their sum. "
                "Only the last release frees the lock.");
        case LockTableModel::Ttl:
            return LockColumns::tr(
                "The time until Redis deletes the key by itself, counted down since the last read. The bar shows its "
                "share of the highest TTL seen during this hold. A watchdog sets it back to the full lease (30 s "
                "unless configured) every third of it.");
        case LockTableModel::HeldFor:
            return LockColumns::tr(
                "For how long this hold has been seen. \"over\": it was held at the first read already; since when is "
                "not known.");
        case LockTableModel::Renewals:
            return LockColumns::tr(
                "How often the TTL went up during this hold: renewed by the watchdog, or extended by hand. The picture shows "
                "the TTL of the last lease's length: a dot where it was renewed, a ring where the next renewal is due, a "
                "bar when that is late. A renewal shows that the client's process is alive, not that its work makes "
                "progress. Of a read lock it may come from any of its readers.");
        case LockTableModel::Waiters:
            return LockColumns::tr(
                "Client instances that wait for the release; threads of one client count once. For a fair lock, the "
                "length of its queue. Empty: not known.");
        case LockTableModel::WaitingSinceColumn:
            return LockColumns::tr(
                "Since when the one that waits longest was seen to wait. \"before\": it waited already when watching began. "
                "\"or later\": some have left or got in since then, and a count of those who listen does not show who. One "
                "may also leave and another come between two counts.");
        case LockTableModel::Rate:
            return LockColumns::tr(
                "How often a busy lock is released, counted by its release messages over the last ten seconds. Empty: "
                "not busy, or not known. The details show the share of time it is held, and how long, by samples.");
        case LockTableModel::NodeColumn:
            return LockColumns::tr(
                "The master of the Cluster that the lock was read from: the one that serves the hash slot of its "
                "name.");
        case LockTableModel::ColumnCount:
            break;
    }
    return {};
}

bool isCentred(LockTableModel::Column column) {
    return column == LockTableModel::Count || column == LockTableModel::Waiters;
}

namespace {

// For the filter, the same in every language. No word contains another one.
QString internalWords(const LockName& name) {
    const std::optional<monitor::InternalLock> internal = monitor::InternalLock::parse(name);
    if (!internal)
        return QStringLiteral("no");
    return internal->of == monitor::InternalLock::Of::Entry ? QStringLiteral("yes map") : QStringLiteral("yes queue");
}

}  // namespace

QStringList knownTexts(SearchedPart part) {
    QStringList texts;
    if (part == SearchedPart::Internal)
        texts << QStringLiteral("no") << QStringLiteral("yes map") << QStringLiteral("yes queue");
    if (part == SearchedPart::State)
        for (const LockState state :
             {LockState::Free, LockState::WaitedFor, LockState::Held, LockState::Own, LockState::NeverExpires})
            texts << stateText(state);
    if (part == SearchedPart::Kind) {
        for (const monitor::LockKind kind :
             {monitor::LockKind::Unknown, monitor::LockKind::Reentrant, monitor::LockKind::Fair,
              monitor::LockKind::ReadWrite, monitor::LockKind::Fenced, monitor::LockKind::FasterMulti})
            texts << kindText(kind);
        texts << otherProgramText();
    }
    if (part == SearchedPart::Diagnoses)
        for (int kind = 0; kind <= static_cast<int>(monitor::DiagnosisKind::FixedLease); ++kind)
            texts << diagnosisTitle(static_cast<monitor::DiagnosisKind>(kind))
                  << monitor::wordFor(static_cast<monitor::DiagnosisKind>(kind));
    return texts;
}

QString searchedText(const monitor::LockRow& row, SearchedPart part, Ownership ownership, const ShownNames& shown) {
    const HolderAliases& aliases = shown.aliases;
    if (part == SearchedPart::Diagnoses && row.diagnoses.isEmpty())
        return {};  // most locks of many have none
    const auto isWanted = [part](SearchedPart one) { return part == SearchedPart::All || part == one; };
    QStringList texts;
    if (isWanted(SearchedPart::Name))
        texts << plainName(row.lock.name, longestSearchedName);
    if (isWanted(SearchedPart::Name) && shown.locks.renames(row.lock.name))
        texts << shown.locks.shown(row.lock.name, longestSearchedName);
    if (isWanted(SearchedPart::Kind))
        texts << kindTextOf(row.lock);
    if (isWanted(SearchedPart::State))
        texts << stateText(lockState(row.lock, ownership));
    if (isWanted(SearchedPart::Holders))
        for (const monitor::Holder& holder : row.lock.holders)
            texts << aliases.fullDisplay(holder.id);
    if (part == SearchedPart::Clients) {
        for (const monitor::Holder& holder : row.lock.holders)
            texts << aliases.fullDisplay(holder.id);
        for (const monitor::FairWaiter& waiter : row.lock.fairQueue)
            texts << aliases.fullDisplay(waiter.id);
    }
    if (isWanted(SearchedPart::Diagnoses))
        for (const monitor::Diagnosis& diagnosis : row.diagnoses)
            texts << diagnosisTitle(diagnosis.kind());
    // The words of JSON are the same in every language; they are searched if the filter names the part.
    if (part == SearchedPart::Diagnoses)
        for (const monitor::Diagnosis& diagnosis : row.diagnoses)
            texts << monitor::wordFor(diagnosis.kind());
    if (part == SearchedPart::Node)
        texts << nodeText(row.lock);
    if (part == SearchedPart::Internal)
        texts << internalWords(row.lock.name);
    // No name contains a line feed as such, so no filter matches across two texts.
    return texts.join(QLatin1Char('\n'));
}

}  // namespace lockkeeper::ui
