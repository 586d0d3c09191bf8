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
                "What happened, as far as the change between two looks proves it. What comes and goes between two "
                "looks is not seen.");
        case EventLogModel::Lock:
            return EventHelp::tr("The lock's key in Redis. Choosing the event shows the lock in the table.");
        case EventLogModel::HolderColumn:
            return EventHelp::tr("Who took it, gave it back, lost it or was renewed: UUID:THREAD, or your own name.");
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
            return EventHelp::tr("Found: it was held already when it was first looked at.");
        case monitor::EventType::Acquired:
            return EventHelp::tr(
                "Acquired: a holder is there who was not there at the last look. Of a lock that nobody knew, found "
                "after the "
                "first sweep: it may have been taken earlier.");
        case monitor::EventType::Reentered:
            return EventHelp::tr("Reentered: the same holder, and its count went up.");
        case monitor::EventType::ReleasedOnce:
            return EventHelp::tr("Released once: the same holder, and its count went down; it still holds the lock.");
        case monitor::EventType::Renewed:
            return EventHelp::tr(
                "Renewed: the same holder and count, and the TTL went up. A watchdog does that, or somebody by hand.");
        case monitor::EventType::Released:
            return EventHelp::tr(
                "Released: the key is gone and a message came on its channel; or one of several readers left. A "
                "force-release looks the same; one of this console is told of by an event of its own, Forced.");
        case monitor::EventType::Expired:
            return EventHelp::tr(
                "Expired: the key is gone without a message after its TTL had run out. The holder died, or worked "
                "longer than its lease.");
        case monitor::EventType::Deleted:
            return EventHelp::tr(
                "Deleted: the key is gone without a message while it had time left: deleted by hand, evicted, "
                "flushed, or given back by a spin lock.");
        case monitor::EventType::HandedOver:
            return EventHelp::tr(
                "Handed over: another holder than at the last look. Suspect when the earlier lease had time left and "
                "no release was heard.");
        case monitor::EventType::Waiters:
            return EventHelp::tr("Waiters: the number of clients that wait for it has changed.");
        case monitor::EventType::NotWatched:
            return EventHelp::tr(
                "Not watched: what happened in this gap is not known, or what was seen could not be written to disk. "
                "It ends at the time given.");
        case monitor::EventType::Swept:
            return EventHelp::tr("Swept: discovery has looked at every key of the database once more.");
        case monitor::EventType::Diagnosed:
            return EventHelp::tr("Diagnosis: what may be wrong with the lock has come or gone.");
        case monitor::EventType::Gone:
            return EventHelp::tr("Gone: it is not held by this holder any more, and nothing seen proves how it ended.");
        case monitor::EventType::Forced:
            return EventHelp::tr(
                "Forced: this console broke the lock, and the server has confirmed it. What was seen of it then is an "
                "event of its own, which may say Released.");
    }
    return {};
}

}  // namespace lockkeeper::ui
