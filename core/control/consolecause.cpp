// SPDX-License-Identifier: Apache-2.0
#include "control/consolecause.h"

#include <QCoreApplication>

namespace lockkeeper::control {

namespace {

const char* sentenceOf(ConsoleCause cause) {
    switch (cause) {
        case ConsoleCause::NotArmed:
            return QT_TRANSLATE_NOOP("CauseText", "this connection is read-only until it is armed");
        case ConsoleCause::NeverArmed:
            return QT_TRANSLATE_NOOP("CauseText", "this connection never writes");
        case ConsoleCause::ChangedSinceConfirmed:
            return QT_TRANSLATE_NOOP("CauseText", "the lock is not as it was confirmed; nothing was changed");
        case ConsoleCause::InQuarantine:
            return QT_TRANSLATE_NOOP("CauseText", "this console has the lock in quarantine already");
        case ConsoleCause::NoHolderToBreak:
            return QT_TRANSLATE_NOOP("CauseText", "the lock had no holder when it was read");
        case ConsoleCause::UnknownKindToBreak:
            return QT_TRANSLATE_NOOP("CauseText", "this kind of lock is not known well enough to break it safely");
        case ConsoleCause::TooManyReadHolds:
            return QT_TRANSLATE_NOOP("CauseText", "%1 read holds are more than one step can break");
        case ConsoleCause::TooManyReaders:
            return QT_TRANSLATE_NOOP("CauseText",
                                     "%1 readers hold it, and only some of them were read: they cannot be compared");
    }
    return "";
}

}  // namespace

const CauseTable& causeTable(ConsoleCause) {
    static constexpr CauseTable table{
        [](int cause, qsizetype) { return sentenceOf(static_cast<ConsoleCause>(cause)); }};
    return table;
}

}  // namespace lockkeeper::control
