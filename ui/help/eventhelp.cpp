#include "ui/help/eventhelp.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct EventHelp {
    Q_DECLARE_TR_FUNCTIONS(EventHelp)
};

}  // namespace

QString columnHelp(EventLogModel::Column column) {
    switch (column) {
        case EventLogModel::Time:
            return EventHelp::tr("When it was seen, by this computer's clock. The newest event stands on top.");
        case EventLogModel::Event:
            return EventHelp::tr(
                "What happened, as far as the change between two reads shows it. What comes and goes between two "
                "reads is not seen.");
        case EventLogModel::Lock:
            return EventHelp::tr("The lock's key in Redis. Choosing the event shows the lock in the table.");
        case EventLogModel::HolderColumn:
            return EventHelp::tr(
                "Who acquired it, released it, lost it or was renewed: UUID:THREAD, or the name you gave it.");
        case EventLogModel::Detail:
            return EventHelp::tr("The reentry count and the lease after the event, or what is not known about it.");
        case EventLogModel::ColumnCount:
            break;
    }
    return {};
}

QString eventHelp(monitor::EventType type) {
    switch (type) {
        case monitor::EventType::Found:
            return EventHelp::tr("Found: it was held already when it was first read.");
        case monitor::EventType::Acquired:
            return EventHelp::tr(
                "Acquired: it has a holder that it did not have at the last read. A lock that was not known before, "
                "and found after the first sweep, may have been acquired earlier.");
        case monitor::EventType::Reentered:
            return EventHelp::tr("Reentered: the same holder, and its count went up.");
        case monitor::EventType::ReleasedOnce:
            return EventHelp::tr("Released once: the same holder, and its count went down; it still holds the lock.");
        case monitor::EventType::Renewed:
            return EventHelp::tr(
                "Renewed: the same holder and count, and the TTL went up. A watchdog does that, or somebody by hand.");
        case monitor::EventType::Released:
            return EventHelp::tr(
                "Released: the key is gone and a message came on its channel; or one of several readers released it. A "
                "force-release shows the same; one by this console has an event of its own, Forced.");
        case monitor::EventType::Expired:
            return EventHelp::tr(
                "Expired: the key is gone without a message after its TTL had run out. The holder died, or worked "
                "longer than its lease.");
        case monitor::EventType::Deleted:
            return EventHelp::tr(
                "Deleted: the key is gone without a message while it had time left: deleted by hand, evicted, "
                "flushed, or released by a spin lock.");
        case monitor::EventType::HandedOver:
            return EventHelp::tr(
                "Handed over: another holder than at the last read. Suspect when the earlier lease had time left and "
                "no release was received.");
        case monitor::EventType::Waiters:
            return EventHelp::tr("Waiters: the number of clients that wait for it has changed.");
        case monitor::EventType::NotWatched:
            return EventHelp::tr(
                "Not watched: what happened in this gap is not known, or what was seen could not be written to disk. "
                "It ends at the time given.");
        case monitor::EventType::Swept:
            return EventHelp::tr("Swept: discovery has read the names of all keys of the database once more.");
        case monitor::EventType::Diagnosed:
            return EventHelp::tr("Diagnosis: what may be wrong with the lock has come or gone.");
        case monitor::EventType::Gone:
            return EventHelp::tr("Gone: this holder does not hold it any more, and how that ended was not seen.");
        case monitor::EventType::Forced:
            return EventHelp::tr(
                "Forced: this console force-released the lock, and the server has confirmed it. What the monitor saw "
                "of it is another event, which may be Released.");
    }
    return {};
}

}  // namespace lockkeeper::ui
