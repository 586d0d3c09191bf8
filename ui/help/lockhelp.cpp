#include "ui/help/lockhelp.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct LockHelp {
    Q_DECLARE_TR_FUNCTIONS(LockHelp)
};

}  // namespace

QString columnHelp(LockTableModel::Column column) {
    switch (column) {
        case LockTableModel::State:
            return LockHelp::tr(
                "Whether anybody holds the lock: a held lock is a hash in Redis, and a free one has no key. \"Old\" "
                "marks the state at the moment the connection was lost.");
        case LockTableModel::Name:
            return LockHelp::tr(
                "The lock's key in Redis, as the program that uses it has named it. Bytes that are no text are shown "
                "escaped.");
        case LockTableModel::DiagnosisColumn:
            return LockHelp::tr(
                "What may be wrong with the lock, the gravest first; a question mark says that it is only suspected. "
                "The details show what was seen, how certain it is, and what can be done.");
        case LockTableModel::Kind:
            return LockHelp::tr(
                "Derived from the fields of the hash and from the helper keys beside it. A plain lock, a spin lock, a "
                "member of a multi lock and a fair lock without waiters cannot be distinguished.");
        case LockTableModel::HolderColumn:
            return LockHelp::tr(
                "UUID:THREAD. The UUID stands for one running Redisson client and is a new one after each start; the "
                "number is a thread within it. If you have named the client, the name is shown instead.");
        case LockTableModel::Count:
            return LockHelp::tr(
                "The reentry count: how often it was acquired and not released yet; for several readers, their sum. "
                "Only the last release frees the lock.");
        case LockTableModel::Ttl:
            return LockHelp::tr(
                "The time until Redis deletes the key by itself, counted down since the last read. The bar shows its "
                "share of the highest TTL seen during this hold. A watchdog sets it back to the full lease (30 s "
                "unless configured) every third of it.");
        case LockTableModel::HeldSince:
            return LockHelp::tr(
                "When this hold was first seen. \"before\": it was held at the first read already; since when is not "
                "known.");
        case LockTableModel::Renewals:
            return LockHelp::tr(
                "How often the TTL went up during this hold: renewed by the watchdog, or extended by hand. A renewal "
                "shows that the client's process is alive, not that its work makes progress.");
        case LockTableModel::Waiters:
            return LockHelp::tr(
                "Client instances that wait for the release; threads of one client count once. For a fair lock, the "
                "length of its queue. Empty: not known.");
        case LockTableModel::Rate:
            return LockHelp::tr(
                "How often a busy lock is released, counted by its release messages over the last ten seconds. Empty: "
                "not busy, or not known. The details show the share of time it is held, and how long, by samples.");
        case LockTableModel::ColumnCount:
            break;
    }
    return {};
}

QString stateHelp(LockState state) {
    switch (state) {
        case LockState::Free:
            return LockHelp::tr(
                "Free: it had no key at the last read. Redisson leaves no key behind when a lock is released.");
        case LockState::Held:
            return LockHelp::tr(
                "Held: its key exists and names a holder. Only renewals show whether the holder's process is alive.");
        case LockState::Own:
            return LockHelp::tr(
                "Held here: this console has acquired it, and its watchdog renews it until it is released.");
        case LockState::NeverExpires:
            return LockHelp::tr(
                "No expiry: it is held without a TTL (Redis answers PTTL with -1). Nothing but an operator will ever "
                "free it.");
    }
    return {};
}

}  // namespace lockkeeper::ui
