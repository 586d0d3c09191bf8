#include "ui/help/synchronizerhelp.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct SynchronizerHelp {
    Q_DECLARE_TR_FUNCTIONS(SynchronizerHelp)
};

}  // namespace

QString columnHelp(SynchronizerModel::Column column) {
    switch (column) {
        case SynchronizerModel::Name:
            return SynchronizerHelp::tr(
                "The key in Redis, as the program that uses it has named it. Bytes that are no text are shown "
                "escaped.");
        case SynchronizerModel::Kind:
            return SynchronizerHelp::tr(
                "By the channel that its waiters listen on; the key itself is a string of digits, whatever it is for. "
                "Not known: some wait as for a semaphore, others as for a latch.");
        case SynchronizerModel::Counter:
            return SynchronizerHelp::tr(
                "Of a semaphore the permits that are free, of a latch how often it must still be counted down. Without "
                "a key a latch is open, and a semaphore has no permits.");
        case SynchronizerModel::Leased:
            return SynchronizerHelp::tr(
                "Permits that were taken with a lease, and when the first of them runs out by the server's clock. "
                "Who has a permit of a plain semaphore is written nowhere.");
        case SynchronizerModel::Clients:
            return SynchronizerHelp::tr(
                "Client instances that listen for a permit or for the end of the count; threads of one client count "
                "once.");
        case SynchronizerModel::Since:
            return SynchronizerHelp::tr(
                "When it was first seen like this: with this number, these leases and so many waiting clients. They "
                "are read about every two seconds; what comes and goes in between is not seen.");
        case SynchronizerModel::ColumnCount:
            break;
    }
    return {};
}

QString counterHelp(monitor::CounterState state) {
    switch (state) {
        case monitor::CounterState::Read:
            return SynchronizerHelp::tr("The key holds this number.");
        case monitor::CounterState::Missing:
            return SynchronizerHelp::tr(
                "There is no key in this database: a semaphore has no permits, and a latch is open. Or they wait in "
                "another database of the server: the name of a channel does not contain the database.");
        case monitor::CounterState::NoCounter:
            return SynchronizerHelp::tr(
                "The key is of another type or holds no integer: something else uses this name.");
        case monitor::CounterState::NotReadable:
            return SynchronizerHelp::tr("The server does not let this user read the key.");
    }
    return {};
}

QString synchronizersHelp() {
    return SynchronizerHelp::tr(
        "Only those that somebody waits for are shown: the key of a semaphore or a latch is a string of digits like "
        "any other counter, and only its waiters show what it is.");
}

}  // namespace lockkeeper::ui
