// SPDX-License-Identifier: Apache-2.0
#include "ui/words/absencetext.h"

#include <QCoreApplication>

namespace lockkeeper::ui {

namespace {

struct AbsenceText {
    Q_DECLARE_TR_FUNCTIONS(AbsenceText)
};

}  // namespace

QString absenceText(Absence absence) {
    switch (absence) {
        case Absence::None:
            return {};
        case Absence::Hidden:
            return AbsenceText::tr("Hidden by the filter. Show it to work with it.");
        case Absence::Released:
            return AbsenceText::tr("Released: its row left the table.");
        case Absence::Expired:
            return AbsenceText::tr("Expired without a release: its row left the table.");
        case Absence::Deleted:
            return AbsenceText::tr("Deleted with time left and without a release: its row left the table.");
        case Absence::Forced:
            return AbsenceText::tr("Force-released by this console: its row left the table.");
        case Absence::Ended:
            return AbsenceText::tr("Free now, and how its hold ended was not seen: its row left the table.");
        case Absence::Forgotten:
            return AbsenceText::tr("Forgotten: it was free for so long that it is no longer watched.");
        case Absence::Unlisted:
            return AbsenceText::tr("Not seen since the connection was made again.");
    }
    return {};
}

QString absenceRefusal(Absence absence) {
    if (absence == Absence::None)
        return {};
    return absence == Absence::Hidden ? AbsenceText::tr("The selected lock is hidden by the filter.")
                                      : AbsenceText::tr("The selected lock is no longer in the table.");
}

}  // namespace lockkeeper::ui
