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
                "Whether anybody holds the lock: a held lock is a hash in Redis, and a free one is no key at all. What "
                "is marked old was so when the connection was lost.");
        case LockTableModel::Name:
            return LockHelp::tr(
                "The lock's key in Redis, as the program that uses it has named it. Bytes that are no text are shown "
                "escaped.");
        case LockTableModel::DiagnosisColumn:
            return LockHelp::tr(
                "What may be wrong with the lock, the gravest first; a question mark says that it is only suspected. "
                "The details tell what was seen, how sure it is, and what may be done.");
        case LockTableModel::Kind:
            return LockHelp::tr(
                "What the fields of the hash and the helper keys beside it prove. A plain lock, a spin lock, a member "
                "of a multi lock and a fair lock that nobody waits for look alike.");
        case LockTableModel::HolderColumn:
            return LockHelp::tr(
                "UUID:THREAD. The UUID stands for one running Redisson client and is made anew at each start; the "
                "number is a thread within it. A name of your own, once given, is shown instead.");
        case LockTableModel::Count:
            return LockHelp::tr(
                "The reentry count: how often it was taken without being given back yet; of several readers, all "
                "together. Only the last release frees the lock.");
        case LockTableModel::Ttl:
            return LockHelp::tr(
                "The time until Redis deletes the key by itself, counted down since the last look. The bar shows its "
                "share of the highest TTL seen during this hold. A watchdog sets it back to the full lease (30 s "
                "unless configured) every third of it.");
        case LockTableModel::HeldSince:
            return LockHelp::tr(
                "When this hold was first seen. \"before\": it was held at the first look already, nobody here knows "
                "how long.");
        case LockTableModel::Renewals:
            return LockHelp::tr(
                "How often the TTL went up during this hold: the watchdog at work, or somebody who extended it by "
                "hand. A renewal proves that the client's process lives, not that its worker gets on.");
        case LockTableModel::Waiters:
            return LockHelp::tr(
                "Client instances that listen for the release; threads of one client count once. Of a fair lock, the "
                "length of its queue. Empty: not known.");
        case LockTableModel::Rate:
            return LockHelp::tr(
                "How often a busy lock is given back, by the messages of its releases: all of them are counted, over "
                "the "
                "last ten seconds. Empty: not busy, or not known. The details tell the share of time it is held and "
                "how "
                "long, by samples.");
        case LockTableModel::ColumnCount:
            break;
    }
    return {};
}

QString stateHelp(LockState state) {
    switch (state) {
        case LockState::Free:
            return LockHelp::tr(
                "Free: its key was not there at the last look. Redisson leaves nothing behind when a lock is given "
                "back.");
        case LockState::Held:
            return LockHelp::tr(
                "Held: its key is there and names a holder. Whether the holder's process lives, only renewals tell.");
        case LockState::Own:
            return LockHelp::tr(
                "Held here: this console has taken it, and its watchdog keeps it until it is released.");
        case LockState::NeverExpires:
            return LockHelp::tr(
                "No expiry: it is held without a TTL (Redis answers PTTL with -1). Nothing but an operator will ever "
                "free it.");
    }
    return {};
}

}  // namespace lockkeeper::ui
